"""How long a name takes that no exact step knows, in a catalogue of a thousand tools; the yardstick is the published similarity."""

from __future__ import annotations

import itertools
import json
import statistics
import time
from pathlib import Path
from typing import Any

from core import Row, row
from tamis.core.catalog import Catalog
from tamis.core.policy import Policy
from tamis.core.resolver.strategy import resolve

__all__ = ["names"]

CORPORA = Path(__file__).resolve().parents[1] / "corpora"
TOOLS = 1000
GOAL_US = 1000
_EVERY = 29  # of the labelled names: some 150, all kinds among them
_EVERY_SLOW = 290  # of those that the yardstick gets, at some 20 ms each


def _catalog() -> Catalog:
    """A thousand different names: all of the corpus, and again behind a mark of their own until there are enough."""
    lines = [json.loads(line) for line in (CORPORA / "catalogs.jsonl").read_text("utf-8").splitlines()]
    tools = [tool for line in lines for tool in line["tools"]]
    found: dict[str, dict[str, Any]] = {}
    for turn in itertools.count():
        for tool in tools:
            name = tool["name"] if turn == 0 else f"unit{turn}_{tool['name']}"
            found.setdefault(name, {**tool, "name": name})
            if len(found) == TOOLS:
                return Catalog.of(found.values())
    raise AssertionError("unreachable")


def _times(rows: list[dict[str, Any]], catalog: Catalog, policy: Policy) -> list[float]:
    """Microseconds of each row, the best of three."""
    found = []
    for item in rows:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            resolve(item["emitted"], item["args"], catalog, policy)
            times.append(time.perf_counter() - start)
        found.append(min(times) * 1e6)
    return found


def names() -> list[Row]:
    """One line each for the cascade, the yardstick and an exact name; medians."""
    catalog = _catalog()
    catalog.index  # noqa: B018 - built once a catalogue, at the first name that needs it
    rows = [json.loads(line) for line in (CORPORA / "names.jsonl").read_text("utf-8").splitlines()]
    drifted = [item for item in rows if item["kind"] != "exact" and catalog.get(item["emitted"]) is None]
    exact = [item for item in rows if item["kind"] == "exact"]
    cascade = statistics.median(_times(drifted[::_EVERY], catalog, Policy()))
    similar = statistics.median(_times(drifted[::_EVERY_SLOW], catalog, Policy(resolver="four_signal")))
    plain = statistics.median(_times(exact, catalog, Policy()))
    return [
        row("names", f"cascade, {TOOLS} tools", cascade, cascade / similar, "four_signal", f"at most {GOAL_US} us"),
        row("names", "exact name", plain, plain / cascade, "cascade"),
    ]
