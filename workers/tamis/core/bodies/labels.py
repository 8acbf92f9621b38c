"""Words at a line start that open a call: Action labels, a name alone on its line, a language word without its fence (P28, P29, P42, P77)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from tamis.core.bodies.arguments import decode
from tamis.core.bodies.block import block
from tamis.core.bodies.context import Context, message_ends, skip_broken
from tamis.core.bodies.gate import bare_json, call_list, judge_span
from tamis.core.bodies.head_json import broken_head, head_json
from tamis.core.bodies.json_span import Span, json_span
from tamis.core.bodies.tokens import compiled, peek, take
from tamis.core.drafts import Draft, Fault, Outcome, Settled, Thought
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault, peek_name
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["action", "collect", "language_word", "name_line", "thought_label", "trigger"]

_THOUGHT = 4096  # characters of a labelled thought that are held until its action shows: the longest seen has some 1200
_REACT = r"Action:[ \t]*(?P<name>[^\s{}\[\]`]{1,160})[ \t]*\r?\n\s*Action Input:"
_FENCE = r"(?:```|~~~)[ \t]*\w{0,16}[ \t]*\r?\n"
_FENCE_END = r"\s*(?:```|~~~)"
_TRIGGERED = 1024  # characters behind the trigger line in which the head of its call must stand: a sentence or two
_PSEUDO = "directly_answer"  # Command R's word for "no tool": what follows is the answer


def collect(decoder: Generator[Any, None, Outcome], found: list[Any]) -> Steps[Outcome]:
    """Run a decoder to its end and keep what it finds; its resting points are not the caller's."""
    while True:
        try:
            item = next(decoder)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        if item is None:
            yield None
        elif not isinstance(item, Settled):
            found.append(item)


def action(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode what stands behind an `Action:` label at `pos`; without a declared name it is a plain word."""
    from tamis.core.dialects import load

    dialects = load()
    named = yield from peek(source, _REACT)
    if named is not None:
        if not context.declared(named["name"]) or not context.allows("react"):
            return Outcome.PROSE
        context.dialect = dialects["react"]
        return (yield from _labelled(head_json(source, context, "call"), "react"))
    if source.reason in ("length", "max_tokens") and broken_head(source, _REACT):
        cut = compiled(r"Action:[ \t]*(?P<name>[^\s{}\[\]`]{1,160})[ \t]*\r?\n").match(source.text, source.pos)
        if cut is not None and context.declared(cut["name"]):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, cut["name"], "the text ends before the input", "react")
            return Outcome.DONE
    yield from take(source, r"Action:")
    char = yield from skip_blank(source)
    fenced = char in ("`", "~") and (yield from take(source, _FENCE)) is not None
    char = yield from skip_blank(source)
    if char not in ("{", "["):
        return Outcome.PROSE
    return (yield from _objects(source, context, fenced=fenced))


def _objects(source: Source, context: Context, *, fenced: bool) -> Steps[Outcome]:
    """The object behind the label, or the list in its fence."""
    label = "smolagents_action"
    if source.text[source.pos] == "[":
        return (yield from _list(source, context, "command_r_action" if fenced else label))
    span = yield from json_span(source)
    found: list[Draft | Fault] | None
    if span.state != "whole":
        name = peek_name(span.text)
        if name is None or not context.declared(name):
            return Outcome.PROSE
        if span.state == "cut":
            found = [Fault(Cause.TRUNCATED, name, "the text ends inside the call")]
        else:
            yield from skip_broken(source, context, "", sibling=r"\n")
            found = [Fault(Cause.MALFORMED_JSON, name, "the object breaks off where no JSON can go on")]
    else:
        yield from take(source, r"[}\]]")  # one closer too many (P57)
        found = judge_span(span, context) or _single_input(span, context)
        if found is None or not all(context.declared(item.name) or item.name == _PSEUDO for item in found if isinstance(item, Draft)):
            return Outcome.PROSE
    if fenced:
        label = "command_r_action" if '"tool_name"' in span.text else "react"
        if span.state == "whole" and (yield from take(source, _FENCE_END)) is None and (yield from message_ends(source, context)) != "":
            return Outcome.PROSE
    if not context.allows(label):
        return Outcome.PROSE
    for item in found:
        if item.name != _PSEUDO:
            item.format = label
            yield item
    return Outcome.DONE


def _single_input(span: Span, context: Context) -> list[Draft | Fault] | None:
    """An action whose input is plain text: the only parameter of the tool (P77)."""
    try:
        value = decode(span.text)[0]
    except RepairFault:
        return None
    if not isinstance(value, dict):
        return None
    name, text = value.get("action"), value.get("action_input")
    if not isinstance(name, str) or not isinstance(text, str) or len(context.properties(name)) != 1:
        return None
    (key,) = context.properties(name)
    return [Draft(name, {key: text}, None, (Repair("plain_body", f"$.{key}"),))]


def _list(source: Source, context: Context, label: str) -> Steps[Outcome]:
    """The list behind the label, each element a call of its own: those before a cut stand (P97)."""
    if not context.allows(label):
        return Outcome.PROSE
    found: list[Any] = []
    source.pos += 1
    context.packed = True
    outcome = yield from collect(call_list(source, context), found)
    context.packed = False
    if outcome is not Outcome.DONE or not all(context.declared(item.name) or item.name == _PSEUDO for item in found if isinstance(item, Draft)):
        return Outcome.PROSE
    yield from take(source, _FENCE_END)
    for item in found:
        if item.name != _PSEUDO:
            item.format = label
            yield item
    return Outcome.DONE


def thought_label(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """`Thought:` is reasoning only when an action with a declared tool follows (P42); until then it is held."""
    yield from take(source, r"Thought:")
    parts: list[str] = []
    size = 0
    while True:
        text, pos = source.text, source.pos
        end = text.find("\n", pos)
        stop = len(text) if end < 0 else end + 1
        parts.append(text[pos:stop])
        size += stop - pos
        source.pos = stop
        if size > _THOUGHT:
            return Outcome.PROSE
        if end < 0:
            if source.ended:
                return Outcome.PROSE
            yield None
            continue
        label = yield from take(source, r"(?=[ \t]{0,8}(?:Action:|Thought:|Observation:|Final Answer:))")
        if label is None:
            continue
        if (yield from peek(source, r"[ \t]*Action:")) is None:
            return Outcome.PROSE
        yield from take(source, r"[ \t]+(?=A)")
        found: list[Any] = []
        outcome = yield from collect(action(source, context, "open"), found)
        if outcome is not Outcome.DONE or not found:
            return Outcome.PROSE
        yield Thought("".join(parts).strip())
        yield from found
        return Outcome.DONE


def name_line(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """A declared name alone on its line, the object at once behind the line break (P28)."""
    from tamis.core.dialects import load

    named = yield from peek(source, r"(?P<name>[\w.:/-]{1,160})(?:[ \t]*\r?\n\s*\{|(?P<id>:\d{1,9}\s*<\|tool_call_argument_begin\|>))")
    if named is not None and named["id"] and context.allows("kimi_special"):
        context.dialect = load()["kimi_special"]  # an id whose call mark and prefix were lost (P7)
        return (yield from _labelled(head_json(source, context, "bare"), "kimi_special"))
    if named is None or not context.declared(named["name"]) or not context.allows("glm4_name_json"):
        return (yield from block(source, context, entry))
    context.dialect = load()["glm4_name_json"]
    return (yield from _labelled(head_json(source, context, "call"), "glm4_name_json"))


def _labelled(decoder: Generator[Any, None, Outcome], label: str) -> Steps[Outcome]:
    """What a decoder finds, with its dialect; nothing comes out before it has ended."""
    found: list[Any] = []
    outcome = yield from collect(decoder, found)
    for item in found:
        item.format = label
        yield item
    return outcome


def trigger(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """The trigger word of fc_use_xml, alone on its line, is no content (P109)."""
    if (yield from take(source, r"FC_USE[ \t]*\r?\n")) is None:
        return Outcome.PROSE
    text = ""
    while True:
        text += source.rest()
        source.pos = len(source.text)
        if compiled(r"<function_call>\s*<tool>").search(text, 0, _TRIGGERED) is not None:
            source.unread(text)
            return Outcome.DONE
        if source.ended or len(text) >= _TRIGGERED:
            return Outcome.PROSE
        yield None


def language_word(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """A language word left over from a fence, at once in front of a bare object (P109)."""
    if (yield from take(source, r"(?:json|JSON)[ \t]*\r?\n\s*(?=[\[{])")) is None:
        return Outcome.PROSE
    return (yield from bare_json(source, context, "open"))
