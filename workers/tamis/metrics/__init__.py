"""What is counted and what it is called. The only package that imports prometheus_client.

    table      every metric: name, kind, meaning, labels, buckets
    labels     label values: cleaned, and from closed or bounded sets
    registry   the table as live counters: children cached, series bounded
    process    what events of the parser and facts of the service mean in counts

Labels come from closed or bounded sets: a model or producer may write any text at all where a label is made of it. Sessions,
responses and tool names are never labels. The functions below count for this process.
"""

from __future__ import annotations

from tamis.metrics.process import Metrics
from tamis.metrics.registry import CONTENT_TYPE
from tamis.metrics.table import METRICS, Metric

__all__ = [
    "CONTENT_TYPE", "METRICS", "Metric", "Metrics", "chunk", "count", "dlq", "drop", "duplicate", "emit_latency", "exposition", "first_call",
    "know", "level", "observe", "prepare", "produced", "record", "snapshot", "turn", "usage",
]  # fmt: skip

_PROCESS = Metrics()

chunk = _PROCESS.chunk
count = _PROCESS.count
dlq = _PROCESS.dlq
drop = _PROCESS.drop
duplicate = _PROCESS.duplicate
emit_latency = _PROCESS.emit_latency
exposition = _PROCESS.exposition
first_call = _PROCESS.first_call
know = _PROCESS.know
level = _PROCESS.level
observe = _PROCESS.observe
prepare = _PROCESS.prepare
produced = _PROCESS.produced
record = _PROCESS.record
snapshot = _PROCESS.snapshot
turn = _PROCESS.turn
usage = _PROCESS.usage
