"""What a user installs: the wheel holds the schemas, the recordings and the type marker, and nothing of the tests."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from helpers import ROOT

CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache"}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Files of the wheel, built through the sdist as an installer would."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_schema(names: set[str]) -> None:
    wanted = {f"tamis/schemas/{path.relative_to(ROOT / 'schemas')}" for path in (ROOT / "schemas").rglob("*") if path.is_file()}
    assert wanted <= names
    assert "tamis/schemas/topics.yaml" in names


def test_the_wheel_holds_the_whole_package(names: set[str]) -> None:
    package = ROOT / "workers" / "tamis"
    wanted = {f"tamis/{path.relative_to(package)}" for path in package.rglob("*") if path.is_file() and not CACHES & {*path.parts}}
    assert wanted <= names
    assert "tamis/py.typed" in names


def test_the_wheel_holds_nothing_else(names: set[str]) -> None:
    assert {Path(name).parts[0] for name in names} <= {"tamis", "tamis-0.1.0.dist-info"}


def test_workers_is_a_source_root_and_no_package() -> None:
    assert not (ROOT / "workers" / "__init__.py").exists()
    assert [path.name for path in (ROOT / "workers").iterdir() if path.name != "__pycache__"] == ["tamis"]
