"""The one table of everything that is counted: name, kind, meaning, labels, buckets. Boards, rules and their tests read it too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["FOREIGN", "METRICS", "OPEN_LABELS", "Metric"]

# 0.5 ms is what the service costs at best, 5 s is beyond any budget of a live stream.
LATENCY = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
# Doubling, as OpenTelemetry's GenAI conventions and Envoy have it for whole answers: 82 s is a long thinking answer.
DURATION = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
# The range of a model server's time to first token, up to a pause that a user would call a hang.
PAUSE = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60)
# Fourfold from one short argument to the largest record that a topic takes.
SIZE = (64, 256, 1024, 4096, 16384, 65536, 262144, 1048576)

OPEN_LABELS = ("provider", "model", "field")
"""Labels whose raw values others write: `tamis.metrics.labels` folds them into closed or bounded sets."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One row of `METRICS`: the name as scraped, its kind, meaning and labels, and buckets in its own unit."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


def _counter(name: str, meaning: str, *labels: str) -> Metric:
    return Metric(name, "counter", meaning, labels)


def _gauge(name: str, meaning: str, *labels: str) -> Metric:
    return Metric(name, "gauge", meaning, labels)


def _histogram(name: str, meaning: str, buckets: tuple[float, ...], *labels: str) -> Metric:
    return Metric(name, "histogram", meaning, labels, buckets)


METRICS: tuple[Metric, ...] = (
    _gauge("tamis_build_info", "Always 1; what runs here.", "version", "python", "faust"),
    # -- what comes in
    _counter("tamis_chunks_total", "Chunks read from raw-stream.", "provider", "model", "wire"),
    _counter("tamis_chunk_bytes_total", "Bytes of the records read from raw-stream.", "provider", "model", "wire"),
    _counter("tamis_unknown_fields_total", "Fields of a provider's chunk that no adapter reads: a wire that changes.", "wire", "field"),
    _counter("tamis_dlq_total", "Input records that are no chunk.", "reason"),
    _counter("tamis_duplicates_total", "Input dropped: replay (read before), seq or result (sent twice), late (its response has ended).", "reason"),
    _counter("tamis_catalog_records_total", "Records of tool-catalog: loaded, removed, refused.", "result"),
    _counter("tamis_sequence_gaps_total", "Responses that ended because records of them are missing.", "provider"),
    # -- what became of a response
    _counter("tamis_turns_total", "Ended responses; the diagnosis tells no tool wanted from tool lost.", "provider", "model", "end", "diagnosis"),
    _counter("tamis_finish_reasons_total", "Ended responses by the provider's finish reason, normalised.", "provider", "reason"),
    _counter("tamis_tokens_total", "Tokens as the provider's usage says: input, output, reasoning.", "provider", "model", "type"),
    _histogram("tamis_turn_seconds", "First to last record of a response.", DURATION, "provider", "model"),
    _histogram("tamis_chunk_gap_seconds", "The longest pause between two chunks of a response.", PAUSE, "provider"),
    _histogram("tamis_time_to_first_call_seconds", "First chunk of a response to the chunk that closed its first call.", PAUSE, "provider", "model"),
    _histogram("tamis_recovery_seconds", "Time inside the parser for a whole response.", LATENCY, "provider", "format"),
    # -- calls, and what was done to them
    _counter("tamis_tool_calls_total", "Accepted calls; outcome is clean or repaired.", "provider", "model", "format", "outcome"),
    _counter("tamis_repairs_total", "Repairs on accepted calls, each one that was needed.", "provider", "format", "repair"),
    _counter("tamis_rejections_total", "Refused calls and turns.", "provider", "model", "format", "cause"),
    _counter("tamis_hallucinations_total", "Tool results the model made up, taken out.", "provider", "model", "markup"),
    _counter("tamis_name_matches_total", "How emitted names met the declared tools; unknown and ambiguous ones were refused.", "provider", "match"),
    _counter("tamis_schema_checks_total", "Calls by their schema: valid, coerced, flagged, invalid, no_schema.", "provider", "model", "result"),
    _counter("tamis_format_candidates_total", "Text shaped like an opener that no dialect knows.", "provider", "model"),
    _counter("tamis_format_detections_total", "Responses with calls; declared: match, mismatch, none.", "provider", "model", "format", "declared"),
    _counter("tamis_coercer_failures_total", "Accepted calls whose tool's own coercer raised.", "provider", "model"),
    _histogram("tamis_call_argument_bytes", "Arguments of an accepted call as JSON.", SIZE, "provider"),
    _histogram("tamis_emit_latency_seconds", "Record that closed a call to acknowledged output.", LATENCY, "provider", "format"),
    _counter("tamis_limit_hits_total", "Bounds at work: arguments (one call), response, buffers (of the whole worker).", "limit"),
    # -- the stream's health
    _gauge("tamis_consumer_lag_records", "Records of a partition that are not worked through.", "topic", "partition"),
    _gauge("tamis_consumer_lag_seconds", "How long the oldest of them has been waiting.", "topic", "partition"),
    _gauge("tamis_partitions_assigned", "Partitions that this worker holds.", "topic"),
    _gauge("tamis_topic_partitions", "Partitions that the topic has; the workers of a group hold them all between them.", "topic"),
    _counter("tamis_rebalances_total", "Rebalances of the consumer group that this worker took part in."),
    _histogram("tamis_rebalance_seconds", "Rebalance begun to partitions assigned and read back.", DURATION),
    _counter("tamis_offset_jumps_total", "Fetched lists that began too late: reread (asked again), missing (not in the log).", "kind"),
    _histogram("tamis_barrier_seconds", "One barrier: outputs awaited, state written, offsets acknowledged.", LATENCY),
    _gauge("tamis_barrier_age_seconds", "Time since the last barrier ended."),
    _counter("tamis_snapshots_total", "Records written to the changelog for sessions that changed."),
    _counter("tamis_snapshot_bytes_total", "Bytes of those records."),
    _counter("tamis_produced_total", "Records handed to the broker; result is ok or error.", "topic", "result"),
    _histogram("tamis_produce_seconds", "Batch handed to the producer to acknowledged.", LATENCY, "topic"),
    _counter("tamis_misplaced_keys_total", "Sessions on a partition where murmur2 partitioning would not put them."),
    _gauge("tamis_catalogs", "Catalogues that this worker knows."),
    _gauge("tamis_catalog_tools", "Tools that they declare."),
    # -- saturation, and guards at work
    _gauge("tamis_sessions_active", "Sessions with an open response."),
    _gauge("tamis_buffer_bytes", "Undecided text held, four bytes a character, as the limit counts it."),
    _gauge("tamis_buffer_limit_bytes", "The limit: beyond it the response idle for longest is evicted."),
    _counter("tamis_session_evictions_total", "Sessions out of memory: bytes (buffers full), silent (long ended), revoked (moved away).", "reason"),
    _histogram("tamis_event_loop_lag_seconds", "How late the event loop runs what is due.", LATENCY),
    _counter("tamis_label_overflow_total", "Label values folded into other.", "label"),
)

FOREIGN: dict[str, tuple[str, ...]] = {
    "up": (),
    "process_cpu_seconds_total": (),
    "process_resident_memory_bytes": (),
    "process_open_fds": (),
    "process_start_time_seconds": (),
    "python_gc_collections_total": ("generation",),
}
"""Series of others that boards and rules may use, with their labels: Prometheus' own, and the process collectors of the client library."""
