"""The first board: was a tool wanted, was one lost, by whom, and does the service keep up?"""

from __future__ import annotations

from boards import common
from boards.model import Board, Panel, Query, Row, Variable, bad_above, bad_below
from boards.pipeline import BUFFERS, CPU, DEAD_LETTERS, DUPLICATES, EVICTIONS, LAG_RECORDS, LATE_LOOP, LIMITS, MEMORY, PARTITIONS, REBALANCES
from boards.promql import JOB, LOST, increase, judged, quantile, rate, ratio, where

__all__ = ["board"]

ALL = where(JOB, 'provider=~"$provider"', 'model=~"$model"')
WHO = where(JOB, 'provider=~"$provider"')
CALLS, REFUSED, TURNS = "tamis_tool_calls_total", "tamis_rejections_total", "tamis_turns_total"
LATENCY = "tamis_emit_latency_seconds"
BOTH = ("provider", "model")
# the provider's own board, with the same time and variables
LINK = "/d/tamis-provider/tamis-provider?var-provider=${__value.raw}&var-datasource=${datasource}&var-job=${job}&${__url_time_range}"

_OBJECTIVE = Variable("slo", "Latency objective in seconds", choices=("0.25", "0.1", "0.5", "1.0", "5.0"))

_TILES = (
    Panel("Calls a second", "Canonical calls published.", "cps", (Query(rate(CALLS, ALL)),), "stat", width=3, height=4),
    Panel(
        "Tool lost",
        "Share of turns in which a call was wanted and none came out of it: diagnosis rejected or truncated.",
        "percentunit",
        (Query(ratio(rate(TURNS, where(ALL, LOST)), rate(TURNS, ALL))),),
        "stat",
        bad_above(0.02, 0.1),
        3,
        4,
    ),
    Panel(
        "Refused",
        "Refusals among calls and refusals.",
        "percentunit",
        (Query(ratio(rate(REFUSED, ALL), judged(ALL))),),
        "stat",
        bad_above(0.05, 0.2),
        3,
        4,
    ),
    Panel(
        "Repaired",
        "Calls that a strict reader would have lost.",
        "percentunit",
        (Query(ratio(rate(CALLS, where(ALL, 'outcome="repaired"')), rate(CALLS, ALL))),),
        "stat",
        bad_above(0.3, 0.6),
        3,
        4,
    ),
    Panel(
        "Made-up results an hour",
        "Tool results that models wrote themselves and that were taken out.",
        "short",
        (Query(increase("tamis_hallucinations_total", ALL, over="1h")),),
        "stat",
        bad_above(10, 100),
        3,
        4,
    ),
    Panel(
        "Emit latency p99",
        "From the record that closed a call to the acknowledged output.",
        "s",
        (Query(quantile(0.99, LATENCY, WHO)),),
        "stat",
        bad_above(0.25, 1),
        3,
        4,
    ),
    Panel(
        "Objective met",
        "Share of outputs within the latency objective.",
        "percentunit",
        (Query(ratio(rate(f"{LATENCY}_bucket", where(WHO, 'le="$slo"')), rate(f"{LATENCY}_count", WHO))),),
        "stat",
        bad_below(0.95, 0.99),
        3,
        4,
    ),
    Panel(
        "Lag",
        "How long the oldest unread record of any partition has been waiting.",
        "s",
        (Query(f"max(tamis_consumer_lag_seconds{{{JOB}}})"),),
        "stat",
        bad_above(5, 60),
        3,
        4,
    ),
)

_WANTED = (
    Panel(
        "Turns by diagnosis",
        "prose_only and empty: no tool was wanted. rejected and truncated: one was lost. recovered: it would have been lost elsewhere.",
        "cps",
        (Query(rate(TURNS, ALL, "diagnosis"), "{{diagnosis}}"),),
        stacked=True,
        width=12,
    ),
    Panel(
        "Who loses tools",
        "Share of turns in which a tool was lost, by provider.",
        "percentunit",
        (Query(ratio(rate(TURNS, where(ALL, LOST), "provider"), rate(TURNS, ALL, "provider")), "{{provider}}"),),
        thresholds=bad_above(0.02, 0.1),
        width=12,
    ),
    Panel(
        "Turns in this span",
        "How many turns, by diagnosis.",
        "short",
        (Query(increase(TURNS, ALL, "diagnosis"), "{{diagnosis}}"),),
        "bargauge",
        width=12,
    ),
    Panel(
        "Why they were lost",
        "Refusals in this span, by provider and cause: the ten largest.",
        "short",
        (Query(f"topk(10, {increase(REFUSED, ALL, 'provider', 'cause')})", "{{provider}} · {{cause}}"),),
        "bargauge",
        width=12,
    ),
)

_RED = (
    Panel("Calls by provider", "Canonical calls published.", "cps", (Query(rate(CALLS, ALL, "provider"), "{{provider}}"),), width=6),
    Panel("Refusals by cause", "Refused calls and turns.", "cps", (Query(rate(REFUSED, ALL, "cause"), "{{cause}}"),), stacked=True, width=6),
    Panel(
        "Emit latency",
        "From the record that closed a call to the acknowledged output.",
        "s",
        tuple(Query(quantile(share, LATENCY, WHO), f"p{share * 100:g}") for share in (0.5, 0.95, 0.99)),
        thresholds=bad_above(0.25, 1),
        width=6,
    ),
    Panel(
        "Emit latency, all of it",
        "How many outputs took how long.",
        "s",
        (Query(rate(f"{LATENCY}_bucket", WHO, "le"), "{{le}}"),),
        "heatmap",
        width=6,
    ),
)

_QUALITY = (
    Panel(
        "Providers and models",
        "What each of them did in this span; the provider's name opens its board.",
        "short",
        (
            Query(increase(CALLS, ALL, *BOTH), "calls"),
            Query(ratio(increase(CALLS, where(ALL, 'outcome="clean"'), *BOTH), increase(CALLS, ALL, *BOTH)), "clean"),
            Query(ratio(increase(CALLS, where(ALL, 'outcome="repaired"'), *BOTH), increase(CALLS, ALL, *BOTH)), "repaired"),
            Query(ratio(increase(REFUSED, ALL, *BOTH), judged(ALL, *BOTH, over="$__range")), "refused"),
            Query(increase("tamis_hallucinations_total", ALL, *BOTH), "made-up results"),
            Query(increase(TURNS, where(ALL, LOST), *BOTH), "turns lost"),
            Query(f"topk by (provider, model) (1, {increase(CALLS, ALL, *BOTH, 'format')})", "calls in its main format"),
        ),
        "table",
        width=24,
        height=10,
        link=LINK,
        units=(("clean", "percentunit"), ("repaired", "percentunit"), ("refused", "percentunit")),
    ),
    Panel(
        "Top repairs",
        "Which leniency was needed; one call may need several.",
        "cps",
        (Query(f"topk(10, {rate('tamis_repairs_total', WHO, 'repair')})", "{{repair}}"),),
    ),
    Panel(
        "How names were found",
        "exact is what the model should write; the others are rules of the resolver, unknown and ambiguous were refused.",
        "cps",
        (Query(rate("tamis_name_matches_total", WHO, "match"), "{{match}}"),),
        stacked=True,
    ),
    Panel(
        "What the schemas said",
        "coerced: right after a safe change. invalid: refused.",
        "cps",
        (Query(rate("tamis_schema_checks_total", ALL, "result"), "{{result}}"),),
        stacked=True,
    ),
    Panel(
        "Formats over time",
        "Calls by the notation they were written in: a new colour is a new model or template.",
        "cps",
        (Query(rate(CALLS, ALL, "format"), "{{format}}"),),
        stacked=True,
        width=12,
    ),
    Panel(
        "Not in the declared format",
        "Responses with calls in another format than the gateway declared: a chat template has changed.",
        "cps",
        (Query(rate("tamis_format_detections_total", where(ALL, 'declared="mismatch"'), *BOTH, "format"), "{{provider}} {{model}} {{format}}"),),
        thresholds=bad_above(0.01, 1),
        width=12,
    ),
)

_STREAMS = (
    Panel(
        "Open sessions",
        "Sessions with a response that has not ended.",
        "short",
        (Query(f"sum(tamis_sessions_active{{{JOB}}})", "sessions"),),
        width=6,
    ),
    Panel(
        "Upstream stalls p95",
        "The longest pause of a response, by provider.",
        "s",
        (Query(quantile(0.95, "tamis_chunk_gap_seconds", WHO, "provider"), "{{provider}}"),),
        thresholds=bad_above(5, 30),
        width=6,
    ),
    Panel(
        "How turns end",
        "finished is what should be; the others lost something on the way.",
        "cps",
        (Query(rate(TURNS, ALL, "end"), "{{end}}"),),
        width=6,
    ),
    Panel(
        "Time to first call",
        "From the first chunk to the chunk that closed the first call.",
        "s",
        tuple(Query(quantile(share, "tamis_time_to_first_call_seconds", ALL), f"p{share * 100:g}") for share in (0.5, 0.95)),
        width=6,
    ),
)

_GUARDS = (
    DEAD_LETTERS,
    DUPLICATES,
    Panel(
        "Sequence gaps",
        "Responses that ended because records are missing, by provider.",
        "cps",
        (Query(rate("tamis_sequence_gaps_total", WHO, "provider"), "{{provider}}"),),
        thresholds=bad_above(0.01, 1),
    ),
    Panel(
        "Label overflow",
        "Names folded into other: known_models keeps those that matter.",
        "cps",
        (Query(rate("tamis_label_overflow_total", JOB, "label"), "{{label}}"),),
        thresholds=bad_above(0.1, 10),
    ),
    LIMITS,
    EVICTIONS,
    Panel(
        "Unknown openers",
        "Text shaped like a call's opener that no dialect knows: see the topic format-candidates.",
        "cps",
        (Query(rate("tamis_format_candidates_total", ALL, *BOTH), "{{provider}} {{model}}"),),
        thresholds=bad_above(0.01, 1),
    ),
    Panel(
        "Coercers that raise",
        "Calls whose tool has a coercer of the host's that failed: the arguments stayed as they were.",
        "cps",
        (Query(rate("tamis_coercer_failures_total", ALL, "provider"), "{{provider}}"),),
        thresholds=bad_above(0.001, 0.1),
    ),
    Panel(
        "Fields nobody reads",
        "Fields of providers' chunks that no adapter knows: a wire is changing.",
        "cps",
        (Query(rate("tamis_unknown_fields_total", JOB, "wire", "field"), "{{wire}} {{field}}"),),
        thresholds=bad_above(1, 100),
    ),
)


def board() -> Board:
    """The board."""
    return Board(
        "tamis-overview",
        "Tamis: overview",
        "Was a tool wanted, was one lost, by which provider and why; and does the service keep up?",
        (common.DATASOURCE, common.JOBS, common.PROVIDER, common.MODEL, _OBJECTIVE),
        (
            Row("At a glance", _TILES),
            Row("No tool wanted, or tool lost?", _WANTED),
            Row("Rate, errors, duration", _RED),
            Row("Quality", _QUALITY),
            Row("Streams", _STREAMS),
            Row("Saturation", (LAG_RECORDS, BUFFERS, LATE_LOOP, CPU, MEMORY, PARTITIONS, REBALANCES)),
            Row("Guards at work", _GUARDS, collapsed=True),
        ),
        annotations=common.ANNOTATIONS,
    )
