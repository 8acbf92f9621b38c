"""The words of a name, their singular, and slips of the finger."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["letters", "singular", "slip", "split"]

_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SAME_IN_BOTH = frozenset(
    """
        access address alias always analysis atlas aws axis basis bias bonus boss bus business campus canvas census chaos class corpus cosmos
        crisis cross css diagnosis dns focus gas gps has https ios is js lens less miss news os pass process progress series sms status thesis
        this us virus was
    """.split()
)
"""Words that only look like plurals, or are their own."""
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index", "indexes": "index", "vertices": "vertex",
    "matrices": "matrix", "criteria": "criterion", "analyses": "analysis", "bases": "base", "statuses": "status", "aliases": "alias", "buses": "bus",
    "lives": "life", "leaves": "leaf", "shelves": "shelf", "movies": "movie", "cookies": "cookie", "has": "have", "databases": "database",
    "caches": "cache", "series": "series", "phases": "phase", "cases": "case", "releases": "release", "purchases": "purchase", "expenses": "expense",
    "responses": "response", "licenses": "license", "courses": "course", "houses": "house", "nurses": "nurse", "axes": "axis",
    "diagnoses": "diagnosis",
}  # fmt: skip
_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_FAR = 9  # more than any limit on slips


def _neighbours() -> dict[str, frozenset[str]]:
    near: dict[str, set[str]] = {}
    for row, keys in enumerate(_ROWS):
        for at, key in enumerate(keys):
            here = near.setdefault(key, set())
            here.update(keys[max(at - 1, 0) : at] + keys[at + 1 : at + 2])
            if row + 1 < len(_ROWS):
                # each row of a keyboard stands half a key to the right of the one above
                for other in _ROWS[row + 1][max(at - 1, 0) : at + 1]:
                    here.add(other)
                    near.setdefault(other, set()).add(key)
    return {key: frozenset(found) for key, found in near.items()}


_NEAR = _neighbours()


def split(name: str) -> tuple[str, ...]:
    """The words of a name, small: at separators, at a change of case, and around digits."""
    return tuple(word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", name)))


def letters(name: str) -> str:
    """A name without case and separators."""
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalnum())


def singular(word: str) -> str:
    """The singular of a word; a word that only looks like a plural is left."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in _SAME_IN_BOTH or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def slip(said: str, meant: str, limit: int) -> bool:
    """Whether `said` is `meant` with at most `limit` slips: a letter dropped, doubled, two exchanged, or a neighbouring key.

    Linear in the product of two short words; both are bounded by the longest name.
    """
    if abs(len(said) - len(meant)) > limit or said == meant:
        return False
    before: list[int] = []
    last = list(range(len(meant) + 1))  # letters of `meant` dropped
    for i, key in enumerate(said, 1):
        row = [last[0] + (1 if i > 1 and said[i - 2] == key else _FAR)]
        near = _NEAR.get(key, frozenset())
        for j, right in enumerate(meant, 1):
            best = last[j - 1] + (0 if key == right else 1 if right in near else _FAR)
            best = min(best, row[j - 1] + 1)  # dropped
            struck_twice = key == right or (i > 1 and said[i - 2] == key)
            beside = right in near or (i > 1 and said[i - 2] in near) or (i < len(said) and said[i] in near)
            best = min(best, last[j] + (1 if struck_twice or beside else _FAR))
            if i > 1 and j > 1 and key == meant[j - 2] and said[i - 2] == right:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1] <= limit
