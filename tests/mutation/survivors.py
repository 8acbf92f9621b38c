"""The list of mutants that no test notices, each with its reason: survivors.yaml beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

__all__ = ["reasons"]


@cache
def reasons() -> dict[tuple[str, str, str], str]:
    """(module, text of the line, change) → why it may survive. A line that changes has to be judged anew."""
    listed = yaml.safe_load((Path(__file__).parent / "survivors.yaml").read_text("utf-8")) or []
    return {(item["module"], item["line"], item["change"]): group["reason"] for group in listed for item in group["mutants"]}
