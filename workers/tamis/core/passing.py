"""What passes through: text and thoughts up to the next marker that means something, and documentation up to what ends it.

The half of the reader that looks at places: line starts, quotations, fences, fixed sentences. What a lexeme does is the table's matter;
`go` is the only way out of here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple

from tamis.core.bodies.context import Context
from tamis.core.bodies.escaped import looks_escaped, may_be_escaped
from tamis.core.bodies.tokens import compiled
from tamis.core.bodies.tool_tag import TOOL_TAG
from tamis.core.dialects import RECIPIENT, lexicon
from tamis.core.ledger import Ledger, is_blank
from tamis.core.lexicon import LONGEST, Lexicon, Marker, Role, attributes
from tamis.core.marks import PHRASES, RESULT_CONDITIONS, RESULT_SHAPES, Phrase
from tamis.core.source import BLANK, Source
from tamis.core.state import Lexeme, State

__all__ = ["PROBE", "Passing"]


_LEXICON: Lexicon = lexicon()
PROBE = re.compile(_LEXICON.pattern("`\n")).search
"""The first place of text that may mean something; everything before it is plain."""
_BEGINS = frozenset({Role.OPENER, Role.RESULT, Role.THINK, Role.END})
"""Roles of markers in front of which invisible characters are layout."""
CODE = "i"
"""The kind of literal that is inline code; the run of backticks that ends it follows."""
_CHANNEL = "<|channel>"
_ROLE_LABEL = "thought\n"  # goes with Gemma's thought opener, only together with its line break (P31)
_TOKENS = frozenset({"<|call|>", "<|end_message|>", "<|message_sep|>", "<|eom_id|>"})  # closers that end a turn as well: never shown (P107)
_SHAPE = 8  # characters in which an escaped envelope shows itself: bracket, blank, `&quot;`
_ROLES = frozenset({"<|assistant|>", "<|im_end|>", "<|message_sep|>"})  # behind them a message begins anew


class _Word(NamedTuple):
    """A word that counts at a line start, the decoder it calls for, and where: anywhere, at the start of a message, behind an action."""

    word: str
    kind: str
    where: str = ""
    catalog: bool = True


_WORDS: dict[str, tuple[_Word, ...]] = {}
for _word in (
    _Word("Action:", "action"), _Word("Thought:", "thought"), _Word("Observation:", "observation", "acted"),
    _Word("FC_USE", "trigger", catalog=False), _Word("functions", "kimi_special", catalog=False),
    _Word("court", "stray", catalog=False), _Word("count", "stray", catalog=False), _Word("call", "stray", catalog=False),
    _Word("json", "language_word", "start"), _Word("JSON", "language_word", "start"), _Word("all\n", "recipient_all", "start"),
    _Word("to=", "recipient", "start", catalog=False), _Word("&", "escaped", "start"), _Word('"', "escaped", "start"),
):  # fmt: skip
    _WORDS[_word.word[0]] = (*_WORDS.get(_word.word[0], ()), _word)


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
        self._phrase = 0  # number of the fixed sentence that opened the thought
        self._label = False  # a thought just opened whose first word may be a label
        self._fresh = False  # a role token stands right before: a message begins
        self._acted = False  # the last call came out of an Action label
        self._literal = ""  # what ends the literal: "\n", a fence mark, a tag, or "|" for the next header
        self._private = False  # the message that passes through is a thought
        self._pending: list[str] = []

    @abstractmethod
    def _go(self, lexeme: Lexeme, *arguments: Any) -> None:
        """Do what the table says for a lexeme."""

    def _say(self, piece: str) -> None:
        """Let a piece of text pass."""
        if piece:
            self._pending.append(piece)
            self.previous = piece[-1]
            if "\n" in piece:
                self._line = is_blank(piece.rpartition("\n")[2])
            elif self._line:
                self._line = is_blank(piece)
            if (self._behind_call or self._fresh) and not is_blank(piece):
                self._behind_call = self._fresh = False

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
                    return False
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
            return self._backtick(here)
        # what the probe saw goes to the end of the text: only then may more of it make a marker
        marker = _LEXICON.at(text, here, source.ended or found.end() < len(text))
        if marker is True:
            return False
        if marker is None:
            self._go(Lexeme.PLAIN, here + 1)
        else:
            self._meet(marker)
        return True

    def _backtick(self, here: int) -> bool:
        """Inline code: held where it may be the whole message, else it passes through up to its closing run (P12, P13)."""
        text, end = self.source.text, here
        if not self.ledger.started and not self._pending_visible():
            self._go(Lexeme.CODE, "code", "open", None)
            return True
        while end < len(text) and text[end] == "`":
            end += 1
        if end == len(text) and not self.source.ended and end - here <= LONGEST:
            return False
        self._go(Lexeme.QUOTE, CODE + text[here:end], end)
        return True

    def _line_start(self) -> bool | None:
        """What only counts at a line start. None: nothing of it; else as `_read_text`."""
        source = self.source
        text, pos = source.text, source.pos
        blanks = len(text) - len(text[pos:].lstrip()) if text[pos].isspace() else pos
        if blanks > pos:
            self._go(Lexeme.PLAIN, blanks)
            pos = blanks
            if pos == len(text):
                return False
        match = BLANK.match(text, pos)
        here = match.end() if match else pos
        if here - pos > LONGEST:  # so many invisible characters are no layout
            self._go(Lexeme.PLAIN, pos + LONGEST)
            return True
        lead = text[pos:here]
        if here == len(text) or (text[here] == "<" and not source.ended and len(text) - here < 6):  # 6 = len("<br />")
            if here == len(text):
                if not source.ended:
                    return False  # invisible characters: dropped if nothing visible follows them on this line
                self._say("".join(filter(str.isspace, lead)))
                source.pos = here
                return False
        char = text[here]
        hidden = bool(lead) and not lead.isspace()
        bare = char in "{[" and self.context.has_catalog
        marker: Marker | Literal[True] | None = None
        if char in _LEXICON.first:
            marker = _LEXICON.at(text, here, source.ended)
            if marker is True:
                return False
        opens = bare or (marker is not None and marker.role in _BEGINS)
        if hidden and opens:
            source.pos = here
            self._say("".join(filter(str.isspace, lead)))
        elif lead:
            self._go(Lexeme.PLAIN, here)
        self._line = True
        if marker is not None:
            return None
        if bare:
            kind = "escaped" if self._at_start() and looks_escaped(text, here) else "bare_json"
            if kind == "bare_json" and not source.ended and self._at_start() and len(text) - here < _SHAPE and may_be_escaped(text, here):
                return False
            self._go(Lexeme.BARE, kind, "open", None)
        elif char == ">":
            self._go(Lexeme.QUOTE, "\n", here + 1)
        elif char in "`~":
            if not source.ended and text[here:] in (char, char * 2):
                return False
            if not text.startswith(char * 3, here):
                self._line = char == "`"
                return None if char == "`" else self._plain_start(here)
            self._go(Lexeme.CODE, "fence", "open", None)
        elif char == "<" and self.context.has_catalog:
            return self._tag_start(here)
        else:
            return self._word_start(char, here)
        return True

    def _plain_start(self, here: int) -> bool:
        self._go(Lexeme.PLAIN, here + 1)
        return True

    def _tag_start(self, here: int) -> bool | None:
        """A tag that no dialect knows may be a declared tool (P27)."""
        text, ended = self.source.text, self.source.ended
        found = compiled(TOOL_TAG).match(text, here, partial=not ended)
        if found is not None and found.partial and len(text) - here < LONGEST:
            return False
        if found is None or found.partial or not self.context.declared(found["name"]):
            return self._plain_start(here)
        self._go(Lexeme.BARE, "cline_xml", "tag", None)
        return True

    def _at_start(self) -> bool:
        """Whether a message begins here: nothing was shown or read before, or a role token stands right before."""
        ledger = self.ledger
        return self._fresh or not (ledger.started or ledger.thought or self._pending_visible())

    def _word_start(self, char: str, here: int) -> bool | None:
        """A word that counts at a line start."""
        text, ended = self.source.text, self.source.ended
        start = self._at_start()
        for item in _WORDS.get(char, ()):
            if (item.catalog and not self.context.has_catalog) or (item.where == "start" and not start) or (item.where == "acted" and not self._acted):
                continue
            if text.startswith(item.word, here):
                return self._word(item, here)
            if not ended and item.word.startswith(text[here:]):
                return False
        if start and not self.ledger.thoughts:
            for number, phrase in enumerate(PHRASES, 1):
                opened = self._phrase_start(number, phrase, here)
                if opened is not None:
                    return opened
        if start and self.context.has_catalog and (char.isalnum() or char == "_"):
            self._go(Lexeme.BARE, "name_line", "open", None)
            return True
        self._line = False
        return None

    def _word(self, item: _Word, here: int) -> bool:
        if item.kind == "observation":
            self._go(Lexeme.RESULT, "result", "label", None)
        elif item.kind == "recipient":
            marker = Marker(Role.OPENER, RECIPIENT, "harmony", here + len(item.word), False, "", False, "", RECIPIENT)
            self._go(Lexeme.OPENER, "choose", "open", marker)
        elif item.kind == "kimi_special":
            self._go(Lexeme.BARE, item.kind, "bare", None)
        else:
            self._go(Lexeme.BARE, item.kind, "open", None)
        return True

    def _phrase_start(self, number: int, phrase: Phrase, here: int) -> bool | None:
        """A fixed sentence at the very start of a turn opens a thought."""
        text, ended = self.source.text, self.source.ended
        for start in phrase.starts:
            if text.startswith(start, here):
                end = here + len(start)
                if phrase.follows and end == len(text) and not ended:
                    return False
                if phrase.follows and not text[end : end + 1].isupper():
                    continue
                self._go(Lexeme.THINK, end)
                self._phrase = number
                return True
        rest = text[here : here + max(map(len, phrase.starts))]
        if not ended and any(start.startswith(rest) for start in phrase.starts):
            return False
        return None

    def _phrase_end(self, text: str, pos: int, limit: int) -> bool | None:
        """The sentence that closes such a thought, anywhere in it."""
        ends = PHRASES[self._phrase - 1].ends
        at = text.find(ends[0][0], pos, limit)
        if at < 0:
            return None
        rest = text[at : at + max(map(len, ends))]
        for end in ends:
            if rest.startswith(end):
                self._go(Lexeme.PLAIN, at)
                self._phrase = 0
                self._go(Lexeme.THINK_END, at + len(end))
                return True
        self._go(Lexeme.PLAIN, at)
        if not self.source.ended and any(end.startswith(rest) for end in ends):
            return False
        self._go(Lexeme.PLAIN, at + 1)
        return True

    def _meet(self, marker: Marker) -> None:
        """A complete marker in text: its role and its place decide what it means."""
        role, end = marker.role, marker.end
        quoted = self.previous == '"'  # data or a citation (P12)
        thinking = self.ledger.thought
        if role is Role.OPENER and not quoted and not marker.closing:
            self._go(Lexeme.OPENER, "choose", "open", marker)
        elif role is Role.RESULT and not quoted and self._result_here(marker):
            self._go(Lexeme.RESULT, "result", "open", marker)
        elif role is Role.CLOSER and (self._behind_call or marker.key in _TOKENS):
            self._go(Lexeme.ORPHAN, end)
        elif role is Role.END and not quoted:
            self._go(Lexeme.DROPPED, end)
            self._fresh = marker.key in _ROLES
            self._line |= self._fresh
        elif role is Role.THINK and not thinking:
            self._go(Lexeme.DROPPED if marker.self_closing else Lexeme.THINK, end)
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

    # -- literal text

    def _read_literal(self) -> bool:
        """One step in documentation: up to what ends it. A thought around it ends it too (P111)."""
        source = self.source
        text, pos = source.text, source.pos
        closer = self._literal
        if closer[0] == CODE:
            return self._read_code(closer[1:])
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


    def _read_code(self, run: str) -> bool:
        """One step in inline code. It ends at a run like the one it began with, or with its paragraph: then that run was a lone sign."""
        source = self.source
        text, pos, ended = source.text, source.pos, source.ended
        stop = PROBE(text, pos)
        here = len(text) if stop is None else stop.start()
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        if stop is None:
            return False
        char = text[here]
        if char == "`":
            end = here
            while end < len(text) and text[end] == "`":
                end += 1
            if end == len(text) and not ended and end - here <= len(run):
                return False
            whole = self.previous != "`" and end - here == len(run)
            self._go(Lexeme.LITERAL_END if whole else Lexeme.PLAIN, end)
        elif char == "\n":
            if here + 1 == len(text) and not ended:
                return False
            self._go(Lexeme.LITERAL_END if text[here + 1 : here + 2] in ("", "\n") else Lexeme.PLAIN, here + 1)
            self._line = True
        else:
            marker = _LEXICON.at(text, here, ended)
            if marker is True:
                return False
            if marker is None:
                self._go(Lexeme.PLAIN, here + 1)
            elif marker.role is Role.THINK_END and self.ledger.thought:
                self._go(Lexeme.THINK_END, marker.end)
            elif marker.role in (Role.OPENER, Role.RESULT, Role.THINK, Role.END):
                self._go(Lexeme.CODE, "inside", run, marker)
            else:
                self._go(Lexeme.PLAIN, marker.end)
        return True


_FIRSTS = re.escape("".join(sorted(_LEXICON.first)))
_LITERAL_STOP = {
    "\n": re.compile(rf"[\n{_FIRSTS}]").search,
    "`": re.compile(rf"[`\n{_FIRSTS}]").search,
    "~": re.compile(rf"[~\n{_FIRSTS}]").search,
    "<": re.compile(rf"[{_FIRSTS}]").search,
}
