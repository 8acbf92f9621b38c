"""What a decoder may know besides the text, and how it gets over a body that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tamis.core.bodies.tokens import HEAD, compiled
from tamis.core.lexicon import Lexicon, Marker, Role
from tamis.core.limits import Limits
from tamis.core.marks import ENDING
from tamis.core.source import BLANK, Source, Steps, next_marker, take_blank

if TYPE_CHECKING:
    from tamis.core.dialects import Dialect
    from tamis.core.drafts import Draft

__all__ = ["Context", "cut_or_closed", "message_ends", "skip_broken"]

_RESCAN_FACTOR = 4  # a text may be read anew four times over its own length: keeps hostile input linear, sound input never needs one
_RESCAN_FREE = 64 * 1024  # and this much besides, so that a short text is not refused a second reading


def _nothing(name: str) -> Mapping[str, Any]:
    return {}


@dataclass(slots=True)
class Context:
    """Shared by all decoders of one response; `dialect`, `in_thought` and `at_start` are set for the decoder that is running."""

    lexicon: Lexicon
    limits: Limits
    has_catalog: bool
    declared: Callable[[str], bool]
    needs_arguments: Callable[[str], bool]
    properties: Callable[[str], Mapping[str, Any]] = _nothing
    """The properties of a declared tool by its emitted name; empty when there is none."""
    allows: Callable[[str], bool] = field(default=lambda name: True)
    """Whether the policy lets a dialect be read."""
    dialect: Dialect = field(init=False)
    hint: str | None = None
    """The dialect that the host expects: it breaks ties between guards that both hold."""
    head: Marker | None = None
    in_thought: bool = False
    at_start: bool = True
    packed: bool = False
    """Whether a fence stands around what is read: then the fence decides about undeclared names."""
    lead: str = ""
    """What was shown right before the block, at most `LEAD` characters; empty where the message begins with it."""
    behind_call: bool = False
    """Whether only blanks stand between the block and the call before it."""
    required: bool = False
    """The host asked for a call: rules about the place do not hold, those about names and values do."""
    spent: bool = False
    """The model talks to itself behind its calls: nothing without a marker is a call any more."""
    given: int = 0
    """Calls without a marker that were given out so far."""
    accepts: Callable[[Draft], bool] = field(default=lambda draft: True)
    """Whether a draft would pass every gate: its name is declared and its arguments fit."""
    repeats: Callable[[Draft], bool] = field(default=lambda draft: False)
    """Whether an equal call was given out before."""
    initials: frozenset[str] = frozenset("\"'(")
    """Characters that a block of calls may begin with, besides a bracket: quotes, and the first letters of what tools are called."""
    reread: int = 0

    def may_reread(self, source: Source, size: int) -> bool:
        """Whether `size` characters may be read again; counts them. A function of the text alone."""
        if self.reread + size > _RESCAN_FACTOR * source.offset + _RESCAN_FREE:
            return False
        self.reread += size
        return True

    def ends(self, marker: Marker) -> bool:
        """Whether a marker ends a body that has gone wrong: a closer of this dialect, or the thought around it."""
        return marker.key in self.dialect.closers or (self.in_thought and marker.role is Role.THINK_END)


def message_ends(source: Source, context: Context) -> Steps[str]:
    """What stands behind a block: "" when nothing visible does, else the next character.

    Blanks and end tokens are not visible, nor is a thought, a made-up result, or the end of the thought around it.

    Nothing is used up unless the message ends.
    """
    gap: list[str] = []
    while True:
        gap.append((yield from take_blank(source)))
        char = source.text[source.pos : source.pos + 1]
        marker = (yield from next_marker(source, context.lexicon)) if char and char in context.lexicon.first else None
        role = marker.role if marker is not None else None
        if marker is not None and (role is Role.END or marker.key in ENDING):
            gap.append(source.text[source.pos : marker.end])
            source.pos = marker.end
            continue
        if char == "" or role in (Role.RESULT, Role.THINK) or (role is Role.THINK_END and context.in_thought):
            return ""
        source.unread("".join(gap))
        return char


def _inner_closer(text: str, context: Context) -> int | None:
    """Where the first closer of this dialect ends inside `text`, if there is one."""
    return min((text.index(mark) + len(mark) for mark in context.dialect.closers if mark in text), default=None)


def skip_broken(source: Source, context: Context, read: str, *, sibling: str = "") -> Steps[None]:
    """Get past a body that cannot be read: to behind its closer, or in front of the next opener (P114).

    `read` is what the decoder had used up. A closer that stands in it (inside what looked like a string) ends the body there.
    `sibling` is a pattern of what goes on inside the envelope: one that is short, so that it is decided within `HEAD` characters.
    """
    inner = _inner_closer(read, context)
    if inner is not None and context.may_reread(source, len(read) - inner):
        source.unread(read[inner:])
        return
    find = context.lexicon.find
    while True:
        found = find(source.text, source.pos)
        stop = len(source.text) if found is None else found.start()
        if sibling:
            ahead = compiled(sibling).search(source.text, source.pos, stop + HEAD, partial=not source.ended)
            if ahead is not None and ahead.start() <= stop:
                source.pos = ahead.start()
                if not ahead.partial:
                    return
                yield None
                continue
        source.pos = stop
        if found is None:
            if source.ended:
                return
            yield None
            continue
        marker = yield from next_marker(source, context.lexicon)
        if marker is None:
            source.pos += 1
        elif context.ends(marker):
            if marker.role is not Role.THINK_END:
                source.pos = marker.end
            return
        elif marker.role in (Role.OPENER, Role.RESULT, Role.END):
            return
        else:
            source.pos = marker.end


_MARKUP = re.compile(r"[<\[✿`]").match


def cut_or_closed(source: Source, context: Context, read: str) -> bool:
    """At the end of the text inside an open body: True when it was cut, False when its closer stands inside and ends it.

    The closer counts when an opener or the end follows it: then it was a lost quote that hid it, and what stands behind is read.
    """
    inner = _inner_closer(read, context)
    if inner is None:
        return True
    match = BLANK.match(read, inner)
    after = match.end() if match else inner
    if (after < len(read) and _MARKUP(read, after) is None) or not context.may_reread(source, len(read) - inner):
        return True
    source.unread(read[inner:])
    return False
