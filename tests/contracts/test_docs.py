"""Words and files: what the README promises is there, no file outgrows its reader, nothing of one machine gets in."""

from __future__ import annotations

import re
import subprocess

import pytest
from typer.testing import CliRunner

from helpers import ROOT
from tamis.cli import app

README = (ROOT / "README.md").read_text("utf-8")
MAX_LINES = 400  # what a reader can hold; 150 to 250 is home
# Paths of one machine, hosts of package registries (an installer's own settings say where packages come from), other addresses.
FORBIDDEN = re.compile(
    r"(?<![\w.])/(?:work|tmp|root|home)/\w|"
    r"pypi\.org|pythonhosted\.org|repo\.maven|repo1\.maven|registry\.npmjs|crates\.io|proxy\.golang",
    re.IGNORECASE,
)
ALLOWED = {"tests/contracts/test_docs.py"}  # it has to name them


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_module_is_too_long() -> None:
    long = {name: lines for name in tracked() if name.endswith(".py") and (lines := len((ROOT / name).read_text("utf-8").splitlines())) > MAX_LINES}
    assert long == {}


def test_no_drawer_for_everything() -> None:
    assert [name for name in tracked() if re.search(r"workers/.*/(utils?|common|helpers|misc)(\.py|/)", name)] == []


def test_nothing_of_one_machine_is_in_the_tree() -> None:
    found = []
    for name in tracked():
        if name in ALLOWED or name.startswith(("tests/corpus/", "tests/corpora/")) or name.endswith(".lock"):
            continue
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        found += [f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()}" for match in FORBIDDEN.finditer(text)]
    assert found == []


def test_locks_name_no_host() -> None:
    for name in (name for name in tracked() if name.endswith(".lock")):
        assert "://" not in (ROOT / name).read_text("utf-8"), name


def test_every_command_of_the_readme_exists() -> None:
    commands = set(re.findall(r"(?m)(?:^\$ |`)tamis ([a-z]+)(?: ([a-z]+)(?=[ |`\\]|$))?", README))
    assert len(commands) > 8
    for command, sub in commands:
        words = [command, sub] if sub and command in ("topics", "config", "dialects", "resolver") else [command]
        done = CliRunner().invoke(app, [*words, "--help"])
        assert done.exit_code == 0, words


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"(?m)(?:^\$ |`)make ([a-z-]+)", README))
    assert {"demo", "test"} <= targets
    assert [target for target in targets if not re.search(rf"(?m)^{target}:", makefile)] == []


def test_every_file_that_the_readme_links_is_there() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_test_that_proves_a_guarantee_exists() -> None:
    rows = [line for line in README.split("## Guarantees", 1)[1].split("\n## ", 1)[0].splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 8
    for row in rows:
        named = re.findall(r"`([a-z0-9_/]+\.py)::(test_\w+)(?:\[(\w+)\])?`", row)
        assert named, row
        for path, test, case in named:
            text = (ROOT / "tests" / path).read_text("utf-8")
            assert re.search(rf"def {test}\b", text), (path, test)
            assert not case or f'"{case}"' in text, (path, test, case)


def test_every_setting_that_the_readme_names_exists() -> None:
    from tamis.settings import Settings

    known = {row.key.replace(".", "_").upper() for row in Settings().rows()} | {"CONFIG", "KAFKA_PASSWORD_FILE", "KAFKA_KEY_PASSWORD_FILE"}
    assert [name for name in re.findall(r"\bTAMIS_([A-Z_]+)\b", README) if name not in known and not name.startswith(("REQUIRE", "TEST"))] == []


def test_every_public_thing_of_the_core_says_what_it_is() -> None:
    import inspect

    from tamis import core

    things = {name: getattr(core, name) for name in core.__all__}
    assert [name for name, thing in things.items() if (inspect.isclass(thing) or inspect.isfunction(thing)) and not inspect.getdoc(thing)] == []
