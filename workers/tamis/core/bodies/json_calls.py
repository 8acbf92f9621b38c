"""Family json_calls: the JSON carries name and arguments; an array, several objects or one object a line are several calls (P54)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tamis.core.bodies.arguments import decode
from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.escaped_span import escaped_span
from tamis.core.bodies.json_span import Span, json_span
from tamis.core.bodies.tokens import take
from tamis.core.calljson import DraftFault, read_calls
from tamis.core.drafts import Draft, Fault, Outcome, Settled
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault, peek_name
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["FENCE", "JsonCalls", "json_calls", "read_call", "read_object"]

_SEPARATORS = ",;"
SIBLING = r"""\{\s{0,16}["'](?:name|tool_name|tool_call_id|type|id|function)["']\s{0,4}:"""
"""Where the next call object of a list begins: behind a broken one reading goes on there (P114)."""
_NAMED_SIBLING = r"""\{\s{0,16}["'][\w.:/-]{1,128}["']\s{0,4}:\s{0,4}\{"""
"""The same where the tool's name is the only key."""
FENCED = "+fence"
"""Behind an entry: a fence around the JSON is still open."""
FENCE = r"```\w{0,16}\s*(?=[\[{])"
"""A JSON fence around the object, allowed in every envelope (P61)."""


@dataclass(frozen=True, slots=True)
class JsonCalls:
    """`lead` are tokens between the opener and the JSON."""

    lead: str = ""
    lists: bool = False
    """Whether the envelope lists calls, so that an empty one is nothing; else it is the envelope of one (P71)."""
    named_by_key: str = ""
    """Rule name for formats whose objects have the tool's name as their only key; empty where the keys are fixed."""


_PLAIN = JsonCalls()


def json_calls(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode an envelope. `entry` is "open" behind the opener, "objects" or "array" to go on after a call."""
    options = context.dialect.options
    if not isinstance(options, JsonCalls):
        options = _PLAIN
    fenced = FENCED if entry.endswith(FENCED) else ""
    if entry == "open":
        while True:
            first = yield from skip_blank(source)
            if options.lead and (yield from take(source, options.lead)) is not None:
                continue
            if first == "`" and (yield from take(source, FENCE)) is not None:
                fenced = FENCED
                continue
            if first in context.lexicon.first:
                marker = yield from next_marker(source, context.lexicon)
                if marker is not None and context.head is not None and marker.key == context.head.key:
                    source.pos = marker.end
                    continue  # the same opener twice in a row counts once (P10)
                if marker is not None and marker.key in context.dialect.closers:
                    source.pos = marker.end
                    if not options.lists:
                        yield Fault(Cause.MALFORMED_MARKUP, None, "the call envelope is empty")
                    return Outcome.DONE
            if first == "" or first not in "{[":
                return Outcome.PROSE
            break
    return (yield from _calls(source, context, options, array=entry.startswith("array"), fenced=fenced))


def _calls(source: Source, context: Context, options: JsonCalls, *, array: bool, fenced: str) -> Steps[Outcome]:
    due = False  # a comma stands there: another element was to come
    while True:
        char = yield from skip_blank(source)
        if char == "" and array and due:
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the array of calls")
        if char in context.lexicon.first:
            marker = yield from next_marker(source, context.lexicon)
            if marker is not None:
                if marker.key in context.dialect.closers:
                    source.pos = marker.end
                return Outcome.DONE
        if char and source.ended and any(mark.startswith(source.rest()) for mark in context.dialect.closers):
            source.pos = len(source.text)  # the closer was cut: the calls before it stand
            return Outcome.DONE
        if char == "{":
            due = False
            yield from read_call(source, context, array=array)
            yield Settled(("array" if array else "objects") + fenced)
        elif char == "[" and not array:
            source.pos += 1
            array = True
            inner = yield from skip_blank(source)
            if inner not in ("{", "]", ""):
                yield from skip_broken(source, context, "")
                yield Fault(Cause.MALFORMED_JSON, None, "the array holds something else than call objects")
                return Outcome.DONE
            if inner == "":
                yield Fault(Cause.TRUNCATED, None, "the text ends inside the array of calls")
                return Outcome.DONE
        elif char and char in _SEPARATORS:
            source.pos += 1
            due = char == ","
        elif fenced and char == "`" and (yield from take(source, "```")) is not None:
            fenced = ""  # the end of a fence around the JSON
        elif char and char in "]}":  # the end of the array, or one closer too many (P57)
            source.pos += 1
            array = False
        else:
            return Outcome.DONE


def read_call(source: Source, context: Context, *, array: bool = False) -> Steps[None]:
    """Use up one call object, and what belongs to it behind it."""
    escaped = yield from escaped_span(source)
    span = escaped[0] if escaped is not None else (yield from json_span(source))
    if span.state == "cut" and cut_or_closed(source, context, span.text):
        yield Fault(Cause.TRUNCATED, peek_name(span.text), "the text ends inside the call")
        return
    if span.state != "whole":
        if span.state == "broken":
            options = context.dialect.options
            named = isinstance(options, JsonCalls) and options.named_by_key
            yield from skip_broken(source, context, span.text, sibling=_NAMED_SIBLING if named else SIBLING)
        yield Fault(Cause.MALFORMED_JSON, peek_name(span.text), "the object breaks off where no JSON can go on")
        return
    repairs = [Repair(escaped[1])] if escaped is not None else []
    if span.surplus:
        repairs.append(Repair("surplus_closer", "", span.surplus, None))
    char = yield from skip_blank(source)
    if char == "}" or (char == "]" and not array):
        source.pos += 1
        repairs.append(Repair("surplus_closer", "", char, None))
        char = yield from skip_blank(source)
    found = read_object(span, context)
    last = found[-1] if found else None
    if char == "<" and isinstance(last, Draft) and last.arguments is not None and last.arguments.get("code") == "":
        found[-1] = yield from _code_block(source, context, last, last.arguments)
    for item in found:
        if isinstance(item, Draft) and repairs:
            item.repairs = (*item.repairs, *repairs)
        yield item


def _code_block(source: Source, context: Context, call: Draft, arguments: dict[str, Any]) -> Steps[Draft | Fault]:
    """`<code>…</code>` behind the JSON fills an empty `code` argument (P77)."""
    marker = yield from next_marker(source, context.lexicon)
    if marker is None or marker.word != "code" or marker.closing:
        return call
    source.pos = marker.end
    parts: list[str] = []
    while True:
        end = source.text.find("</code>", source.pos)
        if end >= 0:
            parts.append(source.text[source.pos : end])
            source.pos = end + 7  # len("</code>")
            break
        keep = max(source.pos, len(source.text) - 6)
        parts.append(source.text[source.pos : keep])
        source.pos = keep
        if source.ended:
            source.pos = len(source.text)
            return Fault(Cause.TRUNCATED, call.name, "the text ends inside the code block")
        yield None
    code = "".join(parts)
    code = code[1:].removesuffix("\n") if code.startswith("\n") else code
    return replace(call, arguments=arguments | {"code": code}, repairs=(*call.repairs, Repair("code_block", "$.code")))


def read_object(span: Span, context: Context, shaped: object = None, rules: tuple[Repair, ...] = ()) -> list[Draft | Fault]:
    """The calls of one whole object, each as its own draft or fault; of `shaped` where the object was written in another shape."""
    try:
        value, repairs = decode(span.text)
    except RepairFault as fault:
        return [Fault(Cause.MALFORMED_JSON, peek_name(span.text), str(fault))]
    found: list[Draft | Fault] = []
    options = context.dialect.options
    if isinstance(options, JsonCalls) and options.named_by_key:
        value = _by_key(value, options.named_by_key)
    if shaped is not None:
        value, repairs = shaped, (*repairs, *rules)
    for item in read_calls(value):
        if isinstance(item, DraftFault):
            found.append(Fault(item.cause, item.name, item.detail, value=item.value))
        else:
            found.append(Draft(item.name, item.arguments, None, (*repairs, *item.repairs)))
    return found


def _by_key(value: object, rule: str) -> object:
    """The usual shape of an object whose only key is the tool's name (P55)."""
    if isinstance(value, dict) and len(value) == 1:
        ((name, arguments),) = value.items()
        if isinstance(name, str) and (arguments is None or isinstance(arguments, dict | str)):
            return {"name": name, "arguments": {} if arguments is None else arguments}
    return value
