"""A raw tag value: where it ends, and which of its line breaks are layout (P64-P66, P104)."""

from __future__ import annotations

from dataclasses import dataclass

from tamis.core.bodies.context import Context, message_ends
from tamis.core.bodies.tokens import decide, peek
from tamis.core.lexicon import Role, attributes
from tamis.core.source import BLANK, Source, Steps, may_be_break, next_marker

__all__ = ["ValueMarks", "layout", "raw_value"]

_HEAD_FIELDS = frozenset({"name", "string", "type", "key"})  # a head with other attributes is somebody else's tag, and data


@dataclass(frozen=True, slots=True)
class ValueMarks:
    """Patterns around the raw values of one dialect.

    `end` is the value's own closer; where it has a group `own`, that must be the key. `head` begins a sibling value (a value whose
    closer was lost ends there, at a line start), `out` closes the call around it. `structure` is all that may stand behind a value,
    `beyond` all that may stand behind a call.
    `anchor` is the character with which all of them begin.
    """

    end: str
    head: str
    out: str
    structure: str
    beyond: str = ""
    anchor: str = "<"

    @property
    def any(self) -> str:
        """One pattern for whatever may end a value."""
        out = f"(?P<out>{self.out})|" if self.out else ""
        return f"{out}(?P<head>{self.head})|(?P<end>{self.end})"


def layout(value: str) -> str:
    """A value written on its own lines loses the break on each side; any other is verbatim."""
    if value.startswith("\r\n"):
        return value[2:].removesuffix("\n").removesuffix("\r")
    if value.startswith("\n"):
        return value[1:].removesuffix("\n")
    return value


def raw_value(source: Source, context: Context, marks: ValueMarks, key: str) -> Steps[str | None]:
    """Use up a value and its closer; None when the text ended inside it. Every other tag in it is data."""
    parts: list[str] = []
    fresh = False  # whether only blanks stand before `pos` on its line; the value's first line is not one of its own
    anchor = marks.anchor
    any_mark = marks.any

    def add(piece: str) -> None:
        nonlocal fresh
        parts.append(piece)
        line = piece.rpartition("\n")
        fresh = not line[2].strip() and (fresh or bool(line[1]))

    while True:
        text, pos = source.text, source.pos
        here = text.find(anchor, pos)
        end = len(text) if here < 0 else here
        add(text[pos:end])
        source.pos = end
        if here < 0:
            if source.ended:
                return None
            yield None
            continue
        found = decide(any_mark, text, here, source.ended)
        if found is True:
            yield None
            continue
        if found is None:
            add(anchor)
            source.pos += 1
            continue
        size = found.end() - here
        if found["end"] is not None and found.groupdict().get("own") in (None, key):
            gap = [text[here : here + size]]
            source.pos = here + size
            if (yield from _structure(source, context, marks.structure, gap)):
                return _on_lines(parts) if anchor == "\n" else layout("".join(parts))
            add("".join(gap))  # only data: the real closer is still to come
        elif found["head"] is not None and fresh and not attributes(found.groupdict().get("attrs") or "").keys() - _HEAD_FIELDS:
            return layout("".join(parts)).removesuffix("\n")
        elif marks.out and found["out"] is not None:
            gap = [text[here : here + size]]
            source.pos = here + size
            if (yield from _structure(source, context, marks.beyond or marks.structure, gap)):
                source.unread("".join(gap))
                return layout("".join(parts)).removesuffix("\n")
            add("".join(gap))
        else:
            add(text[here : here + size])
            source.pos = here + size


def _on_lines(parts: list[str]) -> str:
    """A value whose closing mark began with its last line break: only the first one is left to take off."""
    return "".join(parts).removeprefix("\r").removeprefix("\n")


def _structure(source: Source, context: Context, structure: str, gap: list[str]) -> Steps[bool]:
    """Whether structure (or the end) follows; blanks go into `gap`, so that they can still turn out to be data."""
    while True:
        match = BLANK.match(source.text, source.pos)
        end = match.end() if match else source.pos
        gap.append(source.text[source.pos : end])
        source.pos = end
        if end < len(source.text) and (source.ended or not may_be_break(source.text, end)):
            break
        if source.ended:
            return True
        yield None
    if (yield from peek(source, structure)) is not None:
        return True
    marker = yield from next_marker(source, context.lexicon)
    if marker is not None and marker.closing and marker.role is Role.PART:
        gap.append(source.text[source.pos : marker.end])
        source.pos = marker.end
        return (yield from _structure(source, context, structure, gap))  # a foreign closer between elements (P67)
    if marker is not None and marker.role is Role.END:
        return (yield from message_ends(source, context)) == ""  # an end token in a value is data like any other
    return marker is not None and marker.role in (Role.CLOSER, Role.THINK_END)
