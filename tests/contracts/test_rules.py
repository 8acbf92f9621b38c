"""Recording rules and alerts: each alert fires, stays quiet, and knows what to do without data; promtool plays the series of tests/rules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from golden.scraper import missing
from helpers import ROOT

DEPLOY = ROOT / "deploy"
RULES = sorted((DEPLOY / "prometheus" / "rules").glob("*.yml"))
TESTS = sorted((ROOT / "tests" / "rules").glob("*.yml"))
needs_prometheus = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def entries() -> list[dict[str, Any]]:
    return [rule for path in RULES for group in yaml.safe_load(path.read_text("utf-8"))["groups"] for rule in group["rules"]]


ALERTS = {rule["alert"]: rule for rule in entries() if "alert" in rule}


def promtool(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False)


def test_the_alerts_are_the_ones_promised() -> None:
    assert set(ALERTS) == {
        "RejectionRatioHigh", "RepairRatioJump", "FormatMismatch", "HallucinationSpike", "EmitLatencyP99", "LagGrowing", "PartitionUnassigned",
        "DLQNotEmpty", "NoChunks", "LabelOverflow", "BufferNearLimit", "TargetDown",
    }  # fmt: skip


@pytest.mark.parametrize("name", ALERTS)
def test_each_alert_says_how_bad_it_is_and_what_to_do(name: str) -> None:
    rule = ALERTS[name]
    assert rule["labels"]["severity"] in ("critical", "warning")
    assert rule["annotations"]["summary"]
    page = ROOT / rule["annotations"]["runbook_url"]
    text = page.read_text("utf-8")
    assert page.stem == name
    assert text.startswith(f"# {name}\n")
    assert "## Look" in text
    assert "## Do" in text


def test_no_runbook_without_an_alert_and_panels_that_they_name_exist() -> None:
    from boards import all_boards

    titles = {panel.title for board in all_boards() for panel in board.panels()}
    pages = list((DEPLOY / "runbooks").glob("*.md"))
    assert {page.stem for page in pages} == set(ALERTS)
    for page in pages:
        for title in re.findall(r"(?<!\*)\*([A-Z][^*\n]+)\*", page.read_text("utf-8")):
            assert title in titles, f"{page.name} names the panel {title!r}"


def test_each_alert_has_tests_that_fire_stay_quiet_and_have_no_data() -> None:
    assert {path.stem for path in TESTS} == set(ALERTS)
    for path in TESTS:
        groups = yaml.safe_load(path.read_text("utf-8"))["tests"]
        asked = [(group, case) for group in groups for case in group["alert_rule_test"]]
        assert all(case["alertname"] == path.stem for _, case in asked)
        assert any(case["exp_alerts"] for group, case in asked if group["input_series"]), f"{path.name}: nothing fires"
        assert any(not case["exp_alerts"] for group, case in asked if group["input_series"]), f"{path.name}: nothing is quiet"
        assert any(not group["input_series"] for group, _ in asked), f"{path.name}: nothing without data"


@needs_prometheus
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_promtool_agrees(path: Path) -> None:
    done = promtool("test", "rules", path.name, cwd=path.parent)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_prometheus
@pytest.mark.parametrize("name", ALERTS)
def test_the_tests_notice_a_rule_that_is_gone(name: str, tmp_path: Path) -> None:
    broken = []
    for path in RULES:
        read = yaml.safe_load(path.read_text("utf-8"))
        for group in read["groups"]:
            for rule in group["rules"]:
                if rule.get("alert") == name:
                    rule["expr"] = f"({rule['expr']}) and on () vector(1) == 2"
        (tmp_path / path.name).write_text(yaml.safe_dump(read))
        broken.append(path.name)
    test = yaml.safe_load((ROOT / "tests" / "rules" / f"{name}.yml").read_text("utf-8"))
    (tmp_path / "test.yml").write_text(yaml.safe_dump({**test, "rule_files": broken}))
    assert promtool("test", "rules", "test.yml", cwd=tmp_path).returncode != 0


@needs_prometheus
def test_promtool_takes_rules_and_configuration() -> None:
    for done in (promtool("check", "rules", *RULES), promtool("check", "config", DEPLOY / "prometheus" / "prometheus.yml")):
        assert done.returncode == 0, done.stdout + done.stderr
