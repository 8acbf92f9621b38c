"""A cursor over text that is still arriving, and the few waits that every decoder is built from.

A decoder is a generator: it reads `source.text` from `source.pos`, moves `pos` over what it has used up, and yields None when it
needs more. What it moved over is never looked at again, so the work is linear; what it decides depends on characters alone, so
the result is the same for every cut. `ended` is set, with the finish reason, when no more text will come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from tamis.core.lexicon import Lexicon, Marker

__all__ = ["BLANK", "INVISIBLE", "Source", "Steps", "fill", "may_be_break", "next_marker", "skip_blank", "take_blank"]

T = TypeVar("T")
Steps = Generator[Any, None, T]

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u180e"
"""Characters that show nothing and that models leave between tokens (P108)."""
BLANK = re.compile(rf"(?:[\s{INVISIBLE}]|<br ?/?>)*")
_blank = cast("Callable[[str, int], re.Match[str]]", BLANK.match)  # it matches everywhere, if only nothing
_BREAK_BEGUN = re.compile(r"<(?:b(?:r ?/?)?)?\Z").match


class Source:
    """Text that arrives in pieces. `reason` is the finish reason once `ended` is true."""

    __slots__ = ("_base", "_raw", "ended", "pos", "reason", "text")

    def __init__(self) -> None:
        self._base = 0
        self.text = ""
        self.pos = 0
        self.ended = False
        self.reason: str | None = None
        self._raw: list[str] | None = None

    def feed(self, chunk: str) -> None:
        """Append a piece; what lies before `pos` is forgotten."""
        self._base += self.pos
        self.text = self.text[self.pos :] + chunk if self.pos < len(self.text) else chunk
        self.pos = 0
        if self._raw is not None:
            self._raw.append(chunk)

    def rebase(self, offset: int) -> None:
        """Take `offset` for the characters used up so far: a restored session goes on counting."""
        self._base = offset - self.pos

    def rest(self) -> str:
        """What has not been used up."""
        return self.text[self.pos :]

    def unread(self, text: str) -> None:
        """Put back text that was used up; it must be the last that was."""
        self._base += self.pos - len(text)
        self.text = text + self.text[self.pos :]
        self.pos = 0

    @property
    def offset(self) -> int:
        """Characters used up since the beginning."""
        return self._base + self.pos

    def record(self) -> None:
        """From here on remember what is used up."""
        self._raw = [self.text[self.pos :]]

    def take(self) -> str:
        """What was used up since `record` or the last `take`; recording goes on from here."""
        whole = "".join(self._raw or ())
        left = len(self.text) - self.pos
        self._raw = [self.text[self.pos :]]
        return whole[: len(whole) - left]

    def recorded(self) -> str:
        """All text since `record` or the last `take`, used up or not: what a snapshot has to keep."""
        return "".join(self._raw) if self._raw is not None else self.rest()

    def used_since(self, offset: int) -> str:
        """The text used up from `offset` on; only while it is recorded, and not before the last `take`."""
        whole = "".join(self._raw or ())
        used = whole[: len(whole) - (len(self.text) - self.pos)]
        return used[len(used) - (self.offset - offset) :]

    def forget(self) -> None:
        """Stop recording."""
        self._raw = None


def fill(source: Source) -> Steps[bool]:
    """Wait until there is a character at `pos`; False when the text has ended instead."""
    while source.pos >= len(source.text):
        if source.ended:
            return False
        yield None
    return True


def may_be_break(text: str, pos: int) -> bool:
    """Whether text that breaks off at `pos` may still turn out to be a `<br>`, which is a blank."""
    return _BREAK_BEGUN(text, pos) is not None


def skip_blank(source: Source) -> Steps[str]:
    """Use up white space, invisible characters and `<br>`; the next character, or "" at the end of the text."""
    while True:
        source.pos = _blank(source.text, source.pos).end()
        if source.pos < len(source.text) and (source.ended or not may_be_break(source.text, source.pos)):
            return source.text[source.pos]
        if source.ended:
            return ""
        yield None


def take_blank(source: Source) -> Steps[str]:
    """As `skip_blank`, but gives the blanks that were used up."""
    parts: list[str] = []
    while True:
        end = _blank(source.text, source.pos).end()
        parts.append(source.text[source.pos : end])
        source.pos = end
        if source.ended or (end < len(source.text) and not may_be_break(source.text, end)):
            return "".join(parts)
        yield None


def next_marker(source: Source, lexicon: Lexicon) -> Steps[Marker | None]:
    """The marker that stands at `pos` (not used up), or None; waits while the text there may still become one."""
    while True:
        if not (yield from fill(source)):
            return None
        marker = lexicon.at(source.text, source.pos, source.ended)
        if marker is not True:
            return marker
        yield None
