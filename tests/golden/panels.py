"""The queries of the boards put to a Prometheus, and what of their answers counts as data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from boards.model import Board, Panel, Query
from golden.scraper import QueryError, Scraper, Series

__all__ = ["QUIET", "Answer", "Span", "read", "variables"]

QUIET: dict[str, str] = {
    "Records not delivered": "the broker takes everything",
    "Offset jumps": "nothing is missing in the log",
    "Coercers that raise": "no host's coercer is registered",
    "Lag": "the worker keeps up with the load",
    "Lag by partition": "the worker keeps up with the load",
    "Wait of the oldest record": "the worker keeps up with the load",
}
"""Panels whose event this load does not make: there a finite 0 is data, everywhere else each query must give something else than 0."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time of a run, in seconds since the epoch; `sent` is when its last record was on the way."""

    start: float
    sent: float
    end: float

    @property
    def seconds(self) -> int:
        return int(self.end - self.start)


@dataclass(slots=True)
class Answer:
    """What came of one panel: the series of each query, and what is wrong with them."""

    board: str
    panel: Panel
    series: list[tuple[Query, list[Series]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def variables(span: Span) -> dict[str, str]:
    """Grafana's variables as a reader of this run would have them: everything chosen, spans as short as the run.

    The objective is the loosest one, because nothing here may depend on how busy the machine is.
    """
    return {
        "$__rate_interval": "12s", "$__range": f"{span.seconds}s", "$compare": "5s", "$job": ".*", "$provider": "vllm", "$model": ".*",
        "$format": ".*", "$slo": "5.0",
    }  # fmt: skip


def read(board: Board, scraper: Scraper, span: Span) -> list[Answer]:
    """Every panel of a board that asks anything."""
    chosen = variables(span)
    if any(item.name == "provider" and item.multi for item in board.variables):
        chosen["$provider"] = ".*"
    return [_panel(board, panel, scraper, span, chosen) for panel in board.panels() if panel.queries]


def _panel(board: Board, panel: Panel, scraper: Scraper, span: Span, chosen: dict[str, str]) -> Answer:
    answer = Answer(board.uid, panel)
    for query in panel.queries:
        expr = query.expr
        for name, value in chosen.items():
            expr = expr.replace(name, value)
        try:
            at_once = panel.kind in ("table", "bargauge")
            found = scraper.at(expr, span.end) if at_once else scraper.over(expr, span.start, span.end)
        except QueryError as error:
            answer.faults.append(f"refused: {error}")
            continue
        answer.series.append((query, found))
        values = [value for item in found for _, value in item.points]
        if not values:
            answer.faults.append(f"no finite value: {expr}")
        elif not any(values) and panel.title not in QUIET:
            answer.faults.append(f"only zeros: {expr}")
        for label in re.findall(r"\{\{(\w+)\}\}", query.legend) + (_kept(query.expr) if panel.kind == "table" else []):
            if found and not any(item.labels.get(label) for item in found):
                answer.faults.append(f"no series has the label {label}: {expr}")
    return answer


def _kept(expr: str) -> list[str]:
    """The labels that the outermost sum of an expression keeps."""
    match = re.search(r"sum by \(([^)]*)\)", expr)
    return [label.strip() for label in match.group(1).split(",")] if match else []
