"""The no-opener gate for JSON: a bare object or array is a call only at a line start, with a declared name and arguments (P17-P24)."""

from __future__ import annotations

from typing import Any

from tamis.core.bodies.arguments import decode
from tamis.core.bodies.block import block
from tamis.core.bodies.context import Context, message_ends, skip_broken
from tamis.core.bodies.json_calls import SIBLING, read_object
from tamis.core.bodies.json_span import Span, json_span
from tamis.core.bodies.tokens import peek
from tamis.core.bodies.units import BEGINS
from tamis.core.calljson import gate
from tamis.core.drafts import Draft, Fault, Outcome
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault, peek_name
from tamis.core.jsontext import depth
from tamis.core.lexicon import Role
from tamis.core.placeholders import empty_but_for_comment, placeholder
from tamis.core.shapes import call_object
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["bare_json", "call_list", "judge_span", "label_of"]

_CALL_LEVELS = 4  # array, wrapper, call object and arguments stand around an argument's value; what is deeper is refused as it is
_BLANKS = " \t\r\u00a0\u200b\u200c\u200d\u2060\ufeff"


def bare_json(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode objects that stand alone on their lines. `entry` is "open", at the first bracket."""
    start_of_message = context.at_start
    if not (context.allows("bare_json") or context.allows("agent_zero_json") or context.allows("pythonic_list")):
        return Outcome.PROSE
    if (yield from peek(source, BEGINS)) is not None:
        return (yield from block(source, context, entry))
    if source.text[source.pos] == "[":
        source.pos += 1
        if (yield from skip_blank(source)) != "{":
            return Outcome.PROSE
        return (yield from call_list(source, context))
    span = yield from json_span(source)
    if span.state != "whole":
        return (yield from _unfinished(source, context, span))
    found = judge_span(span, context)
    if found is None:
        return Outcome.LITERAL
    label, clear = yield from _behind(source, context)
    if not (clear or _wanted(found, context)) or (label and not context.allows(label)):
        return Outcome.LITERAL
    if any(isinstance(item, Draft) and not context.declared(item.name) for item in found) and not (
        context.packed or (start_of_message and (yield from message_ends(source, context)) == "")
    ):
        return Outcome.LITERAL  # an undeclared name counts only when the envelope is the whole message (P23)
    if not all(_allowed(item.format, context) for item in found):
        return Outcome.LITERAL
    for item in found:
        if label:
            item.format = label
        yield item
    return Outcome.DONE


def call_list(source: Source, context: Context) -> Steps[Outcome]:
    """A list of call objects. It is held to its end, for a quotation shows only behind it; the closed elements of a cut one stand (P97)."""
    whole = context.at_start
    found: list[Draft | Fault] = []
    first = True
    while True:
        char = yield from skip_blank(source)
        if char == "{":
            span = yield from json_span(source)
            calls = judge_span(span, context) if span.state == "whole" else None
            if span.state == "cut" and (found or _names_declared(span, context)):
                found.append(Fault(Cause.TRUNCATED, peek_name(span.text), "the text ends inside the call"))
                break
            if calls is None and span.state == "broken" and _names_declared(span, context):
                # one element that cannot be read takes no sibling with it (P114)
                found.append(Fault(Cause.MALFORMED_JSON, peek_name(span.text), "the object breaks off where no JSON can go on"))
                yield from skip_broken(source, context, "", sibling=SIBLING + r"|\]")
                first = False
                continue
            if calls is None:
                return Outcome.PROSE if first and span.state == "broken" else Outcome.LITERAL
            first = False
            found += calls
            if (yield from skip_blank(source)) == "}":
                source.pos += 1  # one closer too many (P57)
        elif char == ",":
            source.pos += 1
        elif char == "]":
            source.pos += 1
            label, clear = yield from _behind(source, context)
            if not (clear or _wanted(found, context)) or (label and not context.allows(label)):
                return Outcome.LITERAL
            for item in found if label else ():
                item.format = label
            break
        elif char == "" and found:
            break
        else:
            return Outcome.LITERAL
    if not found or (
        any(isinstance(item, Draft) and not context.declared(item.name) for item in found)
        and not (context.packed or (whole and (yield from message_ends(source, context)) == ""))
    ):
        return Outcome.LITERAL
    if not all(_allowed(item.format, context) for item in found):
        return Outcome.LITERAL
    yield from found
    return Outcome.DONE


def _wanted(found: list[Draft | Fault], context: Context) -> bool:
    """Whether the host asked for a call, and these are ones past every gate: then their place does not count."""
    return context.required and bool(found) and all(isinstance(item, Draft) and context.accepts(item) for item in found)


def _allowed(label: str, context: Context) -> bool:
    """Without a marker the gate must be open, whatever dialect the keys point at."""
    return context.allows("agent_zero_json" if label == "agent_zero_json" else "bare_json")


def _unfinished(source: Source, context: Context, span: Span) -> Steps[Outcome]:
    name = peek_name(span.text)
    if name is None or not context.declared(name):
        return Outcome.PROSE if span.state == "broken" else Outcome.LITERAL  # cut data is content (P101)
    if span.state == "cut":
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
        return Outcome.DONE
    # an envelope that names a declared tool and cannot be read: the rest of its line goes with it
    while True:
        line, end, _ = source.rest().partition("\n")
        source.pos += len(line)
        if end or source.ended:
            break
        yield None
    yield Fault(Cause.MALFORMED_JSON, name, "the object breaks off where no JSON can go on")
    return Outcome.DONE


def _names_declared(span: Span, context: Context) -> bool:
    name = peek_name(span.text)
    return name is not None and context.declared(name)


def judge_span(span: Span, context: Context) -> list[Draft | Fault] | None:
    """The calls of a whole object that looks like one, or None when it is data or a declaration."""
    try:
        value: Any
        value, repairs = decode(span.text)
    except RepairFault as fault:
        name = peek_name(span.text)
        return [Fault(Cause.MALFORMED_JSON, name, str(fault))] if name is not None and context.declared(name) else None
    rules: dict[str, None] = {}
    shaped = call_object(value, context.properties, rules) if depth(value) <= context.limits.nesting + _CALL_LEVELS else value
    if gate(shaped, needs_arguments=context.needs_arguments) != "call":
        return None
    if rules:
        value = shaped
    found = read_object(span, context, shaped if rules else None, tuple(map(Repair, rules))) or None
    for place, item in enumerate(found or ()):
        if isinstance(item, Draft) and (placeholder(item.arguments or {}) is not None or empty_but_for_comment(span.text, repairs)):
            assert found is not None
            found[place] = item = Fault(Cause.UNRESOLVED_VALUE, item.name, "a placeholder stands where a value is needed")
        item.format = label_of(value)
    return found


def label_of(value: Any) -> str:
    """The dialect of a bare value by its keys (see the table of collisions)."""
    if isinstance(value, dict):
        if "tool_name" in value and "tool_args" in value:
            return "agent_zero_json"
        if "name" in value and "parameters" in value:
            return "llama3_json"
    return "bare_json"


def _behind(source: Source, context: Context) -> Steps[tuple[str, bool]]:
    """What follows on the line: (dialect of an orphan closer or "", whether nothing but blanks, separators and objects does)."""
    label = ""
    surplus = True
    while True:
        text, pos = source.text, source.pos
        while pos < len(text) and text[pos] in _BLANKS + ",;":
            pos += 1
        source.pos = pos
        if pos == len(text):
            if source.ended:
                return label, True
            yield None
            continue
        char = text[pos]
        if char in "}]" and surplus:
            source.pos += 1
            surplus = False  # one closer too many, of any kind (P57)
            continue
        surplus = False
        if char == "\n":
            yield from skip_blank(source)
            marker = yield from next_marker(source, context.lexicon)
            if marker is not None and marker.role is Role.CLOSER:
                source.pos = marker.end
                label = marker.label
            return label, True
        marker = (yield from next_marker(source, context.lexicon)) if char in context.lexicon.first else None
        if marker is not None and marker.role is Role.CLOSER:
            source.pos = marker.end
            label = marker.label
            continue
        if marker is not None:
            return label, marker.role in (Role.END, Role.OPENER, Role.RESULT, Role.THINK)
        return label, char in "{[`~"
