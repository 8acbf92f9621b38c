"""A command line without the user's own settings, run file or broker."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tamis.cli import app

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("TAMIS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TAMIS_CONFIG", "")  # remembered, so that what --config sets is undone
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tamis() -> Run:
    """Runs `tamis ARGS…`; the result has stdout, stderr and exit_code."""

    def run(*args: str, text: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=text, prog_name="tamis")

    return run
