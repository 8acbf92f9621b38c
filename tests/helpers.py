"""What several tests share: the corpus, and reading JSON files of the repository."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tamis.core.cases import Case, load_cases

__all__ = ["CORPUS", "LATER", "ROOT", "corpus", "load_json"]

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"

LATER = frozenset(
    {
        "coder-result-between-two-calls",
        "cohere-result-invented",
        "gemma4-response-invented",
        "glm-observation-invented",
        "hallucinated-result-deepseek-outputs-tokens",
        "hallucinated-result-llama-ipython-header",
        "hallucinated-result-react-observation",
        "qwenfn-nasty-result",
        "react-nasty-hallucinated-observation",
    }
)
"""Cases of hallucinated_results whose calls are written in dialects that are not built yet: strict expected failures."""


@cache
def corpus() -> tuple[Case, ...]:
    """Every case of tests/corpus, files in the order of their names."""
    return tuple(case for path in sorted(CORPUS.glob("*.jsonl")) for case in load_cases(path.read_text("utf-8").split("\n")))


def load_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
