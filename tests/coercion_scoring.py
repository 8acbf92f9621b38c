"""The labelled corpus of arguments through the whole parser, and what came of each row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import tamis
from tamis.core.cases import same
from tamis.core.coercion.rules import OPTIONAL

__all__ = ["ALL_OPTIONAL", "Score", "corpus", "emit", "score"]

CORPUS = Path(__file__).resolve().parent / "corpora" / "coercions.jsonl"
ALL_OPTIONAL = tuple(OPTIONAL)


@cache
def corpus() -> tuple[dict[str, Any], ...]:
    """The rows: tool, schema, emitted, expect (None: leave it, the call is refused), kind, tier, perhaps history and expect_optin."""
    return tuple(json.loads(line) for line in CORPUS.read_text("utf-8").splitlines())


def emit(row: Mapping[str, Any], **keywords: Any) -> tamis.Turn:
    """A row as a model would have emitted it: JSON in a call tag."""
    text = json.dumps({"name": row["tool"], "arguments": row["emitted"]}, ensure_ascii=False)
    tools = [{"name": row["tool"], "parameters": row["schema"]}]
    return tamis.parse(f"<tool_call>\n{text}\n</tool_call>", tools, history=row.get("history", ()), **keywords)


@dataclass
class Score:
    """right: mapped, or rightly left. wrong: dispatched with a changed meaning. refused: could have been mapped."""

    right: int = 0
    wrong: list[tuple[Any, ...]] = field(default_factory=list)
    refused: list[tuple[Any, ...]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.right + len(self.wrong) + len(self.refused)


def score(rows: Iterable[Mapping[str, Any]], *, optional: bool = False) -> Score:
    """Score rows; `optional` switches every optional rule on for the row's tool and expects what they may return."""
    found = Score()
    for row in rows:
        policy = {"coercion_rules": {row["tool"]: ALL_OPTIONAL}} if optional else None
        expect = row.get("expect_optin", row["expect"]) if optional else row["expect"]
        turn = emit(row, policy=policy)
        got = turn.calls[0].arguments if turn.calls else None
        if (got is None and expect is None) or (got is not None and expect is not None and same(got, expect)):
            found.right += 1
            found.kinds[row["kind"]] += 1
        elif got is None:
            found.refused.append((row["kind"], row["emitted"], expect, turn.rejections[0].detail if turn.rejections else ""))
        else:
            found.wrong.append((row["kind"], row["emitted"], expect, got, [item.rule for item in turn.calls[0].repairs]))
    return found


def main() -> None:
    """Print what the goals ask for: `PYTHONPATH=workers python tests/coercion_scoring.py`."""
    from coercion_generated import valid_objects
    from tamis.core.catalog import Catalog
    from tamis.core.coercion.default import coerce

    print(f"{'rows':34}{'right':>7}{'wrong':>7}{'refused':>9}")
    for label, rows, optional in (
        ("safe rules", corpus(), False),
        ("optional rules on their own rows", [row for row in corpus() if "expect_optin" in row], True),
        ("all optional rules for all tools", corpus(), True),
    ):
        found = score(rows, optional=optional)
        print(f"{label:34}{found.right:7}{len(found.wrong):7}{len(found.refused):9}")
    tools = [{"name": f"t{number}", "parameters": row["schema"]} for number, row in enumerate(corpus())]
    catalog = Catalog.of(tools)
    objects = list(valid_objects(tools, 5000, seed=11))
    changed = sum(bool(coerce(catalog.tool(tool["name"]), given).repairs) for tool, given in objects)
    print(f"valid objects: {len(objects)}, changed: {changed}")
    outcomes = [coerce(catalog.tool(f"t{number * 7919 % len(tools)}"), given) for number, (_, given) in enumerate(objects * 8)]
    taken = sum(outcome.fits and bool(outcome.repairs) for outcome in outcomes)
    print(f"arguments of another tool: {len(outcomes)}, accepted after a change: {taken / len(outcomes):.2%}")


if __name__ == "__main__":
    main()
