"""Which response a record belongs to, and what may never happen to it: calls past no gate, across a hole, or a worker that falls over."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from harness import CALL, TOOLS, response
from test_partition import Raw, made, partition, raws, restored

from tamis.agents.sessions import REMEMBERED, SessionState


def chunk(response_id: str, *choices: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": response_id, "object": "chat.completion.chunk", "choices": list(choices), **more}


def said(index: int, text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"index": index, "delta": {} if text is None else {"content": text}, "finish_reason": finish}


START = {"v": 1, "kind": "start", "response_id": "c", "tools": TOOLS, "provider": "openai"}


@pytest.mark.parametrize("moved", [False, True])
def test_a_choice_that_begins_when_another_has_ended_is_gated(moved: bool) -> None:
    part = partition()
    part.work(raws(START, chunk("c", said(0, "hi", "stop"))))
    if moved:
        part = restored(part)
    out = part.work(raws(chunk("c", said(1, CALL, "stop")), chunk("c", said(0, "late")), start=2))
    (call,) = made(out, "tool-calls")
    assert (call["choice"], call["gated"], call["provider"]) == (1, True, "openai")
    assert [turn["choice"] for turn in made(out, "turns")] == [1]


def test_choices_of_one_chunk_end_and_begin_together() -> None:
    out = partition().work(raws(START, chunk("c", said(0, "a", "stop"), said(1, CALL)), chunk("c", said(1, None, "stop"))))
    assert [turn["choice"] for turn in made(out, "turns")] == [0, 1]
    assert [call["gated"] for call in made(out, "tool-calls")] == [True]


def test_behind_a_start_that_could_not_be_used_there_is_no_call_past_no_gate() -> None:
    bad = {**START, "tools": [{"name": 1}]}
    out = partition().work(raws(bad, chunk("c", said(0, CALL, "stop"))))
    assert made(out, "tool-calls") == []
    assert [turn["end"] for turn in made(out, "turns")] == ["incomplete"]


@pytest.mark.parametrize(
    ("choice", "cause", "diagnosis"),
    [
        ("none", ["calls_not_allowed"], "rejected"),
        ({"type": "none"}, ["calls_not_allowed"], "rejected"),
        ({"type": "function", "function": {"name": "get_tide"}}, [], "recovered"),
        ("required", [], "recovered"),
    ],
)
def test_what_the_host_asked_for_comes_with_the_start(choice: object, cause: list[str], diagnosis: str) -> None:
    out = partition().work(raws({**START, "tool_choice": choice}, chunk("c", said(0, CALL, "stop"))))
    assert [item["cause"] for item in made(out, "rejections")] == cause
    assert [item["diagnosis"] for item in made(out, "turns")] == [diagnosis]


def test_a_choice_of_a_tool_that_nobody_declared_is_a_producers_fault() -> None:
    out = partition().work(raws({**START, "tool_choice": "sink_ship"}))
    assert [dict(record.headers)["tamis.reason"] for _, record in out if record.topic == "raw-stream.dlq"] == [b"bad_tools"]


def test_a_record_may_lower_the_limits_but_not_raise_them() -> None:
    def end(limit: int) -> str:
        part = partition(limits={"text": 500, "call": 400, "calls": 9, "nesting": 9, "name": 64, "raw": 64})
        start = {**START, "policy": {"limits": {"text": limit}}}
        out = part.work(raws(start, chunk("c", said(0, "word " * 60)), chunk("c", said(0, "word " * 60, "stop"))))
        return str(made(out, "turns")[0]["end"])

    assert (end(10**9), end(100)) == ("limit", "limit")


def test_a_record_without_response_id_is_one_response_whatever_it_holds() -> None:
    out = partition().work(raws({"v": 1, "kind": "delta", "reasoning": "think", "text": "hello"}, {"v": 1, "kind": "end"}))
    (turn,) = made(out, "turns")
    assert (turn["reasoning_chars"], turn["content_chars"]) == (5, 5)


def test_a_record_sent_twice_is_dropped_whole() -> None:
    first = {"index": 0, "function": {"name": "f", "arguments": "{"}}
    both = {"v": 1, "kind": "delta", "response_id": "r", "seq": 0, "text": "b", "tool_calls": [first]}
    rest = {"v": 1, "kind": "delta", "response_id": "r", "seq": 1, "tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}
    out = partition().work(raws(both, both, rest, {"v": 1, "kind": "end", "response_id": "r", "seq": 2}))
    assert [call["arguments"] for call in made(out, "tool-calls")] == [{}]
    assert made(out, "turns")[0]["content_chars"] == 1


@pytest.mark.parametrize(("kind", "end"), [("abort", "aborted"), ("end", "finished")])
def test_a_response_that_only_began_ends_too(kind: str, end: str) -> None:
    part = partition()
    out = part.work(raws(START, {"v": 1, "kind": kind, "response_id": "c"}))
    assert [turn["end"] for turn in made(out, "turns")] == [end]
    assert not part.sessions[b"s"].responses


def test_an_error_before_the_first_chunk_is_a_failed_response() -> None:
    part = partition()
    out = part.work(raws({"error": {"type": "overloaded"}, "id": "c"}))
    assert [item["cause"] for item in made(out, "rejections")] == ["upstream_error"]
    assert [turn["end"] for turn in made(out, "turns")] == ["error"]
    assert not part.sessions[b"s"].responses


def test_usage_and_notes_of_the_provider_open_nothing() -> None:
    part = partition()
    assert part.work(raws(chunk("", prompt_filter_results=[]), chunk("c", usage={"total_tokens": 3}), {"v": 1, "kind": "abort"})) == []
    assert not part.sessions[b"s"].responses


def test_the_last_ended_responses_are_remembered_also_behind_a_restart() -> None:
    part = partition()
    for number in range(REMEMBERED + 1):
        part.work(raws(*response(f"r{number}", "a"), start=number * 10))
    part = restored(part)
    late = [{"v": 1, "kind": "delta", "response_id": f"r{number}", "text": "late"} for number in (1, REMEMBERED)]
    assert part.work(raws(*late, start=1000)) == []
    assert part.work(raws({**late[0], "response_id": "r0"}, start=1010)) != [], "the one before them is forgotten"
    aged = Raw(2000, b"s", json.dumps(late[0]).encode(), timestamp=1_700_000_000_000 + 11 * 60 * 1000)
    assert part.work([aged]) != [], "and after ten minutes every one"


@pytest.mark.parametrize(
    "value",
    [
        b'{"v": 1, "kind": "delta", "response_id": [1], "text": "y"}',
        b'{"v": 1, "kind": "delta", "response_id": {}, "text": "y"}',
        b'{"v": 2, "kind": "delta", "response_id": "r", "text": "y"}',
        b'{"v": 1, "kind": "delta", "response_id": "r", "text": "y", "choice": 99999999}',
        b'{"v": 1, "kind": "delta", "response_id": "r", "tool_calls": ["x"]}',
        b'{"choices": [{"delta": {"tool_calls": ["x"]}}], "id": "r"}',
        b"\x00\x00\x00\x00\x07",
        b"[" * 5000,
        b"9" * 5000,
    ],
)
def test_no_record_makes_the_worker_fall_over(value: bytes) -> None:
    part = partition()
    out = part.work([*raws(*response("r", CALL, end=False)), Raw(90, b"s", value)])
    assert "raw-stream.dlq" in [record.topic for _, record in out]
    assert [turn["end"] for turn in made(out, "turns")] == ["incomplete"]


@pytest.mark.parametrize("time_ms", [2**60, -1, -(2**60)])
def test_any_time_of_a_producer_is_taken(time_ms: int) -> None:
    records = raws(*response("r", CALL))
    for record in records:
        record.timestamp = time_ms
    assert made(partition().work(records), "turns")[0]["end"] == "finished"


def test_a_fault_in_the_parser_ends_one_response_and_its_words_reach_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        raise ValueError("secret words of a model")

    part = partition()
    part.work(raws(*response("r", "abc", end=False)))
    monkeypatch.setattr(SessionState, "text", fails)
    monkeypatch.setattr("tamis.core.session.Session.close", fails)
    poison = {"v": 1, "kind": "delta", "response_id": "r", "seq": 1, "text": "x"}
    out = part.work(raws(poison, *response("q", CALL), start=50))
    reasons = [dict(record.headers)["tamis.reason"] for _, record in out if record.topic == "raw-stream.dlq"]
    assert b"poison" in reasons
    assert "secret" not in caplog.text


def test_huge_names_and_ids_stay_out_of_the_records() -> None:
    out = partition().work(raws(*response("r", CALL, model="m" * 1_000_000)))
    assert max(len(record.value or b"") for _, record in out) < 10_000
    out = partition().work(raws({"v": 1, "kind": "delta", "response_id": "r" * 100_000, "text": "x"}))
    assert [record.topic for _, record in out] == ["raw-stream.dlq"]


def test_equal_text_never_shares_an_id_and_a_second_reading_makes_the_same_ones() -> None:
    def ids() -> list[str]:
        found = []
        for key, name in ((b"a", "r"), (b"b", "r"), (b"a", "q")):
            choices = [{"v": 1, "kind": "delta", "response_id": name, "choice": index, "text": CALL} for index in (0, 1)]
            records = raws({**START, "response_id": name}, *choices, {"v": 1, "kind": "end", "response_id": name}, key=key)
            found += [dict(record.headers)["ce_id"].decode() for _, record in partition().work(records)]
        return found

    first = ids()
    assert len(set(first)) == len(first) >= 12
    assert ids() == first


def test_an_unknown_opener_goes_to_its_own_topic_and_nothing_else_changes() -> None:
    text = 'Sure.<new_call>{"name": "get_tide", "arguments": {"port": "secret"}}</new_call>'
    out = partition().work(raws(START, chunk("c", said(0, text, "stop"))))
    (candidate,) = made(out, "format-candidates")
    assert (candidate["shape"], candidate["content_offset"]) == ('<new_call>{"":"","":{"":""}}</new_call>', 5)
    assert [turn["diagnosis"] for turn in made(out, "turns")] == ["prose_only"]
    assert "".join(item["text"] for item in made(out, "content")) == text


def test_a_start_may_choose_the_dialects() -> None:
    start = {**START, "policy": {"dialects": {"deny": ["xml_sentinel"]}}}
    out = partition().work(raws(start, chunk("c", said(0, CALL, "stop"))))
    assert made(out, "tool-calls") == []
    wrong = partition().work(raws({**START, "policy": {"dialects": ["reakt"]}}))
    assert [record.topic for _, record in wrong if record.topic == "raw-stream.dlq"] == ["raw-stream.dlq"]


def test_the_history_of_a_start_reaches_the_rules_and_survives_a_restart() -> None:
    tool = {"name": "mount", "parameters": {"type": "object", "properties": {"disk_id": {"type": "integer"}}, "required": ["disk_id"]}}
    rows = {"role": "tool", "tool_call_id": "c", "name": "disk_list", "content": '[{"id": 3, "name": "Main"}]', "more": "x" * 100_000}
    start = {**START, "tools": [tool], "policy": {"coercion_rules": {"mount": ["name_to_id"]}}, "history": [rows, "no message"]}
    text = '<tool_call>{"name": "mount", "arguments": {"disk_id": "main"}}</tool_call>'
    for restart in (False, True):
        part = partition()
        part.work(raws(start, chunk("c", said(0, text[:25]))))
        if restart:
            part = restored(part)
        out = part.work(raws(chunk("c", said(0, text[25:], "stop")), start=2))
        assert [call["arguments"] for call in made(out, "tool-calls")] == [{"disk_id": 3}]


def test_a_rewritten_name_is_logged_without_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    tools = [{"name": "get_wind", "parameters": {"type": "object", "properties": {"place": {"type": "string"}}}}]
    text = '<tool_call>{"name": "wind_get", "arguments": {"place": "secret cove"}}</tool_call>'
    with caplog.at_level(logging.INFO, "tamis.agents.sessions"):
        out = partition().work(raws({**START, "tools": tools}, chunk("c", said(0, text, "stop"))))
    assert [call["name"] for call in made(out, "tool-calls")] == ["get_wind"]
    assert [record.getMessage() for record in caplog.records] == ["name 'wind_get' was read as the tool 'get_wind' (name_order)"]
