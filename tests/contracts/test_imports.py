"""Who may import whom, and what an import must not drag in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from helpers import ROOT


def test_import_linter_is_content() -> None:
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["tamis.core", "tamis", "tamis.core.cases"])
def test_the_core_loads_no_kafka_no_loop_and_no_log(module: str) -> None:
    code = (f"import sys; before = set(sys.modules); import {module}; "
            "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tamis" in loaded
    assert loaded.isdisjoint({"faust", "mode", "aiokafka", "prometheus_client", "asyncio", "logging", "pydantic", "typer", "yaml"}), loaded


def test_the_text_commands_load_no_kafka() -> None:
    code = ("import sys; from typer.testing import CliRunner; from tamis.cli import app; "
            "CliRunner().invoke(app, ['parse', '-', '-o', 'json'], input='hi'); print(*sys.modules)")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"faust", "aiokafka"}.isdisjoint(done.stdout.split())


def test_the_clients_load_no_worker() -> None:
    code = "import sys, tamis; tamis.consume, tamis.publish; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert {"aiokafka", "tamis.clients"} <= loaded
    assert {"faust", "mode", "prometheus_client", "typer", "tamis.app"}.isdisjoint(loaded)
