"""What passes through: text and thoughts up to the next marker that means something, and documentation up to what ends it.

The half of the reader that looks at places: line starts, quotations, fences, fixed sentences. What a lexeme does is the table's matter;
`go` is the only way out of here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.dialects import entry_of, lexicon
from tamis.core.ledger import Ledger, is_blank
from tamis.core.lexicon import Lexicon, Marker, Role, attributes
from tamis.core.marks import PHRASE_END, PHRASES, RESULT_CONDITIONS
from tamis.core.source import BLANK, Source
from tamis.core.state import Lexeme, State

__all__ = ["PROBE", "Passing"]


_LEXICON: Lexicon = lexicon()
PROBE = re.compile("[" + re.escape("".join(sorted(_LEXICON.first | {"`", "\n"}))) + "]").search
"""The first character of text that may mean something; everything before it is plain."""
_PHRASE_FIRST = "H"
_BEGINS = frozenset({Role.OPENER, Role.RESULT, Role.THINK, Role.END})
"""Roles of markers in front of which invisible characters are layout."""
_STRAY_FIRST = "c"  # court, count, call (P9)
_BARE_ID = "functions"  # head of a Kimi id whose call mark was lost (P7)


class Passing(ABC):
    """The place in the text, and the lexeme that stands there."""

    def __init__(self, ledger: Ledger, context: Context) -> None:
        self.ledger = ledger
        self.context = context
        self.source = Source()
        self.state = State.TEXT
        self.previous = ""
        self._line = True
        self._behind_call = False
        self._wrapper = ""
        self._phrase = False
        self._literal = ""  # what ends the literal: "\n", a fence mark, or a tag
        self._pending: list[str] = []

    @abstractmethod
    def _go(self, lexeme: Lexeme, *arguments: Any) -> None:
        """Do what the table says for a lexeme."""

    def _say(self, piece: str) -> None:
        """Let a piece of text pass."""
        if piece:
            self._pending.append(piece)
            self.previous = piece[-1]
            self._line = is_blank(piece.rpartition("\n")[2]) and (self._line or "\n" in piece)
            if self._behind_call and not is_blank(piece):
                self._behind_call = False


    # -- text

    def _read_text(self) -> bool:
        """One step in TEXT or THOUGHT; False when more text is needed."""
        source = self.source
        text, pos = source.text, source.pos
        if self._line:
            handled = self._line_start()
            if handled is not None:
                return handled
            text, pos = source.text, source.pos
        found = PROBE(text, pos)
        here = len(text) if found is None else found.start()
        if self._phrase and (stop := self._phrase_end(text, pos, here)) is not None:
            return stop
        if found is None:
            self._go(Lexeme.PLAIN, here)
            return False
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        char = text[here]
        if char == "\n":
            self._go(Lexeme.PLAIN, here + 1)
            self._line = True
            return True
        if char == "`":
            self._go(Lexeme.CODE, "code", "open", None)
            return True
        marker = _LEXICON.at(text, here, source.ended)
        if marker is True:
            return False
        if marker is None:
            self._go(Lexeme.PLAIN, here + 1)
        else:
            self._meet(marker)
        return True

    def _line_start(self) -> bool | None:
        """What only counts at a line start. None: nothing of it; else as `_read_text`."""
        source = self.source
        text, pos = source.text, source.pos
        match = BLANK.match(text, pos)
        here = match.end() if match else pos
        lead = text[pos:here]
        if here == len(text) or (text[here] == "<" and not source.ended and len(text) - here < 6):  # 6 = len("<br />")
            if lead.isspace():
                self._go(Lexeme.PLAIN, here)
                return None if here < len(text) else False
            if here == len(text):
                if not source.ended:
                    return False  # invisible characters: dropped if nothing visible follows them on this line
                self._say("".join(filter(str.isspace, lead)))
                source.pos = here
                return False
        char = text[here]
        hidden = bool(lead) and not lead.isspace()
        bare = char in "{[" and self.context.has_catalog
        opens = bare
        if hidden and char in _LEXICON.first and not bare:
            marker = _LEXICON.at(text, here, source.ended)
            if marker is True:
                return False
            opens = marker is not None and marker.role in _BEGINS
        if hidden and opens:
            source.pos = here
            self._say("".join(filter(str.isspace, lead)))
        elif lead:
            self._go(Lexeme.PLAIN, here)
        self._line = True
        if bare:
            self._go(Lexeme.BARE, "bare_json", "open", None)
        elif char == ">":
            self._go(Lexeme.QUOTE, "\n", here + 1)
        elif char in "`~":
            if not source.ended and text[here:] in (char, char * 2):
                return False
            if not text.startswith(char * 3, here):
                self._line = char == "`"
                return None if char == "`" else self._plain_start(here)
            self._go(Lexeme.CODE, "fence", "open", None)
        elif char == _STRAY_FIRST:
            self._go(Lexeme.BARE, "stray", "open", None)
        elif char == _BARE_ID[0] and (text.startswith(_BARE_ID, here) or (not source.ended and _BARE_ID.startswith(text[here:]))):
            if not text.startswith(_BARE_ID, here):
                return False
            self._go(Lexeme.BARE, "kimi_special", "bare", None)
        elif char == _PHRASE_FIRST and not (self.ledger.started or self.ledger.thought or self.ledger.thoughts or self._pending_visible()):
            return self._phrase_start(here)
        else:
            if char not in _LEXICON.first:
                self._line = False
            return None
        return True

    def _plain_start(self, here: int) -> bool:
        self._go(Lexeme.PLAIN, here + 1)
        return True

    def _phrase_start(self, here: int) -> bool | None:
        """A fixed sentence at the very start of a turn opens a thought."""
        source = self.source
        rest = source.text[here : here + max(map(len, PHRASES))]
        for phrase in PHRASES:
            if rest.startswith(phrase):
                self._go(Lexeme.THINK, here + len(phrase))
                self._phrase = True
                return True
        if not source.ended and any(phrase.startswith(rest) for phrase in PHRASES):
            return False
        self._line = False
        return None

    def _phrase_end(self, text: str, pos: int, limit: int) -> bool | None:
        """The sentence that closes such a thought, anywhere in it."""
        at = text.find(_PHRASE_FIRST, pos, limit)
        if at < 0:
            return None
        rest = text[at : at + max(map(len, PHRASE_END))]
        for phrase in PHRASE_END:
            if rest.startswith(phrase):
                self._go(Lexeme.PLAIN, at)
                self._phrase = False
                self._go(Lexeme.THINK_END, at + len(phrase))
                return True
        self._go(Lexeme.PLAIN, at)
        if not self.source.ended and any(phrase.startswith(rest) for phrase in PHRASE_END):
            return False
        self._go(Lexeme.PLAIN, at + 1)
        return True

    def _meet(self, marker: Marker) -> None:
        """A complete marker in text: its role and its place decide what it means."""
        role, end = marker.role, marker.end
        quoted = self.previous == '"'  # data or a citation (P12)
        thinking = self.ledger.thought
        if role is Role.OPENER and not quoted and not marker.closing:
            self._go(Lexeme.OPENER, marker.label, entry_of(marker), marker)
        elif role is Role.RESULT and not quoted and self._result_here(marker):
            self._go(Lexeme.RESULT, "result", "open", marker)
        elif role is Role.CLOSER and self._behind_call:
            self._go(Lexeme.ORPHAN, end)
        elif role is Role.END and not quoted:
            self._go(Lexeme.DROPPED, end)
        elif role is Role.THINK and not thinking:
            self._go(Lexeme.DROPPED if marker.self_closing else Lexeme.THINK, end)
        elif role is Role.THINK_END:
            self._phrase = False
            self._go(Lexeme.THINK_END, end)
        elif role is Role.WRAP and not quoted and self._wraps(marker):
            self._go(Lexeme.DROPPED, end)
        elif role is Role.ECHO and not quoted and self._line:
            self._go(Lexeme.ECHO, "</tools>", end)
        else:
            self._go(Lexeme.PLAIN, end)

    def _result_here(self, marker: Marker) -> bool:
        if marker.closing or not (self._line or self._behind_call):
            return False
        wanted = RESULT_CONDITIONS.get(marker.word)
        if wanted is None:
            return True
        fields = attributes(marker.attributes)
        return all(fields.get(key) == value for key, value in wanted.items())

    def _wraps(self, marker: Marker) -> bool:
        if self.ledger.thought:
            return False
        if not marker.closing and not self.ledger.visible and not self._pending_visible():
            self._wrapper = marker.word
            return True
        if marker.closing and self._wrapper == marker.word:
            self._wrapper = ""
            return True
        return False

    def _pending_visible(self) -> bool:
        return any(not is_blank(piece) for piece in self._pending)

    # -- literal text

    def _read_literal(self) -> bool:
        """One step in documentation: up to what ends it. A thought around it ends it too (P111)."""
        source = self.source
        text, pos = source.text, source.pos
        closer = self._literal
        stop = _LITERAL_STOP[closer[0]](text, pos)
        if stop is None:
            self._go(Lexeme.PLAIN, len(text))
            return False
        here = stop.start()
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        if text[here] == "<" or text[here] in _LEXICON.first:
            if closer.startswith("<"):
                if text.startswith(closer, here):
                    self._go(Lexeme.LITERAL_END, here + len(closer))
                    return True
                if not source.ended and closer.startswith(text[here:]):
                    return False
            if self.ledger.thought:
                marker = _LEXICON.at(text, here, source.ended)
                if marker is True:
                    return False
                if marker is not None and marker.role is Role.THINK_END:
                    self._go(Lexeme.THINK_END, marker.end)
                    return True
            self._go(Lexeme.PLAIN, here + 1)
        elif closer == "\n":
            self._go(Lexeme.LITERAL_END, here + 1)
            self._line = True
        elif text[here] == "\n":
            self._go(Lexeme.PLAIN, here + 1)
            self._line = True
        elif not self._line:
            self._go(Lexeme.PLAIN, here + 1)
        else:
            if not source.ended and len(text) - here < len(closer) and closer.startswith(text[here:]):
                return False
            if not text.startswith(closer, here):
                self._go(Lexeme.PLAIN, here + 1)
                self._line = False
            else:
                self._go(Lexeme.LITERAL_END, here + len(closer))
        return True


_FIRSTS = re.escape("".join(sorted(_LEXICON.first)))
_LITERAL_STOP = {
    "\n": re.compile(rf"[\n{_FIRSTS}]").search,
    "`": re.compile(rf"[`\n{_FIRSTS}]").search,
    "~": re.compile(rf"[~\n{_FIRSTS}]").search,
    "<": re.compile(rf"[{_FIRSTS}]").search,
}
