"""Family xml_params: the key stands in the tag, the value is raw text (P64-P72)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.json_calls import decode
from tamis.core.bodies.json_span import json_span
from tamis.core.bodies.raw_value import raw_value
from tamis.core.drafts import Draft, Fault, Outcome, RawValue, Settled
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault
from tamis.core.jsontext import depth
from tamis.core.lexicon import Marker, Role, attributes
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["XmlParams", "xml_params"]

_CHILD = re.compile(r"<([A-Za-z_][\w.-]{0,127})\s*>").match
_MAY_BE_CHILD = re.compile(r"<(?:[A-Za-z_][\w.-]{0,127}\s?)?\Z").match


@dataclass(frozen=True, slots=True)
class XmlParams:
    """Tags of one dialect of the family, all by their local names."""

    wrapper: str
    call: str
    parameters: tuple[str, ...]
    name: str  # child tag that holds the name in the child-tag form
    block: str  # child tag that holds the parameters in that form


def xml_params(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode a wrapper or a bare call. `entry`: "wrapper", "call", or "between" to go on behind a call of a wrapper."""
    options = context.dialect.options
    assert isinstance(options, XmlParams)
    if entry == "call":
        assert context.head is not None
        if context.head.closing or ("name" not in attributes(context.head.attributes) and not (yield from _child_form(source, context, options))):
            return Outcome.PROSE  # a lone tag without a name is talk
        yield from _call(source, context, options, context.head, wrapped=False)
        yield Settled("between")
    elif entry == "wrapper":
        if (yield from skip_blank(source)) != "<":
            return Outcome.PROSE
        marker = yield from next_marker(source, context.lexicon)
        if marker is None or marker.word not in (options.call, options.wrapper, *options.parameters):
            return Outcome.PROSE
        if marker.word == options.wrapper and marker.closing:
            source.pos = marker.end
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call envelope is empty")
            return Outcome.DONE
    while True:
        if (yield from skip_blank(source)) != "<":
            return Outcome.DONE
        marker = yield from next_marker(source, context.lexicon)
        if marker is None:
            return Outcome.DONE
        if marker.word == options.call and not marker.closing:
            source.pos = marker.end
            yield from _call(source, context, options, marker, wrapped=True)
            yield Settled("between")
        elif marker.word == options.wrapper:
            source.pos = marker.end
            if marker.closing:
                return Outcome.DONE
        elif marker.closing and (marker.role is Role.CLOSER or marker.word in options.parameters):
            source.pos = marker.end  # surplus and foreign closers between elements (P67)
            if marker.role is Role.CLOSER and marker.word != options.call:
                return Outcome.DONE
        elif marker.word in options.parameters:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "parameters stand outside of a call")
            yield Settled("between")
        else:
            return Outcome.DONE


def _child_form(source: Source, context: Context, options: XmlParams) -> Steps[bool]:
    """Whether the child tag with the name stands next; nothing but blanks is used up."""
    if (yield from skip_blank(source)) != "<":
        return False
    marker = yield from next_marker(source, context.lexicon)
    return marker is not None and marker.word in (options.name, *options.parameters) and not marker.closing


def _call(source: Source, context: Context, options: XmlParams, head: Marker, *, wrapped: bool) -> Steps[None]:
    name = attributes(head.attributes).get("name", "").strip() or None
    if head.self_closing:
        yield Draft(name, None, []) if name else Fault(Cause.MALFORMED_MARKUP, None, "the call has no name")
        return
    values: list[RawValue] = []
    arguments = None
    repairs: list[Repair] = []
    closed = False
    while not closed:
        char = yield from skip_blank(source)
        if char == "":
            # a bare call whose closer was the stop string is whole when its parameters are (P98); with a limit it is not (P99)
            if wrapped or source.reason in ("length", "max_tokens") or (not values and arguments is None):
                yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
                return
            break
        if char == "{" and arguments is None and not values:
            span = yield from json_span(source)
            if span.state == "cut" and cut_or_closed(source, context, span.text):
                yield Fault(Cause.TRUNCATED, name, "the text ends inside the arguments")
                return
            try:
                value, mended = decode(span.text) if span.state == "whole" and span.depth <= context.limits.nesting + 1 else (None, ())
            except RepairFault:
                value, mended = None, ()
            if not isinstance(value, dict) or any(depth(item) > context.limits.nesting for item in value.values()):
                if span.state != "cut":
                    yield from skip_broken(source, context, span.text if span.state == "broken" else "")
                yield Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object that can be read")
                return
            arguments = value
            repairs += (*mended, Repair("json_body"))
            continue
        marker = (yield from next_marker(source, context.lexicon)) if char == "<" else None
        word = marker.word if marker is not None else ""
        if marker is not None and word in options.parameters and not marker.closing:
            source.pos = marker.end
            fields = attributes(marker.attributes)
            mark = {"true": True, "false": False}.get(fields.get("string", "").lower())
            value = "" if marker.self_closing else (yield from raw_value(source, context, options, fields.get("name", "")))
            if value is None:
                yield Fault(Cause.TRUNCATED, name, "the text ends inside a parameter")
                return
            values.append(RawValue(fields.get("name", ""), value, mark))
        elif marker is not None and word == options.name and not marker.closing and name is None:
            source.pos = marker.end
            name = ((yield from raw_value(source, context, options, options.name, child=True)) or "").strip() or None
            repairs.append(Repair("child_tags"))
        elif marker is not None and word == options.block and not marker.closing:
            source.pos = marker.end
            if not (yield from _children(source, context, options, values)):
                yield Fault(Cause.TRUNCATED, name, "the text ends inside a parameter")
                return
        elif marker is not None and marker.closing and word == options.call:
            source.pos = marker.end
            closed = True
        elif marker is not None and (word == options.call or word == options.wrapper or marker.role is Role.CLOSER):
            break  # its own closer was lost; what encloses it, or a sibling, follows
        elif marker is not None and marker.closing:
            source.pos = marker.end  # doubled, stray or foreign closers (P67)
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, name, "text stands between the parameters")
            return
    if name is None or any(not item.key for item in values):
        yield Fault(Cause.MALFORMED_MARKUP, name, "the call has no name" if name is None else "a parameter has no name")
    else:
        yield Draft(name, arguments, None if arguments is not None else values, tuple(repairs))


def _children(source: Source, context: Context, options: XmlParams, values: list[RawValue]) -> Steps[bool]:
    """One tag per argument, up to the closer of their block; False when the text ended inside one."""
    while True:
        if (yield from skip_blank(source)) == "":
            return True  # the call around it decides
        marker = yield from next_marker(source, context.lexicon)
        if marker is not None and marker.closing:
            if marker.word == options.block:
                source.pos = marker.end
            return True
        child = _CHILD(source.text, source.pos)
        if child is None:
            if source.ended or not _MAY_BE_CHILD(source.text, source.pos):
                return not source.ended
            yield None
            continue
        source.pos = child.end()
        value = yield from raw_value(source, context, options, child[1], child=True)
        if value is None:
            return False
        values.append(RawValue(child[1], value))
