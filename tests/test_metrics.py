"""Metrics: the exposition parses whatever a model or producer writes, and labels stay bounded."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from golden.scraper import missing
from tamis import metrics
from tamis.core.events import Cause, Content, Diagnosis, End, HallucinatedResult, Rejection, Repair, ToolCall, TurnEnd
from tamis.metrics import METRICS, Metrics, registry
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


def test_models_that_the_operator_names_keep_their_label() -> None:
    made = Metrics(models=["late-comer"])
    for number in range(MAX_MODELS + 5):
        made.chunk("vllm", f"model-{number}", "native")
    made.chunk("vllm", "late-comer", "native", 3)
    assert value(made, "tamis_chunks_total", provider="vllm", model="late-comer", wire="native") == 3


def test_the_whole_exposition_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MAX_SERIES", 300)
    made = Metrics(models=[f"model-{number}" for number in range(400)])
    for number in range(400):
        made.chunk("vllm", f"model-{number}", "native")
    found = samples(made)
    assert len([name for name, _ in found if name == "tamis_chunks_total"]) < 300
    assert sum(amount for (name, _), amount in found.items() if name == "tamis_chunks_total") == 400, "nothing is lost"
    assert value(made, "tamis_label_overflow_total", label="series") > 0


def test_a_name_that_is_not_in_the_table_is_our_bug() -> None:
    with pytest.raises(KeyError):
        Metrics().count("tamis_nothing_total")
    with pytest.raises(ValueError, match="argument"):
        Metrics().count("tamis_dlq_total")


def test_a_dropped_series_is_gone_and_may_come_back() -> None:
    made = Metrics()
    made.level("tamis_consumer_lag_records", "raw-stream", "3", value=7)
    made.drop("tamis_consumer_lag_records", "raw-stream", "3")
    made.drop("tamis_consumer_lag_records", "raw-stream", "4")
    assert b'partition="3"' not in made.exposition()
    made.level("tamis_consumer_lag_records", "raw-stream", "3", value=2)
    assert value(made, "tamis_consumer_lag_records", topic="raw-stream", partition="3") == 2


def test_what_alerts_watch_is_there_at_zero() -> None:
    made = Metrics()
    made.prepare(["vllm"], ["not_json"])
    found = samples(made)
    assert found["tamis_dlq_total", frozenset({("reason", "not_json")})] == 0
    causes = {dict(labels)["cause"] for name, labels in found if name == "tamis_rejections_total"}
    assert causes == {cause.value for cause in Cause}


TURN = TurnEnd(End.FINISHED, "tool_use", Diagnosis.RECOVERED, ("c",), 0, 0, 0, 0, 0, 0, 0, {"kimi_special": 2, "glm_xml": 1})


def test_a_turn_counts_its_formats_and_times() -> None:
    made = Metrics()
    made.observe(TURN, "vllm", "m")
    made.turn(TURN, "vllm", "m", "glm_xml", 2.5, 0.3, 0.002)
    made.turn(TURN, "vllm", "m", None, None, 0.0, 0.0)
    both = {"provider": "vllm", "model": "m"}
    assert value(made, "tamis_finish_reasons_total", provider="vllm", reason="tool_calls") == 1
    for name, declared in (("glm_xml", "match"), ("kimi_special", "mismatch"), ("glm_xml", "none")):
        assert value(made, "tamis_format_detections_total", **both, format=name, declared=declared) == 1
    assert value(made, "tamis_turn_seconds_sum", **both) == 2.5
    assert value(made, "tamis_turn_seconds_count", **both) == 1, "a response whose begin was not seen has no length"
    assert value(made, "tamis_recovery_seconds_count", provider="vllm", format="kimi_special") == 2


def test_names_and_schemas_of_calls() -> None:
    made = Metrics()
    for repairs in ((), (Repair("name_prefix"),), (Repair("text_to_number", "$.days", "3", 3),), (Repair("schema_violation", "$.days"),)):
        made.observe(call(repairs=repairs), "vllm", "m")
    made.observe(call(gated=False), "vllm", "m")
    for cause in (Cause.UNKNOWN_TOOL, Cause.AMBIGUOUS_TOOL, Cause.SCHEMA_VIOLATION, Cause.SEQUENCE_GAP):
        made.observe(Rejection(cause, None, "", (), "", True, None, "", 0, 0), "vllm", "m")
    matches = {match: value(made, "tamis_name_matches_total", provider="vllm", match=match) for match in ("exact", "prefix", "unknown", "ambiguous")}
    assert matches == {"exact": 3, "prefix": 1, "unknown": 1, "ambiguous": 1}
    results = ("valid", "coerced", "flagged", "invalid", "no_schema")
    checks = {result: value(made, "tamis_schema_checks_total", provider="vllm", model="m", result=result) for result in results}
    assert checks == {"valid": 2, "coerced": 1, "flagged": 1, "invalid": 1, "no_schema": 1}
    assert value(made, "tamis_repairs_total", provider="vllm", format="kimi_special", repair="text_to_number") == 1
    assert value(made, "tamis_sequence_gaps_total", provider="vllm") == 1


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 2}}, (5, 7, 2)),
        ({"input_tokens": 5, "output_tokens": 7}, (5, 7, 0)),
        ({"promptTokenCount": 5, "candidatesTokenCount": 7, "thoughtsTokenCount": 1}, (5, 7, 1)),
        ({"prompt_tokens": -1, "completion_tokens": True, "output_tokens": 10**12, "reasoning_tokens": "9"}, (0, 0, 0)),
        ({"completion_tokens_details": [1]}, (0, 0, 0)),
    ],
)
def test_tokens_of_any_provider(usage: dict[str, object], wanted: tuple[int, int, int]) -> None:
    made = Metrics()
    made.usage("vllm", "m", usage)
    assert tuple(value(made, "tamis_tokens_total", provider="vllm", model="m", type=kind) for kind in ("input", "output", "reasoning")) == wanted


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("hostile", [False, True])
def test_promtool_finds_nothing_to_say(hostile: bool) -> None:
    made = Metrics()
    made.prepare(["vllm"], ["not_json"])
    for row in METRICS:
        values = [name if not hostile else HOSTILE[at] for at, name in enumerate(row.labels)]
        if row.kind == "counter":
            made.count(row.name, *values)
        else:
            (made.level if row.kind == "gauge" else made.record)(row.name, *values, value=1)
    done = subprocess.run(["promtool", "check", "metrics"], input=made.exposition(), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_module_functions_share_one_registry() -> None:
    metrics.dlq("not_json")
    assert b"tamis_dlq_total" in metrics.exposition()
