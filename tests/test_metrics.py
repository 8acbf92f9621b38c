"""Metrics: the exposition parses whatever a model or producer writes, and labels stay bounded."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from tamis import metrics
from tamis.core.events import Cause, Content, Diagnosis, End, HallucinatedResult, Rejection, Repair, ToolCall, TurnEnd
from tamis.metrics import METRICS, Metrics
from tamis.metrics.labels import MAX_LABEL, MAX_MODELS


def samples(made: Metrics) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    text = made.exposition().decode("utf-8")
    return {(item.name, frozenset(item.labels.items())): item.value for family in text_string_to_metric_families(text) for item in family.samples}


def value(made: Metrics, name: str, **labels: str) -> float:
    return samples(made).get((name, frozenset(labels.items())), 0.0)


def call(**changes: object) -> ToolCall:
    fields = {
        "id": "c", "call_index": 0, "name": "f", "arguments": {}, "format": "kimi_special", "emitted_name": "f", "repairs": (), "gated": True,
        "after_hallucination": False, "ordinal": 0, "content_offset": 0,
    }  # fmt: skip
    return ToolCall(**{**fields, **changes})  # type: ignore[arg-type]


def test_each_event_counts_where_the_contract_says() -> None:
    made = Metrics()
    made.observe(call(), "vllm", "kimi-k2")
    made.observe(call(repairs=(Repair("name_index"),)), "vllm", "kimi-k2")
    made.observe(Rejection(Cause.TRUNCATED, None, "", (), "", True, None, "", 0, 0), "vllm", "kimi-k2")
    made.observe(HallucinatedResult(1, "tool_response", None, None, 3, "0" * 64, 0, 0), "vllm", "kimi-k2")
    made.observe(TurnEnd(End.FINISHED, "stop", Diagnosis.RECOVERED, (), 0, 0, 0, 0, 0, 0, 0), "vllm", "kimi-k2")
    made.observe(Content("secret words", 0), "vllm", "kimi-k2")
    made.chunk("vllm", "kimi-k2", "native", 7)
    made.emit_latency("vllm", "kimi_special", 0.004)
    made.dlq("not_json")
    made.duplicate("seq")
    both = {"provider": "vllm", "model": "kimi-k2"}
    assert value(made, "tamis_tool_calls_total", **both, format="kimi_special", outcome="clean") == 1
    assert value(made, "tamis_tool_calls_total", **both, format="kimi_special", outcome="repaired") == 1
    assert value(made, "tamis_rejections_total", **both, format="none", cause="truncated") == 1
    assert value(made, "tamis_hallucinations_total", **both, markup="tool_response") == 1
    assert value(made, "tamis_turns_total", **both, end="finished", diagnosis="recovered") == 1
    assert value(made, "tamis_chunks_total", **both, wire="native") == 7
    assert value(made, "tamis_emit_latency_seconds_count", provider="vllm", format="kimi_special") == 1
    assert value(made, "tamis_emit_latency_seconds_bucket", provider="vllm", format="kimi_special", le="0.005") == 1
    assert value(made, "tamis_dlq_total", reason="not_json") == 1
    assert value(made, "tamis_duplicates_total", reason="seq") == 1
    assert b"secret" not in made.exposition()


def test_names_follow_the_rules_and_are_unique() -> None:
    names = [row.name for row in METRICS]
    assert len(set(names)) == len(names)
    for row in METRICS:
        assert row.name.startswith("tamis_")
        assert row.meaning
        assert row.name.endswith("_total") == (row.kind == "counter")
        if row.kind == "histogram":
            assert row.name.endswith(("_seconds", "_bytes"))
            assert list(row.buckets) == sorted(row.buckets)


def test_build_info_is_one() -> None:
    assert [amount for (name, _), amount in samples(Metrics()).items() if name == "tamis_build_info"] == [1.0]


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("vLLM", "vllm"), ("azure-openai", "azure.ai.openai"), ("xai", "x_ai"), ("google", "gcp.gemini"), ("my own gateway", "other"),
        (None, "none"), ("", "none"),
    ],
)
def test_providers_are_a_closed_set(given: str | None, label: str) -> None:
    made = Metrics()
    made.chunk(given, None, "native")
    assert value(made, "tamis_chunks_total", provider=label, model="none", wire="native") == 1


HOSTILE = [
    "\ud800", "a\udfffb", "\x00", 'quo"te', "back\\slash", "line\nbreak",
    "m" * 1_000_000, "\ud83d" * 1_000_000, " ", "\u202e\u200b", "日本語", "# HELP x",
]  # fmt: skip


@pytest.mark.parametrize("model", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_never_breaks_a_scrape(model: str) -> None:
    made = Metrics()
    for _ in range(2):
        made.chunk(model, model, model)
        made.observe(call(format=model), model, model)
        made.emit_latency(model, model, -1.0)
        made.dlq(model)
        made.duplicate(model)
    for _, labels in samples(made):
        assert all(len(text) <= MAX_LABEL and text.isprintable() for _, text in labels)
    assert len(made.exposition()) < 20_000


def test_models_beyond_the_last_place_are_other_and_counted() -> None:
    made = Metrics()
    for number in range(MAX_MODELS + 25):
        made.chunk("vllm", f"model-{number}", "native")
    seen = {dict(labels)["model"] for name, labels in samples(made) if name == "tamis_chunks_total"}
    assert len(seen) == MAX_MODELS + 1
    assert value(made, "tamis_chunks_total", provider="vllm", model="other", wire="native") == 25
    assert value(made, "tamis_label_overflow_total", label="model") == 2 * 25, "chunks and their bytes each folded it"
    made.chunk("vllm", "model-0", "native")
    assert value(made, "tamis_chunks_total", provider="vllm", model="model-0", wire="native") == 2


@given(st.lists(st.tuples(st.text(max_size=80), st.text(alphabet=st.characters(exclude_categories=()), max_size=80)), max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text_parses_and_counts_nothing_away(pairs: list[tuple[str, str]]) -> None:
    made = Metrics()
    for provider, model in pairs:
        made.chunk(provider, model, "native")
    total = sum(amount for (name, _), amount in samples(made).items() if name == "tamis_chunks_total")
    assert total == len(pairs)


def test_the_module_functions_share_one_registry() -> None:
    metrics.dlq("not_json")
    assert b"tamis_dlq_total" in metrics.exposition()
