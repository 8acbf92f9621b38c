"""The Faust agent in its own test context, with a sender that keeps what it is given."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from harness import CALL, response
from test_partition import raws

from tamis.agents import engine as engines
from tamis.agents.changelog import BARRIER
from tamis.agents.engine import Engine
from tamis.agents.guard import Guard
from tamis.agents.sessions import Surroundings
from tamis.transport import BatchRecord, scheduler


class Kept:
    """Takes the place of the producer: everything is delivered at once, in order. `gate` holds outputs up, as a full producer does."""

    def __init__(self) -> None:
        self.log: list[tuple[str, Any]] = []
        self.gate: asyncio.Event | None = None

    def _done(self) -> asyncio.Future[None]:
        future = asyncio.get_running_loop().create_future()
        future.set_result(None)
        return future

    async def publish(self, partition: int, records: list[Any]) -> list[asyncio.Future[None]]:
        if self.gate is not None:
            await self.gate.wait()
        self.log += [(record.topic, record.value) for _, record in records]
        return [self._done()]

    async def send(self, topic: str, partition: int, records: Any) -> list[asyncio.Future[None]]:
        self.log += [(topic, (key, value)) for key, value, _, _ in records]
        return [self._done()]


class Log:
    """What the broker says; `missing` are offsets that are no longer in the log."""

    def __init__(self, committed: int, missing: range = range(0)) -> None:
        self.at, self.missing = committed, missing
        self.last = 0

    async def committed(self, number: int) -> int | None:
        return self.at

    async def position(self, number: int) -> int:
        return self.at

    async def end(self, number: int) -> int:
        return self.last

    async def following(self, number: int, offset: int) -> int | None:
        return self.missing.stop if offset in self.missing else offset


def rows_of(kept: Kept) -> dict[bytes, bytes]:
    """The changelog as a recovery finds it."""
    found: dict[bytes, Any] = {}
    for topic, value in kept.log:
        if topic == "log":
            found[value[0]] = value[1]
    return {key: value for key, value in found.items() if value is not None}


def make(
    kept: Kept, rows: dict[bytes, bytes], committed: int = 0, *, missing: range = range(0), idle: float = 100.0, owned: bool = True,
    buffered: int = 1 << 20, wait: float = 100.0,
) -> tuple[Engine, list[Any], list[tuple[int, int]]]:  # fmt: skip
    acknowledged: list[Any] = []
    seeks: list[tuple[int, int]] = []

    async def acknowledge(event: Any) -> None:
        kept.log.append(("ack", event))
        acknowledged.append(event)

    async def seek(number: int, offset: int) -> None:
        seeks.append((number, offset))

    made = Engine(
        kept, Guard(Log(committed, missing), seek), Surroundings(), lambda: rows, acknowledge, lambda _: owned,  # type: ignore[arg-type]
        changelog="log", partitions=1, idle_seconds=idle, buffered_bytes=buffered, results=Guard(Log(0), seek), catalog_wait_seconds=wait,
        result_wait_seconds=wait,
    )  # fmt: skip
    return made, acknowledged, seeks


async def test_a_barrier_writes_outputs_then_state_then_acknowledges() -> None:
    kept, rows = Kept(), {}
    engine, _, _ = make(kept, rows)
    await engine.take(0, raws(*response("r", CALL, end=False)), "event")
    assert await engine.barrier(0)
    topics = [topic for topic, _ in kept.log]
    assert topics.index("tool-calls") < topics.index("log") < topics.index("ack")
    barrier = [value for topic, value in kept.log if topic == "log"][-1]
    assert barrier[0].startswith(BARRIER), "a batch of its own closes every write"


async def test_state_is_never_cut_while_outputs_are_still_handed_over() -> None:
    kept = Kept()
    kept.gate = asyncio.Event()
    engine, _, _ = make(kept, {})
    taking = asyncio.create_task(engine.take(0, raws(*response("r", CALL, end=False)), "event"))
    await asyncio.sleep(0)
    cutting = asyncio.create_task(engine.barrier(0))
    await asyncio.sleep(0.05)
    assert kept.log == [], "the barrier waits for the list that is worked on"
    kept.gate.set()
    await taking
    await cutting
    topics = [topic for topic, _ in kept.log]
    assert topics.index("tool-calls") < topics.index("log") < topics.index("ack")


async def test_a_list_that_begins_too_late_sets_the_consumer_back_however_many_are_on_their_way() -> None:
    kept = Kept()
    engine, acknowledged, seeks = make(kept, {}, committed=5)
    for start in range(9, 29):
        await engine.take(0, raws(*response("r", CALL), start=start), "event")
    assert (seeks, kept.log, acknowledged) == ([(0, 5)] * 20, [], [])


async def test_offsets_that_are_not_in_the_log_are_passed_and_applied_ones_dropped() -> None:
    kept = Kept()
    engine, _, seeks = make(kept, {}, committed=5, missing=range(5, 9))
    late = raws(*response("r", CALL), start=9)
    await engine.take(0, late, "event")
    await engine.take(0, late, "event")
    assert seeks == []
    assert [topic for topic, _ in kept.log].count("tool-calls") == 1


async def test_lists_that_were_lost_on_their_way_are_read_again_when_nothing_comes_behind_them() -> None:
    seeks: list[tuple[int, int]] = []
    handed_out = 9

    async def seek(number: int, offset: int) -> None:
        seeks.append((number, offset))

    async def reached(number: int) -> int:
        return handed_out

    guard = Guard(Log(0), seek, reached=reached)
    for now, wanted in ((0, 4), (2, 5), (6, 5)):  # it goes on, and then stands for four seconds
        await guard.arrived(0, wanted, now)
    assert seeks == []
    await guard.arrived(0, 5, 7)
    assert seeks == [(0, 5)]
    await guard.arrived(0, 5, 8)
    assert seeks == [(0, 5)], "what was asked for is on its way"
    await guard.arrived(0, 5, 12)
    assert seeks == [(0, 5)] * 2, "and was lost again"
    del seeks[0]
    await guard.arrived(0, 9, 9)
    await guard.arrived(0, 9, 60)
    assert seeks == [(0, 5)], "all that was handed out has come"
    handed_out = 12
    guard.forget()
    await guard.arrived(0, 9, 61)
    assert seeks == [(0, 5)], "a partition that has come back is looked at anew"


async def test_a_client_that_reads_no_more_ends_the_worker() -> None:
    async def reached(number: int) -> int:
        return 5

    log = Log(0)
    guard = Guard(log, reached, reached=reached)  # type: ignore[arg-type]
    for now in range(0, 60, 2):
        await guard.arrived(0, 5, now)  # nothing is there to be read
    log.last = 9
    with pytest.raises(RuntimeError, match="stands still at 5"):
        await guard.arrived(0, 5, 81)
    guard.forget()
    for now in range(81, 100, 2):
        await guard.arrived(0, 5, now)  # not before it has had its time


async def test_nothing_is_done_for_a_partition_that_moved() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {}, owned=False)
    await engine.take(0, raws(*response("r", CALL)), "event")
    assert (kept.log, engine.partitions) == ([], {})


async def test_a_revoke_waits_for_the_list_in_hand_and_leaves_nothing() -> None:
    kept = Kept()
    kept.gate = asyncio.Event()
    engine, _, _ = make(kept, {})
    records = raws(*response("r", CALL))
    await engine.open(0)
    taking = asyncio.create_task(engine.take(0, records[:9], "event"))
    await asyncio.sleep(0)
    releasing = asyncio.create_task(engine.release())
    await asyncio.sleep(0.02)
    kept.gate.set()
    await taking
    assert await releasing == ({0: 9}, {})
    assert engine.partitions == {}


async def test_a_failed_release_leaves_no_old_state_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    engine, _, _ = make(kept, {})
    await engine.take(0, raws(*response("r", CALL))[:9], "event")

    async def refused(*_: Any) -> Any:
        raise ConnectionError("no broker")

    monkeypatch.setattr(kept, "send", refused)
    with pytest.raises(ConnectionError):
        await engine.release()
    assert engine.partitions == {}


async def test_idle_is_written_before_it_shows_and_a_replay_ends_the_same_way() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {}, idle=0.0)
    await engine.take(0, raws(*response("r", CALL[:40], end=False)), "event")
    await engine.sweep()
    topics = [topic for topic, _ in kept.log]
    assert topics.index("log") < topics.index("turns")
    written = rows_of(Kept())
    for at, (topic, _) in enumerate(kept.log):
        if topic == "turns":
            before = Kept()
            before.log = kept.log[:at]
            written = rows_of(before)
    (turn,) = [value for topic, value in kept.log if topic == "turns"]
    assert json.loads(turn)["end"] == "idle"
    after = Kept()
    again, _, _ = make(after, written, committed=50)  # killed between the decision and the turn; no record comes any more
    await again.sweep([0])
    assert [value for topic, value in after.log if topic == "turns"] == [turn]


async def test_idle_is_of_a_response_not_of_its_session() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {}, idle=0.2)
    await engine.take(0, raws({"v": 1, "kind": "delta", "response_id": "quiet", "text": "a"}), "event")
    await asyncio.sleep(0.25)
    await engine.take(0, raws({"v": 1, "kind": "delta", "response_id": "busy", "text": "b"}, start=1), "event")
    await engine.sweep()
    assert [json.loads(value)["response_id"] for topic, value in kept.log if topic == "turns"] == ["quiet"]


async def test_what_is_idle_for_longest_is_evicted_when_the_buffers_are_full() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {}, buffered=6000)
    long = '<tool_call>{"name": "get_tide", "arguments": {"port": "' + "x" * 1000
    for number, key in enumerate((b"a", b"b")):
        await engine.take(0, raws(*response("r", long, end=False, size=100), key=key, start=number * 12), "event")
        engine.partitions[0].sessions[key].touched = float(number)
    await engine.sweep()
    turns = [json.loads(value) for topic, value in kept.log if topic == "turns"]
    assert [(turn["session_id"], turn["end"]) for turn in turns] == [("a", "evicted")]


async def test_a_silent_session_is_forgotten_only_behind_a_commit() -> None:
    for committed, forgotten in ((0, False), (50, True)):
        kept = Kept()
        engine, _, _ = make(kept, {}, committed=0)
        await engine.take(0, raws(*response("r", "No call.")), "event")
        await engine.sweep()
        engine._guard._broker.at = committed  # type: ignore[attr-defined]
        engine.partitions[0].sessions[b"s"].touched -= 3600
        await engine.sweep()
        assert (b"s" not in engine.partitions[0].sessions, b"s" not in rows_of(kept)) == (forgotten, forgotten)


async def test_rows_can_be_read_back_by_the_table() -> None:
    from tamis.app import sessions_table

    schema = sessions_table.changelog_topic.schema
    assert (schema.key_serializer, schema.value_serializer) == ("raw", "raw"), "JSON here makes every recovery hang"


async def test_state_comes_back_from_the_rows_of_the_changelog() -> None:
    kept, rows = Kept(), {}
    records = raws(*response("r", CALL))
    engine, _, _ = make(kept, rows)
    await engine.take(0, records[:9], "event")
    await engine.release()
    assert rows
    again, _, _ = make(kept, rows, committed=9)
    await again.take(0, records[9:], "event")
    assert [json.loads(value)["name"] for topic, value in kept.log if topic == "tool-calls"] == ["get_tide"]


async def test_the_agent_takes_lists_through_fausts_own_test_context(monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.agents import parse

    kept = Kept()
    engine, _, _ = make(kept, {})
    monkeypatch.setattr(parse, "engine", engine)
    monkeypatch.setattr(engines.os, "_exit", lambda code: pytest.fail(f"the agent died with {code}"))
    async with parse.parse.test_context() as agent:
        await agent.put(raws(*response("r", CALL)))
        for _ in range(50):
            if kept.log:
                break
            await asyncio.sleep(0.02)
    assert "turns" in [topic for topic, _ in kept.log]


def test_the_scheduler_hands_on_lists_of_one_topic_only() -> None:
    class Tp:
        def __init__(self, topic: str) -> None:
            self.topic, self.partition = topic, 0

    records = raws(*response("r", CALL))
    for record in records:
        record.timestamp_type = 0  # type: ignore[attr-defined]
    found = list(scheduler("raw")().iterate({Tp("raw"): records, Tp("other"): records[:2]}))  # type: ignore[dict-item]
    assert isinstance(found[0][1], BatchRecord)
    assert found[0][1].offset == records[-1].offset
    assert len(found) == 3
