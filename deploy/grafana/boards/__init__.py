"""The Grafana boards as code: `python -m boards` beside this folder writes `dashboards/*.json`, with `--check` it only compares.

    providers   which providers have a board, and notes on each
    overview, provider, formats, pipeline   the boards
    promql      expressions they have in common
    model       queries, panels, boards, and their JSON
"""

from __future__ import annotations

import json

from boards import formats, overview, pipeline, provider
from boards.model import Board
from boards.providers import PROVIDERS

__all__ = ["all_boards", "files"]


def all_boards() -> list[Board]:
    """Every board, the overview first."""
    return [overview.board(), provider.generic(), *(provider.board(item) for item in PROVIDERS), formats.board(), pipeline.board()]


def files() -> dict[str, str]:
    """File name -> content of every board."""
    return {f"{board.uid}.json": json.dumps(board.json(), indent=1, ensure_ascii=False) + "\n" for board in all_boards()}
