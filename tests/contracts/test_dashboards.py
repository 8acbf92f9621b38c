"""The boards without any Prometheus: as generated, well formed, and asking only for what the worker counts."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from boards import all_boards, files
from boards.model import Board, Panel
from boards.providers import PROVIDERS
from golden.load import PROVIDERS as LOADED
from golden.scraper import missing
from helpers import ROOT
from tamis.metrics.labels import PROVIDERS as LABELS
from tamis.metrics.table import FOREIGN, METRICS

FOLDER = ROOT / "deploy" / "grafana" / "dashboards"
RULES = ROOT / "deploy" / "prometheus" / "rules"
BOARDS = all_boards()
UNITS = {"cps", "percentunit", "s", "short", "bytes", "Bps"}
SCRAPED = frozenset({"job", "instance"})
"""Labels that every series gets from the scrape."""


def series() -> dict[str, frozenset[str]]:
    """Every name that may be asked for, with its labels."""
    found = {name: frozenset(labels) for name, labels in FOREIGN.items()}
    for row in METRICS:
        labels = frozenset(row.labels)
        if row.kind == "histogram":
            found |= {f"{row.name}_bucket": labels | {"le"}, f"{row.name}_sum": labels, f"{row.name}_count": labels}
        else:
            found[row.name] = labels
    return found


def recorded() -> dict[str, str]:
    rules = [rule for group in yaml.safe_load((RULES / "recording.yml").read_text("utf-8"))["groups"] for rule in group["rules"]]
    return {rule["record"]: rule["expr"] for rule in rules}


def alerts() -> dict[str, str]:
    rules = [rule for group in yaml.safe_load((RULES / "alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]]
    return {rule["alert"]: rule["expr"] for rule in rules}


def problems(expr: str) -> list[str]:
    """Names and labels of an expression that nothing exports."""
    bare = re.sub(r"\$?\"[^\"]*\"", lambda match: match.group() if "tamis_" in match.group() else '""', expr)
    bare = re.sub(r"\[[^]]*\]|offset \$?\w+|\$\w+", " ", bare)
    known, rules = series(), recorded()
    used = set(re.findall(r"(?<![\w:])(?:tamis|process|python)[_:][\w:]+|\bup\b", bare))
    faults = [f"no metric is named {name}" for name in used if name not in known and name not in rules]
    allowed = SCRAPED | {"le"}
    for name in used:
        allowed |= known.get(name, frozenset())
        for inner in re.findall(r"by \(([^)]*)\)", rules.get(name, "")):
            allowed |= set(re.split(r",\s*", inner))
    asked = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", bare))
    for inner in re.findall(r"(?:by|on|ignoring) \(([^)]*)\)", bare):
        asked |= {label for label in re.split(r",\s*", inner) if label}
    faults += [f"nothing that is asked for has the label {label}" for label in asked - allowed - {"__name__"}]
    return faults


def expressions() -> Iterator[tuple[str, str]]:
    for board in BOARDS:
        for panel in board.panels():
            yield from ((f"{board.uid} · {panel.title}", query.expr) for query in panel.queries)
        yield from ((f"{board.uid} · {name}", expr) for name, expr, _ in board.annotations)
        queries = ((item.name, re.sub(r"label_values\((.*), \w+\)", r"\1", item.query)) for item in board.variables if item.query)
        yield from ((f"{board.uid} · ${name}", expr) for name, expr in queries)
    yield from recorded().items()
    yield from alerts().items()


def test_the_committed_boards_are_the_generated_ones() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")} == files(), "run `make boards`"


def test_every_provider_of_a_board_has_a_label_and_takes_part_in_the_golden_run() -> None:
    boards = [provider.label for provider in PROVIDERS]
    assert len(boards) == len(set(boards))
    assert set(boards) <= set(LABELS.values())
    assert set(boards) == {source.label for source in LOADED}
    promised = "vllm nvidia_nim openrouter openai anthropic gcp.gemini moonshot deepseek mistral_ai together groq ollama sglang litellm"
    assert set(promised.split()) <= set(boards)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_a_board_is_well_formed(board: Board) -> None:
    read: dict[str, Any] = board.json()
    panels = [inner for item in read["panels"] for inner in (item, *item.get("panels", ()))]
    ids = [item["id"] for item in panels]
    assert len(ids) == len(set(ids))
    assert re.fullmatch(r"tamis-[a-z0-9-]{1,34}", read["uid"]), "Grafana takes 40 characters"
    assert read["title"]
    assert read["description"]
    assert "tamis" in read["tags"]
    (links,) = read["links"]
    assert links["keepTime"]
    assert links["includeVars"]
    assert [item["name"] for item in read["templating"]["list"]][:2] == ["datasource", "job"]
    assert read["annotations"]["list"]
    taken: set[tuple[int, int]] = set()
    for item in panels:
        place = item["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert place["x"] + place["w"] <= 24
        assert not cells & taken, f"{item['title']} lies on another panel"
        taken |= cells
    titles = [panel.title for panel in board.panels()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.uid)
def test_panels_say_what_they_show(board: Board) -> None:
    for panel in board.panels():
        check(board, panel)


def check(board: Board, panel: Panel) -> None:
    assert panel.title
    assert panel.meaning
    if panel.kind == "text":
        assert panel.text
        return
    read = panel.json(1, 0, 0)
    assert panel.queries
    assert panel.unit in UNITS
    assert read["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
    steps = read["fieldConfig"]["defaults"]["thresholds"]["steps"]
    assert steps[0]["value"] is None
    assert [step["value"] for step in steps[1:]] == sorted(step["value"] for step in steps[1:])
    for query in panel.queries:
        assert not re.search(r"rate\([^)]*\[\d", query.expr), "rates take $__rate_interval"
        if re.search(r"(?<!\w)rate\(", query.expr):
            assert "[$__rate_interval]" in query.expr
        names = {item.name for item in board.variables} | {"__rate_interval", "__range"}
        assert set(re.findall(r"\$(\w+)", query.expr)) <= names
        if len(panel.queries) > 1:
            assert query.legend


def test_names_and_labels_exist() -> None:
    faults = [f"{where}: {fault}" for where, expr in expressions() for fault in problems(expr)]
    assert faults == []


@pytest.mark.parametrize(
    "expr",
    ["rate(tamis_call_total[5m])", "sum by (verdict) (rate(tamis_turns_total[5m]))", 'tamis_turns_total{cause="x"}', "tamis:rejections:rate5m > 1"],
)
def test_the_check_of_names_sees_a_wrong_one(expr: str) -> None:
    assert problems(expr)


def test_every_metric_is_on_a_board_or_in_a_rule() -> None:
    texts = " ".join(expr for _, expr in expressions())
    unused = [row.name for row in METRICS if not re.search(rf"\b{row.name}(_bucket|_sum|_count)?\b", texts)]
    assert unused == []


def test_the_code_counts_what_the_table_declares() -> None:
    declared = {row.name for row in METRICS}
    table = ROOT / "workers" / "tamis" / "metrics" / "table.py"
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "workers").rglob("*.py") if path != table)
    used = set(re.findall(r"\"(tamis_[a-z_]+)\"", code)) - {"tamis_metrics", "tamis_healthz", "tamis_readyz", "tamis_settings_layers"}
    assert used == declared


def test_the_readme_counts_boards_panels_and_alerts_right() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    asking = sum(bool(panel.queries) for board in BOARDS for panel in board.panels())
    assert f"golden: {asking} panels, {asking} with data, 0 allowed empty, sums equal" in text
    assert f"has {len(BOARDS)} boards: an overview, one for each of {len(PROVIDERS)} providers" in text
    assert len(alerts()) == 12, "the README says twelve"


def test_recorded_series_are_used() -> None:
    texts = " ".join(expr for _, expr in expressions())
    assert [name for name in recorded() if not re.search(rf"{name}(?![\w:])", texts)] == []


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_every_expression_is_promql(tmp_path: Path) -> None:
    plain = {"$__rate_interval": "5m", "$__range": "1h", "$compare": "1d"}
    rules = []
    for number, (_, expr) in enumerate(expressions()):
        for name, value in plain.items():
            expr = expr.replace(name, value)
        rules.append({"record": f"tamis:checked:{number}", "expr": expr})
    path = tmp_path / "all.yml"
    path.write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    done = subprocess.run(["promtool", "check", "rules", "--lint=none", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
