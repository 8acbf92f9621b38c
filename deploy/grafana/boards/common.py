"""Variables and annotations that all boards share."""

from __future__ import annotations

from boards.model import Variable
from boards.promql import JOB, RATE

__all__ = ["ANNOTATIONS", "COMPARE", "DATASOURCE", "FORMAT", "JOBS", "MODEL", "PROVIDER"]

DATASOURCE = Variable("datasource", "Data source")
JOBS = Variable("job", "Job", "label_values(tamis_build_info, job)")
PROVIDER = Variable("provider", "Provider", 'label_values(tamis_turns_total{job=~"$job"}, provider)')
MODEL = Variable("model", "Model", 'label_values(tamis_turns_total{job=~"$job"}, model)')
FORMAT = Variable("format", "Format", 'label_values(tamis_tool_calls_total{job=~"$job"}, format)')
COMPARE = Variable("compare", "Compare with", choices=("1d", "1h", "1w"))

ANNOTATIONS = (
    ("Another version", f"count by (version) (tamis_build_info{{{JOB}}}) unless count by (version) (tamis_build_info{{{JOB}}} offset 5m)", "blue"),
    ("Worker started", f"sum by (instance) (changes(process_start_time_seconds{{{JOB}}}[{RATE}])) > 0", "purple"),
    ("Rebalance", f"sum by (instance) (increase(tamis_rebalances_total{{{JOB}}}[{RATE}])) > 0", "orange"),
)
