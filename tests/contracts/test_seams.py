"""Whatever the worker says to its metrics is counted: a kind that nobody knows would stop it."""

from __future__ import annotations

import re

from helpers import ROOT


def test_everything_that_is_observed_is_counted() -> None:
    folder = ROOT / "workers" / "tamis" / "agents"
    said = {kind for path in folder.glob("*.py") for kind in re.findall(r"observe\(\"(\w+)\"", path.read_text("utf-8"))}
    seam = re.search(r"_SEAM[^=]*= \{\n(.*?)\n\}", (folder / "parse.py").read_text("utf-8"), re.S)
    assert seam is not None
    assert said == set(re.findall(r"^    \"(\w+)\":", seam.group(1), re.M))
