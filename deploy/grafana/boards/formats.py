"""The board of the notations: who writes what, what it costs, and what has to be mended."""

from __future__ import annotations

from boards import common
from boards.model import Board, Panel, Query, Row, bad_above
from boards.promql import JOB, increase, quantile, rate, ratio, where

__all__ = ["board"]

ALL = where(JOB, 'format=~"$format"')
CALLS, REFUSED = "tamis_tool_calls_total", "tamis_rejections_total"

_USE = (
    Panel(
        "Calls by format",
        "Canonical calls by the notation they were written in.",
        "cps",
        (Query(rate(CALLS, ALL, "format"), "{{format}}"),),
        stacked=True,
        width=12,
    ),
    Panel(
        "Share of the last week",
        "Of all calls, by format.",
        "percentunit",
        (Query(f"{increase(CALLS, ALL, 'format', over='7d')} / scalar({increase(CALLS, JOB, over='7d')})", "{{format}}"),),
        "bargauge",
        width=12,
    ),
    Panel(
        "Models and their formats",
        "Who wrote what in this span.",
        "short",
        (Query(f"{increase(CALLS, ALL, 'provider', 'model', 'format')} > 0", "calls"),),
        "table",
        width=12,
        height=10,
    ),
    Panel(
        "Declared and found",
        "Responses with calls, by format and whether it is the one that the gateway declared.",
        "cps",
        (Query(rate("tamis_format_detections_total", ALL, "format", "declared"), "{{format}} {{declared}}"),),
        width=12,
        height=10,
    ),
)
_QUALITY = (
    Panel(
        "Repaired share",
        "Calls of each format that needed a repair.",
        "percentunit",
        (Query(ratio(rate(CALLS, where(ALL, 'outcome="repaired"'), "format"), rate(CALLS, ALL, "format")), "{{format}}"),),
        thresholds=bad_above(0.3, 0.6),
    ),
    Panel(
        "Repairs",
        "In this span, by format.",
        "short",
        (Query(f"topk(20, {increase('tamis_repairs_total', ALL, 'format', 'repair')})", "{{format}} · {{repair}}"),),
        "bargauge",
        height=12,
    ),
    Panel(
        "Refusals",
        "In this span, by format and cause.",
        "short",
        (Query(f"topk(20, {increase(REFUSED, ALL, 'format', 'cause')} > 0)", "{{format}} · {{cause}}"),),
        "bargauge",
        height=12,
    ),
    Panel("Refusals over time", "By format.", "cps", (Query(rate(REFUSED, ALL, "format"), "{{format}}"),), stacked=True),
    Panel(
        "Made-up results",
        "By their markup, whatever the calls were written in.",
        "cps",
        (Query(rate("tamis_hallucinations_total", JOB, "markup"), "{{markup}}"),),
        stacked=True,
    ),
    Panel(
        "Unknown openers",
        "Text shaped like a call's opener that no dialect knows, by model.",
        "cps",
        (Query(rate("tamis_format_candidates_total", JOB, "provider", "model"), "{{provider}} {{model}}"),),
        thresholds=bad_above(0.01, 1),
    ),
)
_TIME = (
    Panel(
        "Parser's time p95",
        "For a whole response, by its main format.",
        "s",
        (Query(quantile(0.95, "tamis_recovery_seconds", ALL, "format"), "{{format}}"),),
        thresholds=bad_above(0.05, 0.5),
        width=12,
    ),
    Panel(
        "Emit latency p95",
        "From the record that closed a call to the acknowledged output, by format.",
        "s",
        (Query(quantile(0.95, "tamis_emit_latency_seconds", ALL, "format"), "{{format}}"),),
        thresholds=bad_above(0.25, 1),
        width=12,
    ),
)


def board() -> Board:
    """The board."""
    return Board(
        "tamis-formats",
        "Tamis: formats",
        "The notations that models write calls in: who uses which, what had to be mended, what was refused.",
        (common.DATASOURCE, common.JOBS, common.FORMAT),
        (Row("Use", _USE), Row("Quality", _QUALITY), Row("Time", _TIME)),
        annotations=common.ANNOTATIONS,
    )
