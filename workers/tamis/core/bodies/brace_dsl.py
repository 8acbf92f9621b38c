"""Family brace_dsl: `NAME{key:value,…}` with bare keys and a string token of its own (P73)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.head_json import broken_head
from tamis.core.bodies.tokens import compiled, take
from tamis.core.bracetext import BraceFault, read_fields
from tamis.core.drafts import Draft, Fault, Outcome, RawValue, Settled
from tamis.core.events import Cause
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["BraceDsl", "brace_dsl", "brace_span"]

_PAIRS = {"}": "{", "]": "[", ")": "("}
_BEGINS = frozenset("{[(:,")


@dataclass(frozen=True, slots=True)
class BraceDsl:
    """`call` is the head up to the bracket, with `name`; `string` the token on both sides of a string, `call_end` the closer.

    `escaped` says what a string between the tokens is: True a string, None a text that the schema types.
    """

    opener: str
    call: str
    call_end: str
    string: str
    escaped: bool | None


def brace_dsl(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode one call behind its opener (entry "body"), or go on behind one ("between")."""
    options = context.dialect.options
    assert isinstance(options, BraceDsl)
    first = entry == "body"
    while True:
        yield from skip_blank(source)
        if not first and (yield from take(source, options.opener)) is None:
            return Outcome.DONE
        yield from skip_blank(source)
        head = yield from take(source, options.call)
        if head is None:
            if source.ended and broken_head(source, options.call):
                source.pos = len(source.text)
                yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
            else:
                yield from skip_broken(source, context, "")
                yield Fault(Cause.MALFORMED_MARKUP, None, "no name with a bracket follows the call's mark")
        else:
            yield from _body(source, context, options, head["name"].strip())
        yield Settled("between")
        first = False


def _body(source: Source, context: Context, options: BraceDsl, name: str) -> Steps[None]:
    state, text = yield from brace_span(source, options.string)
    if state == "cut" and cut_or_closed(source, context, text):
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
        return
    if state != "whole":
        if state == "broken":
            yield from skip_broken(source, context, text)
        yield Fault(Cause.MALFORMED_MARKUP, name, "the fields break off where they cannot go on")
        return
    yield from skip_blank(source)
    closed = yield from take(source, options.call_end)
    if closed is None:
        yield from skip_broken(source, context, "")
    try:
        fields = read_fields(text, options.string, options.escaped)
    except BraceFault as fault:
        yield Fault(Cause.MALFORMED_MARKUP, name, str(fault))
        return
    yield Draft(name, None, [RawValue(item.key, item.text, None, item) for item in fields.children or ()])


def brace_span(source: Source, token: str) -> Steps[tuple[str, str]]:
    """Use up one bracketed text: (state, text); state is whole, broken or cut. A string runs to its next string token."""
    stop = compiled(rf"[{{}}()\[\]\"{re.escape(token[0])}]").search
    parts: list[str] = []
    stack: list[str] = []
    quote = last = ""
    while True:
        text, start = source.text, source.pos
        pos = start
        while pos < len(text):
            if quote == token:
                end = text.find(token, pos)
                if end < 0:
                    pos = max(pos, len(text) - len(token) + 1)
                    break
                pos, quote, last = end + len(token), "", '"'
                continue
            if quote:
                end = text.find('"', pos)
                back = text.find("\\", pos, end if end >= 0 else len(text))
                if back >= 0:
                    pos = back
                    if back + 1 == len(text):
                        break
                    pos += 2
                elif end >= 0:
                    pos, quote, last = end + 1, "", '"'
                else:
                    pos = len(text)
                continue
            found = stop(text, pos)
            here = len(text) if found is None else found.start()
            last = text[pos:here].rstrip()[-1:] or last
            pos = here
            if found is None:
                break
            char = text[here]
            if char == token[0]:
                if text.startswith(token, here):
                    quote = token
                elif not source.ended and token.startswith(text[here : here + len(token)]):
                    break
                pos += len(quote) or 1
                continue
            pos += 1
            if char == '"':
                quote = '"' if last in _BEGINS else ""
                continue
            if char not in _PAIRS:
                stack.append(char)
            elif not stack or stack.pop() != _PAIRS[char]:
                source.pos = here
                return "broken", "".join(parts) + text[start:here]
            last = char
            if not stack:
                source.pos = pos
                return "whole", "".join(parts) + text[start:pos]
        parts.append(text[start:pos])
        source.pos = pos
        if source.ended:
            parts.append(text[pos:])
            source.pos = len(text)
            return "cut", "".join(parts)
        yield None
