"""Code and schemas say the same, both ways: the topics, the examples, the enums, and every record that the corpus produces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import orjson
import pytest
import yaml

from helpers import ROOT, corpus, load_json
from tamis.core import Cause, Content, Diagnosis, End, FormatCandidate, HallucinatedResult, Reasoning, Rejection, Repair, Session, ToolCall, TurnEnd
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError
from tamis.wire.messages import published, refusal_record, result_record
from tamis.wire.records import About, Record, content_record, event_record
from tamis.wire.results import ToolResult
from tamis.wire.schemas import problems, schema
from tamis.wire.topics import CHANGELOG, Topic, topic_specs

SCHEMAS = ROOT / "schemas"
ENTRIES: dict[str, dict[str, Any]] = yaml.safe_load((SCHEMAS / "topics.yaml").read_text("utf-8"))["topics"]
EXAMPLES = sorted(SCHEMAS.glob("examples/*/*/*/*.json"))
OUTPUTS = [topic for topic in Topic if ENTRIES[topic]["direction"] == "out" and topic is not Topic.DLQ]
COMMON = {"session_id", "response_id", "choice", "turn", "content_offset", "provider", "model", "catalog", "time_ms", "parser", "source"}


# -- topics.yaml


def test_topics_are_the_enum_and_the_changelog() -> None:
    assert set(ENTRIES) == {str(topic) for topic in Topic} | {CHANGELOG}
    assert set(topic_specs()) == set(ENTRIES)
    assert len(Topic) == 11


def test_every_entry_says_everything() -> None:
    keys = {"description", "direction", "partitions", "cleanup", "retention_ms", "timestamp_type", "max_message_bytes", "key", "ce_type", "schema",
            "producers", "consumers", "config"}  # fmt: skip
    for name, entry in ENTRIES.items():
        assert set(entry) == keys, name
        assert entry["direction"] in ("in", "out", "internal"), name
        assert entry["partitions"] == "session" or (name, entry["partitions"]) == (Topic.TOOL_CATALOG, 1)
        assert entry["timestamp_type"] in ("CreateTime", "LogAppendTime"), name
        assert (entry["cleanup"], entry["retention_ms"]) == ("compact", None) or (entry["cleanup"] == "delete" and entry["retention_ms"] > 0), name
        assert entry["producers"], name
        assert entry["consumers"], name
        assert entry["max_message_bytes"] >= 1024 * 1024 + 64 * 1024, name  # records of 1 MiB, and head-room


def test_only_the_dead_letter_topic_has_a_dot() -> None:
    assert [name for name in ENTRIES if "." in name] == [str(Topic.DLQ)]


def test_the_largest_input_fits_into_the_dead_letter_topic() -> None:
    assert ENTRIES[Topic.DLQ]["max_message_bytes"] >= ENTRIES[Topic.RAW_STREAM]["max_message_bytes"] + 4096


def test_ce_types_are_one_per_topic() -> None:
    types = [entry["ce_type"] for name, entry in ENTRIES.items() if name != CHANGELOG]
    assert len(set(types)) == len(types)
    assert all(re.fullmatch(r"io\.tamis\.[a-z_]+\.v1", item) for item in types)
    assert ENTRIES[CHANGELOG]["ce_type"] is None


# -- schemas and examples


def test_every_schema_is_used_and_there() -> None:
    assert {path.name for path in SCHEMAS.glob("*.schema.json")} == {entry["schema"] for entry in ENTRIES.values() if entry["schema"]}
    for topic in Topic:
        assert ENTRIES[topic]["schema"] == f"{topic}.v1.schema.json"


@pytest.mark.parametrize("topic", list(Topic))
def test_schema_is_draft_2020_12_and_describes_itself(topic: Topic) -> None:
    from jsonschema import Draft202012Validator

    made = schema(topic)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["title"]
    assert made["description"]
    Draft202012Validator.check_schema(made)
    assert '"$ref": "http' not in (SCHEMAS / f"{topic}.v1.schema.json").read_text("utf-8")


@pytest.mark.parametrize("topic", OUTPUTS)
def test_outputs_are_strict_and_carry_the_common_fields(topic: Topic) -> None:
    made = schema(topic)
    assert made["additionalProperties"] is False
    assert set(made["properties"]) >= COMMON | ({"offset"} if topic is Topic.CONTENT else {"ordinal"})
    assert set(made["required"]) >= COMMON
    assert all("description" in item for item in made["properties"].values())


def test_no_orphan_example_and_both_kinds_for_every_topic() -> None:
    assert {path.parts[len(SCHEMAS.parts) + 1] for path in EXAMPLES} == {str(topic) for topic in Topic}
    for topic in Topic:
        for kind in ("valid", "invalid"):
            assert list((SCHEMAS / "examples" / topic / "1" / kind).glob("*.json")), (topic, kind)
    everything = [path for path in (SCHEMAS / "examples").rglob("*") if path.is_file()]
    assert sorted(everything) == EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: "/".join(path.parts[-4:]))
def test_example(path: Any) -> None:
    found = problems(path.parts[-4], load_json(path))
    assert (found == []) is (path.parts[-2] == "valid"), found


def test_an_independent_validator_agrees_on_the_examples() -> None:
    from jsonschema import Draft202012Validator

    for path in EXAMPLES:
        assert Draft202012Validator(schema(path.parts[-4])).is_valid(load_json(path)) is (path.parts[-2] == "valid"), path


# -- enums and fields


ENUMS = [(Topic.REJECTIONS, "cause", Cause), (Topic.TURNS, "end", End), (Topic.TURNS, "diagnosis", Diagnosis)]


@pytest.mark.parametrize(("topic", "key", "enum"), ENUMS)
def test_enums_are_the_same(topic: Topic, key: str, enum: Any) -> None:
    assert schema(topic)["properties"][key]["enum"] == [str(item) for item in enum]


@pytest.mark.parametrize(
    ("topic", "event", "renamed", "only_here"),
    [
        (Topic.TOOL_CALLS, ToolCall, {}, set()),
        (Topic.REJECTIONS, Rejection, {"name": "emitted_name"}, {"error"}),
        (Topic.HALLUCINATIONS, HallucinatedResult, {}, {"session_count", "action", "directive", "format"}),
        (Topic.TURNS, TurnEnd, {}, {"chunks", "usage"}),
        (Topic.FORMAT_CANDIDATES, FormatCandidate, {}, set()),
    ],
)
def test_fields_of_an_event_are_the_properties(topic: Topic, event: Any, renamed: dict[str, str], only_here: set[str]) -> None:
    names = {renamed.get(item.name, item.name) for item in fields(event)}
    assert set(schema(topic)["properties"]) == names | only_here | COMMON
    assert set(schema(topic)["required"]) >= names | COMMON


def test_fields_of_a_repair_are_the_properties() -> None:
    made = schema(Topic.TOOL_CALLS)["properties"]["repairs"]["items"]
    assert made["required"] == [item.name for item in fields(Repair)]


# -- what the code makes


def about() -> About:
    return About("s-1", "r-1", 0, 4, "vllm", None, None, partition=3, first_offset=7, last_offset=9, time_ms=1796068688412)


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.dialect}:{case.id}") for case in corpus()])
def test_every_record_of_the_corpus_is_valid(case: Any) -> None:
    session = Session(list(case.tools))
    events = [*session.receive(case.text), *session.finish(case.finish_reason)]
    for event in events:
        for record in records(event):
            assert record.value is not None
            value = orjson.loads(record.value)
            assert problems(record.topic, value) == [], value
            headers = dict(record.headers)
            assert headers["ce_type"].decode() == ENTRIES[record.topic]["ce_type"]
            assert {"ce_specversion", "ce_id", "ce_source", "ce_subject", "ce_time", "content-type"} <= set(headers)


def records(event: Any) -> Iterator[Record]:
    """All that comes of an event, now or when its result is there."""
    if isinstance(event, Content | Reasoning):
        yield content_record(about(), "content" if isinstance(event, Content) else "reasoning", 0, event.text, event.content_offset)
        return
    yield event_record(event, about(), chunks=1, usage={"output_tokens": 1})
    if isinstance(event, Rejection):
        yield refusal_record(event, about())
    if isinstance(event, ToolCall):
        yield result_record(published(event, about()), ToolResult(event.id, {"height": 3}), "s-1", 3, 1796068688500, "/tamis")


def test_dead_letter_headers_are_valid() -> None:
    headers = {name: value.decode() for name, value in dlq_headers("raw-stream", 3, 7, FrameError("not_json", "the value is no JSON"))}
    assert problems(Topic.DLQ, headers) == []
