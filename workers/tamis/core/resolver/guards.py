"""Why a candidate must not be taken, however near it is: each guard stands for a way in which a small change of a name changes its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tamis.core.resolver import lexicon, verbs, words
from tamis.core.resolver.align import Alignment
from tamis.core.resolver.index import EQUAL, Index
from tamis.core.resolver.tokens import singular

__all__ = ["NUMBER", "forbidden"]

NUMBER = "number"
"""The guard that stands for a doubt between two tools, where the others say that none is meant."""
_SIDES = frozenset({"to", "from", "into", "onto", "for", "by"})
"""Words behind which the other side of an act stands: what stands behind them must stay there."""
_ALIKE = tuple(frozenset(word for word, classes in verbs.CLASS_OF.items() if name in classes) for name in ("read", "create"))
"""Classes whose verbs differ in little: reading is reading, and what is added is new."""
_NONE: frozenset[int] = frozenset()

Guard = Callable[[Sequence[str], Alignment, Index], bool]


def _many(word: str) -> bool:
    return singular(word) != word


def _is_act(found: Alignment, j: int) -> bool:
    """Whether a declared word is the act of the name, and no thing that is called alike."""
    word = found.entry.tokens[j]
    return word in verbs.VERBS and (j == found.entry.head or word not in verbs.HEAD_ONLY)


def _same_act(one: str, other: str) -> bool:
    return one == other or bool(lexicon.STRICT.get(lexicon.root(one), _NONE) & lexicon.STRICT.get(lexicon.root(other), _NONE))


def _differing(said: Sequence[str], found: Alignment) -> list[tuple[int, int]]:
    """The pairs that differ in number."""
    tokens = found.entry.tokens
    return [(i, j) for i, j, pair in found.pairs if pair is not EQUAL and (pair.rule == "name_number" or _many(said[i]) != _many(tokens[j]))]


def _same_words(table: frozenset[str]) -> Guard:
    """Words of `table` that only one side has."""

    def guard(said: Sequence[str], found: Alignment, index: Index) -> bool:
        return sorted(word for word in said if word in table) != sorted(word for word in found.entry.tokens if word in table)

    return guard


def _scope(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One for all, or all for one."""
    mine, declared = words.SCOPE & {*said}, words.SCOPE & {*found.entry.tokens}
    if mine == declared:
        return False
    # a listing without a limit lists all
    lists = bool(verbs.MANY & {*found.entry.tokens}) and declared == mine | {"all"}
    return not lists or bool(_differing(said, found))


def _digits(said: Sequence[str], found: Alignment, index: Index) -> bool:
    return sorted(word for word in said if word.isdigit()) != sorted(word for word in found.entry.tokens if word.isdigit())


def _opposites(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """The other side of what was said."""
    entry = found.entry
    changed = [(i, j) for i, j, pair in found.pairs if pair is not EQUAL and pair.rule != "name_number"]
    loose = [lexicon.root(said[i]) for i in (*found.said, *(i for i, _ in changed))]
    all_said = [lexicon.root(word) for word in said]
    for j in (*found.left, *(j for _, j in changed)):
        meant = entry.roots[j]
        if j < entry.head:
            continue
        if _any_opposed(loose, meant):
            return True
        # what was left out is the other side of what was said, and the name does not have both sides itself
        if j in found.left and _any_opposed(all_said, meant) and not _any_opposed(entry.roots, meant):
            return True
    return False


def _any_opposed(roots: Sequence[str], meant: str) -> bool:
    return any(lexicon.opposed(root, meant) for root in roots)


def _acts(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """Another kind of act, or one that was not said and does more than look."""
    entry = found.entry
    for i, j, pair in found.pairs:
        if pair.rule != "name_loose_synonym":
            continue
        one, other = verbs.CLASS_OF.get(said[i]), verbs.CLASS_OF.get(entry.tokens[j])
        if one and other and not one & other:
            return True
        if bool(one) != bool(other) and (j == entry.head) != (i == 0):
            return True  # an act for a thing
    return any(j >= entry.head and entry.tokens[j] not in verbs.QUIET and _is_act(found, j) for j in found.left)


def _direction(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """The two sides of `a to b` exchanged."""
    entry = found.entry
    tokens = entry.tokens
    for at in range(1, len(tokens) - 1):
        if tokens[at] not in _SIDES:
            continue
        # the act may stand anywhere
        own_words = [(i, j) for i, j, _ in found.pairs if j >= entry.head and tokens[j] not in words.LINKS]
        sides = [(i, j) for i, j in own_words if j != entry.head or not _is_act(found, j)]
        before, after = [i for i, j in sides if j < at], [i for i, j in sides if j > at]
        own = next((i for i, j, _ in found.pairs if j == at), None)
        if own is None:
            if before and after and min(after) < max(before):
                return True  # nothing says which side is which but the order
        elif any(i < own for i in after) or any(i > own for i in before):
            return True
    return False


def _number(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One for many, where that decides which tool is meant."""
    entry = found.entry
    differing = [(i, j) for i, j in _differing(said, found) if not (j == entry.head and entry.tokens[j] in verbs.VERBS)]
    nouns = [(i, j) for i, j, _ in found.pairs if j > entry.head or entry.tokens[j] not in verbs.VERBS]
    crossing = any(pair is not EQUAL and _crosses(said[i], entry.tokens[j]) for i, j, pair in found.pairs)
    if crossing and (differing or not ("all" in said or any(_many(said[i]) for i, _ in nouns))):
        return True  # `get` for a listing, or a listing for one: only where both nouns say many
    if not differing:
        return False
    if any(j >= entry.head and entry.tokens[j] not in verbs.VERBS | words.LINKS | words.ABOUT for j in found.left):
        return True  # a noun was left out and the number of another changed: `list_emails` is no `list_email_labels`
    wanted = {entry.roots[j] for _, j in nouns}
    for i, j in differing:
        for word in index.by_root.get(entry.roots[j], ()):
            rivals = [index.entries[number] for number in index.by_word[word]]
            for rival in rivals:
                if rival is entry or not wanted <= {*rival.roots}:
                    continue
                acts = [token for token in rival.tokens if token in verbs.VERBS]
                if _many(word) == _many(said[i]) and any(_same_act(act, other) for act in acts for other in said):
                    return True  # the same act on the right number
                if _many(said[i]) and rival.tokens[rival.head] in verbs.MANY and verbs.GETTING & {*said}:
                    return True  # many were asked for, and there is a listing
    return False


def _crosses(one: str, other: str) -> bool:
    return (one in verbs.MANY and other in verbs.ONE) or (one in verbs.ONE and other in verbs.MANY)


def _swapped(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One thing said and another one left out."""
    entry = found.entry
    strange = any(said[i] not in words.LINKS | words.FILLER for i in found.said)
    return strange and any(j >= entry.head and entry.tokens[j] not in words.LINKS | entry.free for j in found.left)


def _own_sense(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """Another word for an act, where other tools of the catalogue name theirs by just this word: here the two are not the same."""
    entry = found.entry
    for i, j, pair in found.pairs:
        if pair.rule != "name_loose_synonym" or j != entry.head or any({said[i], entry.tokens[j]} <= alike for alike in _ALIKE):
            continue
        others = (index.entries[number] for number in index.by_word.get(said[i], ()))
        if any(other.tokens[other.head] == said[i] for other in others):
            return True
    return False


def _alone(said: Sequence[str], found: Alignment, index: Index) -> bool:
    """One word for a name of several, the rest of which nothing tells."""
    entry = found.entry
    told = words.LINKS | words.ABOUT | verbs.QUIET | entry.free
    matched = [j for _, j, _ in found.pairs if j >= entry.head and entry.tokens[j] not in words.LINKS]
    return len(matched) == 1 and any(j >= entry.head and j not in found.evident and entry.tokens[j] not in told for j in found.left)


_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("scope", _scope),
    ("negation", _same_words(words.NEGATING)),
    ("joining", _same_words(words.JOINING)),
    ("digits", _digits),
    ("opposites", _opposites),
    ("acts", _acts),
    ("direction", _direction),
    (NUMBER, _number),
    ("swapped", _swapped),
    ("own sense", _own_sense),
    ("alone", _alone),
)


def forbidden(said: Sequence[str], found: Alignment, index: Index) -> str | None:
    """The name of the first guard that forbids a candidate, or None. `said` are the emitted words with slips mended."""
    return next((name for name, guard in _GUARDS if guard(said, found, index)), None)
