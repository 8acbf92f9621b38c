"""What several tests share: the corpus, and reading JSON files of the repository."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tamis.core.cases import Case, load_cases

__all__ = ["CORPUS", "DRIFT", "ROOT", "corpus", "drift", "load_json"]

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
DRIFT = ROOT / "tests" / "drift"

@cache
def corpus() -> tuple[Case, ...]:
    """Every case of tests/corpus, files in the order of their names."""
    return tuple(case for path in sorted(CORPUS.glob("*.jsonl")) for case in load_cases(path.read_text("utf-8").split("\n")))


@cache
def drift() -> tuple[Case, ...]:
    """Every case of tests/drift: own-worded faults of the formats, picked so that each way through the parser is taken by several."""
    return tuple(case for path in sorted(DRIFT.glob("*.jsonl")) for case in load_cases(path.read_text("utf-8").split("\n")))


def load_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
