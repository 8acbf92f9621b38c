"""From an emitted name to a declared one: exact, then without prefix and index, doubled, then folded; nothing fuzzy (P87-P91)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["PREFIXES", "Match", "NameTable", "fold"]

_INDEX = re.compile(r"(.+):\d+\Z", re.DOTALL)
_UNDERSCORED = re.compile(r"functions_(.+)_\d+\Z", re.DOTALL)
_SEPARATORS = re.compile(r"[\s_\-./:]+")
_SPACES = (".", ":", "__", "/")  # what stands between a namespace and a name
PREFIXES = ("functions", "default_api", "default", "tools", "tool")  # namespaces that hosts and templates invent


def fold(name: str) -> str:
    """A name without case and separators."""
    return _SEPARATORS.sub("", name).casefold()


@dataclass(frozen=True, slots=True)
class Match:
    """`name` is the declared name, or None; `candidates` are several that fit at the same step; `rule` says which step it was.

    `foreign`: a namespace was taken off that nobody declared.
    """

    name: str | None
    rule: str = ""
    candidates: tuple[str, ...] = ()
    foreign: bool = False


class NameTable:
    """Look-ups over the declared names."""

    __slots__ = ("_folded", "_last", "_names", "_spaces")

    def __init__(self, names: Collection[str], namespaces: Sequence[str] = ()) -> None:
        self._names = frozenset(names)
        self._spaces = (*namespaces, *PREFIXES)
        self._folded: dict[str, list[str]] = {}
        self._last: dict[str, list[str]] = {}
        for name in names:
            self._folded.setdefault(fold(name), []).append(name)
            for mark in _SPACES:
                if mark in name:
                    self._last.setdefault(name.rpartition(mark)[2], []).append(name)

    def resolve(self, emitted: str) -> Match:
        """The declared name that `emitted` means; the first step that fits decides, and two at one step are ambiguous."""
        if emitted in self._names:
            return Match(emitted, "exact")
        forms = list(dict.fromkeys(self._forms(emitted.strip())))
        for form in forms:
            if form in self._names:
                return Match(form, "name_prefix")
        for form in forms:
            same = list(dict.fromkeys(self._last.get(form, ())))
            if same:
                return Match(same[0], "name_namespace") if len(same) == 1 else Match(None, "", tuple(sorted(same)))
        for form in forms:
            # a server's namespace that nobody declared, or a method behind the tool
            for mark in ":.":
                head, found, tail = form.partition(mark)
                if found and tail in self._names and head:
                    return Match(tail, "name_namespace", foreign=True)
                if found and mark == ":" and head in self._names and tail:
                    return Match(head, "name_method")
        for form in forms:
            same = self._folded.get(fold(form), [])
            if same:
                return Match(same[0], "name_spelling") if len(same) == 1 else Match(None, "", tuple(sorted(same)))
        return Match(None)

    def _forms(self, emitted: str) -> Iterator[str]:
        """The name with what models put around it taken off, mildest first."""
        yield emitted
        bare = emitted
        index = _INDEX.match(emitted)
        if index is not None:
            bare = index[1]
            yield bare
        underscored = _UNDERSCORED.match(bare)
        if underscored is not None:
            yield underscored[1]
        for space in self._spaces:
            for mark in _SPACES:
                if bare.startswith(space + mark):
                    yield bare[len(space) + len(mark) :]
        for mark in ".:/":
            # the same name twice: `read.read`
            head, found, tail = bare.partition(mark)
            if found and head == tail:
                yield head
            middle = len(bare) // 2
            if len(bare) % 2 and bare[middle] == mark and bare[:middle] == bare[middle + 1 :]:
                yield bare[:middle]


def fits(keys: Collection[str], properties: Mapping[str, object], required: Collection[str]) -> bool:
    """Whether a tool accepts all keys and misses none (P91)."""
    return all(key in properties for key in keys) and all(key in keys for key in required)
