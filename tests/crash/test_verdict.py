"""The suite's own judge: it must see what is missing, wrong, unexpected or doubled, and nothing where all is well."""

from __future__ import annotations

import dataclasses
import json
from functools import cache

import pytest

from crash.faults import STOPS, faults
from crash.oracle import Identity, Logged, Place, Reading, expected
from crash.traffic import PARTITIONS, Plan, answer_to, partition_of, plan
from crash.verdict import Verdict, judge


def logs(made: Plan) -> dict[str, list[Logged]]:
    """The plan as it would lie in the topics."""
    found: dict[str, list[Logged]] = {"raw-stream": [], "tool-catalog": [], "tool-results": []}
    for number, chunk in enumerate(made.chunks):
        partition = partition_of(chunk.key) if chunk.topic == "raw-stream" else 0
        at = sum(item.partition == partition for item in found[chunk.topic])
        found[chunk.topic].append(Logged(chunk.topic, partition, at, 1_700_000_000_000 + number, chunk.key, chunk.value))
    return found


def output(record_topic: str, value: bytes, headers: object = (), offset: int = 0) -> Logged:
    return Logged(record_topic, 0, offset, 0, "k", value, tuple(headers))  # type: ignore[arg-type]


def perfect(readings: dict[Place, list[Reading]], broken: set[tuple[int, int]], choose: int = 0) -> list[Logged]:
    """What a faultless worker writes: the first reading of everything, or another one."""
    made = []
    for (session, response), options in readings.items():
        reading = options[choose % len(options)]
        made += [output(topic, record.value or b"", record.headers) for (topic, _), record in reading.records.items()]
        for (choice, kind), text in reading.texts.items():
            for at in range(0, len(text), 50):
                value = {"kind": kind, "offset": at, "text": text[at : at + 50], "session_id": session, "response_id": response, "choice": choice}
                made.append(output("content", json.dumps(value).encode(), [("ce_id", f"{session}{response}{choice}{kind}{at}".encode())]))
    for partition, offset in broken:
        place = [("topic", b"raw-stream"), ("partition", str(partition).encode()), ("offset", str(offset).encode())]
        made.append(output("raw-stream.dlq", b"?", [(f"__streams.errors.{name}", value) for name, value in place]))
    return made


def setting() -> tuple[dict[Place, list[Reading]], set[tuple[int, int]], list[Logged]]:
    readings, broken, outputs = _setting(5)
    return readings, broken, list(outputs)


@cache
def _setting(seed: int) -> tuple[dict[Place, list[Reading]], set[tuple[int, int]], list[Logged]]:
    found = logs(plan(seed, 16, {"corpus": 4, "catalog": 3, "remember": 3, "prose": 1, "broken": 1}))
    readings, _ = expected(found["raw-stream"], [], found["tool-catalog"])
    # the dispatcher's answers, in the order in which it would give them
    for options in readings.values():
        for (topic, _), record in options[0].records.items():
            call = json.loads(record.value or b"")
            for body in answer_to(call, seed) if topic == "tool-calls" else ():
                at = len(found["tool-results"])
                found["tool-results"].append(Logged("tool-results", 0, at, 1_700_000_100_000, call["session_id"], json.dumps(body).encode()))
    readings, broken = expected(found["raw-stream"], found["tool-results"], found["tool-catalog"])
    return readings, broken, perfect(readings, broken)


def test_a_faultless_run_has_no_fault() -> None:
    readings, broken, outputs = setting()
    verdict = judge(outputs, readings, broken)
    assert verdict.reasons == []
    assert verdict.ok
    assert verdict.expected > 50
    assert verdict.duplicates == 0
    assert {record.topic for record in outputs} >= {"tool-calls", "rejections", "content", "turns", "tool-messages", "raw-stream.dlq"}


@pytest.mark.parametrize("choose", [1, 2])
def test_every_reading_will_do_when_it_is_kept_up(choose: int) -> None:
    readings, broken, outputs = setting()
    assert {len(options) for options in readings.values()} > {1}
    other = perfect(readings, broken, choose)
    assert other != outputs
    assert judge(other, readings, broken).reasons == []


def test_everything_twice_is_doubled_and_nothing_else() -> None:
    readings, broken, outputs = setting()
    verdict = judge([*outputs, *outputs], readings, broken)
    assert verdict.ok
    assert verdict.duplicates == len(outputs)


def test_each_record_is_missed() -> None:
    readings, broken, outputs = setting()
    for number in range(0, len(outputs), 7):
        left = outputs[:number] + outputs[number + 1 :]
        assert not judge(left, readings, broken).ok, outputs[number]
    nothing = judge([], readings, broken)
    assert nothing.missing == nothing.expected > 50


def test_another_value_under_the_same_id_is_wrong() -> None:
    readings, broken, outputs = setting()
    for topic in ("tool-calls", "turns", "rejections", "tool-messages"):
        number = next(at for at, record in enumerate(outputs) if record.topic == topic)
        value = json.loads(outputs[number].value)
        other = dataclasses.replace(outputs[number], value=json.dumps({**value, "time_ms": 1}).encode())
        replaced = judge([*outputs[:number], other, *outputs[number + 1 :]], readings, broken)
        assert (replaced.missing, replaced.wrong, replaced.unexpected) == (0, 1, 0), topic
        assert judge([*outputs, other], readings, broken).wrong == 1, topic


def test_texts_are_held_against_their_place() -> None:
    readings, broken, outputs = setting()
    number = next(at for at, record in enumerate(outputs) if record.topic == "content" and json.loads(record.value)["kind"] == "content")
    value = json.loads(outputs[number].value)
    moved = dataclasses.replace(outputs[number], value=json.dumps({**value, "offset": value["offset"] + 1}).encode())
    assert judge([*outputs[:number], moved, *outputs[number + 1 :]], readings, broken).wrong == 1
    half = dataclasses.replace(outputs[number], value=json.dumps({**value, "text": value["text"][: len(value["text"]) // 2]}).encode())
    again = judge([*outputs[:number], half, *outputs[number:]], readings, broken)  # a replay cut elsewhere
    assert again.ok


def test_readings_may_not_be_mixed() -> None:
    readings, broken, outputs = setting()
    other = perfect(readings, broken, 1)
    mixed: dict[Identity, Logged] = {(record.topic, str(dict(record.headers).get("ce_id"))): record for record in outputs}
    for record in other:  # of every response the end is told under another reading than what stands before it
        if record.topic == "turns":
            mixed[record.topic, str(dict(record.headers)["ce_id"])] = record
    assert not judge(list(mixed.values()), readings, broken).ok


def test_what_nobody_said_is_unexpected() -> None:
    readings, broken, outputs = setting()
    stranger = json.dumps({"session_id": "x", "response_id": "y", "choice": 0, "ordinal": 0}).encode()
    verdict = judge([*outputs, output("tool-calls", stranger, [("ce_id", b"z")])], readings, broken)
    assert (verdict.missing, verdict.wrong, verdict.unexpected) == (0, 0, 1)


def test_an_earlier_ordinal_behind_a_later_one_is_wrong() -> None:
    readings, broken, outputs = setting()
    places: dict[object, list[int]] = {}
    for at, record in enumerate(outputs):
        if record.topic == "tool-calls":
            value = json.loads(record.value)
            places.setdefault((value["session_id"], value["response_id"], value["choice"]), []).append(at)
    one, other = next(found for found in places.values() if len(found) > 1)[:2]
    outputs[one], outputs[other] = outputs[other], outputs[one]
    assert judge(outputs, readings, broken).wrong == 1


def test_the_same_seed_is_the_same_run() -> None:
    assert plan(3, 10).chunks == plan(3, 10).chunks != plan(4, 10).chunks
    given = {"stops": 8, "workers": 3, "kinds": ("kill", "term"), "restarts": True, "delays": True}
    made = faults(3, 2000, **given)  # type: ignore[arg-type]
    assert made == faults(3, 2000, **given)  # type: ignore[arg-type]
    assert sum(item.kind in STOPS for item in made) == 8
    assert sum(item.kind == "broker" for item in made) == 1
    assert all(0 <= item.at <= 2000 for item in made)
    assert {partition_of(chunk.key) for chunk in plan(3, 20).chunks} == set(range(PARTITIONS))


def test_verdicts_add_up() -> None:
    total = Verdict(1, 2, 3, 4, 5)
    total.add(Verdict(1, 0, 0, 0, 1))
    assert (total.expected, total.missing, total.wrong, total.unexpected, total.duplicates) == (2, 2, 3, 4, 6)
    assert not total.ok
