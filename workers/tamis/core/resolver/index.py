"""What the cascade knows of one catalogue. Built at the first name that no exact step resolves, then kept with the catalogue."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tamis.core.resolver import lexicon, verbs, words
from tamis.core.resolver.tokens import letters, slip, split

__all__ = ["Entry", "Index", "Pair"]

_SHARED = 0.6  # of the tools: from here on a first word is the server's mark on its names and no part of their meaning
_SHARED_AT_LEAST = 3  # tools: two names that begin alike say nothing
_ENUM = 64  # members of one enum that are read: longer ones list data, not kinds
_SHORTEST_SLIP = 3  # letters: in shorter words one slip makes another word
_TWO_SLIPS = 8  # letters from which two slips leave no doubt about the word


@dataclass(frozen=True, slots=True)
class Pair:
    """How an emitted word fits a declared one: what it costs, by which rule, and whether that alone proves the name (level A)."""

    cost: float
    rule: str
    sure: bool = True


EQUAL = Pair(0.0, "name_order")
_NUMBER = Pair(0.06, "name_number")
_STRICT = Pair(0.14, "name_synonym")
_SLIP = Pair(0.18, "name_typo")
_LOOSE = Pair(0.30, "name_loose_synonym", sure=False)
_CUT = Pair(0.30, "name_cut", sure=False)


@dataclass(slots=True)
class Entry:
    """One declared tool, taken apart. `keys` are letters of its arguments' keys, `members` words of its enums."""

    name: str
    tokens: tuple[str, ...]
    roots: tuple[str, ...]
    properties: frozenset[str]
    keys: frozenset[str]
    stems: tuple[frozenset[str], ...]
    required: frozenset[str]
    destructive: bool | None
    members: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    """Words of its name that only say whose tool it is."""
    head: int = 0
    """Where its own words begin, behind the server's mark."""


@dataclass(slots=True)
class Index:
    """Entries by word. The order of the declarations plays no part: entries are in the order of their names."""

    entries: list[Entry]
    by_word: dict[str, list[int]] = field(default_factory=dict)
    by_root: dict[str, list[str]] = field(default_factory=dict)
    by_strict: dict[int, list[str]] = field(default_factory=dict)
    by_loose: dict[int, list[str]] = field(default_factory=dict)
    by_hint: dict[str, list[int]] = field(default_factory=dict)
    by_letters: dict[str, list[str]] = field(default_factory=dict)
    vocabulary: list[str] = field(default_factory=list)
    spelled: list[str] = field(default_factory=list)
    by_name: dict[str, Entry] = field(default_factory=dict)

    @classmethod
    def build(cls, tools: Iterable[Any], namespaces: Sequence[str] = ()) -> Index:
        """An index over `tamis.core.catalog.Tool`s. `namespaces` are the names of the tools' server."""
        entries = [_entry(tool) for tool in sorted(tools, key=lambda item: str(item.name))]
        own = {word for space in namespaces for word in (*split(space), letters(space))}
        first = Counter(entry.tokens[0] for entry in entries if entry.tokens)
        shared = {word for word, count in first.items() if count >= max(_SHARED_AT_LEAST, _SHARED * len(entries)) and word not in verbs.VERBS}
        index = cls(entries)
        for number, entry in enumerate(entries):
            if len(entry.tokens) > 1 and entry.tokens[0] in shared | own:
                entry.head = 1
            entry.free = frozenset(entry.tokens[: entry.head]) | (frozenset(entry.tokens) & own)
            if len(entry.free) == len(set(entry.tokens)):
                entry.free = frozenset()
            for word in dict.fromkeys(entry.tokens):
                index.by_word.setdefault(word, []).append(number)
            for word in entry.members | {token for key in entry.properties for token in map(lexicon.root, split(key))}:
                index.by_hint.setdefault(word, []).append(number)
            index.by_letters.setdefault(letters(entry.name), []).append(entry.name)
        index.vocabulary = sorted(index.by_word)
        index.spelled = sorted(index.by_letters)
        index.by_name = {entry.name: entry for entry in entries}
        for word in index.vocabulary:
            root = lexicon.root(word)
            index.by_root.setdefault(root, []).append(word)
            for group in lexicon.STRICT.get(root, ()):
                index.by_strict.setdefault(group, []).append(word)
            for group in lexicon.LOOSE.get(root, ()):
                index.by_loose.setdefault(group, []).append(word)
        return index

    def fitting(self, word: str, *, last: bool, alone: bool) -> dict[str, Pair]:
        """Declared words that an emitted one may stand for, each with the mildest way. `last`: it may be cut off; `alone`: it is the whole name."""
        root = lexicon.root(word)
        found: dict[str, Pair] = {}
        if word in self.by_word:
            found[word] = EQUAL
        for other in self.by_root.get(root, ()):
            if other != word:
                # a short form is another spelling, a plural another number
                found[other] = _NUMBER if _plain(other) == _plain(word) else _STRICT
        for groups, table, pair in ((lexicon.STRICT, self.by_strict, _STRICT), (lexicon.LOOSE, self.by_loose, _LOOSE)):
            for group in groups.get(root, ()):
                for other in table.get(group, ()):
                    found.setdefault(other, pair)
        if word not in self.by_word and not lexicon.is_word(word) and root not in self.by_root:
            limit = 2 if len(word) >= _TWO_SLIPS else 1
            for other, _, _ in process.extract(word, self.vocabulary, scorer=OSA.distance, score_cutoff=limit, limit=8):
                shortest = _SHORTEST_SLIP + alone if other not in words.LINKS | words.JOINING else 1
                if len(other) >= shortest and len(word) >= shortest - 1 and slip(word, other, limit):
                    found.setdefault(other, _SLIP)
        if last and word not in self.by_word:
            for other in self.vocabulary[bisect_left(self.vocabulary, word) :]:
                if not other.startswith(word):
                    break
                if len(other) > len(word) + 1:  # one letter short is a slip, or a number
                    found.setdefault(other, _CUT)
        return found


def _plain(word: str) -> str:
    return lexicon.root(word) if word not in words.SHORT else word


def _entry(tool: Any) -> Entry:
    tokens = split(tool.name)
    properties = tool.properties
    members: set[str] = set()
    for schema in properties.values():
        if isinstance(schema, Mapping):
            listed = schema.get("enum")
            for value in listed[:_ENUM] if isinstance(listed, list) else ():
                if isinstance(value, str):
                    members.update(map(lexicon.root, split(value)))
    return Entry(
        tool.name, tokens, tuple(map(lexicon.root, tokens)), frozenset(properties), frozenset(map(letters, properties)),
        tuple(frozenset(map(lexicon.root, split(key))) for key in properties), frozenset(tool.required),
        tool.spec.destructive, frozenset(members),
    )  # fmt: skip
