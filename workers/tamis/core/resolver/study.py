"""Precision and recall of the resolver's strategies over labelled names: what was dispatched, rightly and wrongly, and what was refused.

    labelled = load(names_lines, catalogs_lines)
    scores = compare(labelled)          # scores["cascade"].precision, .recall, .wrong_share, .kinds

A line of names has `catalog`, `emitted`, `expect` (the tool that is meant, or null: it has to be refused), `kind`, `args`, and perhaps
`remove` (tools that are not declared in this line) and `refuse_ok` (a refusal is right as well). A line of catalogues has `catalog`, `tools`
and `server_aliases`.
Lines of the kind `exact` say nothing about a resolver and are left out. Pure: no files; the same lines give the same scores.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.core.catalog import Catalog
from tamis.core.errors import TamisError
from tamis.core.resolver.four_signal import DEFAULT_THRESHOLD, best
from tamis.core.session import parse

__all__ = ["THRESHOLDS", "Labelled", "Row", "Score", "StudyError", "compare", "load", "score", "sweep"]

THRESHOLDS: tuple[float, ...] = (0.30, 0.40, 0.50, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00)
"""Where the sweep of `four_signal` looks."""
_EXACT = "exact"


class StudyError(TamisError, ValueError):
    """A line that is no labelled name or catalogue; the text names the line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled name. `expect` None: it has to be refused; `lenient`: a refusal is right as well."""

    catalog: str
    emitted: str
    expect: str | None
    kind: str
    arguments: Mapping[str, Any]
    removed: tuple[str, ...] = ()
    lenient: bool = False


@dataclass(slots=True)
class Labelled:
    """Rows and the catalogues they speak of, with the names of their servers. A catalogue without some tools is made once."""

    rows: list[Row]
    tools: dict[str, list[dict[str, Any]]]
    namespaces: dict[str, tuple[str, ...]]
    _made: dict[tuple[str, tuple[str, ...]], Catalog] = field(default_factory=dict)

    def catalog(self, row: Row) -> Catalog:
        """The catalogue of a row."""
        key = (row.catalog, row.removed)
        if key not in self._made:
            tools = [tool for tool in self.tools[row.catalog] if tool["name"] not in row.removed]
            self._made[key] = Catalog.of(tools, self.namespaces[row.catalog])
        return self._made[key]

    def half(self, odd: bool) -> list[Row]:
        """The rows of every other catalogue, in the order of the file."""
        chosen = set(list(self.tools)[int(odd) :: 2])
        return [row for row in self.rows if row.catalog in chosen]


@dataclass(slots=True)
class Score:
    """Counts of rows. `wrong`: a tool that was not meant, whether another was or none."""

    right: int = 0
    wrong: int = 0
    refused: int = 0
    """Refused, rightly: none was meant, or a refusal is right as well."""
    lost: int = 0
    """Refused, though one tool was meant."""
    to_refuse: int = 0
    """Rows where no tool is meant."""
    false_alarms: int = 0
    """Wrong ones among these."""
    kinds: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """All rows."""
        return self.right + self.wrong + self.refused + self.lost

    @property
    def precision(self) -> float:
        """Of what was dispatched, the share that went to the right tool; 1 when nothing was."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Of the rows where one tool is meant (without those that may be refused and were), the share that went there."""
        meant = self.right + self.lost + self.wrong - self.false_alarms
        return self.right / meant if meant else 1.0

    @property
    def wrong_share(self) -> float:
        """Of all rows, the share that went to a wrong tool."""
        return self.wrong / self.rows if self.rows else 0.0

    @property
    def false_share(self) -> float:
        """Of the rows where no tool is meant, the share that went to one."""
        return self.false_alarms / self.to_refuse if self.to_refuse else 0.0

    def count(self, row: Row, name: str | None) -> None:
        """Add one outcome."""
        self.to_refuse += row.expect is None
        if name is None:
            outcome = "refused" if row.expect is None or row.lenient else "lost"
        else:
            outcome = "right" if name == row.expect else "wrong"
            self.false_alarms += row.expect is None
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.kinds.setdefault(row.kind, Counter())[outcome] += 1


def load(names: Iterable[str], catalogs: Iterable[str]) -> Labelled:
    """Rows and catalogues from JSON Lines. Raises `StudyError`."""
    tools: dict[str, list[dict[str, Any]]] = {}
    spaces: dict[str, tuple[str, ...]] = {}
    for number, item in _objects(catalogs, "catalogues", ("catalog", "tools")):
        if item["catalog"] in tools:
            raise StudyError(f"catalogues, line {number}: {item['catalog']!r} stands there twice")
        tools[item["catalog"]] = item["tools"]
        spaces[item["catalog"]] = tuple(item.get("server_aliases", ()))
    rows = []
    for number, item in _objects(names, "names", ("catalog", "emitted", "expect", "kind")):
        if item["catalog"] not in tools:
            raise StudyError(f"names, line {number}: no catalogue is named {item['catalog']!r}")
        if item["kind"] != _EXACT:
            removed = tuple(item.get("remove", ()))
            rows.append(
                Row(item["catalog"], item["emitted"], item["expect"], item["kind"], item.get("args", {}), removed, bool(item.get("refuse_ok")))
            )
    return Labelled(rows, tools, spaces)


def _objects(lines: Iterable[str], what: str, keys: Sequence[str]) -> Iterable[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except ValueError:
            raise StudyError(f"{what}, line {number}: no JSON") from None
        if not isinstance(item, dict) or not all(key in item for key in keys):
            raise StudyError(f"{what}, line {number}: needs an object with {', '.join(keys)}")
        yield number, item


def score(rows: Iterable[Row], decide: Callable[[Row], str | None]) -> Score:
    """The score of a decision: the name it gives for a row, or None for a refusal."""
    found = Score()
    for row in rows:
        found.count(row, decide(row))
    return found


def _parsed(labelled: Labelled, policy: Mapping[str, Any]) -> Callable[[Row], str | None]:
    """The whole parser's decision about the name alone: what breaks its schema is flagged and not refused."""
    whole = {**policy, "schema_gate": "flag"}

    def decide(row: Row) -> str | None:
        call = json.dumps({"name": row.emitted, "arguments": row.arguments}, ensure_ascii=False)
        turn = parse(f"<tool_call>\n{call}\n</tool_call>", labelled.catalog(row), policy=whole)
        return turn.calls[0].name if turn.calls else None

    return decide


def compare(labelled: Labelled) -> dict[str, Score]:
    """The scores of all strategies, and of the default on each half of the catalogues, read by the whole parser."""
    parsed = _parsed(labelled, {"resolver": "cascade"})
    decided = {id(row): parsed(row) for row in labelled.rows}

    def cascade(row: Row) -> str | None:
        return decided[id(row)]

    return {
        "cascade": score(labelled.rows, cascade),
        "cascade, first half": score(labelled.half(odd=False), cascade),
        "cascade, second half": score(labelled.half(odd=True), cascade),
        "exact": score(labelled.rows, _parsed(labelled, {"resolver": "exact"})),
        f"four_signal {DEFAULT_THRESHOLD:.2f}": score(labelled.rows, _parsed(labelled, {"resolver": "four_signal"})),
    }


def _nearest(row: Row, catalog: Catalog) -> tuple[str | None, float]:
    return (row.emitted, 1.0) if catalog.get(row.emitted) is not None else best(row.emitted, catalog.names, 0.0)


def sweep(labelled: Labelled, thresholds: Sequence[float] = THRESHOLDS) -> dict[float, Score]:
    """The scores of `four_signal` at every threshold; each name is compared once."""
    nearest = [_nearest(row, labelled.catalog(row)) for row in labelled.rows]
    found = {threshold: Score() for threshold in thresholds}
    for row, (name, height) in zip(labelled.rows, nearest, strict=True):
        for threshold, total in found.items():
            total.count(row, name if height + 1e-9 >= threshold else None)  # as `best` compares: sums of equal parts may differ in the last bit
    return found
