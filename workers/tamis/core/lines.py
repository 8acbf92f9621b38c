"""What only counts at a line start: brackets, fences, quotations, declared tags, words and fixed sentences."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tamis.core.bodies.escaped import ESCAPED, SURE
from tamis.core.bodies.tokens import decide
from tamis.core.bodies.tool_tag import TOOL_TAG
from tamis.core.bodies.units import BEGINS, callee
from tamis.core.dialects import RECIPIENT, lexicon
from tamis.core.lexicon import LONGEST, Marker, Role
from tamis.core.marks import PHRASES, Phrase
from tamis.core.passing import Passing
from tamis.core.selftalk import CONTINUES, CONTINUES_AT_MOST, labelled
from tamis.core.source import BLANK
from tamis.core.state import Lexeme
from tamis.core.watch import RECENT

__all__ = ["Lines"]

_LEXICON = lexicon()
_BEGINS = frozenset({Role.OPENER, Role.RESULT, Role.THINK, Role.END})
"""Roles of markers in front of which invisible characters are layout."""
_SPACES = frozenset(" \t")


class _Word(NamedTuple):
    """A word that counts at a line start, the decoder it calls for, and where: anywhere, at the start of a message, behind an action."""

    word: str
    kind: str
    where: str = ""
    catalog: bool = True


_ALONE = (
    _Word("FC_USE", "trigger", catalog=False), _Word("court", "stray", catalog=False), _Word("count", "stray", catalog=False),
    _Word("call", "stray", catalog=False), _Word("json", "language_word", "start"), _Word("JSON", "language_word", "start"),
)  # fmt: skip
"""Words that have their line to themselves: a name may begin with one of them."""
_WORDS: dict[str, tuple[_Word, ...]] = {}
for _word in (
    _Word("Action:", "action"), _Word("Thought:", "thought"), _Word("Observation:", "observation", "acted"),
    _Word("Final Answer:", "dropped", "acted"),
    _Word("functions", "kimi_special", catalog=False), _Word("to=", "recipient", "start", catalog=False),
    _Word("all\n", "dropped", "start"), _Word("&", "escaped", "start"), _Word('"', "escaped", "start"),
    *(_word._replace(word=_word.word + end) for _word in _ALONE for end in " \t\r\n"),
):  # fmt: skip
    _WORDS[_word.word[0]] = (*_WORDS.get(_word.word[0], ()), _word)


class Lines(Passing):
    """The half of passing text that looks at line starts."""

    __slots__ = ()

    def _line_start(self) -> bool | None:
        """What only counts at a line start. None: nothing of it; else as `_read_text`."""
        source = self.source
        text, pos = source.text, source.pos
        blanks = len(text) - len(text[pos:].lstrip()) if text[pos].isspace() else pos
        if blanks > pos:
            self._go(Lexeme.PLAIN, blanks)
            pos = blanks
            if pos == len(text):
                return False  # all of it has passed
        match = BLANK.match(text, pos)
        here = match.end() if match else pos
        if here - pos > LONGEST:  # so many invisible characters are no layout
            self._go(Lexeme.PLAIN, pos + LONGEST)
            return True
        lead = text[pos:here]
        if here == len(text):
            if source.ended:  # invisible characters: dropped if nothing visible follows them on this line
                self._say("".join(filter(str.isspace, lead)))
                source.pos = here
            return False
        char = text[here]
        bare = char in "{[" and self.context.has_catalog
        marker: Marker | Literal[True] | None = None
        if char in _LEXICON.first:
            marker = _LEXICON.at(text, here, source.ended, self.held)
            if marker is True:
                return False
        opens = bare or (isinstance(marker, Marker) and marker.role in _BEGINS)
        opens = opens or char in "`~"
        if lead and opens:
            source.pos = here
            self._say("".join(filter(str.isspace, lead)))
        elif lead:
            self._go(Lexeme.PLAIN, here)
        self._line = True
        if marker is not None:
            return None
        context = self.context
        if context.given and not context.spent:
            goes_on = decide(CONTINUES, text, here, source.ended, CONTINUES_AT_MOST)
            if goes_on is True:
                return False
            context.spent = goes_on is not None
        if bare and context.spent:
            return self._plain_start(here)
        if bare:
            shape = decide(ESCAPED, text, here, source.ended, SURE) if self._at_start() else None
            if shape is True:
                return False
            self._go(Lexeme.BARE, "bare_json" if shape is None else "escaped", "open", None)
        elif char == ">":
            self._go(Lexeme.QUOTE, "\n", here + 1)
        elif char in "`~":
            if not source.ended and text[here:] in (char, char * 2):
                return False
            if not text.startswith(char * 3, here):
                return None
            self._go(Lexeme.CODE, "fence", "open", None)
        elif char == "<" and self.context.has_catalog:
            return self._tag_start(here)
        else:
            return self._word_start(char, here)
        return True

    def _may_list(self, before: str) -> bool:
        """Whether a bracket behind what passed and `before` may begin a list of calls."""
        context = self.context
        if (before or self.previous)[-1:] not in _SPACES and not context.required:
            return False
        return context.has_catalog and not context.spent and (context.required or labelled(("".join(self.recent) + before)[-RECENT:]))

    def _list_start(self, here: int) -> bool | None:
        """A list of calls behind a label on its line. None: it is none; else as `_read_text`."""
        context = self.context
        if not self._may_list(""):
            return None
        head = decide(BEGINS, self.source.text, here, self.source.ended)
        if head is True:
            return False
        if head is None or not context.declared(callee(head)):
            return None
        self._go(Lexeme.BARE, "block", "open", None)
        return True

    def _plain_start(self, here: int) -> bool:
        self._go(Lexeme.PLAIN, here + 1)
        return True

    def _tag_start(self, here: int) -> bool | None:
        """A tag that no dialect knows may be a declared tool (P27)."""
        text, ended = self.source.text, self.source.ended
        found = decide(TOOL_TAG, text, here, ended, LONGEST)
        if found is True:
            return False
        if found is None or not self.context.declared(found["name"]):
            self._suspect()
            return None
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
        context = self.context
        calls = context.has_catalog and not context.spent
        # a call in an envelope that no dialect knows is the envelope's matter: it is watched
        if calls and not self.watch.open and char in context.initials and (char in "\"'(" or not start):
            head = decide(BEGINS, text, here, ended)
            if head is True:
                return False
            if head is not None and context.declared(callee(head)):
                self._go(Lexeme.BARE, "block", "open", None)
                return True
        for item in _WORDS.get(char, ()):
            here_counts = {"": True, "start": start, "acted": self._acted}[item.where]
            if not here_counts or (item.catalog and not calls):
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
        if calls and (start or self._behind_call) and (char.isalnum() or char == "_"):
            self._go(Lexeme.BARE, "name_line", "open", None)
            return True
        return None

    def _word(self, item: _Word, here: int) -> bool:
        if item.kind == "observation":
            self._go(Lexeme.RESULT, "result", "label", None)
        elif item.kind == "dropped":
            self._go(Lexeme.DROPPED, here + len(item.word))
        elif item.kind == "recipient":
            marker = Marker(Role.OPENER, RECIPIENT, "harmony", here + len(item.word), False, "", False, "", RECIPIENT)
            self._go(Lexeme.OPENER, "choose", "open", marker)
        elif item.kind == "kimi_special" and not (self._at_start() and self.context.has_catalog):
            self._go(Lexeme.BARE, item.kind, "bare", None)
        elif item.kind == "kimi_special":
            self._go(Lexeme.BARE, "name_line", "open", None)
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
            if not ended and start.startswith(text[here:]):
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
