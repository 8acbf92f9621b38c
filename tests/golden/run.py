"""One golden run from the first record to the last question."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import environment, init_topics, worker

import brokers
from boards import all_boards
from boards.model import Board, Query
from golden.load import MODELS, PROVIDERS
from golden.panels import Answer, Span, read, variables
from golden.player import IDLE_SECONDS, TOPICS, play
from golden.scraper import Scraper, Series, running
from tamis.metrics import METRICS

__all__ = ["EMPTY", "Golden", "golden"]

EMPTY: dict[tuple[str, str], str] = {}
"""Panels that may be empty: (board, title) -> why. At most five."""


@dataclass(slots=True)
class Golden:
    """What a run found. `answers` are the panels' data; the others are faults, one line each, empty when all is well."""

    span: Span
    answers: list[Answer]
    sums: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    controls: list[str] = field(default_factory=list)

    @property
    def empty(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.faults and (answer.board, answer.panel.title) in EMPTY]

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong."""
        panels = [
            f"{answer.board} · {answer.panel.title}: {fault}"
            for answer in self.answers
            if (answer.board, answer.panel.title) not in EMPTY
            for fault in answer.faults
        ]
        return panels + self.sums + self.unseen + self.controls

    def pictures(self, folder: Path) -> None:
        """Draw the boards of the README from this run's data."""
        from golden.pictures import PICTURES, draw

        boards = {board.uid: board for board in all_boards()}
        for name, (uid, rows) in PICTURES.items():
            draw(boards[uid], rows, self.answers, self.span, folder / f"{name}.png")

    def line(self) -> str:
        """The last line of `make golden`."""
        data = sum(not answer.faults for answer in self.answers)
        sums = "sums equal" if not self.sums else f"{len(self.sums)} sums differ"
        return f"golden: {len(self.answers)} panels, {data} with data, {len(self.empty)} allowed empty, {sums}"


async def golden(say: Callable[[str], None] = lambda _: None) -> Golden:
    """Run it. Needs the embedded broker and Prometheus."""
    port = brokers.free_port()
    with tempfile.TemporaryDirectory() as name, brokers.start("embedded") as broker, running(Path(name), f"127.0.0.1:{port}") as scraper:
        env = environment(
            broker, port, TAMIS_SESSION_TIMEOUT_SECONDS="10", TAMIS_IDLE_SECONDS=str(IDLE_SECONDS), TAMIS_BUFFERED_BYTES=str(1024 * 1024),
            TAMIS_KNOWN_MODELS=",".join(MODELS), TAMIS_KNOWN_PROVIDERS=",".join(source.label for source in PROVIDERS),
        )  # fmt: skip
        init_topics(env)
        with (Path(name) / "worker.log").open("wb") as log, worker(env, out=log):
            say("worker, broker and Prometheus are up")
            started = time.time()
            topics, sent = await play(broker, scraper, say)
            end = time.time()
            span = Span(started - 1, sent, end)
            say(f"{span.seconds} s of load are in; asking")
            answers = [answer for board in all_boards() for answer in read(board, scraper, span)]
            found = Golden(span, answers, _sums(scraper, end, topics), _unseen(scraper, end))
            found.controls = _controls(scraper, span) + _templates(scraper, span) + _rules(scraper, end) + _said(port)
            return found


def _sums(scraper: Scraper, end: float, records: list[Any]) -> list[str]:
    """Counters beside the records in the topics, each record once."""
    topics: dict[str, list[dict[str, Any]]] = {name: [] for name in TOPICS}
    dead: Counter[tuple[str, ...]] = Counter()
    produced: Counter[tuple[str, ...]] = Counter()
    for record in records:
        produced[record.topic,] += 1
        if record.topic == "raw-stream.dlq":
            dead[dict(record.headers)["tamis.reason"].decode(),] += 1
        else:
            topics[record.topic].append(json.loads(record.value))
    label = {source.sent: source.label for source in PROVIDERS} | {"our-own-gateway": "other", None: "none"}

    def count(topic: str, *keys: str) -> Counter[tuple[str, ...]]:
        found: Counter[tuple[str, ...]] = Counter()
        for value in topics[topic]:
            found[label[value["provider"]], *(str(value[key] or "none") for key in keys)] += 1
        return found

    repairs: Counter[tuple[str, ...]] = Counter()
    outcomes: Counter[tuple[str, ...]] = Counter()
    for value in topics["tool-calls"]:
        outcomes[label[value["provider"]], value["format"], "repaired" if value["repairs"] else "clean"] += 1
        for repair in value["repairs"]:
            repairs[label[value["provider"]], value["format"], repair["rule"]] += 1
    checks = [
        ("tamis_tool_calls_total", ("provider", "format", "outcome"), outcomes),
        ("tamis_tool_calls_total", ("provider", "model"), _models(count("tool-calls", "model"))),
        ("tamis_repairs_total", ("provider", "format", "repair"), repairs),
        ("tamis_rejections_total", ("provider", "cause"), count("rejections", "cause")),
        ("tamis_hallucinations_total", ("provider", "markup"), count("hallucinations", "markup")),
        ("tamis_turns_total", ("provider", "end", "diagnosis"), count("turns", "end", "diagnosis")),
        ("tamis_turns_total", ("provider", "model"), _models(count("turns", "model"))),
        ("tamis_format_candidates_total", ("provider",), count("format-candidates")),
        ("tamis_dlq_total", ("reason",), dead),
        ('tamis_produced_total{topic!="changelog",result="ok"}', ("topic",), produced),
    ]
    faults = []
    for metric, labels, wanted in checks:
        got = _totals(scraper.at(f"sum by ({', '.join(labels)}) ({metric})", end), labels)
        if not wanted or got != wanted:
            faults.append(f"{metric} by {', '.join(labels)} is not what the topics hold: {dict(got - wanted)} more, {dict(wanted - got)} less")
    return faults


def _models(counts: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Models that nobody has named share the places that are left, whichever come first: compared as one."""
    found: Counter[tuple[str, ...]] = Counter()
    for (provider, model), number in counts.items():
        found[provider, model if model in MODELS else "other"] += number
    return found


def _totals(series: list[Series], labels: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for item in series:
        values = [item.labels.get(name, "") for name in labels]
        if labels[-1] == "model" and values[-1] not in MODELS:
            values[-1] = "other"
        if item.points and item.points[0][1]:
            found[tuple(values)] += round(item.points[0][1])
    return found


def _rules(scraper: Scraper, end: float) -> list[str]:
    """Rules that Prometheus cannot evaluate, and recorded series without a value: the load has something of each."""
    rules = [rule for group in scraper.ask("rules")["groups"] for rule in group["rules"]]
    faults = [f"rule {rule['name']}: {rule.get('lastError')}" for rule in rules if rule["health"] != "ok"]
    recorded = [rule["name"] for rule in rules if rule["type"] == "recording"]
    faults += [f"{name} has no value" for name in recorded if not any(item.points for item in scraper.at(name, end))]
    return faults if recorded else ["no rules were loaded"]


def _said(port: int) -> list[str]:
    """What promtool has to say of the page that is scraped."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        exposition = answer.read().decode()
    done = subprocess.run(["promtool", "check", "metrics"], input=exposition, capture_output=True, text=True, check=False)
    return [f"promtool: {line}" for line in (done.stdout + done.stderr).splitlines()]


def _unseen(scraper: Scraper, end: float) -> list[str]:
    """Rows of the table that the worker never gave a series."""
    found = set(scraper.ask("label/__name__/values"))
    names = [row.name + "_count" if row.kind == "histogram" else row.name for row in METRICS]
    return [f"{name} is in the table and was never scraped" for name in names if name not in found]


def _controls(scraper: Scraper, span: Span) -> list[str]:
    """The run itself is tried: with a metric or a label renamed, panels that use it must be found out."""
    faults = []
    for old, new in (("tamis_turns_total", "tamis_turn_total"), ("diagnosis", "verdict"), ("tamis_rejections_total", "tamis_refusals_total")):
        answers = [answer for board in all_boards()[:1] for answer in read(_renamed(board, old, new), scraper, span)]
        using = [answer for answer in answers if any(new in query.expr for query in answer.panel.queries)]
        missed = [answer.panel.title for answer in using if not answer.faults]
        if not using or missed:
            faults.append(f"{old} renamed to {new} was not noticed by: {', '.join(missed) or 'any panel'}")
    return faults


def _renamed(board: Board, old: str, new: str) -> Board:
    def panel(item: Any) -> Any:
        queries = tuple(Query(query.expr.replace(old, new), query.legend.replace(old, new)) for query in item.queries)
        return dataclasses.replace(item, queries=queries)

    rows = tuple(dataclasses.replace(row, panels=tuple(map(panel, row.panels))) for row in board.rows)
    return dataclasses.replace(board, rows=rows)


def _templates(scraper: Scraper, span: Span) -> list[str]:
    """Template variables have values, annotations are understood."""
    faults = []
    chosen = variables(span)
    for board in all_boards():
        for item in board.variables:
            if item.query:
                selector, label = item.query.removeprefix("label_values(").removesuffix(")").rsplit(", ", 1)
                if not scraper.ask(f"label/{label}/values", **{"match[]": selector.replace("$job", ".*")}):
                    faults.append(f"{board.uid}: variable {item.name} has no values")
        for _, expr, _ in board.annotations:
            for name, value in chosen.items():
                expr = expr.replace(name, value)
            scraper.over(expr, span.start, span.end)
    return faults

