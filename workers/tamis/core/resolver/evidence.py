"""What the emitted arguments say about a tool."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tamis.core.coercion.words import WRAPPERS
from tamis.core.resolver import lexicon
from tamis.core.resolver.index import Entry
from tamis.core.resolver.tokens import letters, split

__all__ = ["Evidence"]

_VETO = 1 / 3  # of the emitted keys: a tool that knows fewer is another one, however its name is spelt
_LONGEST = 64  # characters of a value that may name a kind; longer ones are content
_KEYS = 64  # keys that are looked at: more are no arguments of a tool


class Evidence:
    """The arguments of one call, as they were emitted; `known` is false when they could not be read."""

    __slots__ = ("_keys", "_letters", "_stems", "_values", "_words", "known")

    def __init__(self, arguments: Mapping[str, Any] | None) -> None:
        self.known = arguments is not None
        given = arguments or {}
        self._keys = list(given)[:_KEYS]
        self._letters = [letters(key) for key in self._keys]
        self._stems = [frozenset(map(lexicon.root, split(key))) for key in self._keys]
        self._words = frozenset().union(*self._stems)
        self._values = {letters(value) for value in given.values() if isinstance(value, str) and len(value) <= _LONGEST}

    @property
    def keys(self) -> Collection[str]:
        """The emitted keys."""
        return self._keys

    def vetoes(self, entry: Entry) -> bool:
        """Whether the tool knows so few of the keys that another one must be meant."""
        if not self._keys or self._wrapped(entry):
            return False
        known = sum(
            plain in entry.keys or any(stem and stem <= own for own in entry.stems)
            for plain, stem in zip(self._letters, self._stems, strict=True)
        )
        return known < _VETO * len(self._keys)

    def _wrapped(self, entry: Entry) -> bool:
        """Whether all arguments stand in one wrapper: then nothing is known of their keys yet."""
        return len(self._keys) == 1 and self._letters[0] in WRAPPERS and self._letters[0] not in entry.keys

    def proves(self, entry: Entry) -> bool:
        """Whether the tool declares every key and misses none that it requires: what level B asks for."""
        return self.known and all(key in entry.properties for key in self._keys) and entry.required.issubset(self._keys)

    def names(self, root: str) -> bool:
        """Whether a word is part of an emitted key."""
        return root in self._words

    def carried(self, root: str, entry: Entry) -> bool:
        """Whether a word of the schema is really carried: a member of an enum as a value, or a word of a declared key that was emitted."""
        return (root in entry.members and root in self._values) or (root in self._words and any(root in stem for stem in entry.stems))
