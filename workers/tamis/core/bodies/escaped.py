"""An envelope whose own delimiters are escaped: unescaped once as a whole, and read (P15)."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.bodies.fences import decoder_at
from tamis.core.bodies.labels import collect
from tamis.core.bodies.tool_tag import TOOL_TAG, tool_tag
from tamis.core.drafts import Draft, Fault, Outcome
from tamis.core.events import Repair
from tamis.core.source import BLANK, Source, Steps, skip_blank

__all__ = ["escaped", "looks_escaped", "may_be_escaped"]

_SHAPES = (
    (re.compile(r"&(?:lt|#60|#x3c);", re.IGNORECASE), "html_entities"),
    (re.compile(r"[\[{]\s*&(?:quot|#34|#39|apos);"), "html_entities"),
    (re.compile(r"[\[{]\s*\\\""), "backslashed_quotes"),
    (re.compile(r"\"[\[{]\s*\\\""), "json_string"),
)
_SURE = 64  # characters after which the shape of an escaped envelope has shown: bracket, blanks, quote
_TAG = re.compile(TOOL_TAG).match


def looks_escaped(text: str, pos: int) -> str:
    """The rule by which the text at `pos` is escaped, or ""."""
    return next((rule for shape, rule in _SHAPES if shape.match(text, pos)), "")


def may_be_escaped(text: str, pos: int) -> bool:
    """Whether text that breaks off may still turn out to be escaped."""
    rest = text[pos + 1 :].lstrip()
    return not rest or (rest[0] in "&\\" and len(rest) < 6)  # 6 = len("&quot;")


def escaped(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode a message that is one escaped envelope. It is held to the end of the turn, for only then is it the whole message."""
    while not source.ended and len(source.text) - source.pos < _SURE and not looks_escaped(source.text, source.pos):
        yield None
    rule = looks_escaped(source.text, source.pos)
    if not rule or not context.has_catalog:
        return Outcome.PROSE
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
    if char == "<" and (tag := _TAG(inner.text, inner.pos)) is not None and context.declared(tag["name"]):
        decoder = tool_tag(inner, context, "open")
    else:
        picked = yield from decoder_at(inner, context, char)
        if picked is None:
            return Outcome.LITERAL
        decoder = picked
    outcome = yield from collect(decoder, found)
    rest = BLANK.sub("", inner.text[inner.pos :], count=1)
    if outcome is not Outcome.DONE or not found or rest:
        return Outcome.LITERAL
    for item in found:
        if isinstance(item, Draft):
            item.repairs = (*item.repairs, Repair(rule))
        if isinstance(item, Draft | Fault) and not item.format:
            item.format = context.dialect.name
        yield item
    return Outcome.DONE


def _unescape(text: str, rule: str) -> str:
    if rule == "html_entities":
        return html.unescape(text)
    if rule == "json_string":
        try:
            value = json.loads(text.strip(), strict=False)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    return text.replace('\\"', '"').replace("\\\\", "\\")
