"""Each emitted word on at most one declared word, and what the words without a partner cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tamis.core.resolver import lexicon, verbs, words
from tamis.core.resolver.evidence import Evidence
from tamis.core.resolver.index import EQUAL, Entry, Pair

__all__ = ["Alignment", "align"]

_FILLER = 0.03
_LINK = 0.04
_FREE_HEAD = 0.02  # the server's mark on its names
_FREE = 0.12  # its name elsewhere
_ABOUT_SAID = 0.16
_ABOUT_LEFT = 0.20
_HINT = 0.24  # a word of the schema: an enum's member, an argument
_LEFT_KNOWN = 0.26  # a left-out word that the emitted keys say
_LEFT = 0.36
_VERB_LEFT = 0.30
_STRANGE = 1.0  # above every limit: a word that nothing explains


@dataclass(slots=True)
class Alignment:
    """`pairs` are (emitted position, declared position, how they fit); the rest are positions without a partner."""

    entry: Entry
    read: list[str]
    """The emitted words with slips mended."""
    pairs: list[tuple[int, int, Pair]] = field(default_factory=list)
    said: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    evident: set[int] = field(default_factory=set)
    """Left-out words that the emitted keys say."""
    cost: float = 0.0
    worded: float = 0.0
    """The part of the cost that the words with a partner have."""
    sure: bool = True
    rules: dict[str, float] = field(default_factory=dict)
    forbidden: str | None = None
    """The guard that forbids it."""

    def add(self, cost: float, rule: str, *, sure: bool = True) -> None:
        """Count one step."""
        self.cost += cost
        self.sure = self.sure and sure
        self.rules[rule] = max(self.rules.get(rule, 0.0), cost + (0.0 if sure else 1.0))

    @property
    def rule(self) -> str:
        """The rule that asked for most trust."""
        return max(self.rules, key=lambda rule: (self.rules[rule], rule), default="name_order")


def align(said: Sequence[str], fits: Sequence[Mapping[str, Pair]], entry: Entry, evidence: Evidence) -> Alignment:
    """The cheapest way to read an emitted name as `entry`; `fits` are the declared words of each emitted one."""
    found = Alignment(entry, list(said))
    options = sorted(
        (fits[i][word].cost, abs(i - j), i, j) for i in range(len(said)) for j, word in enumerate(entry.tokens) if word in fits[i]
    )
    taken_said: set[int] = set()
    taken_declared: set[int] = set()
    for _, _, i, j in options:
        if i not in taken_said and j not in taken_declared:
            taken_said.add(i)
            taken_declared.add(j)
            found.pairs.append((i, j, fits[i][entry.tokens[j]]))
    found.pairs.sort(key=lambda pair: pair[0])
    found.said = [i for i in range(len(said)) if i not in taken_said]
    found.left = [j for j in range(len(entry.tokens)) if j not in taken_declared]
    for i, j, pair in found.pairs:
        if pair is not EQUAL:
            found.add(pair.cost, pair.rule, sure=pair.sure)
            if pair.rule == "name_typo":
                found.read[i] = entry.tokens[j]
    found.worded = found.cost
    _said(found, said, evidence)
    _left(found, evidence)
    return found


def _said(found: Alignment, said: Sequence[str], evidence: Evidence) -> None:
    """Emitted words that the declared name has not."""
    entry = found.entry
    for i in found.said:
        word = said[i]
        if word in words.FILLER and word not in verbs.CLASS_OF:
            found.add(_FILLER, "name_filler")
        elif word in words.FILLER and i in (0, len(said) - 1):
            found.add(_FILLER, "name_filler")  # `call_x`, `x_request`: around a name they say nothing, within it they do
        elif word in words.LINKS and i < len(said) - 1:
            found.add(_LINK, "name_filler")  # at the end it joins nothing: `turn_on`
        elif word in words.ABOUT:
            if i == len(said) - 1 and found.sure:
                found.add(_ABOUT_SAID, "name_about", sure=True)
            else:
                found.add(_STRANGE, "name_strange")
        elif evidence.carried(lexicon.root(word), entry):
            found.add(_HINT, "name_schema_word", sure=False)
        else:
            found.add(_STRANGE, "name_strange")


def _left(found: Alignment, evidence: Evidence) -> None:
    """Declared words that the emitted name has not."""
    entry = found.entry
    for j in found.left:
        word = entry.tokens[j]
        if j < entry.head:
            found.add(_FREE_HEAD, "name_prefix")
        elif word in words.LINKS and j < len(entry.tokens) - 1:
            found.add(_LINK, "name_filler")
        elif word in entry.free:
            found.add(_FREE, "name_shortened", sure=False)
        elif word in words.ABOUT:
            found.add(_ABOUT_LEFT, "name_shortened", sure=False)
        elif word in verbs.QUIET and j == entry.head:
            found.add(_VERB_LEFT, "name_shortened", sure=False)
        elif evidence.names(lexicon.root(word)):
            found.add(_LEFT_KNOWN, "name_shortened", sure=False)
            found.evident.add(j)
        else:
            found.add(_LEFT, "name_shortened", sure=False)
