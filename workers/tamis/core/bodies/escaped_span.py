"""A JSON object whose own quotes are escaped, inside an envelope that is not (P15)."""

from __future__ import annotations

import html
import re

from tamis.core.bodies.json_span import Span
from tamis.core.bodies.tokens import peek
from tamis.core.source import Source, Steps

__all__ = ["escaped_span"]

_OPENS = r"[\[{]\s*(?:[\[{]\s*)?(?P<mark>\\\"|&quot;|&#34;)"
_STOP = {
    '\\"': re.compile(r"(?P<quote>\\+\")|[{}\[\]]").search,
    "&": re.compile(r"(?P<quote>\\*&(?:quot|#34);)|[{}\[\]]").search,
}
_HELD = 8  # characters at the end of a piece in which a quote may have begun: backslashes or `&quot;`


def escaped_span(source: Source) -> Steps[tuple[Span, str] | None]:
    """Use up one object with escaped delimiters: its unescaped text and the repair; None when its quotes are not escaped."""
    found = yield from peek(source, _OPENS, 64)  # 64: two brackets with their blanks
    if found is None:
        return None
    mark = found["mark"]
    stop_at = _STOP["&" if mark.startswith("&") else mark]
    parts: list[str] = []
    depth = 0
    inside = False
    state = ""
    while not state:
        text, start = source.text, source.pos
        pos = start
        while not state and (stop := stop_at(text, pos)) is not None:
            pos = stop.end()
            quote = stop["quote"]
            if quote is not None:
                inside ^= quote == mark or (mark.startswith("&") and quote.startswith("&"))
            elif not inside:
                depth += 1 if stop[0] in "{[" else -1
                state = "" if depth else "whole"
        if not state:
            pos = len(text) if source.ended else max(pos, len(text) - _HELD)
        parts.append(text[start:pos])
        source.pos = pos
        if not state:
            if source.ended:
                state = "cut"
            else:
                yield None
    whole = "".join(parts)
    if mark.startswith("&"):
        return Span(state, html.unescape(whole)), "html_entities"
    return Span(state, whole.replace('\\"', '"').replace("\\\\", "\\")), "backslashed_quotes"
