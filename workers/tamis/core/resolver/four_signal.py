"""The published resolver, for those who ask for it: the best of four signals against a threshold. The default does without it.

It reads names as they are written: case counts, words part at underscores alone. A name within another one, and words within
words, score high whatever they leave out, so that `create_x` is near `delete_x`: measured, it sends a quarter of the names that no exact step
resolves to a wrong tool, and no threshold mends that.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

__all__ = ["CONTAINED", "DEFAULT_THRESHOLD", "SUBSET", "best"]

CONTAINED = 0.9
"""Score of a name that contains the other one."""
SUBSET = 0.85
"""Score of a name that has all words of the other one."""
DEFAULT_THRESHOLD = 0.7
"""As published."""
_SAME = 1e-9


def best(emitted: str, names: Iterable[str], threshold: float) -> tuple[str | None, float]:
    """The nearest of `names` and its score, from 0 to 1; None below `threshold`. Of equal scores the first name in the order of letters stands."""
    words = set(emitted.split("_"))
    matcher = SequenceMatcher(None, b=emitted)  # what is set as b is prepared once for all names
    nearest, high = None, -1.0
    for name in sorted(names):
        score = _fixed(emitted, words, name)
        if score < 1.0:
            matcher.set_seq1(name)
            if matcher.real_quick_ratio() > max(score, high) and matcher.quick_ratio() > max(score, high):
                score = max(score, matcher.ratio())
        if score > high + _SAME:
            nearest, high = name, score
    return (nearest, high) if nearest is not None and high + _SAME >= threshold else (None, max(high, 0.0))


def _fixed(emitted: str, words: set[str], name: str) -> float:
    """The three signals that need no comparison letter by letter."""
    if not emitted:
        return 0.0
    score = CONTAINED if emitted in name or name in emitted else 0.0
    other = set(name.split("_"))
    if words <= other or other <= words:
        score = max(score, SUBSET)
    return max(score, len(words & other) / len(words | other))
