"""Events to records: bytes, headers and ids that a second reading makes again, and sizes that a broker takes."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.core.events import Cause, Rejection, Repair, ToolCall
from tamis.wire.codec import dumps, loads
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError, Reason
from tamis.wire.records import About, Record, content_record, event_record
from tamis.wire.schemas import problems
from tamis.wire.topics import CHANGELOG, Topic, topic_specs

ABOUT = About("s", "r", 0, 4, "vllm", "kimi", None, 3, 10, 17, 1_700_000_000_123, b"00-1-2-01")
CALL = ToolCall("lenient_4_0", 0, "f", {"a": 1}, "kimi_special", "f", (Repair("quote", "$.a", 1, 2),), True, False, 2, 5)


def ce(record: Record) -> str:
    return dict(record.headers)["ce_id"].decode()


def test_a_call_as_the_contract_shows_it() -> None:
    record = event_record(CALL, ABOUT)
    value = json.loads(record.value)
    assert problems(record.topic, value) == []
    assert (value["source"], value["time_ms"], value["ordinal"]) == ({"partition": 3, "first_offset": 10, "last_offset": 17}, 1_700_000_000_123, 2)
    headers = dict(record.headers)
    assert headers["ce_time"] == b"2023-11-14T22:13:20.123Z"
    assert (headers["ce_type"], headers["ce_subject"], headers["traceparent"]) == (b"io.tamis.tool_call.v1", b"s", b"00-1-2-01")
    assert (headers["format"], headers["provider"], headers["model"]) == (b"kimi_special", b"vllm", b"kimi")
    assert event_record(CALL, ABOUT) == record


@pytest.mark.parametrize("change", [{"session_id": "t"}, {"response_id": "q"}, {"choice": 1}])
def test_ids_differ_by_session_response_and_choice_and_by_nothing_else(change: dict[str, Any]) -> None:
    assert ce(event_record(CALL, dataclasses.replace(ABOUT, **change))) != ce(event_record(CALL, ABOUT))
    assert ce(event_record(CALL, dataclasses.replace(ABOUT, time_ms=5, last_offset=99, model="x"))) == ce(event_record(CALL, ABOUT))


def test_ids_of_text_cover_kind_place_and_length() -> None:
    places = (("content", 0, "ab"), ("content", 0, "abc"), ("content", 2, "ab"), ("reasoning", 0, "ab"))
    assert len({ce(content_record(ABOUT, *place, 0)) for place in places}) == 4


def test_a_call_near_the_limit_loses_what_its_repairs_repeat() -> None:
    big = "\x01" * 100_000
    slim = event_record(dataclasses.replace(CALL, arguments={"a": big}, repairs=(Repair("x", "$", big, big),)), ABOUT)
    assert (slim.topic, len(slim.value) < 1024 * 1024) == (Topic.TOOL_CALLS, True)
    assert [item["rule"] for item in json.loads(slim.value)["repairs"]] == ["x"]
    assert problems(Topic.TOOL_CALLS, json.loads(slim.value)) == []


def test_a_refusal_with_endless_names_is_cut() -> None:
    names = tuple(f"tool_{number}_" + "x" * 100 for number in range(20_000))
    record = event_record(Rejection(Cause.UNKNOWN_TOOL, "f", "", (), "words", True, None, "raw", 0, 0, names), ABOUT)
    assert len(record.value) < 1024 * 1024
    assert problems(record.topic, json.loads(record.value)) == []


def test_dead_letters_say_where_and_why_and_nothing_more() -> None:
    headers = dict(dlq_headers("raw-stream", 2, 7, FrameError(Reason.NOT_JSON, "the value is no JSON")))
    assert headers["__streams.errors.partition"] == b"2"
    assert headers["__streams.errors.offset"] == b"7"
    assert headers["tamis.reason"] == b"not_json"


_LEAF = st.none() | st.booleans() | st.integers() | st.text()


@given(st.recursive(_LEAF, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=9))
def test_json_survives_both_ways(value: Any) -> None:
    assert loads(dumps(value)) == value
    assert dumps(value) == dumps(loads(dumps(value)))


def test_half_characters_are_joined_or_replaced() -> None:
    assert dumps("\ud83d\ude00 \ud83d") == '"\U0001f600 \ufffd"'.encode()


def test_the_topics_are_those_of_the_contract() -> None:
    specs = topic_specs()
    assert set(specs) == {*Topic, CHANGELOG}
    assert {name for name, spec in specs.items() if spec.count(12) == 1} == {Topic.TOOL_CATALOG}
    assert specs[CHANGELOG].config["cleanup.policy"] == "compact"
    assert "retention.ms" not in specs[CHANGELOG].config
