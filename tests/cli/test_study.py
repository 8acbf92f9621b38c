"""`tamis resolver study`: the table, the curve, and what it says when something is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

FEW = [
    {"catalog": "c", "emitted": "fetch_tide", "expect": "get_tide", "kind": "synonym", "args": {"port": "Brest"}},
    {"catalog": "c", "emitted": "delete_tide", "expect": None, "kind": "verb_swap", "args": {"port": "Brest"}},
]
TOOLS = [{"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "names.jsonl").write_text("\n".join(map(json.dumps, FEW)))
    (tmp_path / "catalogs.jsonl").write_text(json.dumps({"catalog": "c", "tools": TOOLS}))
    return ["resolver", "study", "--names", str(tmp_path / "names.jsonl"), "--catalogs", str(tmp_path / "catalogs.jsonl")]


def test_the_command_prints_the_table(tamis: Callable[..., Result], files: list[str]) -> None:
    result = tamis(*files, "-o", "json")
    assert result.exit_code == 0, result.stderr
    shown = json.loads(result.stdout)
    assert shown["rows"] == 2
    assert shown["strategies"]["cascade"]["right"] == 1
    assert (shown["strategies"]["cascade"]["wrong"], shown["strategies"]["cascade"]["wrong_share"]) == (0, 0.0)
    assert shown["four_signal"]["0.30"]["wrong"] == 1
    assert "four_signal 0.95" in tamis(*files, "-o", "table").stdout


def test_the_command_draws_the_curve(tamis: Callable[..., Result], files: list[str], tmp_path: Path) -> None:
    result = tamis(*files, "--png", str(tmp_path / "curve.png"))
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_without_the_library_it_says_what_to_install(tamis: Callable[..., Result], files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = tamis(*files, "--png", "curve.png")
    assert result.exit_code == 2
    assert "pip install matplotlib" in result.stderr


def test_a_bad_file_is_usage(tamis: Callable[..., Result], files: list[str], tmp_path: Path) -> None:
    (tmp_path / "names.jsonl").write_text("nonsense")
    result = tamis(*files)
    assert result.exit_code == 2
    assert "names, line 1" in result.stderr
