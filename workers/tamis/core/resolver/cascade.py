"""The cascade behind the exact steps: wrappers off, then words aligned, guarded, and taken only where one tool is clearly nearest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tamis.core.resolver import lexicon, verbs, words
from tamis.core.resolver.align import Alignment, align
from tamis.core.resolver.evidence import Evidence
from tamis.core.resolver.guards import NUMBER, forbidden
from tamis.core.resolver.index import Entry, Index, Pair
from tamis.core.resolver.tokens import letters, slip, split
from tamis.core.resolver.wrappers import forms

__all__ = ["Found", "cascade", "is_destructive"]

_ACCEPT = 0.62  # cost: on the labelled names a plateau from .30 on; above .70 precision falls
_MARGIN = 0.17  # cost to the runner-up: below it the two are one guess
_ALIKE = 0.06  # cost: a plural makes no other word
_LETTERS = 8  # of a name in which one slip leaves no doubt
_WORDS = 16  # of an emitted name; more are a sentence
_CANDIDATES = 32  # tools that are aligned: where more contain every emitted word, none is meant
_GLUED = 3  # letters of a word that may stand glued to another one
_BORROWED = frozenset({"name_about", "name_schema_word"})
"""Rules by which a tool explains a word that its name has not."""


@dataclass(frozen=True, slots=True)
class Found:
    """`name` with the rule that decided, or several `candidates` of about the same cost, or nothing."""

    name: str | None
    rule: str = ""
    candidates: tuple[str, ...] = ()


NOTHING = Found(None)


def cascade(emitted: str, arguments: Mapping[str, Any] | None, index: Index, namespaces: Sequence[str], destructive: Mapping[str, bool]) -> Found:
    """The declared tool that a name means that no exact step knows. `destructive` are the host's own words on its tools."""
    evidence = Evidence(arguments)
    shapes = list(forms(emitted, namespaces))
    for form, rule in shapes:
        same = index.by_letters.get(letters(form), ())
        if len(same) > 1:
            return Found(None, "", tuple(sorted(same)))
        if same:
            return NOTHING if evidence.vetoes(index.by_name[same[0]]) else Found(same[0], rule)
    names = list(dict.fromkeys(form for form, _ in shapes))
    whole = _aligned(names, index, evidence)
    able = sorted((item for item in whole if item.cost <= _ACCEPT and item.forbidden is None), key=_order)
    if not able:
        return _slipped(names, index, evidence)
    best = able[0]
    rivals = _rivals(best, able, whole, evidence)
    if rivals:
        return Found(None, "", tuple(item.entry.name for item in (best, *rivals)))
    if evidence.vetoes(best.entry):
        return NOTHING
    if not best.sure and (is_destructive(best.entry, destructive) or not evidence.proves(best.entry)):
        return NOTHING
    return Found(best.entry.name, best.rule)


def is_destructive(entry: Entry, said: Mapping[str, bool]) -> bool:
    """Whether a tool takes something away: the host's word, else the declaration's, else its verb."""
    if entry.name in said:
        return said[entry.name]
    if entry.destructive is not None:
        return entry.destructive
    return any(word in verbs.DESTRUCTIVE and (word not in verbs.HEAD_ONLY or at == entry.head) for at, word in enumerate(entry.tokens))


def _rivals(best: Alignment, able: Sequence[Alignment], whole: Sequence[Alignment], evidence: Evidence) -> list[Alignment]:
    """Other tools that may be meant as well as the nearest one."""
    near = [item for item in able if item is not best and item.cost < best.cost + _MARGIN]
    near += [item for item in whole if item.forbidden == NUMBER and item.cost < best.cost]
    one_word = best.rule == "name_prefix" and len(best.pairs) == 1 and not (evidence.keys and evidence.proves(best.entry))
    if "name_shortened" in best.rules or one_word:
        # they have all of these words as well: nothing tells which name was shortened
        near += [item for item in whole if item.worded <= best.worded + _ALIKE and not _BORROWED & item.rules.keys() - best.rules.keys()]
    found = {item.entry.name: item for item in near if item is not best}
    return sorted(found.values(), key=_order)


def _order(item: Alignment) -> tuple[float, str]:
    """Nearest first; the order of the declarations plays no part."""
    return round(item.cost, 6), item.entry.name  # sums of the same costs may differ in the last bit


def _aligned(names: Sequence[str], index: Index, evidence: Evidence) -> list[Alignment]:
    """Every tool that explains all words of a name, with or without its wrappers, at its lowest cost."""
    seen: set[tuple[str, ...]] = set()
    best: dict[str, Alignment] = {}
    for name in names:
        said = _words(name, index)
        if not said or len(said) > _WORDS or said in seen:
            continue
        seen.add(said)
        fits = [index.fitting(word, last=0 < at == len(said) - 1, alone=len(said) == 1) for at, word in enumerate(said)]
        for number in _candidates(said, fits, index):
            found = align(said, fits, index.entries[number], evidence)
            if not found.pairs or "name_strange" in found.rules:
                continue
            found.forbidden = forbidden(found.read, found, index)
            known = best.get(found.entry.name)
            if known is None or (found.forbidden is not None, found.cost) < (known.forbidden is not None, known.cost):
                best[found.entry.name] = found
    return list(best.values())


def _words(name: str, index: Index) -> tuple[str, ...]:
    """The words of a name; those that the catalogue writes as one are joined, and one that it writes as two is taken apart."""
    joined: list[str] = []
    for word in split(name):
        if joined and joined[-1] + word in index.by_word and not (joined[-1] in index.by_word and word in index.by_word):
            joined[-1] += word
        else:
            joined.append(word)
    return tuple(part for word in joined for part in _parts(word, index))


def _parts(word: str, index: Index) -> tuple[str, ...]:
    if word not in index.by_word and not lexicon.is_word(word):
        for at in range(_GLUED, len(word) - _GLUED + 1):
            if word[:at] in index.by_word and word[at:] in index.by_word:
                return word[:at], word[at:]
    return (word,)


def _candidates(said: Sequence[str], fits: Sequence[Mapping[str, Pair]], index: Index) -> list[int]:
    """Tools that explain every emitted word that has to be explained."""
    found: set[int] | None = None
    for word, declared in zip(said, fits, strict=True):
        if word in words.FILLER or word in words.LINKS or word in words.ABOUT:
            continue
        able = {number for other in declared for number in index.by_word[other]}
        able.update(index.by_hint.get(lexicon.root(word), ()))
        found = able if found is None else found & able
        if not found:
            return []
    if found is None:
        found = {number for declared in fits for other in declared for number in index.by_word[other]}
    return sorted(found, key=lambda number: (len(index.entries[number].tokens), number))[:_CANDIDATES]


def _slipped(names: Sequence[str], index: Index, evidence: Evidence) -> Found:
    """A slip that fell between two words, or broke one in two: the letters are compared, where a word is none that is known."""
    for name in names:
        said, plain = split(name), letters(name)
        if len(plain) < _LETTERS or all(word in index.by_word or lexicon.is_word(word) for word in said):
            continue
        near = [other for other, _, _ in process.extract(plain, index.spelled, scorer=OSA.distance, score_cutoff=1, limit=4) if slip(plain, other, 1)]
        found = sorted(name for other in near for name in index.by_letters[other])
        if len(found) > 1:
            return Found(None, "", tuple(found))
        if found:
            entry = index.by_name[found[0]]
            turned = any(lexicon.opposed(lexicon.root(word), root) for word in said for root in entry.roots)
            return NOTHING if turned or evidence.vetoes(entry) else Found(entry.name, "name_typo")
    return NOTHING
