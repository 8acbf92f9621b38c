"""Code fences and inline code: packaging of a call, or documentation that shows one (P12, P13, P25)."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from tamis.core.bodies.context import Context, message_ends
from tamis.core.bodies.labels import action, name_line
from tamis.core.bodies.results import results
from tamis.core.bodies.tokens import compiled, take
from tamis.core.bodies.tool_tag import tool_tag
from tamis.core.bodies.units import begins_call
from tamis.core.drafts import Draft, Outcome
from tamis.core.events import Cause
from tamis.core.lexicon import Role
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["code_span", "fence"]

_INFO = 64  # characters of an info line: a language word and a few flags; a longer line is no fence that packs a call
_SPAN = 256  # characters of inline code that hold no opener: a longer one is a lone backtick


def fence(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decide on a fence that begins at `pos`, three marks or more on its own line. Nothing comes out of it before what follows it is known."""
    mark = source.text[source.pos]
    run = yield from _run_of(source, mark)
    info = yield from take(source, rf"(?P<word>[^\n{mark}]{{0,{_INFO}}})(?=\n)")
    if info is None:
        return Outcome.PROSE
    word = info["word"].strip()
    if word in GRAMMAR and context.allows(GRAMMAR[word][0]):
        return (yield from _grammar(source, context, word))
    from tamis.core.dialects import load

    found: list[Any] = []
    start_of_message = context.at_start
    context.packed = True
    closed = yield from _contents(source, context, mark * run, found)
    context.packed = False
    if not closed:
        return Outcome.FENCE
    behind = yield from message_ends(source, context)
    declared = _only_declared(found, context)
    if context.spent or (context.given and _once_more(found, context)):
        found = [item for item in found if load()[item.format].sentinel]
    if not all(context.allows("json_fence") for item in found if item.format in ("bare_json", "llama3_json")):
        found = []
    packs = behind in ("", "`", "~") and (declared or (behind == "" and start_of_message))
    if found and (packs or ((start_of_message or context.required) and _all_sound(found, context))):
        yield from _hand_over(found)
        return Outcome.DONE
    return Outcome.LITERAL


def _run_of(source: Source, mark: str) -> Steps[int]:
    """Use up a run of one character and count it. A long one is counted as it comes, never again from its start."""
    run = 0
    while True:
        text, pos = source.text, source.pos
        while pos < len(text) and text[pos] == mark:
            pos += 1
        run += pos - source.pos
        source.pos = pos
        if pos < len(text) or source.ended:
            return run
        yield None


GRAMMAR = {"tool": ("continue_tool_block", "lead"), "tool_code": ("gemma3_tool_code", "calls"), "tool_output": ("gemma3_tool_code", "result")}
"""Language words of fences that are a grammar of their own, judged by no rule about fences (P14): dialect and entry."""


def _grammar(source: Source, context: Context, word: str) -> Steps[Outcome]:
    """Decode a fence whose language word says what it is; it is held to its end."""
    from tamis.core.dialects import load, run_family

    label, entry = GRAMMAR[word]
    found: list[Any] = []
    if entry == "result":
        context.head = None
        return (yield from results(source, context, "fence"))
    decoder = run_family(load()[label], source, context, entry, None)
    outcome = None
    while outcome is None:
        try:
            item = next(decoder)
        except StopIteration as stop:
            outcome = stop.value
            break
        if item is None:
            yield None
        elif hasattr(item, "cause") or isinstance(item, Draft):
            found.append(item)
    if outcome is not Outcome.DONE or not found or not any(_plain_call(item, source, context) for item in found):
        return Outcome.LITERAL
    for item in found:
        item.format = label
        yield item
    return Outcome.DONE


def _plain_call(item: Any, source: Source, context: Context) -> bool:
    """Whether what a grammar fence holds is a call and no code to run."""
    if isinstance(item, Draft):
        return item.name != "print"
    if item.name is None:
        return item.cause is Cause.TRUNCATED and source.reason in ("length", "max_tokens")
    return context.declared(item.name) or not context.has_catalog


def _hand_over(found: list[Any]) -> Steps[None]:
    for item in found:
        if item.format in ("bare_json", "llama3_json"):
            item.format = "json_fence"
        yield item


def _all_sound(found: list[Any], context: Context) -> bool:
    """Whether a fence with words behind it packs calls: all are declared, and fit."""
    return all(isinstance(item, Draft) and context.accepts(item) for item in found)


def _once_more(found: list[Any], context: Context) -> bool:
    """Whether a fence behind an answer only shows its calls again."""
    return all(isinstance(item, Draft) and context.repeats(item) for item in found)


def _only_declared(found: list[Any], context: Context) -> bool:
    names = [item.name for item in found if isinstance(item, Draft)]
    return bool(found) and all(map(context.declared, names))


def _contents(source: Source, context: Context, closer: str, found: list[Any]) -> Steps[bool]:
    """Read calls up to a run of marks as long as `closer`, or the end of the text; False when there is anything else."""
    while True:
        char = yield from skip_blank(source)
        if char == "":
            return True
        if char == closer[:1]:
            return (yield from _run_of(source, char)) >= len(closer)
        if char == "F" and (yield from take(source, r"FC_USE[ \t]*\r?\n(?=\s*<function_call>)")) is not None:
            continue
        decoder = yield from decoder_at(source, context, char)
        if decoder is None or not (yield from _collect(decoder, context, found)):
            return False


def decoder_at(source: Source, context: Context, char: str) -> Steps[Generator[Any, None, Outcome] | None]:
    """The decoder for what stands at `pos` (its opener used up), or None when no call can begin there."""
    from tamis.core.dialects import decoder_of

    if char in context.lexicon.first:
        marker = yield from next_marker(source, context.lexicon)
        if marker is not None and marker.role is Role.OPENER and not marker.closing:
            opening = source.text[source.pos : marker.end]
            source.pos = marker.end
            return decoder_of(marker, source, context, opening)
    if char == "<" and context.has_catalog:
        return tool_tag(source, context, "tag")
    if char in ("{", "[") and context.has_catalog:
        return decoder_of(None, source, context)
    if context.has_catalog:
        return (action if char == "A" else name_line)(source, context, "open")
    return None


def _collect(decoder: Generator[Any, None, Outcome], context: Context, found: list[Any]) -> Steps[bool]:
    """Run a decoder inside a fence; True when it read something."""
    before = len(found)
    while True:
        try:
            item = next(decoder)
        except StopIteration as stop:
            return stop.value is Outcome.DONE and len(found) > before
        if item is None:
            yield None
        elif hasattr(item, "format"):
            if not item.format:
                item.format = context.dialect.name
            found.append(item)


_SPAN_STOP = re.compile(r"[`\n<\[]").search


def code_span(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Inline code at the start of a message: text, whatever it holds, unless it is one call and the whole message (P12, P13)."""
    run = yield from _run_of(source, "`")
    parts: list[str] = []
    size = 0
    suspicious = False
    closed = False
    while not closed:
        text, pos = source.text, source.pos
        ahead = _SPAN_STOP(text, pos)
        stop = len(text) if ahead is None else ahead.start()
        parts.append(text[pos:stop])
        size += stop - pos
        source.pos = stop
        if size > (context.limits.call if suspicious else _SPAN):
            return Outcome.PROSE
        if stop == len(text):
            if source.ended:
                return Outcome.PROSE
            yield None
        elif text[stop] == "\n":
            if stop + 1 == len(text) and not source.ended:
                yield None
                continue
            if text[stop + 1 : stop + 2] in ("", "\n"):
                return Outcome.PROSE  # a paragraph ends: the backtick was alone
            source.pos += 1
            parts.append("\n")
            size += 1
        elif text[stop] != "`":
            marker = yield from next_marker(source, context.lexicon)
            suspicious |= marker is not None and marker.role in (Role.OPENER, Role.RESULT)
            end = marker.end if marker is not None else source.pos + 1
            parts.append(source.text[source.pos : end])
            size += end - source.pos
            source.pos = end
        else:
            count = yield from _run_of(source, "`")
            closed = count == run
            parts.append("" if closed else "`" * count)
            size += count
    inner = "".join(parts)
    sub = Source()
    sub.feed(inner)
    sub.ended, sub.reason = True, source.reason
    if (yield from skip_blank(sub)) not in ("{", "[", "<", "✿", "]") and not begins_call(inner, context):
        return Outcome.LITERAL
    if (yield from skip_blank(source)) != "":
        return Outcome.LITERAL
    found: list[Any] = []
    if not (yield from _contents(sub, context, "", found)):
        return Outcome.LITERAL
    yield from _hand_over(found)
    return Outcome.DONE


def inside_code(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Behind a marker inside inline code: text if a run of backticks like `entry` still closes the code in its paragraph."""
    stop_at = compiled(context.lexicon.pattern("`\n")).search
    while True:
        text, pos = source.text, source.pos
        stop = stop_at(text, pos)
        source.pos = here = len(text) if stop is None else stop.start()
        if stop is None:
            if source.ended:
                return Outcome.UNQUOTED
            yield None
        elif text[here] == "`":
            if (yield from _run_of(source, "`")) == len(entry):
                return Outcome.LITERAL
        elif text[here] == "\n":
            if here + 1 == len(text) and not source.ended:
                yield None
                continue
            if text[here + 1 : here + 2] in ("", "\n"):
                return Outcome.UNQUOTED
            source.pos += 1
        else:
            marker = yield from next_marker(source, context.lexicon)
            if marker is not None and marker.role is Role.THINK_END and context.in_thought:
                return Outcome.UNQUOTED
            source.pos = marker.end if marker is not None else source.pos + 1
