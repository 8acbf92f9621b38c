"""Messages whose header decides (P37, P38): their text passes through unread until the next sound header or an end token."""

from __future__ import annotations

import re

from tamis.core.dialects import RECIPIENT, begins_message, lexicon
from tamis.core.lexicon import Role
from tamis.core.literals import Literals
from tamis.core.state import Lexeme

__all__ = ["MESSAGE", "Messages"]

MESSAGE = "|"
"""The kind of literal that a header ends."""
_LEXICON = lexicon()
_STOP = re.compile(rf"{_LEXICON.pattern('')}| (?:t(?:o(?:=|\Z)|\Z)|\Z)").search
_ENDING = frozenset({"<|call|>", "<|end_message|>"})


class Messages(Literals):
    """The half of passing text that knows headers."""

    __slots__ = ()

    def _read_message(self) -> bool:
        """One step inside a message; False when more text is needed."""
        source = self.source
        text, pos = source.text, source.pos
        stop = _STOP(text, pos)
        if stop is None:
            self._go(Lexeme.PLAIN, len(text))
            return False  # all of it has passed
        here = stop.start()
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        if text[here] == " ":
            if not text.startswith(RECIPIENT, here):
                if not source.ended:
                    return False
                sound: bool | None = False
            else:
                sound = begins_message(RECIPIENT, text, here + len(RECIPIENT), source.ended)
            return self._header(sound, here + 1)
        marker = _LEXICON.at(text, here, source.ended, self.held)
        if marker is True:
            return False
        if marker is None:
            self._go(Lexeme.PLAIN, here + 1)
        elif marker.role is Role.END or marker.key in _ENDING:
            source.pos = marker.end
            self._go(Lexeme.MESSAGE_END)
        elif marker.role is Role.OPENER:
            return self._header(begins_message(marker.key, text, marker.end, source.ended), marker.end)
        else:
            self._go(Lexeme.PLAIN, marker.end)
        return True

    def _header(self, sound: bool | None, end: int) -> bool:
        """A sound header ends the message and is read as one; anything else is text up to `end`."""
        if sound is None:
            return False
        if sound:
            self._go(Lexeme.MESSAGE_END)
        else:
            self._go(Lexeme.PLAIN, end)
        return True
