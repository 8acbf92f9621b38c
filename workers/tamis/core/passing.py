"""What passes through: text and thoughts up to the next marker that means something.

The half of the reader that looks at places; `tamis.core.lines`, `tamis.core.literals` and `tamis.core.messages` add theirs. What a
lexeme does is the table's matter; `_go` is the only way out of here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import deque
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.dialects import cut_closers, lexicon
from tamis.core.ledger import Ledger, is_blank
from tamis.core.lexicon import LONGEST, Lexicon, Marker, Role, attributes
from tamis.core.marks import ENDING, RESULT_CONDITIONS, RESULT_SHAPES
from tamis.core.selftalk import LEAD
from tamis.core.source import Source
from tamis.core.state import Lexeme, State
from tamis.core.watch import RECENT, UNKNOWN, Watch

__all__ = ["PIECES", "PROBE", "Passing"]


_LEXICON: Lexicon = lexicon()
_UNKNOWN = r"<\|(?:[^<>|\s]{2,48}\|>|[^<>|\s]{0,48}\|?\Z)"
_ARRIVING = re.compile(r"(?P<whole><\|[^<>|\s]{2,48}\|>)|<\|[^<>|\s]{0,48}\|?\Z").match
"""A special token that no dialect knows, whole or still arriving."""
PROBE = re.compile(_LEXICON.pattern("`\n", rf"(?<=<){_UNKNOWN[1:]}|(?<=\{{)(?:[\"']|\Z)|(?<=\[)(?:[A-Za-z_\"'\[(]|\Z)", "{[")).search
"""The first place of text that may mean something, or is worth a look; everything before it is plain."""
_TOKEN_BEFORE = re.compile(rf"(?:{UNKNOWN})\s{{0,8}}[\[(]?\s{{0,4}}\Z").search
PIECES = max(RECENT, LEAD)  # of passed text that are kept: at one character each they still hold what is asked for
CODE = "i"
"""The kind of literal that is inline code; the run of backticks that ends it follows."""
CITED = "q"
"""The kind of literal that is a citation: an opener directly behind a double quote, up to the quote behind its closer."""
_CHANNEL = "<|channel>"
_MESSAGE_END = "<|end_message|>"  # closes every kind of block of its family, thoughts too
_ROLE_LABEL = "thought\n"  # goes with Gemma's thought opener, only together with its line break (P31)
_ROLES = frozenset({"<|assistant|>", "<|im_end|>", "<|message_sep|>"})  # behind them a message begins anew
_TURNS = frozenset({"<|im_start|>assistant", "<|im_start|>user", "<|start_header_id|>assistant<|end_header_id|>", "<|user|>"})
"""Headers of a turn: behind a block of calls without a marker the model goes on with a conversation of its own."""


class Passing(ABC):
    """The place in the text, and the lexeme that stands there."""

    __slots__ = (
        "_acted", "_behind_call", "_fresh", "_label", "_line", "_literal", "_opened",
        "_pending", "_phrase", "_private", "_wrapper", "context", "held", "ledger",
        "recent", "source", "state", "watch",
    )  # fmt: skip

    def __init__(self, ledger: Ledger, context: Context) -> None:
        self.ledger = ledger
        self.context = context
        self.source = Source()
        self.state = State.TEXT
        self.recent: deque[str] = deque(maxlen=PIECES)  # pieces of the text that passed: the last `PIECES` characters at least
        self.watch = Watch(context.declared)
        self.held = min(context.limits.held, LONGEST)
        self._line = True
        self._behind_call = False
        self._wrapper = ""
        self._phrase = 0  # number of the fixed sentence that opened the thought
        self._label = False  # a thought just opened whose first word may be a label
        self._fresh = False  # a role token stands right before: a message begins
        self._opened = True  # a thought that is open holds nothing yet
        self._acted = False  # the last call came out of an Action label
        self._literal = ""  # what ends the literal: "\n", a fence mark, a tag, or "|" for the next header
        self._private = False  # the message that passes through is a thought
        self._pending: list[str] = []

    @abstractmethod
    def _go(self, lexeme: Lexeme, *arguments: Any) -> None:
        """Do what the table says for a lexeme."""

    def _say(self, piece: str) -> None:
        """Let a piece of text pass."""
        if self.watch.open and piece:
            piece = self._watched(piece)
        if piece:
            self._pending.append(piece)
            self.recent.append(piece)
            if "\n" in piece:
                self._line = is_blank(piece.rpartition("\n")[2])
            elif self._line:
                self._line = is_blank(piece)
            if (self._behind_call or self._fresh or self._opened) and not is_blank(piece):
                self._behind_call = self._fresh = self._opened = False

    def _watched(self, piece: str) -> str:
        """Let the watcher see a piece. Its finding comes out at a place that the text alone decides; what is left of the piece follows."""
        watch, room = self.watch, self.watch.room
        watch.buffer += piece[:room]
        if watch.room > 0:
            return piece
        found, head, rest = watch.end(), piece[:room], piece[room:]
        if found is None:
            return piece
        self._say(head)
        self._flush()
        self.ledger.candidate(found, watch.offset)
        return rest

    def _end_watch(self) -> None:
        """Something else than text follows: what was watched so far decides."""
        if self.watch.open:
            found = self.watch.end()
            if found is not None:
                self._flush()
                self.ledger.candidate(found, self.watch.offset)

    def _suspect(self, before: str = "") -> None:
        """Watch what follows, if a token that no dialect knows stands there or right before."""
        if not self.ledger.thought:
            self.watch.begin(before, self.ledger.content_chars + sum(map(len, self._pending)) - len(before))

    @property
    def previous(self) -> str:
        """The last character that passed."""
        return self.recent[-1][-1] if self.recent else ""

    @abstractmethod
    def _flush(self) -> None:
        """Hand on the text that waits."""

    @abstractmethod
    def _line_start(self) -> bool | None:
        """What only counts at a line start. None: nothing of it; else as `_read_text`."""

    @abstractmethod
    def _list_start(self, here: int) -> bool | None:
        """A list of calls behind a label on its line. None: it is none; else as `_read_text`."""

    @abstractmethod
    def _phrase_end(self, text: str, pos: int, limit: int) -> bool | None:
        """The fixed sentence that closes the thought it opened; None when it does not come before `limit`."""

    # -- text

    def _read_text(self) -> bool:
        """One step in TEXT or THOUGHT; False when more text is needed."""
        source = self.source
        text, pos = source.text, source.pos
        if self._label:
            if not source.ended and _ROLE_LABEL.startswith(text[pos:]):
                return False
            self._label = False
            if text.startswith(_ROLE_LABEL, pos):
                source.pos = pos = pos + len(_ROLE_LABEL)
                if pos == len(text):
                    return False  # all is used up
        if source.ended and self._behind_call and text[pos:].strip() in cut_closers():
            self._go(Lexeme.ORPHAN, len(text))
            return False  # all is used up
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
            return False  # all is used up
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        char = text[here]
        if char == "\n":
            self._go(Lexeme.PLAIN, here + 1)
            self._line = True
            return True
        if char == "`":
            return self._backtick(here)
        if char == "{":
            return self._brace(here)
        # what the probe saw goes to the end of the text: only then may more of it make a marker
        marker = _LEXICON.at(text, here, source.ended or found.end() < len(text), self.held)
        if marker is True:
            return False
        if marker is None:
            if char == "[" and (listed := self._list_start(here)) is not None:
                return listed
            token = _ARRIVING(text, here)
            if token is not None:
                if token["whole"] is None and not source.ended:
                    return False
                if token["whole"] is not None:
                    self._suspect()
            self._go(Lexeme.PLAIN, here + 1)
        else:
            self._meet(marker)
        return True

    def _brace(self, here: int) -> bool:
        """An object in the middle of a line is text; a token right before it that no dialect knows is worth a look."""
        if here + 1 == len(self.source.text) and not self.source.ended:
            return False
        if self.previous and self.previous in ">] \n":
            before = "".join(self.recent)[-RECENT:]
            token = _TOKEN_BEFORE(before)
            if token is not None:
                self._suspect(before[token.start() :])
        if self.context.required and self.context.has_catalog and not self.context.spent:
            self._go(Lexeme.BARE, "bare_json", "open", None)
            return True
        self._go(Lexeme.PLAIN, here + 1)
        return True

    def _backtick(self, here: int) -> bool:
        """Inline code: held where it may be the whole message, else it passes through up to its closing run (P12, P13)."""
        text, end = self.source.text, here
        if not (self.ledger.started or self.ledger.thought or self._pending_visible()):
            self._go(Lexeme.CODE, "code", "open", None)
            return True
        most = here + LONGEST  # a longer run is no code: what is beyond is read as the code's text
        while end < min(len(text), most) and text[end] == "`":
            end += 1
        if end == len(text) and end < most and not self.source.ended:
            return False
        self._go(Lexeme.QUOTE, CODE + text[here:end], end)
        return True

    def _meet(self, marker: Marker) -> None:
        """A complete marker in text: its role and its place decide what it means."""
        role, end = marker.role, marker.end
        quoted = self.previous == '"'  # data or a citation (P12)
        thinking = self.ledger.thought
        if role is Role.OPENER and quoted and not marker.closing:
            self._go(Lexeme.QUOTE, CITED, end)
        elif role is Role.OPENER and not marker.closing:
            self._go(Lexeme.OPENER, "choose", "open", marker)
        elif role is Role.RESULT and not quoted and self._result_here(marker):
            self._go(Lexeme.RESULT, "result", "open", marker)
        elif thinking and marker.key == _MESSAGE_END:
            self._go(Lexeme.THINK_END, end)
        elif role is Role.CLOSER and (self._behind_call or marker.key in ENDING):
            self._go(Lexeme.ORPHAN, end)
        elif role is Role.END and not quoted:
            self._go(Lexeme.DROPPED, end)
            self.context.spent |= marker.key in _TURNS and self.context.given > 0
            self._fresh = marker.key in _ROLES
            self._line |= self._fresh
        elif role is Role.THINK and (not thinking or self._opened):
            self._go(Lexeme.DROPPED if marker.self_closing or thinking else Lexeme.THINK, end)
            self._label = marker.key == _CHANNEL
        elif role is Role.THINK_END:
            self._phrase = 0
            self._go(Lexeme.THINK_END, end)
        elif role is Role.WRAP and not quoted and self._wraps(marker):
            self._go(Lexeme.DROPPED, end)
        elif role is Role.ECHO and not quoted and self._line:
            self._go(Lexeme.ECHO, "</tools>", end)
        else:
            self._go(Lexeme.PLAIN, end)

    def _result_here(self, marker: Marker) -> bool:
        shape = RESULT_SHAPES.get(marker.key)
        if marker.closing or not (shape is not None or self._line or self._behind_call):
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
