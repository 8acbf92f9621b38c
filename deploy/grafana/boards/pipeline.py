"""The board of the service itself: utilisation, saturation, errors; and panels of it that the overview shows too."""

from __future__ import annotations

from boards import common
from boards.model import Board, Panel, Query, Row, bad_above
from boards.promql import JOB, quantile, rate, ratio, where

__all__ = [
    "BUFFERS",
    "CPU",
    "DEAD_LETTERS",
    "DUPLICATES",
    "EVICTIONS",
    "LAG_RECORDS",
    "LATE_LOOP",
    "LIMITS",
    "MEMORY",
    "PARTITIONS",
    "REBALANCES",
    "board",
]


def _now(metric: str, *by: str, how: str = "sum") -> str:
    return f"{how} by ({', '.join(by)}) ({metric}{{{JOB}}})"


def _quantiles(histogram: str, *by: str, legend: str = "") -> tuple[Query, ...]:
    return tuple(Query(quantile(share, histogram, JOB, *by), f"{legend} p{share * 100:g}".strip()) for share in (0.5, 0.99))


LAG_RECORDS = Panel(
    "Lag by partition",
    "Records that are not worked through.",
    "short",
    (Query(_now("tamis_consumer_lag_records", "partition"), "{{partition}}"),),
    thresholds=bad_above(10_000, 1_000_000),
    width=6,
)
BUFFERS = Panel(
    "Buffers against their limit",
    "Undecided text held; at 1 the response idle for longest is evicted.",
    "percentunit",
    (Query(ratio(_now("tamis_buffer_bytes", "instance"), _now("tamis_buffer_limit_bytes", "instance")), "{{instance}}"),),
    thresholds=bad_above(0.7, 0.9),
    width=6,
)
LATE_LOOP = Panel(
    "Event loop lag p99",
    "How late the worker does what is due.",
    "s",
    (Query(quantile(0.99, "tamis_event_loop_lag_seconds", JOB, "instance"), "{{instance}}"),),
    thresholds=bad_above(0.1, 1),
    width=6,
)
CPU = Panel(
    "CPU",
    "Cores in use; one worker uses at most about one.",
    "short",
    (Query(rate("process_cpu_seconds_total", JOB, "instance"), "{{instance}}"),),
    thresholds=bad_above(0.7, 0.9),
    width=6,
)
MEMORY = Panel(
    "Memory", "Resident memory of each worker.", "bytes", (Query(_now("process_resident_memory_bytes", "instance"), "{{instance}}"),), width=8
)
PARTITIONS = Panel(
    "Partitions held",
    "Each partition of raw-stream must be held by exactly one worker.",
    "short",
    (Query(_now("tamis_partitions_assigned", "instance"), "{{instance}}"), Query(f"max(tamis_topic_partitions{{{JOB}}})", "there are")),
    width=8,
)
REBALANCES = Panel(
    "Rebalances",
    "Each stops every worker of the group for a moment.",
    "short",
    (Query(f"sum by (instance) (increase(tamis_rebalances_total{{{JOB}}}[1h]))", "{{instance}} in the last hour"),),
    thresholds=bad_above(5, 20),
    width=8,
)
DEAD_LETTERS = Panel(
    "Dead letters",
    "Input records that are no chunk, by reason: a producer's fault.",
    "cps",
    (Query(rate("tamis_dlq_total", JOB, "reason"), "{{reason}}"),),
    thresholds=bad_above(0.001, 1),
)
DUPLICATES = Panel(
    "Dropped duplicates",
    "replay: read again after a restart. seq, result: sent twice. late: the response had ended.",
    "cps",
    (Query(rate("tamis_duplicates_total", JOB, "reason"), "{{reason}}"),),
    thresholds=bad_above(10, 1000),
)
LIMITS = Panel(
    "Limits hit",
    "arguments: one call. response: all of it. buffers: the worker's.",
    "cps",
    (Query(rate("tamis_limit_hits_total", JOB, "limit"), "{{limit}}"),),
    thresholds=bad_above(0.01, 1),
)
EVICTIONS = Panel(
    "Sessions out of memory",
    "bytes: buffers were full. silent: long ended, as it should be. revoked: moved to another worker.",
    "cps",
    (Query(rate("tamis_session_evictions_total", JOB, "reason"), "{{reason}}"),),
)

_UTILISATION = (
    Panel(
        "Workers",
        "Targets that answer.",
        "short",
        (Query(f"sum(up{{{JOB}}})", "up"), Query(f"count(up{{{JOB}}})", "known")),
        "stat",
        width=4,
        height=7,
    ),
    Panel(
        "Uptime", "Since the youngest worker started.", "s", (Query(f"min(time() - process_start_time_seconds{{{JOB}}})"),), "stat", width=4, height=7
    ),
    Panel("Chunks", "Chunks read, by wire.", "cps", (Query(rate("tamis_chunks_total", JOB, "wire"), "{{wire}}"),), height=7),
    Panel("Bytes", "Bytes read, by wire.", "Bps", (Query(rate("tamis_chunk_bytes_total", JOB, "wire"), "{{wire}}"),), height=7),
    CPU,
    Panel(
        "Parser's share",
        "Seconds inside the parser each second; the rest is the broker's client, JSON and state.",
        "short",
        (Query(rate("tamis_recovery_seconds_sum", JOB, "instance"), "{{instance}}"),),
        width=6,
    ),
    MEMORY,
)
_SATURATION = (
    LAG_RECORDS,
    Panel(
        "Wait of the oldest record",
        "By partition; 0 where everything is read.",
        "s",
        (Query(_now("tamis_consumer_lag_seconds", "partition", how="max"), "{{partition}}"),),
        thresholds=bad_above(5, 60),
        width=6,
    ),
    LATE_LOOP,
    BUFFERS,
    Panel(
        "Open sessions",
        "Sessions with a response that has not ended.",
        "short",
        (Query(_now("tamis_sessions_active", "instance"), "{{instance}}"),),
        width=6,
    ),
    Panel(
        "Age of the last barrier",
        "Grows when outputs or state cannot be written.",
        "s",
        (Query(_now("tamis_barrier_age_seconds", "instance", how="max"), "{{instance}}"),),
        thresholds=bad_above(10, 30),
        width=6,
    ),
    Panel(
        "Barriers",
        "How long one takes: outputs awaited, state written, offsets acknowledged.",
        "s",
        _quantiles("tamis_barrier_seconds"),
        thresholds=bad_above(1, 5),
        width=6,
    ),
    Panel(
        "Files open",
        "File descriptors of each worker.",
        "short",
        (Query(_now("process_open_fds", "instance"), "{{instance}}"),),
        thresholds=bad_above(500, 900),
        width=6,
    ),
)
_STATE = (
    Panel(
        "Records written",
        "Delivered to each topic.",
        "cps",
        (Query(rate("tamis_produced_total", where(JOB, 'result="ok"'), "topic"), "{{topic}}"),),
        width=6,
    ),
    Panel(
        "Broker's answer p99",
        "Batch handed over to acknowledged, by topic.",
        "s",
        (Query(quantile(0.99, "tamis_produce_seconds", JOB, "topic"), "{{topic}}"),),
        thresholds=bad_above(0.5, 5),
        width=6,
    ),
    Panel(
        "Snapshots",
        "Changelog records for sessions that changed.",
        "cps",
        (Query(rate("tamis_snapshots_total", JOB, "instance"), "{{instance}}"),),
        width=6,
    ),
    Panel("Snapshot bytes", "Bytes of those records.", "Bps", (Query(rate("tamis_snapshot_bytes_total", JOB, "instance"), "{{instance}}"),), width=6),
    Panel(
        "Catalogues",
        "What each worker knows from tool-catalog.",
        "short",
        (
            Query(_now("tamis_catalogs", "instance"), "{{instance}} catalogues"),
            Query(_now("tamis_catalog_tools", "instance"), "{{instance}} tools"),
        ),
        width=6,
    ),
    Panel(
        "Catalogue records",
        "refused: the version before it stays in use; the log says why.",
        "cps",
        (Query(rate("tamis_catalog_records_total", JOB, "result"), "{{result}}"),),
        width=6,
    ),
    PARTITIONS,
    REBALANCES,
    Panel(
        "Rebalances take",
        "Begun to partitions assigned and read back.",
        "s",
        (
            Query(
                f"sum(increase(tamis_rebalance_seconds_sum{{{JOB}}}[1h])) / sum(increase(tamis_rebalance_seconds_count{{{JOB}}}[1h]))",
                "mean of the last hour",
            ),
        ),
        thresholds=bad_above(10, 60),
    ),
    Panel(
        "Garbage collections",
        "Of the Python process, by generation.",
        "cps",
        (Query(rate("python_gc_collections_total", JOB, "generation"), "generation {{generation}}"),),
    ),
)
_ERRORS = (
    Panel(
        "Records not delivered",
        "The worker stops at once and is started again; what was open is replayed.",
        "cps",
        (Query(rate("tamis_produced_total", where(JOB, 'result="error"'), "topic"), "{{topic}}"),),
        thresholds=bad_above(0.001, 1),
    ),
    DEAD_LETTERS,
    DUPLICATES,
    Panel(
        "Offset jumps",
        "Fetched lists that began too late: reread was asked for again, missing is not in the log any more.",
        "cps",
        (Query(rate("tamis_offset_jumps_total", JOB, "kind"), "{{kind}}"),),
        thresholds=bad_above(0.001, 1),
    ),
    Panel(
        "Keys on a wrong partition",
        "Sessions that murmur2 partitioning would put elsewhere: a producer with another partitioner splits them.",
        "cps",
        (Query(rate("tamis_misplaced_keys_total", JOB, "instance"), "{{instance}}"),),
        thresholds=bad_above(0.001, 1),
    ),
    LIMITS,
    EVICTIONS,
)


def board() -> Board:
    """The board."""
    return Board(
        "tamis-pipeline",
        "Tamis: pipeline",
        "The service itself: what it uses, what waits, what goes wrong.",
        (common.DATASOURCE, common.JOBS),
        (Row("Utilisation", _UTILISATION), Row("Saturation", _SATURATION), Row("Topics and state", _STATE), Row("Errors", _ERRORS)),
        annotations=common.ANNOTATIONS,
    )
