"""The rows of the table as live counters: a registry of our own, children cached, labels folded, the number of series bounded."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, Counter, Gauge, GCCollector, Histogram, ProcessCollector, disable_created_metrics, generate_latest

from tamis.metrics.labels import MAX_LABEL, MAX_MODELS, NONE, OTHER, Bounded, field, provider
from tamis.metrics.table import METRICS, Metric

__all__ = ["CONTENT_TYPE", "MAX_SERIES", "Registry"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

MAX_SERIES = 10_000  # a scrape of so many takes some 0.1 s; what comes behind loses its model, never its count
MAX_OTHERS = 100  # of labels whose values our own code makes (70 dialects, a few reasons): a fence, never reached
MAX_PARTITIONS = 1024  # the most that the setting allows
MAX_CHILDREN = 20_000  # entries of the cache from raw values to children; beyond it the slower way is taken

Family = Counter | Gauge | Histogram
_ROWS = {row.name: row for row in METRICS}


class Registry:
    """All metrics of one process by the names of the table. An unknown name or a wrong number of labels is our bug and raises.

    `models` are the names that keep a label of their own however many others come.
    """

    def __init__(self, models: Iterable[str] = ()) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a creation time per series would double the exposition
        self.registry = CollectorRegistry(auto_describe=False)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._families: dict[str, Family] = {row.name: self._family(row) for row in METRICS}
        self._bounds = {name: self._bounded(name) for row in METRICS for name in row.labels}
        self.know(models)
        # (metric, raw label values…) -> child: a hit costs a quarter of what `labels()` costs
        self._children: dict[tuple[str | None, ...], Family] = {}
        self._made: dict[tuple[str, ...], Family] = {}
        self._series = 0
        self.level("tamis_build_info", _version("tamis"), platform.python_version(), _version("faust-streaming"), value=1)

    def know(self, models: Iterable[str]) -> None:
        """From now on these models have labels of their own."""
        self._bounds["model"] = self._bounded("model", models)

    def count(self, name: str, *labels: str | None, by: float = 1) -> None:
        """Add to a counter. `by` 0 makes the series, so that its first event is a change that `rate()` sees."""
        child = self._child(name, labels)
        assert isinstance(child, Counter)
        child.inc(by)

    def record(self, name: str, *labels: str | None, value: float) -> None:
        """One observation of a histogram; a negative one (clocks of two machines) counts as zero."""
        child = self._child(name, labels)
        assert isinstance(child, Histogram)
        child.observe(max(0.0, value))

    def level(self, name: str, *labels: str | None, value: float) -> None:
        """Set a gauge."""
        child = self._child(name, labels)
        assert isinstance(child, Gauge)
        child.set(value)

    def drop(self, name: str, *labels: str) -> None:
        """Take a series out: it is somebody else's now, and a last value that stays would lie."""
        folded = self._fold(name, labels)
        self._children.pop((name, *labels), None)
        child = self._made.pop((name, *folded), None)
        if child is not None:
            self._families[name].remove(*folded)
            self._series -= _weight(_ROWS[name])

    def exposition(self) -> bytes:
        """The text a scrape gets. Takes 7 ms for a thousand series: call it off the event loop."""
        return generate_latest(self.registry)

    def _family(self, row: Metric) -> Family:
        if row.kind == "counter":
            return Counter(row.name, row.meaning, row.labels, registry=self.registry)
        if row.kind == "gauge":
            return Gauge(row.name, row.meaning, row.labels, registry=self.registry)
        return Histogram(row.name, row.meaning, row.labels, registry=self.registry, buckets=row.buckets)

    def _bounded(self, label: str, known: Iterable[str] = ()) -> Bounded:
        places = {"model": MAX_MODELS, "partition": MAX_PARTITIONS}.get(label, MAX_OTHERS)
        overflow = self._families["tamis_label_overflow_total"]
        assert isinstance(overflow, Counter)
        return Bounded(places, overflow.labels(label).inc, known)

    def _child(self, name: str, values: tuple[str | None, ...]) -> Family:
        key = (name, *values)
        child = self._children.get(key)
        if child is None:
            folded = self._fold(name, values)
            child = self._made.get((name, *folded)) or self._new(name, folded)
            # Folded values stay out: an endless row of invented names must neither fill the cache nor hide its overflow count.
            if len(self._children) < MAX_CHILDREN and OTHER not in folded and all(value is None or len(value) <= MAX_LABEL for value in values):
                self._children[key] = child
        return child

    def _new(self, name: str, folded: tuple[str, ...]) -> Family:
        row = _ROWS[name]
        if self._series + _weight(row) > MAX_SERIES and "model" in row.labels:
            # what is left to grow are closed sets
            folded = tuple(OTHER if label == "model" else value for label, value in zip(row.labels, folded, strict=True))
            self.count("tamis_label_overflow_total", "series")
        made = self._made.get((name, *folded))
        if made is None:
            family = self._families[name]
            made = self._made[name, *folded] = family.labels(*folded) if row.labels else family
            self._series += _weight(row)
        return made

    def _fold(self, name: str, values: tuple[str | None, ...]) -> tuple[str, ...]:
        return tuple(self._label(label, value) for label, value in zip(_ROWS[name].labels, values, strict=True))

    def _label(self, label: str, value: str | None) -> str:
        if label == "provider":
            return provider(value)
        return field(value) if label == "field" else self._bounds[label](value)


def _weight(row: Metric) -> int:
    return len(row.buckets) + 3 if row.kind == "histogram" else 1  # a histogram also has +Inf, sum and count


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return NONE
