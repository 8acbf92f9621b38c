"""One provider: a board for each that is known, and one with a variable for all others. All from the same panels."""

from __future__ import annotations

from boards import common
from boards.model import Board, Panel, Query, Row, Variable, bad_above
from boards.promql import JOB, LOST, RATE, increase, judged, quantile, rate, ratio, where
from boards.providers import PROVIDERS, Provider

__all__ = ["board", "generic"]

CALLS, REFUSED, TURNS, LATENCY = "tamis_tool_calls_total", "tamis_rejections_total", "tamis_turns_total", "tamis_emit_latency_seconds"
_ONE = Variable("provider", "Provider", 'label_values(tamis_turns_total{job=~"$job"}, provider)', multi=False)


def _share(metric: str, part: str, matchers: str) -> str:
    return ratio(rate(metric, where(matchers, part)), rate(metric, matchers))


def _refused(matchers: str) -> str:
    return ratio(rate(REFUSED, matchers), judged(matchers))


def _tiles(who: str) -> tuple[Panel, ...]:
    """This provider beside all of them."""

    def pair(expression: str, fleet: str) -> tuple[Query, ...]:
        return Query(expression, "here"), Query(fleet, "all providers")

    return (
        Panel("Calls in this span", "Canonical calls published.", "short", (Query(increase(CALLS, who), "calls"),), "stat", width=4, height=5),
        Panel(
            "Tool lost",
            "Share of turns in which a call was wanted and none came out of it.",
            "percentunit",
            pair(_share(TURNS, LOST, who), _share(TURNS, LOST, JOB)),
            "stat",
            bad_above(0.02, 0.1),
            5,
            5,
        ),
        Panel("Refused", "Refusals among calls and refusals.", "percentunit", pair(_refused(who), _refused(JOB)), "stat", bad_above(0.05, 0.2), 5, 5),
        Panel(
            "Repaired",
            "Calls that a strict reader would have lost.",
            "percentunit",
            pair(_share(CALLS, 'outcome="repaired"', who), _share(CALLS, 'outcome="repaired"', JOB)),
            "stat",
            bad_above(0.3, 0.6),
            5,
            5,
        ),
        Panel(
            "Emit latency p99",
            "From the record that closed a call to the acknowledged output.",
            "s",
            pair(quantile(0.99, LATENCY, who), quantile(0.99, LATENCY, JOB)),
            "stat",
            bad_above(0.25, 1),
            5,
            5,
        ),
    )


def _calls(who: str) -> tuple[Panel, ...]:
    return (
        Panel(
            "Turns by diagnosis",
            "prose_only and empty: no tool was wanted. rejected and truncated: one was lost.",
            "cps",
            (Query(rate(TURNS, who, "diagnosis"), "{{diagnosis}}"),),
            stacked=True,
        ),
        Panel("Calls by model", "Canonical calls published.", "cps", (Query(rate(CALLS, who, "model"), "{{model}}"),)),
        Panel(
            "Outcome by format",
            "clean: as it should be written. repaired: after a named repair.",
            "cps",
            (Query(rate(CALLS, who, "format", "outcome"), "{{format}} {{outcome}}"),),
            stacked=True,
        ),
        Panel(
            "Models",
            "What each did in this span, and its calls in the span before that this board is compared with.",
            "short",
            (
                Query(increase(CALLS, who, "model"), "calls"),
                Query(f"sum by (model) (increase({CALLS}{{{who}}}[$__range] offset $compare))", "calls then"),
                Query(ratio(increase(REFUSED, who, "model"), judged(who, "model", over="$__range")), "refused"),
                Query(increase(TURNS, where(who, LOST), "model"), "turns lost"),
            ),
            "table",
            width=12,
            units=(("refused", "percentunit"),),
        ),
        Panel(
            "Calls against then",
            "Calls a second now and in the span that this board is compared with.",
            "cps",
            (
                Query(rate(CALLS, who), "now"),
                Query(f"sum(rate({CALLS}{{{who}}}[{RATE}] offset $compare))", "then"),
            ),
            width=12,
        ),
    )


def _refusals(who: str) -> tuple[Panel, ...]:
    return (
        Panel(
            "Refusals by model and cause",
            "In this span, the fifteen largest.",
            "short",
            (Query(f"topk(15, {increase(REFUSED, who, 'model', 'cause')} > 0)", "{{model}} · {{cause}}"),),
            "bargauge",
        ),
        Panel("Refusals by cause", "Refused calls and turns.", "cps", (Query(rate(REFUSED, who, "cause"), "{{cause}}"),), stacked=True),
        Panel(
            "Made-up results",
            "Tool results that models wrote themselves and that were taken out.",
            "cps",
            (Query(rate("tamis_hallucinations_total", who, "model", "markup"), "{{model}} {{markup}}"),),
            thresholds=bad_above(0.01, 1),
        ),
        Panel("Top repairs", "Which leniency was needed.", "cps", (Query(f"topk(10, {rate('tamis_repairs_total', who, 'repair')})", "{{repair}}"),)),
        Panel(
            "How names were found",
            "exact is what the model should write; unknown and ambiguous were refused.",
            "cps",
            (Query(rate("tamis_name_matches_total", who, "match"), "{{match}}"),),
            stacked=True,
        ),
        Panel(
            "What the schemas said",
            "coerced: right after a safe change. invalid: refused.",
            "cps",
            (Query(rate("tamis_schema_checks_total", who, "result"), "{{result}}"),),
            stacked=True,
        ),
    )


def _time(who: str) -> tuple[Panel, ...]:
    return (
        Panel(
            "Emit latency",
            "From the record that closed a call to the acknowledged output; p95 by format.",
            "s",
            (
                *(Query(quantile(share, LATENCY, who), f"p{share * 100:g}") for share in (0.5, 0.99)),
                Query(quantile(0.95, LATENCY, who, "format"), "p95 {{format}}"),
            ),
            thresholds=bad_above(0.25, 1),
        ),
        Panel(
            "Upstream stalls",
            "The longest pause of a response.",
            "s",
            tuple(Query(quantile(share, "tamis_chunk_gap_seconds", who), f"p{share * 100:g}") for share in (0.5, 0.95)),
            thresholds=bad_above(5, 30),
        ),
        Panel(
            "Time to first call p95",
            "From the first chunk to the chunk that closed the first call.",
            "s",
            (Query(quantile(0.95, "tamis_time_to_first_call_seconds", who, "model"), "{{model}}"),),
        ),
        Panel("Length of a response p95", "First to last record.", "s", (Query(quantile(0.95, "tamis_turn_seconds", who, "model"), "{{model}}"),)),
        Panel(
            "Parser's time p95",
            "For a whole response, by its main format.",
            "s",
            (Query(quantile(0.95, "tamis_recovery_seconds", who, "format"), "{{format}}"),),
            thresholds=bad_above(0.05, 0.5),
        ),
        Panel(
            "Size of arguments p95",
            "Arguments of an accepted call as JSON.",
            "bytes",
            (Query(quantile(0.95, "tamis_call_argument_bytes", who), "p95"),),
            thresholds=bad_above(65_536, 262_144),
        ),
    )


def _wire(who: str) -> tuple[Panel, ...]:
    speaks = f"(sum by (wire) (increase(tamis_chunks_total{{{who}}}[$__range])) > 0)"
    return (
        Panel(
            "Finish reasons",
            "Normalised; length cuts calls.",
            "cps",
            (Query(rate("tamis_finish_reasons_total", who, "reason"), "{{reason}}"),),
            width=6,
        ),
        Panel("How responses end", "finished is what should be.", "cps", (Query(rate(TURNS, who, "end"), "{{end}}"),), width=6),
        Panel("Tokens", "As the provider's usage says.", "cps", (Query(rate("tamis_tokens_total", who, "type"), "{{type}}"),), width=6),
        Panel("Bytes read", "By wire.", "Bps", (Query(rate("tamis_chunk_bytes_total", who, "wire"), "{{wire}}"),), width=6),
        Panel("Chunks read", "By wire.", "cps", (Query(rate("tamis_chunks_total", who, "wire"), "{{wire}}"),), width=6),
        Panel(
            "Fields nobody reads",
            "Unknown fields on the wires that this provider speaks, whoever sent them: a wire is changing.",
            "cps",
            (Query(f"{rate('tamis_unknown_fields_total', JOB, 'wire', 'field')} and on (wire) {speaks}", "{{wire}} {{field}}"),),
            thresholds=bad_above(1, 100),
            width=6,
        ),
        Panel(
            "Declared and found formats",
            "mismatch: the model's chat template is another than the gateway thinks.",
            "cps",
            (Query(rate("tamis_format_detections_total", who, "declared"), "{{declared}}"),),
            width=6,
        ),
        Panel(
            "Sequence gaps",
            "Responses that ended because records are missing.",
            "cps",
            (Query(rate("tamis_sequence_gaps_total", who), "gaps"),),
            thresholds=bad_above(0.01, 1),
            width=6,
        ),
    )


def _rows(who: str) -> tuple[Row, ...]:
    return (
        Row("At a glance", _tiles(who)),
        Row("Turns and calls", _calls(who)),
        Row("Refusals and repairs", _refusals(who)),
        Row("Time and size", _time(who)),
        Row("Wire", _wire(who)),
    )


def board(provider: Provider) -> Board:
    """The board of one provider, with what is peculiar to it."""
    notes = Panel(
        f"Good to know about {provider.title}", "What is peculiar to this provider.", "", (), "text", width=24, height=4, text=provider.notes
    )
    return Board(
        f"tamis-provider-{provider.label.replace('.', '-').replace('_', '-')}",
        f"Tamis: {provider.title}",
        f"Calls, refusals, repairs and times of {provider.title}, beside all providers.",
        (common.DATASOURCE, common.JOBS, common.COMPARE),
        (Row("Notes", (notes,)), *_rows(where(JOB, f'provider="{provider.label}"'))),
        tags=("tamis", "tamis-provider"),
        annotations=common.ANNOTATIONS,
    )


def generic() -> Board:
    """The board of any provider."""
    names = ", ".join(provider.title for provider in PROVIDERS)
    return Board(
        "tamis-provider",
        "Tamis: any provider",
        f"Calls, refusals, repairs and times of the provider that is chosen above. Boards of their own: {names}.",
        (common.DATASOURCE, common.JOBS, _ONE, common.COMPARE),
        _rows(where(JOB, 'provider="$provider"')),
        tags=("tamis", "tamis-provider"),
        annotations=common.ANNOTATIONS,
    )
