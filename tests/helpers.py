"""What several tests share: the corpus, and reading JSON files of the repository."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tamis.core.cases import Case, load_cases

__all__ = ["CORPUS", "ROOT", "corpus", "load_json"]

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"

@cache
def corpus() -> tuple[Case, ...]:
    """Every case of tests/corpus, files in the order of their names."""
    return tuple(case for path in sorted(CORPUS.glob("*.jsonl")) for case in load_cases(path.read_text("utf-8").split("\n")))


def load_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
