"""Why a candidate must not be taken, however near it is: each guard stands for a way in which a small change of a name changes its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tamis.core.resolver import lexicon, verbs, words
from tamis.core.resolver.align import Alignment
from tamis.core.resolver.index import EQUAL, Index
from tamis.core.resolver.tokens import singular

__all__ = ["forbidden"]

_READING = frozenset(word for word, classes in verbs.CLASS_OF.items() if "read" in classes)
_NONE: frozenset[int] = frozenset()
_TO = frozenset("to from into onto for by".split())
"""Words behind which the other side of an act stands: what stands behind them must stay there."""


def _opposites(said: Sequence[str], found: Alignment, index: Index) -> bool:
    open_said = [i for i in found.said] + [i for i, _, pair in found.pairs if pair is not EQUAL]
    open_declared = [j for j in found.left] + [j for _, j, pair in found.pairs if pair is not EQUAL]
    roots = {lexicon.root(word) for word in said}
    for j in open_declared:
        if j < found.entry.head:
            continue
        meant = found.entry.roots[j]
        for i in open_said:
            if lexicon.opposed(lexicon.root(said[i]), meant):
                return True
        # a left-out side whose other side was said in full: `staged` for `unstaged`
        if j in found.left and any(lexicon.opposed(root, meant) for root in roots) and not _both(found, meant):
            return True
    return False


def _both(found: Alignment, root: str) -> bool:
    """Whether the declared name itself has both sides."""
    return any(lexicon.opposed(other, root) for other in found.entry.roots)


def _marked(table: frozenset[str]) -> Callable[[Sequence[str], Alignment, Index], bool]:
    def guard(said: Sequence[str], found: Alignment, index: Index) -> bool:
        return sorted(word for word in said if word in table) != sorted(word for word in found.entry.tokens if word in table)

    return guard


def _scope(said: Sequence[str], found: Alignment, index: Index) -> bool:
    mine = {word for word in said if word in words.SCOPE}
    declared = {word for word in found.entry.tokens if word in words.SCOPE}
    if mine == declared:
        return False
    # all of them is what a listing without a limit means
    heads = {found.entry.tokens[j] for j in range(len(found.entry.tokens))} & verbs.MANY
    return not (declared - mine == {"all"} and not mine - declared and heads and _counts(said, found) == [])


def _counts(said: Sequence[str], found: Alignment) -> list[tuple[int, int]]:
    """The pairs that differ in number."""
    return [(i, j) for i, j, pair in found.pairs if pair.rule == "name_number" or (pair is not EQUAL and _many(said[i]) != _many(found.entry.tokens[j]))]


def _many(word: str) -> bool:
    return singular(word) != word


def _digits(said: Sequence[str], found: Alignment, index: Index) -> bool:
    return sorted(word for word in said if word.isdigit()) != sorted(word for word in found.entry.tokens if word.isdigit())


def _acts(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """Another kind of act, or an act that is not named and changes something."""
    entry = found.entry
    for i, j, pair in found.pairs:
        if pair is EQUAL or pair.rule in ("name_number", "name_typo", "name_cut"):
            continue
        one, other = verbs.CLASS_OF.get(said[i]), verbs.CLASS_OF.get(entry.tokens[j])
        if one and other and not one & other and not pair.sure:
            return True
        if bool(one) != bool(other) and not pair.sure and (j == entry.head) != (i == 0):
            return True  # an act for a thing
    for j in found.left:
        word = entry.tokens[j]
        if j < entry.head or word in verbs.QUIET or word not in verbs.VERBS:
            continue
        if word in verbs.HEAD_ONLY and j != entry.head:
            continue
        return True
    return False


def _directed(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """The two sides of `a to b` exchanged."""
    tokens = found.entry.tokens
    for j, word in enumerate(tokens):
        if word not in _TO or j == 0 or j == len(tokens) - 1:
            continue
        before = [
            i for i, at, _ in found.pairs if at < j and tokens[at] not in words.LINKS and at >= found.entry.head and not (at == found.entry.head and tokens[at] in verbs.VERBS)
        ]
        after = [i for i, at, _ in found.pairs if at > j and tokens[at] not in words.LINKS]
        own = next((i for i, at, _ in found.pairs if at == j), None)
        if own is None:
            # nothing says which side is which but the order
            if before and after and min(after) < max(before):
                return True
        elif any(i < own for i in after) or any(i > own for i in before):
            return True
    return False


def _number(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One for many, where that decides which tool is meant."""
    entry = found.entry
    differing = [(i, j) for i, j in _counts(said, found) if not (j == entry.head and entry.tokens[j] in verbs.VERBS)]
    nouns = [(i, j) for i, j, _ in found.pairs if j > entry.head or entry.tokens[j] not in verbs.VERBS]
    crossing = any(
        pair is not EQUAL and _crosses(said[i], entry.tokens[j]) for i, j, pair in found.pairs
    )
    if crossing and (differing or not any(_many(said[i]) for i, _ in nouns)):
        return True  # `get` for a listing, or a listing for one: only where both nouns say many
    wanted = {entry.roots[j] for _, j in nouns}
    for i, j in differing:
        for word in index.by_root.get(entry.roots[j], ()):
            for number in index.by_word[word]:
                rival = index.entries[number]
                if rival is entry or not wanted <= set(rival.roots):
                    continue
                act = rival.tokens[rival.head]
                if _many(word) == _many(said[i]) and any(_same_act(act, other) for other in said):
                    return True  # the same act on the right number
                if _many(said[i]) and act in verbs.MANY and verbs.ONE & set(said):
                    return True  # many were asked for, and there is a listing
    return False


def _same_act(one: str, other: str) -> bool:
    return one == other or bool(lexicon.STRICT.get(lexicon.root(one), _NONE) & lexicon.STRICT.get(lexicon.root(other), _NONE))


def _crosses(one: str, other: str) -> bool:
    return (one in verbs.MANY and other in verbs.ONE) or (one in verbs.ONE and other in verbs.MANY)


def _swapped(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One thing said and another one left out."""
    strange = [i for i in found.said if said[i] not in words.LINKS and said[i] not in words.FILLER]
    left = [j for j in found.left if j >= found.entry.head and found.entry.tokens[j] not in words.LINKS and found.entry.tokens[j] not in found.entry.free]
    return bool(strange) and bool(left)


def _own_sense(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """Another word for an act that other tools of the catalogue name by just this word: here the two are not the same."""
    for i, j, pair in found.pairs:
        if pair.rule == "name_loose_synonym" and j == found.entry.head and not {said[i], found.entry.tokens[j]} <= _READING and any(
            index.entries[number].tokens[index.entries[number].head] == said[i] for number in index.by_word.get(said[i], ())
        ):
            return True
    return False


def _alone(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One word for a name of several: whatever else has to be guessed."""
    matched = [j for _, j, _ in found.pairs if j >= found.entry.head and found.entry.tokens[j] not in words.LINKS]
    content = [
        j for j in found.left
        if j >= found.entry.head and j not in found.evident and not {found.entry.tokens[j]} & (words.LINKS | words.ABOUT | verbs.QUIET | found.entry.free)
    ]
    return len(matched) == 1 and bool(content)


_GUARDS: tuple[tuple[str, Callable[[Sequence[str], Alignment, Index], bool]], ...] = (
    ("scope", _scope),
    ("negation", _marked(words.NEGATING)),
    ("joining", _marked(words.JOINING)),
    ("digits", _digits),
    ("opposites", _opposites),
    ("acts", _acts),
    ("direction", _directed),
    ("number", _number),
    ("swapped", _swapped),
    ("own sense", _own_sense),
    ("alone", _alone),
)


def forbidden(said: Sequence[str], found: Alignment, index: Index) -> str | None:
    """The name of the guard that forbids a candidate, or None."""
    for name, guard in _GUARDS:
        if guard(said, found, index):
            return name
    return None
