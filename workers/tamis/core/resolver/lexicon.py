"""The word lists in the form that look-ups need: which words mean the same, surely or perhaps, and which are opposites."""

from __future__ import annotations

from collections.abc import Iterable

from tamis.core.resolver import verbs, words
from tamis.core.resolver.plain import PLAIN
from tamis.core.resolver.tokens import singular

__all__ = ["LOOSE", "STRICT", "is_word", "opposed", "root"]


def root(word: str) -> str:
    """A word's singular with short forms written out; two words of one root are two spellings of one."""
    full = words.SHORT.get(word)
    if full is None:
        single = singular(word)
        full = words.SHORT.get(single, single)
    return full


def _groups(lines: Iterable[str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for word in line.split():
            found.setdefault(root(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


STRICT = _groups((*verbs.SAME_ACTS, *words.SAME_THINGS))
"""Root of a word -> the groups of words that mean the same."""
LOOSE = _groups((*verbs.LOOSE_ACTS, *words.LOOSE_THINGS))
"""Root of a word -> the groups of words that often mean the same."""
_OPPOSITES = frozenset(frozenset(map(root, pair)) for pair in words.OPPOSITES)
_WORDS = frozenset(
    (*verbs.VERBS, *PLAIN, *words.SHORT, *words.SHORT.values(), *words.FILLER, *words.LINKS, *words.SCOPE, *words.NEGATING, *words.JOINING,
     *STRICT, *LOOSE, *(word for pair in words.OPPOSITES for word in pair))
)  # fmt: skip


def is_word(word: str) -> bool:
    """Whether a word is known, in the singular or the plural: then it is no slip for another one."""
    return word in _WORDS or singular(word) in _WORDS


def opposed(one: str, other: str) -> bool:
    """Whether two roots are the two sides of one thing, or one is the other turned round by its first syllable."""
    if frozenset((one, other)) in _OPPOSITES:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer.endswith(shorter) and len(shorter) > 2 and longer[: -len(shorter)] in words.REVERSING
