"""The list of mutants that no test notices, each with its reason: survivors*.yaml beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

__all__ = ["reasons"]

HERE = Path(__file__).parent


@cache
def reasons() -> dict[tuple[str, str, str], str]:
    """(module, text of the line, change) → why it may survive. A line that changes has to be judged anew."""
    listed = [group for path in sorted(HERE.glob("survivors*.yaml")) for group in yaml.safe_load(path.read_text("utf-8")) or []]
    return {(item["module"], item["line"], item["change"]): group["reason"] for group in listed for item in group["mutants"]}
