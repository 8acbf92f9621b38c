"""What events and facts of the service mean in counts: the methods that agents call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tamis.core.events import Cause, Diagnosis, End, Event, FormatCandidate, HallucinatedResult, Rejection, Repair, ToolCall, TurnEnd
from tamis.metrics.labels import NONE, finish_reason
from tamis.metrics.registry import Registry

__all__ = ["Metrics"]

_LIMITS = {End.LIMIT: "response", End.EVICTED: "buffers"}
# Where a usage object has its numbers, by the words of the providers.
_TOKENS: dict[str, tuple[tuple[str, ...], ...]] = {
    "input": (("prompt_tokens",), ("input_tokens",), ("promptTokenCount",), ("prompt_eval_count",)),
    "output": (("completion_tokens",), ("output_tokens",), ("candidatesTokenCount",), ("eval_count",)),
    "reasoning": (
        ("completion_tokens_details", "reasoning_tokens"), ("output_tokens_details", "reasoning_tokens"), ("reasoning_tokens",),
        ("thoughtsTokenCount",),
    ),
}  # fmt: skip
_MOST_TOKENS = 10_000_000  # of one response: far beyond any context window; more is a producer's joke


class Metrics(Registry):
    """All counters of one process. One instance serves the package's functions; tests make their own."""

    def prepare(self, providers: Iterable[str], reasons: Iterable[str] = ()) -> None:
        """Make the series that alerts and ratios need at zero, so that they say 0 and not nothing on the first day.

        `providers` are those that the operator names, `reasons` why an input record may go to the dead letters.
        """
        for reason in reasons:
            self.count("tamis_dlq_total", reason, by=0)
        for result in ("loaded", "removed", "refused"):
            self.count("tamis_catalog_records_total", result, by=0)
        for reason in ("replay", "seq", "result", "late"):
            self.count("tamis_duplicates_total", reason, by=0)
        for kind in ("reread", "missing"):
            self.count("tamis_offset_jumps_total", kind, by=0)
        for reason in ("bytes", "silent", "revoked"):
            self.count("tamis_session_evictions_total", reason, by=0)
        for limit in ("arguments", *_LIMITS.values()):
            self.count("tamis_limit_hits_total", limit, by=0)
        for name in ("tamis_rebalances_total", "tamis_snapshots_total", "tamis_snapshot_bytes_total", "tamis_misplaced_keys_total"):
            self.count(name, by=0)
        for who in providers:
            self.count("tamis_sequence_gaps_total", who, by=0)
            self.count("tamis_coercer_failures_total", who, None, by=0)
            for outcome in ("clean", "repaired"):
                self.count("tamis_tool_calls_total", who, None, None, outcome, by=0)
            for cause in Cause:
                self.count("tamis_rejections_total", who, None, None, cause.value, by=0)
            for diagnosis in Diagnosis:
                self.count("tamis_turns_total", who, None, End.FINISHED.value, diagnosis.value, by=0)
            self.count("tamis_hallucinations_total", who, None, None, by=0)

    def chunk(self, provider: str | None, model: str | None, wire: str, count: int = 1, size: int = 0) -> None:
        """Counts `count` chunks of one wire, `size` bytes in all."""
        self.count("tamis_chunks_total", provider, model, wire, by=count)
        self.count("tamis_chunk_bytes_total", provider, model, wire, by=size)

    def observe(self, event: Event, provider: str | None, model: str | None) -> None:
        """Counts one event of the parser; events without a metric pass."""
        if isinstance(event, ToolCall):
            self._call(event, provider, model)
        elif isinstance(event, Rejection):
            self._rejection(event, provider, model)
        elif isinstance(event, HallucinatedResult):
            self.count("tamis_hallucinations_total", provider, model, event.markup)
        elif isinstance(event, FormatCandidate):
            self.count("tamis_format_candidates_total", provider, model)
        elif isinstance(event, TurnEnd):
            self.count("tamis_turns_total", provider, model, event.end.value, event.diagnosis.value)
            self.count("tamis_finish_reasons_total", provider, finish_reason(event.finish_reason))
            if event.end in _LIMITS:
                self.count("tamis_limit_hits_total", _LIMITS[event.end])

    def _call(self, event: ToolCall, provider: str | None, model: str | None) -> None:
        self.count("tamis_tool_calls_total", provider, model, event.format, "repaired" if event.repairs else "clean")
        for repair in event.repairs:
            self.count("tamis_repairs_total", provider, event.format, repair.rule)
        if any(repair.rule == "coercer_failed" for repair in event.repairs):
            self.count("tamis_coercer_failures_total", provider, model)
        if event.gated:
            self.count("tamis_name_matches_total", provider, _match(event.repairs))
        self.count("tamis_schema_checks_total", provider, model, _schema(event))
        self.record("tamis_call_argument_bytes", provider, value=len(json.dumps(event.arguments, separators=(",", ":"))))

    def _rejection(self, event: Rejection, provider: str | None, model: str | None) -> None:
        cause = event.cause
        self.count("tamis_rejections_total", provider, model, event.format, cause.value)
        if cause is Cause.UNKNOWN_TOOL or cause is Cause.AMBIGUOUS_TOOL:
            self.count("tamis_name_matches_total", provider, "unknown" if cause is Cause.UNKNOWN_TOOL else "ambiguous")
        elif cause is Cause.SCHEMA_VIOLATION:
            self.count("tamis_schema_checks_total", provider, model, "invalid")
        elif cause is Cause.SEQUENCE_GAP:
            self.count("tamis_sequence_gaps_total", provider)
        elif cause is Cause.LIMIT_EXCEEDED and event.format is not None:
            self.count("tamis_limit_hits_total", "arguments")

    def turn(
        self, event: TurnEnd, provider: str | None, model: str | None, declared: str | None, seconds: float | None, gap: float, spent: float
    ) -> None:
        """What is known of a response only at its end, beside its event.

        `declared` is the format that the response was said to use, `seconds` how long it took (None when its begin was not seen), `gap`
        its longest pause and `spent` the parser's time, all in seconds.
        """
        formats = event.formats
        for name in formats:
            self.count("tamis_format_detections_total", provider, model, name, _declared(declared, name))
        main = max(formats, key=lambda name: formats[name]) if formats else None
        self.record("tamis_recovery_seconds", provider, main, value=spent)
        self.record("tamis_chunk_gap_seconds", provider, value=gap)
        if seconds is not None:
            self.record("tamis_turn_seconds", provider, model, value=seconds)

    def first_call(self, provider: str | None, model: str | None, seconds: float) -> None:
        """The first call of a response was complete `seconds` after its first chunk."""
        self.record("tamis_time_to_first_call_seconds", provider, model, value=seconds)

    def usage(self, provider: str | None, model: str | None, usage: Mapping[str, Any]) -> None:
        """Counts the tokens of one response; numbers that no model can have used are left out."""
        for kind, places in _TOKENS.items():
            for place in places:
                number = _number(usage, place)
                if number is not None:
                    self.count("tamis_tokens_total", provider, model, kind, by=number)
                    break

    def emit_latency(self, provider: str | None, format: str | None, seconds: float) -> None:
        """Records one emit latency."""
        self.record("tamis_emit_latency_seconds", provider, format, value=seconds)

    def produced(self, topic: str, records: int, seconds: float | None) -> None:
        """A batch of records that the broker has acknowledged after `seconds`, or None: it was not delivered."""
        self.count("tamis_produced_total", topic, "error", by=0 if seconds is not None else records)
        self.count("tamis_produced_total", topic, "ok", by=records if seconds is not None else 0)
        if seconds is not None:
            self.record("tamis_produce_seconds", topic, value=seconds)

    def snapshot(self, records: int, size: int) -> None:
        """Records written to the changelog, and their bytes."""
        self.count("tamis_snapshots_total", by=records)
        self.count("tamis_snapshot_bytes_total", by=size)

    def dlq(self, reason: str) -> None:
        """Counts one record that went to the dead letters."""
        self.count("tamis_dlq_total", reason)

    def duplicate(self, reason: str, count: int = 1) -> None:
        """Counts input records that were dropped as duplicates."""
        self.count("tamis_duplicates_total", reason, by=count)


def _match(repairs: tuple[Repair, ...]) -> str:
    """How the name of an accepted call was found: `exact`, or the resolver's rule without its prefix."""
    rule = next((item.rule for item in repairs if not item.path and item.rule.startswith("name")), None)
    return "exact" if rule is None else rule.removeprefix("name_")


def _schema(event: ToolCall) -> str:
    if not event.gated:
        return "no_schema"
    if any(item.rule == "schema_violation" for item in event.repairs):
        return "flagged"
    return "coerced" if any(item.path.startswith("$") for item in event.repairs) else "valid"


def _declared(declared: str | None, found: str) -> str:
    if not declared or declared == "auto":
        return NONE
    return "match" if declared == found else "mismatch"


def _number(usage: Mapping[str, Any], place: tuple[str, ...]) -> int | None:
    found: Any = usage
    for key in place:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= _MOST_TOKENS else None
