"""Code fences and inline code: packaging of a call, or documentation that shows one (P12, P13, P25)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.drafts import Draft, Outcome
from tamis.core.lexicon import Role
from tamis.core.source import BLANK, Source, Steps, next_marker, skip_blank

__all__ = ["code_span", "fence"]

_INFO = 64  # characters of an info line: a language word and a few flags; a longer line is no fence that packs a call
_SPAN = 256  # characters of inline code that hold no opener: a longer one is a lone backtick


def fence(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decide on a fence that begins at `pos`, on its own line. Nothing comes out of it before what follows it is known."""
    mark = source.text[source.pos]
    start = source.pos
    while True:
        run = len(source.text) - start - len(source.text[start:].lstrip(mark))
        if start + run < len(source.text) or source.ended:
            break
        yield None
        start = source.pos
    if run < 3:
        return Outcome.PROSE
    source.pos = start + run
    while True:
        end = source.text.find("\n", source.pos)
        if end >= 0 or source.ended or len(source.text) - source.pos > _INFO:
            break
        yield None
    if end < 0 or end - source.pos > _INFO or mark in source.text[source.pos : end]:
        return Outcome.PROSE
    source.pos = end
    found: list[Any] = []
    closed = yield from _contents(source, context, mark, run, found)
    if closed is None:
        return Outcome.FENCE
    behind = yield from skip_blank(source)
    declared = _only_declared(found, context)
    if found and (declared or (behind == "" and context.at_start)) and behind in ("", "`", "~"):
        yield from _hand_over(found)
        return Outcome.DONE
    return Outcome.LITERAL if closed else Outcome.FENCE


def _hand_over(found: list[Any]) -> Steps[None]:
    yield from found


def _only_declared(found: list[Any], context: Context) -> bool:
    names = [item.name for item in found if isinstance(item, Draft)]
    return bool(found) and all(map(context.declared, names))


def _contents(source: Source, context: Context, mark: str, run: int, found: list[Any]) -> Steps[bool | None]:
    """Read calls up to the closing mark: True when it came, False when the text ended first, None when there is anything else."""
    while True:
        char = yield from skip_blank(source)
        if char == "":
            return False
        if char == mark:
            while source.text[source.pos :] == mark * (len(source.text) - source.pos) and len(source.text) - source.pos < run and not source.ended:
                yield None
            if not source.text.startswith(mark * run, source.pos):
                return None
            while True:
                source.pos += 1
                if source.pos == len(source.text) and not source.ended:
                    yield None
                if source.pos >= len(source.text) or source.text[source.pos] != mark:
                    return True
        decoder = yield from decoder_at(source, context, char)
        if decoder is None or not (yield from _collect(decoder, found)):
            return None


def decoder_at(source: Source, context: Context, char: str) -> Steps[Generator[Any, None, Outcome] | None]:
    """The decoder for what stands at `pos` (its opener used up), or None when no call can begin there."""
    from tamis.core.dialects import decoder_of

    if char == "<":
        marker = yield from next_marker(source, context.lexicon)
        if marker is None or marker.role is not Role.OPENER or marker.closing:
            return None
        source.pos = marker.end
        return decoder_of(marker, source, context)
    if char in "{[" and context.has_catalog:
        return decoder_of(None, source, context)
    return None


def _collect(decoder: Generator[Any, None, Outcome], found: list[Any]) -> Steps[bool]:
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
            found.append(item)


def code_span(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Inline code that begins at `pos`: text, whatever it holds, unless it is one call and the whole message (P12, P13)."""
    start_of_message = context.at_start
    run = 1
    while True:
        if source.pos + run >= len(source.text) and not source.ended:
            yield None
        elif source.text[source.pos + run : source.pos + run + 1] == "`":
            run += 1
        else:
            break
    source.pos += run
    parts: list[str] = []
    size = 0
    suspicious = False
    closed = False
    while not closed:
        text, pos = source.text, source.pos
        stop = pos
        while stop < len(text) and text[stop] not in "`\n<":
            stop += 1
        if stop > pos:
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
        elif text[stop] == "<":
            marker = yield from next_marker(source, context.lexicon)
            if marker is not None and marker.role is Role.THINK_END and context.in_thought:
                return Outcome.PROSE
            suspicious |= marker is not None and marker.role in (Role.OPENER, Role.RESULT)
            end = marker.end if marker is not None else source.pos + 1
            parts.append(source.text[source.pos : end])
            size += end - source.pos
            source.pos = end
        else:
            end = stop
            while end < len(text) and text[end] == "`":
                end += 1
            if end == len(text) and not source.ended:
                yield None
                continue
            closed = end - stop == run
            source.pos = end
            parts.append("" if closed else text[stop:end])
            size += end - stop
    inner = "".join(parts)
    if not (start_of_message and BLANK.sub("", inner, count=1)[:1] in ("{", "[", "<")):
        return Outcome.LITERAL
    if (yield from skip_blank(source)) != "":
        return Outcome.LITERAL
    sub = Source()
    sub.feed(inner)
    sub.ended, sub.reason = True, source.reason
    found: list[Any] = []
    if (yield from _contents(sub, context, "\0", 1, found)) is None or not found:
        return Outcome.LITERAL
    yield from _hand_over(found)
    return Outcome.DONE
