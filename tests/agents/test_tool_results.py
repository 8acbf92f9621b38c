"""Results that dispatchers publish: joined with their calls once, decided before they show, seen by later responses alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import CALL, response
from test_agent import Kept, make, rows_of
from test_partition import Raw, made, partition, raws, restored

from tamis.agents.partition import Partition
from tamis.core.conversation.results import format_tool_result

DAY = 24 * 3600 * 1000


def results(*values: Any, start: int = 0, **more: Any) -> list[Raw]:
    return raws(*({"v": 1, **value} for value in values), start=start, **more)


def answered(part: Partition, *values: Any, start: int = 0) -> list[Any]:
    """The messages that come of results, at once."""
    touched, dead = part.results(results(*values, start=start))
    return [*part.outboxes(touched), *dead]


def call_of(part: Partition, response_id: str = "r", start: int = 0) -> Any:
    (call,) = made(part.work(raws(*response(response_id, CALL, turn=4), start=start)), "tool-calls")
    return call


def test_a_result_becomes_the_message_that_its_call_needs() -> None:
    part = partition()
    call = call_of(part)
    out = answered(part, {"call_id": call["id"], "response_id": "r", "result": {"height": 3}})
    (message,) = made(out, "tool-messages")
    assert message["message"] == format_tool_result(call, {"height": 3})
    assert (message["for"], message["call_id"], message["format"], message["ordinal"]) == ("result", call["id"], call["format"], call["ordinal"])
    assert message["source"] == call["source"]


def test_a_refusal_becomes_a_message_too() -> None:
    out = partition().work(raws(*response("r", CALL.replace("get_tide", "get_moon"))))
    (message,) = made(out, "tool-messages")
    assert (message["for"], message["message"]["role"]) == ("rejection", "user")
    assert "get_tide" in message["message"]["content"], "it names what there is"


def test_without_a_response_the_newest_call_of_that_id_is_meant() -> None:
    part = partition()
    ids = {call_of(part, name, start)["id"] for name, start in (("r1", 0), ("r2", 50))}
    assert ids == {"lenient_4_0"}
    out = answered(part, {"call_id": "lenient_4_0", "result": "low"}, {"call_id": "lenient_4_0", "response_id": "r1", "result": "high"})
    assert [item["response_id"] for item in made(out, "tool-messages")] == ["r2", "r1"]


def test_a_call_is_answered_once() -> None:
    seen: list[tuple[Any, ...]] = []
    part = partition(observe=lambda *event: seen.append(event) if event[0] == "duplicate" else None)
    call = call_of(part)
    first = answered(part, {"call_id": call["id"], "result": "low"})
    assert len(first) == 1
    assert answered(part, {"call_id": call["id"], "result": "high"}, start=1) == []
    assert answered(part, {"call_id": call["id"], "result": "low"}) == [], "the first record read again"
    assert [event[1] for event in seen] == ["result", "replay"]
    assert answered(restored(part), {"call_id": call["id"], "result": "high"}, start=2) == [], "another worker knows it too"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"nope", "not_json"),
        (b"[]", "not_a_result"),
        (None, "no_value"),
        (b'{"v":2,"call_id":"c","result":""}', "not_a_result"),
        (b'{"v":1,"call_id":"c"}', "not_a_result"),
        (b'{"v":1,"call_id":5,"result":""}', "bad_field"),
        (b'{"v":1,"call_id":"","result":""}', "bad_field"),
        (b'{"v":1,"call_id":"c","result":"","choice":-1}', "bad_field"),
        (b'{"v":1,"call_id":"c","result":"","is_error":"no"}', "bad_field"),
    ],
)
def test_what_is_no_result_is_a_dead_letter_of_its_topic(value: bytes | None, reason: str) -> None:
    part = partition()
    touched, dead = part.results([Raw(7, b"s", value)])
    ((key, letter),) = [*part.outboxes(touched), *dead]
    headers = dict(letter.headers)
    assert (key, letter.topic, letter.value) == (b"s", "raw-stream.dlq", value)
    assert headers["tamis.reason"].decode() == reason
    assert headers["__streams.errors.topic"] == b"tool-results"


def test_a_result_too_long_for_a_record_is_a_dead_letter() -> None:
    part = partition()
    call = call_of(part)
    ((_, letter),) = answered(part, {"call_id": call["id"], "result": "x" * 1_100_000})
    assert dict(letter.headers)["tamis.reason"] == b"too_large"


def test_a_result_waits_for_a_call_that_is_read_again() -> None:
    part = partition()
    assert answered(part, {"call_id": "lenient_4_0", "result": "low"}) == []
    out = restored(part).work(raws(*response("r", CALL, turn=4)))
    (message,) = made(out, "tool-messages")
    assert message["message"]["content"].count("low") == 1
    topics = [record.topic for _, record in out]
    assert topics.index("tool-calls") < topics.index("tool-messages")


async def test_a_result_that_no_call_wants_is_a_dead_letter_in_the_end() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {}, wait=0.0)
    await engine.take_results(0, results({"call_id": "x", "result": "low"}), "event")
    waiting = [topic for topic, _ in kept.log]
    assert set(waiting) == {"log"}
    await engine.sweep()
    topics = [topic for topic, _ in kept.log]
    assert topics.index("raw-stream.dlq") > topics.index("log", len(waiting)), "the decision is written first"
    (letter,) = [value for topic, value in kept.log if topic == "raw-stream.dlq"]
    assert json.loads(letter)["result"] == "low"
    assert engine.partitions[0].sessions[b"s"].conversation.memory.waiting == []


async def test_the_join_is_written_before_it_shows_and_another_worker_publishes_the_same() -> None:
    kept = Kept()
    engine, acknowledged, _ = make(kept, {})
    await engine.take(0, raws(*response("r", CALL, turn=4)), "raw")
    await engine.take_results(0, results({"call_id": "lenient_4_0", "result": "low"}), "results")
    await engine.sweep()
    topics = [topic for topic, _ in kept.log]
    shown = topics.index("tool-messages")
    assert "log" in topics[:shown]
    assert set(acknowledged) == {"raw", "results"}
    before = Kept()
    before.log = kept.log[:shown]  # killed between the decision and the message
    after = Kept()
    again, _, _ = make(after, rows_of(before))
    await again.sweep([0])
    assert [value for topic, value in after.log if topic == "tool-messages"] == [kept.log[shown][1]]


def test_later_responses_see_results_and_earlier_ones_do_not_whoever_reads_them() -> None:
    part = partition()
    call = call_of(part)
    part.work(raws(*response("open", "Thinking", end=False), start=50))
    answered(part, {"call_id": call["id"], "result": "low"})
    part.work(raws(*response("later", "Thinking", end=False), start=100))
    for found in (part, restored(part)):
        told = {name: item.history for name, item in found.sessions[b"s"].responses.items()}
        assert told["open"] == []
        assert [message["content"] for message in told["later"]] == ["low"]
    # a worker that has the result but must read the chunks again
    late = partition()
    late.sessions[b"s"] = late.shelf.new(b"s", "s")
    late.sessions[b"s"].conversation.memory = part.sessions[b"s"].conversation.memory
    late.work([*raws(*response("open", "Thinking", end=False), start=50), *raws(*response("later", "Thinking", end=False), start=100)])
    assert [len(item.history) for item in late.sessions[b"s"].responses.values()] == [0, 1]


def test_what_the_start_tells_wins_over_the_same_result() -> None:
    part = partition()
    call = call_of(part)
    answered(part, {"call_id": call["id"], "result": "low"})
    told = [{"role": "tool", "tool_call_id": call["id"], "name": "get_tide", "content": "edited"}]
    part.work(raws(*response("later", "a", end=False, history=told), start=100))
    assert [message["content"] for message in part.sessions[b"s"].responses["later"].history] == ["edited"]


def test_a_history_is_bounded_and_trimmed_behind_what_a_replay_can_ask_for() -> None:
    memory = partition().shelf.new(b"s", "s").conversation.memory
    for number in range(200):
        memory.see({"role": "tool", "content": str(number)}, number)
    assert [message["content"] for message in memory.history(60)] == [str(number) for number in range(10, 60)]
    memory.trim(durable=99)
    assert [item.at for item in memory.results] == list(range(50, 200))
    assert len(memory.history(100)) == 50
    memory.see({"role": "tool", "content": "x" * 70_000}, 200)
    assert memory.history(201) == [], "one that is too long for a history hides those before it"


def test_a_session_ends_a_day_after_its_last_record() -> None:
    part = partition()
    call = call_of(part)
    fabricated = '<function_results>{"ok": true}</function_results>'
    part.work(raws(*response("h", CALL + fabricated), start=50))
    assert part.sessions[b"s"].fabrications.detections == 1
    late = results({"call_id": call["id"], "result": "low"})
    late[0].timestamp += DAY + 1
    part.results(late)
    assert part.sessions[b"s"].conversation.memory.waiting, "a call is joinable for a day"
    again = raws(*response("n", CALL + fabricated), start=100)
    for record in again:
        record.timestamp += DAY + 1
    (told,) = made(part.work(again), "hallucinations")
    assert (told["session_count"], told["action"]) == (1, "directive")


def test_directives_are_two_a_session_and_a_second_result_advises_another_provider() -> None:
    part = partition()
    one = CALL + '<function_results>{"ok": true}</function_results>\n'
    told = []
    for number in range(4):
        part = restored(part)
        told += made(part.work(raws(*response(f"r{number}", one * 2), start=number * 200)), "hallucinations")
    assert [item["action"] for item in told] == ["directive", "switch_provider"] * 2 + ["suppress", "switch_provider"] * 2
    assert [item["directive"] is not None for item in told] == [True, False, True, False] + [False] * 4
    assert [item["session_count"] for item in told] == list(range(1, 9))


