"""Family py_call: Python keyword calls in a list, on lines of their own, or alone; never evaluated (P74, P78, P97)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.tokens import decide, peek, take
from tamis.core.drafts import Draft, Fault, Outcome
from tamis.core.events import Cause
from tamis.core.pyliteral import PyFault, read_py_call
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["CALLEE", "PyCalls", "cut_callee", "py_call", "py_span", "read_span"]

CALLEE = r"[A-Za-z_][\w.\-]{0,159}\s*\("
"""A dotted name with its bracket."""
_FENCE = r"```[\w]*[ \t]*\r?\n|~~~[\w]*[ \t]*\r?\n"
_FENCE_END = r"```|~~~"
_STOP = re.compile(r"[()\[\]{}\"'#]").search
_NAME_ONLY = re.compile(r"[A-Za-z_][\w.\-]{0,159}\Z").match
_PAIRS = {")": "(", "]": "[", "}": "{"}
_ECHO = 4096  # characters of a body that is recognised when it stands twice (P78): the calls seen so are short


@dataclass(frozen=True, slots=True)
class PyCalls:
    """`end` is the closer of the envelope; with `gate` "declared" a call of an undeclared function is code to run, not a call."""

    end: str
    gate: str = ""


def py_call(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode the calls behind an opener, up to its closer. `entry` is "calls"."""
    options = context.dialect.options
    assert isinstance(options, PyCalls)
    begun = False
    written: list[str] = []
    while True:
        char = yield from skip_blank(source)
        if (yield from take(source, options.end)) is not None:
            yield from _echo(source, options, "".join(written))
            return Outcome.DONE
        if char == "" and not begun:
            return Outcome.PROSE
        if char and char in ",;[]":
            source.pos += 1
            written.append(char)
        elif (yield from take(source, _FENCE)) is not None or (begun and (yield from take(source, _FENCE_END)) is not None):
            continue
        elif (head := (yield from peek(source, CALLEE))) is not None:
            callee = head[0].rstrip("( \t\r\n").removesuffix(".call")
            if options.gate == "declared" and context.has_catalog and not context.declared(callee):
                return Outcome.DONE if begun else Outcome.PROSE
            state, text = yield from py_span(source)
            written.append(text)
            yield from read_span(source, context, state, text)
            begun = True
        elif begun and cut_callee(source):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside a name")
            return Outcome.DONE
        else:
            return Outcome.DONE if begun else Outcome.PROSE


def cut_callee(source: Source) -> bool:
    """At the token limit: whether the text ends inside the name of a further call."""
    return source.ended and source.reason in ("length", "max_tokens") and _NAME_ONLY(source.text, source.pos) is not None


def read_span(source: Source, context: Context, state: str, text: str) -> Steps[None]:
    """The call of one span, or the fault that it is."""
    name = text.partition("(")[0].strip().removesuffix(".call")
    if state == "cut" and cut_or_closed(source, context, text):
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
        return
    if state != "whole":
        if state == "broken":
            yield from skip_broken(source, context, text)
        yield Fault(Cause.MALFORMED_MARKUP, name, "the brackets of the call do not match")
        return
    try:
        call = read_py_call(text)
    except PyFault as fault:
        yield Fault(fault.cause, fault.name, str(fault))
    except RecursionError:
        yield Fault(Cause.MALFORMED_MARKUP, name, "an argument is nested too deep")
    else:
        yield Draft(call.name, call.arguments, None, call.repairs)


def py_span(source: Source) -> Steps[tuple[str, str]]:
    """Use up one `name(…)`: (state, text); state is whole, broken (at a bracket that does not match) or cut."""
    parts: list[str] = []
    stack: list[str] = []
    quote = ""
    while True:
        text, start = source.text, source.pos
        pos = start
        while pos < len(text):
            if quote == "#":
                end = text.find("\n", pos)
                pos, quote = (len(text), quote) if end < 0 else (end, "")
                continue
            if quote:
                found = text.find(quote[0], pos)
                back = text.find("\\", pos, found if found >= 0 else len(text))
                if back >= 0:
                    pos = back
                    if back + 1 == len(text):
                        break
                    pos += 2
                elif found < 0:
                    pos = len(text)
                elif text.startswith(quote, found):
                    pos, quote = found + len(quote), ""
                elif len(text) - found < 3:
                    pos = found
                    break
                else:
                    pos = found + 1
                continue
            stop = _STOP(text, pos)
            if stop is None:
                pos = len(text)
                break
            here, char = stop.start(), stop[0]
            if char in "\"'":
                pos = here
                if text[here : here + 3] in (char, char * 2) and not source.ended:  # a third may follow
                    break
                quote = char * 3 if text.startswith(char * 3, here) else char
                pos += len(quote)
            elif char == "#":
                pos, quote = here, char
            elif char not in _PAIRS:
                stack.append(char)
                pos = here + 1
            elif not stack or stack.pop() != _PAIRS[char]:
                source.pos = here
                return "broken", "".join(parts) + text[start:here]
            else:
                pos = here + 1
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


def _echo(source: Source, options: PyCalls, written: str) -> Steps[None]:
    """A body that is repeated behind its closer and closed again is dropped (P78)."""
    size = len(written)
    if size > _ECHO:
        return
    while True:
        rest = source.text[source.pos : source.pos + size]
        if rest == written:
            found = decide(rf"\s*(?:{options.end})", source.text, source.pos + size, source.ended)
            if found is not True:
                source.pos = source.pos if found is None else found.end()
                return
        elif source.ended or not written.startswith(rest):
            return
        yield None
