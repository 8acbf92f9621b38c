"""What is counted and what it is called: one table, one registry of our own, and cheap functions for the hot path.

Labels come from closed or bounded sets. A model or producer may write any text at all where a label is made of it, so a label
is cleaned (printable, at most 64 characters, no lone surrogate: one of those would break every later scrape) and the number of
different ones is bounded: what comes after the last place is `other`, counted in `tamis_label_overflow_total`. Sessions,
responses and tool names are never labels. This is the only module that imports prometheus_client.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

from tamis.core.events import Event, FormatCandidate, HallucinatedResult, Rejection, ToolCall, TurnEnd

__all__ = ["CONTENT_TYPE", "METRICS", "Metric", "Metrics", "chunk", "dlq", "duplicate", "emit_latency", "exposition", "observe"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Child = TypeVar("Child", Counter, Histogram)

OTHER = "other"
NONE = "none"

# 0.5 ms is what the service costs at best, 5 s is beyond any budget of a live stream.
LATENCY_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
MAX_LABEL = 64  # characters; the longest real model names (with a path and a quantisation) are near 60
MAX_MODELS = 50  # with 10 providers and 12 causes this keeps the whole exposition below 10,000 series
MAX_OTHERS = 100  # of labels whose values our own code makes (70 dialects, a few reasons): a fence, never reached
MAX_CHILDREN = 20_000  # entries of the cache from raw values to counters; beyond it the slower way is taken


@dataclass(frozen=True, slots=True)
class Metric:
    """One row of `METRICS`: the name as scraped, its kind, meaning and labels, and buckets in its own unit."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


METRICS: tuple[Metric, ...] = (
    Metric("tamis_build_info", "gauge", "Always 1; what runs here.", ("version", "python", "faust")),
    Metric("tamis_chunks_total", "counter", "Chunks read from raw-stream.", ("provider", "model", "wire")),
    Metric("tamis_tool_calls_total", "counter", "Accepted calls; outcome is clean or repaired.", ("provider", "model", "format", "outcome")),
    Metric("tamis_coercer_failures_total", "counter", "Accepted calls whose tool's own coercer raised.", ("provider", "model")),
    Metric("tamis_rejections_total", "counter", "Refused calls and turns.", ("provider", "model", "format", "cause")),
    Metric("tamis_hallucinations_total", "counter", "Tool results the model made up, taken out.", ("provider", "model", "markup")),
    Metric("tamis_format_candidates_total", "counter", "Text shaped like an opener that no dialect knows.", ("provider", "model")),
    Metric("tamis_turns_total", "counter", "Ended responses.", ("provider", "model", "end", "diagnosis")),
    Metric("tamis_emit_latency_seconds", "histogram", "Record that closed a call to acknowledged output.", ("provider", "format"), LATENCY_BUCKETS),
    Metric("tamis_dlq_total", "counter", "Input records that are no chunk.", ("reason",)),
    Metric("tamis_duplicates_total", "counter", "Input dropped because it was read before.", ("reason",)),
    Metric("tamis_label_overflow_total", "counter", "Label values folded into other.", ("label",)),
)

# What gateways call a provider -> the value of OpenTelemetry's GenAI conventions, or our own for those it has none for.
PROVIDERS: dict[str, str] = {
    **{name: name for name in (
        "openai", "anthropic", "aws.bedrock", "azure.ai.openai", "azure.ai.inference", "gcp.gemini", "gcp.vertex_ai", "mistral_ai", "deepseek",
        "groq", "x_ai", "cohere", "perplexity", "ibm.watsonx.ai", "vllm", "sglang", "ollama", "nvidia_nim", "openrouter", "moonshot", "zhipu",
        "llama.cpp", "litellm", "together", "fireworks", "huggingface",
    )},
    "bedrock": "aws.bedrock", "aws": "aws.bedrock", "amazon": "aws.bedrock", "azure": "azure.ai.openai", "azure.openai": "azure.ai.openai",
    "azure_openai": "azure.ai.openai", "gemini": "gcp.gemini", "google": "gcp.gemini", "vertex": "gcp.vertex_ai", "vertex_ai": "gcp.vertex_ai",
    "mistral": "mistral_ai", "mistralai": "mistral_ai", "xai": "x_ai", "x.ai": "x_ai", "watsonx": "ibm.watsonx.ai", "nim": "nvidia_nim",
    "nvidia": "nvidia_nim", "moonshotai": "moonshot", "kimi": "moonshot", "zai": "zhipu", "z.ai": "zhipu", "zhipuai": "zhipu",
    "llamacpp": "llama.cpp", "together_ai": "together", "fireworks_ai": "fireworks", "claude": "anthropic", "hf": "huggingface",
}  # fmt: skip


def clean(value: str) -> str:
    """`value` as a label: printable characters only, the first `MAX_LABEL` of them, `none` when nothing is left.

    Only a bounded head of the text is looked at, so that a name of a megabyte costs no more than a short one.
    """
    head = value[: 4 * MAX_LABEL].strip()
    if not head.isprintable():  # also true of lone surrogates, which are not printable
        head = "".join(letter for letter in head if letter.isprintable())
    return head[:MAX_LABEL] or NONE


class _Bounded:
    """The values that one label may take: the first `places` seen, then `other`."""

    __slots__ = ("_overflow", "_places", "_seen")

    def __init__(self, places: int, overflow: Callable[[], None]) -> None:
        self._places = places
        self._overflow = overflow
        self._seen: set[str] = set()

    def __call__(self, value: str | None) -> str:
        if not value:
            return NONE
        label = clean(value)
        if label in self._seen or label in (OTHER, NONE):
            return label
        if len(self._seen) < self._places:
            self._seen.add(label)
            return label
        self._overflow()
        return OTHER


class Metrics:
    """All counters of one process. One instance serves the module functions; tests make their own."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a creation time per series would double the exposition
        self.registry = CollectorRegistry(auto_describe=False)
        self._counter_families = {row.name: Counter(row.name, row.meaning, row.labels, registry=self.registry) for row in _of("counter")}
        self._latency = {
            row.name: Histogram(row.name, row.meaning, row.labels, registry=self.registry, buckets=row.buckets) for row in _of("histogram")
        }
        gauges = {row.name: Gauge(row.name, row.meaning, row.labels, registry=self.registry) for row in _of("gauge")}
        self._models = self._bounded("model", MAX_MODELS)
        self._by_label = {name: self._bounded(name, MAX_OTHERS) for row in METRICS for name in row.labels if name not in ("provider", "model")}
        # (metric, raw label values…) -> child: a hit costs a quarter of what `labels()` costs
        self._counters: dict[tuple[str | None, ...], Counter] = {}
        self._histograms: dict[tuple[str | None, ...], Histogram] = {}
        gauges["tamis_build_info"].labels(_version("tamis"), platform.python_version(), _version("faust-streaming")).set(1)

    def chunk(self, provider: str | None, model: str | None, wire: str, count: int = 1) -> None:
        """Counts `count` chunks of one wire."""
        self._counter("tamis_chunks_total", provider, model, wire).inc(count)

    def observe(self, event: Event, provider: str | None, model: str | None) -> None:
        """Counts one event of the parser; events without a metric pass."""
        if isinstance(event, ToolCall):
            self._counter("tamis_tool_calls_total", provider, model, event.format, "repaired" if event.repairs else "clean").inc()
            if any(item.rule == "coercer_failed" for item in event.repairs):
                self._counter("tamis_coercer_failures_total", provider, model).inc()
        elif isinstance(event, Rejection):
            self._counter("tamis_rejections_total", provider, model, event.format, event.cause.value).inc()
        elif isinstance(event, HallucinatedResult):
            self._counter("tamis_hallucinations_total", provider, model, event.markup).inc()
        elif isinstance(event, FormatCandidate):
            self._counter("tamis_format_candidates_total", provider, model).inc()
        elif isinstance(event, TurnEnd):
            self._counter("tamis_turns_total", provider, model, event.end.value, event.diagnosis.value).inc()

    def emit_latency(self, provider: str | None, format: str | None, seconds: float) -> None:
        """Records one emit latency; a negative one (clocks of two machines) counts as zero."""
        key = ("tamis_emit_latency_seconds", provider, format)
        child = self._histograms.get(key)
        if child is None:
            child = self._latency["tamis_emit_latency_seconds"].labels(self._provider(provider), self._by_label["format"](format))
            self._keep(self._histograms, key, child)
        child.observe(max(0.0, seconds))

    def dlq(self, reason: str) -> None:
        """Counts one record that went to the dead letters."""
        self._counter("tamis_dlq_total", reason).inc()

    def duplicate(self, reason: str) -> None:
        """Counts one input record that was dropped as a duplicate."""
        self._counter("tamis_duplicates_total", reason).inc()

    def exposition(self) -> bytes:
        """The text a scrape gets. Takes 7 ms for a thousand series: call it off the event loop."""
        return generate_latest(self.registry)

    def _bounded(self, label: str, places: int) -> _Bounded:
        return _Bounded(places, self._counter_families["tamis_label_overflow_total"].labels(label).inc)

    def _counter(self, name: str, *values: str | None) -> Counter:
        key = (name, *values)
        child = self._counters.get(key)
        if child is None:
            child = self._counter_families[name].labels(*(self._label(label, value) for label, value in zip(_LABELS[name], values, strict=True)))
            self._keep(self._counters, key, child)
        return child

    def _label(self, label: str, value: str | None) -> str:
        if label == "provider":
            return self._provider(value)
        return self._models(value) if label == "model" else self._by_label[label](value)

    def _provider(self, value: str | None) -> str:
        if not value:
            return NONE
        return PROVIDERS.get(value) or PROVIDERS.get(clean(value).lower().replace("-", "_"), OTHER)

    def _keep(self, cache: dict[tuple[str | None, ...], Child], key: tuple[str | None, ...], child: Child) -> None:
        # Folded values stay out: an endless row of invented names must neither fill the cache nor hide its overflow count.
        if len(cache) < MAX_CHILDREN and OTHER not in child._labelvalues and all(value is None or len(value) <= MAX_LABEL for value in key):
            cache[key] = child


def _of(kind: str) -> list[Metric]:
    return [row for row in METRICS if row.kind == kind]


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"


_LABELS = {row.name: row.labels for row in METRICS}
_PROCESS = Metrics()

chunk = _PROCESS.chunk
observe = _PROCESS.observe
emit_latency = _PROCESS.emit_latency
dlq = _PROCESS.dlq
duplicate = _PROCESS.duplicate
exposition = _PROCESS.exposition
