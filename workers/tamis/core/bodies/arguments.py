"""One JSON object of arguments behind a name that stood in the markup (P53, P57, P61, P69)."""

from __future__ import annotations

from typing import Any, NamedTuple

from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.escaped_span import escaped_span
from tamis.core.bodies.json_span import json_span
from tamis.core.bodies.tokens import peek
from tamis.core.drafts import Fault
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault, load_lenient
from tamis.core.jsontext import JSONFault, load_strict
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["Arguments", "decode", "read_arguments"]


class Arguments(NamedTuple):
    """An object and what had to be repaired, or the fault that stands for it."""

    value: dict[str, Any]
    repairs: tuple[Repair, ...] = ()
    fault: Fault | None = None


def decode(text: str) -> tuple[object, tuple[Repair, ...]]:
    """A JSON-like value and what had to be repaired; raises `RepairFault` when there is no reading."""
    try:
        return load_strict(text)
    except JSONFault:
        reading = load_lenient(text)
        return reading.value, reading.repairs


def read_arguments(source: Source, context: Context, name: str | None, *, sibling: str = "") -> Steps[Arguments]:
    """Use up the object that begins at `pos`, a surplus closer behind it, and what follows a broken one up to its closer or `sibling`."""
    escaped = yield from escaped_span(source)
    span = escaped[0] if escaped is not None else (yield from json_span(source))
    if span.state == "cut" and cut_or_closed(source, context, span.text):
        return Arguments({}, (), Fault(Cause.TRUNCATED, name, "the text ends inside the arguments"))
    if span.state != "whole":
        if span.state == "broken":
            yield from skip_broken(source, context, span.text, sibling=sibling)
        return Arguments({}, (), Fault(Cause.MALFORMED_JSON, name, "the arguments break off where no JSON can go on"))
    try:
        value, repairs = decode(span.text)
    except RepairFault as fault:
        return Arguments({}, (), Fault(Cause.MALFORMED_JSON, name, str(fault)))
    if not isinstance(value, dict):
        return Arguments({}, (), Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object"))
    if span.surplus:
        repairs = (*repairs, Repair("surplus_closer", "", span.surplus, None))
    if escaped is not None:
        repairs = (*repairs, Repair(escaped[1]))
    char = yield from skip_blank(source)
    if char and char in "}]" and (yield from peek(source, r"\]<\]")) is None:  # which begins MiniMax's mark
        source.pos += 1
        repairs = (*repairs, Repair("surplus_closer", "", char, None))
    return Arguments(value, repairs)
