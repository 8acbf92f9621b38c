"""A bare list of Python calls: a call only when it runs to the end of the text and every callee is declared (P26, P97)."""

from __future__ import annotations

from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.bodies.py_call import CALLEE, cut_callee, py_span, read_span
from tamis.core.bodies.tokens import peek
from tamis.core.drafts import Draft, Fault, Outcome
from tamis.core.events import Cause
from tamis.core.lexicon import Role
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["python_list"]


def python_list(source: Source, context: Context) -> Steps[Outcome]:
    """Decode the calls behind the opening bracket. All are held to the end of the text; anything behind the list makes it code."""
    if not context.allows("pythonic_list"):
        return Outcome.LITERAL
    found: list[Draft | Fault] = []
    while True:
        char = yield from skip_blank(source)
        if char == "":
            break
        if char == "]":
            source.pos += 1
            if not (yield from _ends(source, context)):
                return Outcome.LITERAL
            break
        if char == ",":
            source.pos += 1
            continue
        head = yield from peek(source, CALLEE)
        if found and cut_callee(source):
            source.pos = len(source.text)
            found.append(Fault(Cause.TRUNCATED, None, "the text ends inside a name"))
            break
        name = "" if head is None else head[0].rstrip("(").strip()
        if head is None or not (context.declared(name) or (name == "print" and not found)):
            return Outcome.PROSE if not found else Outcome.LITERAL
        state, text = yield from py_span(source)
        if state == "broken":
            return Outcome.LITERAL
        items: list[Any] = []
        for item in read_span(source, context, state, text):
            if item is None:
                yield None
            else:
                items.append(item)
        if any(isinstance(item, Fault) and item.cause is not Cause.TRUNCATED for item in items):
            return Outcome.LITERAL  # literals only: anything else is code
        if any(isinstance(item, Draft) and not context.declared(item.name) for item in items):
            return Outcome.LITERAL
        found += items
    for item in found:
        item.format = "pythonic_list"
        yield item
    return Outcome.DONE


def _ends(source: Source, context: Context) -> Steps[bool]:
    """Whether nothing but blanks and end tokens stands behind the list."""
    while True:
        char = yield from skip_blank(source)
        if char == "" or (context.packed and char in "`~"):
            return True
        marker = (yield from next_marker(source, context.lexicon)) if char in context.lexicon.first else None
        if marker is None or marker.role not in (Role.END, Role.CLOSER):
            return marker is not None and (marker.role is Role.RESULT or (marker.role is Role.THINK_END and context.in_thought))
        source.pos = marker.end
