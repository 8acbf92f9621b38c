"""All markers of all dialects in one compiled alternation: what stands at a place, and what may still become something.

Two kinds of marker: a literal special token (`<|tool_call_begin|>`) and a tag, written `<word>`, which also matches with a
namespace prefix (`<word>`, in styled letters too), with attributes, and as `</word>`. No complete marker is the prefix of
another, so the first match is the longest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Literal, NamedTuple

__all__ = ["LONGEST", "Lexicon", "Marker", "Role", "attributes"]

_NAMESPACE = r"[^\s<>/:\"'=`(){}\[\],;]{1,24}"  # 24: the longest prefix seen is 8 letters; styled letters count one each
_ATTRIBUTES = 200  # characters of attributes in a head: a tool name of 128 plus its quotes and a few flags
LONGEST = 256
"""No marker is longer than this many characters, so no text is held back for longer as a possible one."""
_PAIR = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))""")


class Role(Enum):
    """What a marker does where it counts."""

    OPENER = auto()  # begins an envelope or a call of a dialect, if the guard agrees
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
    """One marker in the text: `word` is the literal or the tag's local name, `label` the dialect or kind it belongs to."""

    role: Role
    word: str
    label: str
    end: int
    closing: bool
    attributes: str
    self_closing: bool
    namespace: str


def attributes(text: str) -> dict[str, str]:
    """The attributes of a head, in any quote style; a lone value without a name is not one."""
    return {name: double or single or bare for name, double, single, bare in _PAIR.findall(text)}


class Lexicon:
    """Compiled from (spelling, role, label) triples; see `tamis.core.dialects.lexicon` for the one in use."""

    def __init__(self, entries: Iterable[tuple[str, Role, str]]) -> None:
        self._literals: dict[str, tuple[Role, str]] = {}
        self._tags: dict[str, tuple[Role, str]] = {}
        self._closing: dict[str, tuple[Role, str]] = {}
        for spelling, role, label in entries:
            word = re.fullmatch(r"<(/?)(\w+)>", spelling)
            if word is None:
                self._literals.setdefault(spelling, (role, label))
            else:
                (self._closing if word[1] else self._tags).setdefault(word[2], (role, label))
        tags = sorted({*self._tags, *self._closing}, key=len, reverse=True)
        names = "|".join(map(re.escape, tags))
        head = rf"<(?P<closing>/?)(?:(?P<namespace>{_NAMESPACE}):)?(?P<tag>{names})(?P<attributes>(?:[\s/]|(?=name\s*=))[^<>]{{0,{_ATTRIBUTES}}})?>"
        literals = "|".join(map(re.escape, sorted(self._literals, key=len, reverse=True)))
        self._match = re.compile(rf"(?P<literal>{literals})|{head}").match
        self._prefixes = frozenset(item[:size] for item in self._literals for size in range(1, len(item)))
        self._longest = max(map(len, self._literals))
        starts = frozenset(name[:size] for name in tags for size in range(len(name) + 1))
        self._starts = starts
        self._name = re.compile(rf"</?(?:(?P<namespace>{_NAMESPACE}):)?(?P<name>[^\s<>/:\"'=`(){{}}\[\],;]*)\Z").match
        self._open = re.compile(rf"</?(?:{_NAMESPACE}:)?(?:{names})(?:[\s/]|(?=n))[^<>]{{0,{_ATTRIBUTES}}}\Z").match
        self.first = frozenset({item[0] for item in self._literals} | {"<"})

    def at(self, text: str, pos: int, ended: bool) -> Marker | Literal[True] | None:
        """The marker at `pos`; None when there is none; True when more text is needed to tell."""
        found = self._match(text, pos)
        if found is not None:
            literal = found["literal"]
            if literal is not None:
                role, label = self._literals[literal]
                return Marker(role, literal, label, found.end(), False, "", False, "")
            tag, closing, inner = found["tag"], bool(found["closing"]), found["attributes"] or ""
            entry = (self._closing if closing else self._tags).get(tag)
            if entry is None:
                return None
            closed = inner.endswith("/")
            return Marker(entry[0], tag, entry[1], found.end(), closing, inner[:-1] if closed else inner, closed, found["namespace"] or "")
        if not ended and len(text) - pos < LONGEST and self._live(text, pos):
            return True
        return None

    def _live(self, text: str, pos: int) -> bool:
        tail = text[pos : pos + self._longest]
        if len(text) - pos < self._longest and tail in self._prefixes:
            return True
        if text[pos] != "<":
            return False
        name = self._name(text, pos)
        if name is not None:
            word = name["name"]
            return word in self._starts or (name["namespace"] is None and len(word) <= 24)  # 24: may still be a namespace
        return self._open(text, pos) is not None
