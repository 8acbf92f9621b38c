"""An envelope whose own delimiters are escaped: unescaped once as a whole, and read (P15)."""

from __future__ import annotations

import html
import json
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.bodies.fences import decoder_at
from tamis.core.bodies.labels import collect
from tamis.core.bodies.tokens import peek
from tamis.core.drafts import Draft, Outcome
from tamis.core.events import Repair
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["ESCAPED", "SURE", "escaped"]

ESCAPED = (
    r"(?P<html_entities>&(?i:lt|#60|#x3c);|[\[{]\s*&(?:quot|#34|#39|apos);)"
    r"|(?P<backslashed_quotes>[\[{]\s*\\\")"
    r"|(?P<json_string>\"[\[{]\s*\\\")"
)
"""How an escaped envelope begins; the groups are named after the repair."""
SURE = 64
"""Characters in which it has shown itself: bracket, blanks, quote."""


def escaped(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode a message that is one escaped envelope. It is held to the end of the turn, for only then is it the whole message."""
    shape = yield from peek(source, ESCAPED, SURE)
    if shape is None:
        return Outcome.PROSE
    rule = shape.lastgroup
    parts: list[str] = []
    while True:
        parts.append(source.text[source.pos :])
        source.pos = len(source.text)
        if source.ended:
            break
        yield None
    inner = Source()
    inner.feed(_unescape("".join(parts), rule))
    inner.ended, inner.reason = True, source.reason
    found: list[Any] = []
    char = yield from skip_blank(inner)
    decoder = yield from decoder_at(inner, context, char)
    outcome = Outcome.PROSE if decoder is None else (yield from collect(decoder, found))
    if outcome is not Outcome.DONE or not found or (yield from skip_blank(inner)) != "":
        return Outcome.LITERAL
    for item in found:
        if isinstance(item, Draft):
            item.repairs = (*item.repairs, Repair(rule))
        yield item
    return Outcome.DONE


def _unescape(text: str, rule: str) -> str:
    if rule == "html_entities":
        return html.unescape(text)
    if rule == "json_string":
        try:
            return str(json.loads(text.strip(), strict=False))
        except ValueError:
            text = text.lstrip()[1:]  # it was cut: what is there is read as far as it goes
    return text.replace('\\"', '"').replace("\\\\", "\\")
