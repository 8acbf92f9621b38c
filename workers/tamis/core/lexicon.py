"""All markers of all dialects, compiled: what stands at a place, and what may still become something.

Two kinds of marker: a literal special token (`<|tool_call_begin|>`) and a tag. A tag is spelled `<word>` (any attributes, any
namespace prefix, in styled letters too), `<space:word>` (this namespace alone), `<｜MARK｜word>` or `<ifm|word>` (behind a mark),
`<word=>` (a value behind the word) or `<word:*>` (any suffix); each also as `</word>`. The longest marker at a place
counts: one that begins a longer one is not told before the longer one is ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Literal, NamedTuple

__all__ = ["LONGEST", "MARK", "NAMESPACE", "Lexicon", "Marker", "Role", "attributes"]

_SPACE = r"[^\s<>/:\"'=`(){}\[\],;|]"
NAMESPACE = rf"{_SPACE}{{1,24}}:"
"""A namespace in front of a tag's name: the longest seen is 8 letters; styled letters count one each."""
_BARS = "｜|‖"
MARK = rf"[{_BARS}]{{1,2}}[A-Z]{{2,8}}[{_BARS}]{{1,2}} ?"
"""A vendor's mark in front of a tag's name, with the bars and the blank that models vary (P6)."""
_ATTRIBUTES = 200  # characters of attributes in a head: a tool name of 128 plus its quotes and a few flags
LONGEST = 256
"""No marker is longer than this many characters, so no text is held back for longer as a possible one."""
_PAIR = re.compile(r"""([\w.:-]+)\s*=\s*(?:\\"([^"\\]*)\\"|"([^"]*)"|'([^']*)'|“([^”]*)”|([^\s"'/>]+))""")
_SPELLING = re.compile(rf"<(/?)(?:([\w]+):(?=\w)|({MARK})|(ifm\|))?(\w+)(=|:\*)?>").fullmatch
_LETTERS = re.compile(r"[^A-Z]")


class Role(Enum):
    """What a marker does where it counts."""

    OPENER = auto()  # begins an envelope, a call or a message of a dialect, if the guard agrees
    CLOSER = auto()  # ends a call or an envelope; alone behind a call it is dropped
    PART = auto()  # has a meaning inside a body only
    RESULT = auto()  # begins a tool result that only a runtime may write
    RESULT_END = auto()
    THINK = auto()  # begins a thought
    THINK_END = auto()
    END = auto()  # end, padding or role token: never shown outside code
    WRAP = auto()  # wraps the answer; only the tag goes
    ECHO = auto()  # begins an echo of the declarations
    BLANK = auto()  # white space in another spelling


class Marker(NamedTuple):
    """One marker in the text: `word` is the literal or the tag's local name, `label` the dialect or kind it belongs to,
    `key` the spelling under which it was registered."""

    role: Role
    word: str
    label: str
    end: int
    closing: bool
    attributes: str
    self_closing: bool
    namespace: str
    key: str


class _Entry(NamedTuple):
    role: Role
    label: str
    key: str


def attributes(text: str) -> dict[str, str]:
    """The attributes of a head, in any quote style; a lone value without a name is not one."""
    return {name: next(filter(None, values), "") for name, *values in _PAIR.findall(text)}


def _prefix(mark: str) -> str:
    return _LETTERS.sub("", mark) if mark != "ifm|" else "ifm"


def _trie(words: Iterable[str], tail: str, end: str, *, begun: bool = True) -> str:
    """A pattern for the words with `tail` behind each; `end` may stand wherever the text may break off, once a word has `begun`."""
    heads: dict[str, list[str]] = {}
    whole = False
    for word in words:
        if word:
            heads.setdefault(word[0], []).append(word[1:])
        else:
            whole = True
    options = [re.escape(head) + _trie(rest, tail, end) for head, rest in sorted(heads.items())]
    return "(?:" + "|".join([*options, *([tail] if whole else []), *([end] if end and begun else [])]) + ")"


class Lexicon:
    """Compiled from (spelling, role, label) triples; the first triple of a spelling counts."""

    def __init__(self, entries: Iterable[tuple[str, Role, str]]) -> None:
        self._literals: dict[str, _Entry] = {}
        self._tags: dict[tuple[bool, str, str, str], _Entry] = {}
        for spelling, role, label in entries:
            found = _SPELLING(spelling)
            if found is None:
                self._literals.setdefault(spelling, _Entry(role, label, spelling))
            else:
                closing, space, mark, ifm, word, kind = found.groups()
                prefix = space or (_prefix(mark or ifm) if mark or ifm else "")
                self._tags.setdefault((bool(closing), prefix, word, (kind or "")[:1]), _Entry(role, label, spelling))
        self._spaces = frozenset(prefix for _, prefix, _, _ in self._tags)
        names = sorted({word for _, _, word, _ in self._tags})
        # complete markers; a tag's word is the longest that fits, because something else than a letter follows
        inner = rf"(?P<attributes>(?:[\s/]|(?=name\s*=))[^<>]{{0,{_ATTRIBUTES}}})"
        fields = rf"(?:=(?P<value>[^<>\n]{{0,{_ATTRIBUTES}}})|:(?P<suffix>[\w.-]{{1,24}})|{inner})?>"
        named = _trie(names, r"(?=[=:>/\s]|name)", "")
        tag = rf"(?P<tag>{named}){fields}"
        head = rf"<(?P<closing>/?)(?:(?P<namespace>{NAMESPACE})|(?P<mark>{MARK}|ifm\|))?{tag}"
        token = _trie(self._literals, "", "")
        self._match = re.compile(rf"{head}|(?P<literal>{token})").match
        # the same, broken off anywhere: what may still become a marker
        rest = rf"(?:=[^<>\n]{{0,{_ATTRIBUTES}}}(?:>|\Z)|:[\w.-]{{0,24}}(?:>|\Z)|(?:[\s/]|(?=n))[^<>]{{0,{_ATTRIBUTES}}}(?:>|\Z)|>|\Z)"
        name = _trie(names, rest, r"\Z")
        marked = rf"[{_BARS}]{{1,2}}(?:\Z|[A-Z]{{1,8}}(?:\Z|[{_BARS}]{{1,2}} ?(?:\Z|{name})))"
        loose = rf"<(?:/?(?:{_SPACE}{{1,24}}(?:\Z|:(?:\Z|{name}))|{marked}|ifm\|(?:\Z|{name})|{name}))"
        end = r"\Z"
        # one class of first characters, then what may stand behind each: the engine skips plain text by the class alone
        tails: dict[str, list[str]] = {"<": [loose[1:]]}
        for item in self._literals:
            tails.setdefault(item[0], [])
        for first, rests in tails.items():
            words = [item[1:] for item in self._literals if item[0] == first]
            if words:
                rests.append(_trie(words, "", end))
        self.first = frozenset(tails)
        self._firsts = re.escape("".join(sorted(self.first)))
        self._behind = "|".join(rf"(?<={re.escape(first)})(?:{'|'.join(rests)})" for first, rests in sorted(tails.items()))
        live = self.pattern("")
        self._live = re.compile(live).match
        marks = {item for item in self._literals if re.fullmatch(rf"</?(?:{MARK}|ifm\|)", item)}
        self._open = marks | {item for item in self._literals for other in self._literals if other != item and other.startswith(item)}
        self.find = re.compile(live).search

    def pattern(self, more: str, also: str = "", first: str = "") -> str:
        """Source of a pattern (for `re` and `regex` alike) for the places that are a marker or may become one.

        It also finds the characters `more`, and what the pattern `also` says behind one of its `first` characters.
        """
        extra = "|".join([rf"(?<={re.escape(char)})" for char in more] + ([also] if also else []))
        return rf"[{self._firsts}{re.escape(more + first)}](?:{self._behind}{'|' if extra else ''}{extra})"

    def at(self, text: str, pos: int, ended: bool, longest: int = LONGEST) -> Marker | Literal[True] | None:
        """The marker at `pos`, of at most `longest` characters; None when there is none; True when more text is needed to tell."""
        found = self._match(text, pos)
        if found is not None and found.end() - pos > longest:
            return None
        if found is None:
            return True if not ended and len(text) - pos < longest and self._live(text, pos) is not None else None
        literal = found["literal"]
        if literal is not None:
            if literal in self._open and not ended and (tail := self._live(text, pos)) is not None and tail.end() == len(text):
                return True  # a longer marker begins with this one, and it may still be arriving
            role, label, key = self._literals[literal]
            return Marker(role, literal, label, found.end(), False, "", False, "", key)
        closing, namespace, mark, word, value, suffix, inner, _ = found.groups()
        kind = "=" if value is not None else ":" if suffix is not None else ""
        space = namespace[:-1] if namespace else _prefix(mark) if mark else ""
        tags = self._tags
        entry = tags.get((closing == "/", space, word, kind))
        if entry is None:
            # any namespace will do where none is asked for; a mark is never optional
            entry = tags.get((closing == "/", "", word, kind)) if namespace else None
            if entry is None:
                return None
        inner = inner or ""
        closed = inner.endswith("/")
        fields = value if value is not None else suffix if suffix is not None else inner[:-1] if closed else inner
        return Marker(entry.role, word, entry.label, found.end(), closing == "/", fields, closed, space, entry.key)

