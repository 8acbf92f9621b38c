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
from tamis.core.resolver.guards import forbidden
from tamis.core.resolver.index import Entry, Index, Pair
from tamis.core.resolver.tokens import letters, slip, split
from tamis.core.resolver.wrappers import bare, forms

__all__ = ["Found", "cascade"]

_ACCEPT = 0.62  # cost: on the labelled names a plateau from .30 on; above .70 precision falls
_MARGIN = 0.17  # cost to the runner-up: below it the two are one guess
_ALIKE = 0.06  # cost: a plural makes no other word
_LETTERS = 8  # of a name in which one slip leaves no doubt
_WORDS = 16  # of an emitted name; more are a sentence
_CANDIDATES = 32  # tools that are aligned: where more contain every emitted word, none is meant


@dataclass(frozen=True, slots=True)
class Found:
    """`name` with the rule that decided, or several `candidates` of about the same cost, or nothing."""

    name: str | None
    rule: str = ""
    candidates: tuple[str, ...] = ()


_BORROWED = frozenset({"name_about", "name_schema_word"})
"""Rules by which a tool explains a word that its name has not."""
NOTHING = Found(None)


def cascade(emitted: str, arguments: Mapping[str, Any] | None, index: Index, namespaces: Sequence[str], destructive: Mapping[str, bool]) -> Found:
    """The declared tool that a name means that no exact step knows. `destructive` are the host's own words on its tools."""
    evidence = Evidence(arguments)
    for form, rule in forms(emitted, namespaces):
        same = index.by_letters.get(letters(form), ())
        if len(same) > 1:
            return Found(None, "", tuple(sorted(same)))
        if same:
            entry = index.entry(same[0])
            return NOTHING if evidence.vetoes(entry) else Found(entry.name, rule)
    whole = _aligned(emitted, index, namespaces, evidence)
    found = [item for item in whole if item.cost <= _ACCEPT and item.forbidden is None]
    found.sort(key=lambda item: (round(item.cost, 6), item.entry.name))
    if not found:
        return _slipped(emitted, index, namespaces, evidence)
    best = found[0]
    near = [item for item in found[1:] if item.cost < best.cost + _MARGIN]
    if "name_shortened" in best.rules:
        # other tools that say all of these words as well: nothing tells which one was shortened
        near += [
            item for item in whole
            if item is not best and item not in near and item.worded <= best.worded + _ALIKE and not _BORROWED & item.rules.keys() - best.rules.keys()
        ]
    if near:
        return Found(None, "", tuple(item.entry.name for item in (best, *near)))
    if evidence.vetoes(best.entry):
        return NOTHING
    if not best.sure and (is_destructive(best.entry, destructive) or not evidence.proves(best.entry)):
        return NOTHING
    return Found(best.entry.name, best.rule)


def _slipped(emitted: str, index: Index, namespaces: Sequence[str], evidence: Evidence) -> Found:
    """One name with a slip that fell between its words, or broke one in two: letters are compared, where no word is another's."""
    for form, _ in forms(emitted, namespaces):
        said = split(form)
        plain = letters(form)
        if len(said) < 2 or len(plain) < _LETTERS or all(word in index.by_word or lexicon.is_word(word) for word in said):
            continue
        near = [other for other, _, _ in process.extract(plain, index.spelled, scorer=OSA.distance, score_cutoff=1, limit=4) if slip(plain, other, 1)]
        names = sorted(name for other in near for name in index.by_letters[other])
        if len(names) > 1:
            return Found(None, "", tuple(names))
        if names:
            entry = index.entry(names[0])
            return NOTHING if evidence.vetoes(entry) or _turned(said, entry) else Found(entry.name, "name_typo")
    return NOTHING


def _turned(said: Sequence[str], entry: Entry) -> bool:
    """Whether the names have opposite words."""
    return any(lexicon.opposed(lexicon.root(word), root) for word in said for root in entry.roots)


def is_destructive(entry: Entry, said: Mapping[str, bool]) -> bool:
    """Whether a tool takes something away: the host's word, else the declaration's, else its verb."""
    if entry.name in said:
        return said[entry.name]
    if entry.destructive is not None:
        return entry.destructive
    return any(word in verbs.DESTRUCTIVE and (word not in verbs.HEAD_ONLY or at == entry.head) for at, word in enumerate(entry.tokens))


def _aligned(emitted: str, index: Index, namespaces: Sequence[str], evidence: Evidence) -> list[Alignment]:
    seen: set[tuple[str, ...]] = set()
    out: dict[str, Alignment] = {}
    for form, rule in forms(emitted, namespaces):
        said = _words(form, index)
        if not said or len(said) > _WORDS or said in seen:
            continue
        seen.add(said)
        if rule == "name_version" and out:
            break
        fits = [index.fitting(word, last=at == len(said) - 1 and len(said) > 1, alone=len(said) == 1) for at, word in enumerate(said)]
        for number in _candidates(said, fits, index):
            found = align(said, fits, index.entries[number], evidence)
            if not found.pairs or "name_strange" in found.rules:
                continue
            found.forbidden = forbidden(found.read, found, index)
            known = out.get(found.entry.name)
            if True:
                if known is None or found.cost < known.cost:
                    out[found.entry.name] = found
    return list(out.values())


def _words(form: str, index: Index) -> tuple[str, ...]:
    """The words of a name; those that the catalogue writes as one are joined, and one that it writes as two is taken apart."""
    said: list[str] = []
    for word in split(form):
        if said and said[-1] + word in index.by_word and (said[-1] not in index.by_word or word not in index.by_word):
            said[-1] += word
        else:
            said.append(word)
    out: list[str] = []
    for word in said:
        if word not in index.by_word and not lexicon.is_word(word) and len(word) > 5:
            for at in range(3, len(word) - 2):
                if word[:at] in index.by_word and word[at:] in index.by_word:
                    out += (word[:at], word[at:])
                    break
            else:
                out.append(word)
        else:
            out.append(word)
    return tuple(out)


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
