"""Text that passes through unread: quoted lines, open fences, echoes of declarations, inline code."""

from __future__ import annotations

import re

from tamis.core.dialects import lexicon
from tamis.core.lexicon import Role
from tamis.core.lines import Lines
from tamis.core.passing import CITED, CODE, PROBE
from tamis.core.state import Lexeme

__all__ = ["Literals"]

_LEXICON = lexicon()
_FIRSTS = re.escape("".join(sorted(_LEXICON.first)))
_LITERAL_STOP = {
    "\n": re.compile(rf"[\n{_FIRSTS}]").search,
    "`": re.compile(rf"[`\n{_FIRSTS}]").search,
    "~": re.compile(rf"[~\n{_FIRSTS}]").search,
    "<": re.compile(rf"[{_FIRSTS}]").search,
}


_CITATION_STOP = re.compile(r"[\"\n]").search


class Literals(Lines):
    """The half of passing text that only looks for what ends it."""

    __slots__ = ()

    def _read_literal(self) -> bool:
        """One step in documentation: up to what ends it. A thought around it ends it too (P111)."""
        source = self.source
        text, pos = source.text, source.pos
        closer = self._literal
        if closer[0] == CODE:
            return self._read_code(closer[1:])
        if closer == CITED:
            return self._read_citation()
        stop = _LITERAL_STOP[closer[0]](text, pos)
        if stop is None:
            self._go(Lexeme.PLAIN, len(text))
            return False  # all of it has passed
        here = stop.start()
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        if text[here] in _LEXICON.first:
            if text.startswith(closer, here):
                self._go(Lexeme.LITERAL_END, here + len(closer))
                return True
            if not source.ended and closer.startswith(text[here:]):
                return False
            if self.ledger.thought:
                marker = _LEXICON.at(text, here, source.ended, self.held)
                if marker is True:
                    return False
                if marker is not None and marker.role is Role.THINK_END:
                    self._go(Lexeme.THINK_END, marker.end)
                    return True
            self._go(Lexeme.PLAIN, here + 1)
        elif closer == "\n":
            self._go(Lexeme.LITERAL_END, here + 1)
        elif text[here] == "\n" or not self._line:
            self._go(Lexeme.PLAIN, here + 1)
        elif text.startswith(closer, here):
            self._go(Lexeme.LITERAL_END, here + len(closer))
        elif not source.ended and closer.startswith(text[here:]):
            return False
        else:
            self._go(Lexeme.PLAIN, here + 1)
        return True

    def _read_citation(self) -> bool:
        """One step in a citation (P12). It ends with the quote behind a bracket, or with its paragraph."""
        source = self.source
        text, pos, ended = source.text, source.pos, source.ended
        stop = _CITATION_STOP(text, pos)
        here = len(text) if stop is None else stop.start()
        if here > pos:
            self._go(Lexeme.PLAIN, here)
        if stop is None:
            return False  # all of it has passed
        if text[here] == '"':
            self._go(Lexeme.LITERAL_END if self.previous in ">]" else Lexeme.PLAIN, here + 1)
        elif here + 1 == len(text) and not ended:
            return False
        else:
            self._go(Lexeme.LITERAL_END if text[here + 1 : here + 2] in ("", "\n") else Lexeme.PLAIN, here + 1)
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
            return False  # all of it has passed
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
        else:
            marker = _LEXICON.at(text, here, ended, self.held)
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
