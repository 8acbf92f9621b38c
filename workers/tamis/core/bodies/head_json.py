"""Family head_json: the name stands in the markup, one JSON object of arguments follows (P61)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.json_calls import decode
from tamis.core.bodies.json_span import Span, json_span
from tamis.core.drafts import Draft, Fault, Outcome, Settled, plain_name
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault
from tamis.core.jsontext import depth
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["HeadJson", "head_json"]

_HEAD = 160  # characters of a head: a name of 128, its prefix and its counter
_NAME = re.compile(r"\s*[^\s<>{}\[\]\"'`,]+\s*").fullmatch


@dataclass(frozen=True, slots=True)
class HeadJson:
    """Marks of one dialect of the family; `sections` maps each section opener to its closer."""

    sections: dict[str, str]
    call: str
    arguments: str
    call_end: str


def head_json(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode a section or a lone call. `entry`: "section", "call", "bare" (an id that lost its call mark) or "between"."""
    options = context.dialect.options
    assert isinstance(options, HeadJson)
    if entry == "call":
        if not (yield from _call(source, context, options, sound=True)):
            return Outcome.PROSE
        yield Settled("between")
    elif entry in ("section", "bare"):
        char = yield from skip_blank(source)
        marker = (yield from next_marker(source, context.lexicon)) if char == "<" else None
        if marker is not None and marker.word in options.sections.values():
            source.pos = marker.end
            return Outcome.DONE  # an empty section lists no calls
        if marker is not None and marker.word == options.call:
            source.pos = marker.end
        elif char == "" or char == "<":
            return Outcome.PROSE
        if not (yield from _call(source, context, options, sound=marker is None)):
            return Outcome.PROSE
        yield Settled("between")
    while True:
        char = yield from skip_blank(source)
        if char == "":
            return Outcome.DONE
        if char != "<":
            # an id whose call mark was lost, or text: only the arguments' mark tells
            mark = yield from _head(source, context, options)
            if mark is None or not mark[1]:
                if mark is not None:
                    source.unread(mark[0])
                return Outcome.DONE
            yield from _body(source, context, options, mark[0])
            yield Settled("between")
            continue
        marker = yield from next_marker(source, context.lexicon)
        if marker is None:
            return Outcome.DONE
        if marker.word in options.sections.values() or marker.word == options.call_end:
            source.pos = marker.end
            if marker.word != options.call_end:
                return Outcome.DONE
        elif marker.word == options.call or marker.word in options.sections:
            source.pos = marker.end
            if marker.word == options.call:
                yield from _call(source, context, options, sound=False)
                yield Settled("between")
        else:
            return Outcome.DONE


def _head(source: Source, context: Context, options: HeadJson) -> Steps[tuple[str, bool] | None]:
    """Use up a head and the arguments' mark: (head, True); (text used up, False) when another thing follows; None at a cut."""
    text = ""
    while True:
        stop = source.text.find("<", source.pos)
        end = len(source.text) if stop < 0 else stop
        text += source.text[source.pos : end]
        source.pos = end
        if len(text) > _HEAD:
            return text, False
        if stop >= 0:
            marker = yield from next_marker(source, context.lexicon)
            if marker is not None and marker.word == options.arguments and _NAME(text):
                source.pos = marker.end
                return text, True
            return text, False
        if source.ended:
            return (text, False) if not _NAME(text) else None
        yield None


def _call(source: Source, context: Context, options: HeadJson, *, sound: bool) -> Steps[bool]:
    """One call behind its call mark. With `sound` a head that does not hold makes it prose: False."""
    mark = yield from _head(source, context, options)
    if mark is None:
        yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        return True
    head, complete = mark
    if complete:
        yield from _body(source, context, options, head)
        return True
    marker = (yield from next_marker(source, context.lexicon)) if source.pos < len(source.text) else None
    if marker is not None and marker.word == options.call_end and _NAME(head):
        source.pos = marker.end
        yield Draft(plain_name(head.strip()), {}, None, (Repair("no_arguments"),), emitted=head.strip())  # a name and no arguments (P70)
        return True
    if sound or not head.strip():
        return not sound and source.ended and not head.strip()
    yield from skip_broken(source, context, "")
    yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no arguments mark behind its name")
    return True


def _body(source: Source, context: Context, options: HeadJson, head: str) -> Steps[None]:
    emitted = head.strip()
    name = plain_name(emitted)
    char = yield from skip_blank(source)
    if char != "{":
        marker = (yield from next_marker(source, context.lexicon)) if char == "<" else None
        if marker is not None and marker.word == options.call_end:
            source.pos = marker.end
            yield Draft(name, {}, None, (Repair("no_arguments"),), emitted=emitted)
        elif char == "":
            yield Fault(Cause.TRUNCATED, name, "the text ends before the arguments")
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object")
        return
    span = yield from json_span(source)
    if span.state == "cut" and cut_or_closed(source, context, span.text):
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the arguments")
        return
    if span.state != "whole":
        if span.state == "broken":
            yield from skip_broken(source, context, span.text)
        yield Fault(Cause.MALFORMED_JSON, name, "the arguments break off where no JSON can go on")
        return
    repairs: list[Repair] = []
    char = yield from skip_blank(source)
    if char and char in "}]":
        source.pos += 1
        repairs.append(Repair("surplus_closer", "", char, None))
        char = yield from skip_blank(source)
    yield _draft(span, emitted, repairs, context)
    if char == "<":
        marker = yield from next_marker(source, context.lexicon)
        if marker is not None and marker.word == options.call_end:
            source.pos = marker.end


def _draft(span: Span, emitted: str, repairs: list[Repair], context: Context) -> Draft | Fault:
    name = plain_name(emitted)
    limit = context.limits.nesting
    if span.depth > limit + 1:  # the object of arguments stands around an argument's value
        return Fault(Cause.MALFORMED_JSON, name, f"an argument is nested deeper than {limit} levels")
    try:
        value, mended = decode(span.text)
    except RepairFault as fault:
        return Fault(Cause.MALFORMED_JSON, name, str(fault))
    if not isinstance(value, dict) or (span.depth > limit and any(depth(item) > limit for item in value.values())):
        return Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object that may be read")
    return Draft(name, value, None, (*mended, *repairs), emitted=emitted)
