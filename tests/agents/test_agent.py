"""The Faust agent in its own test context, with a sender that keeps what it is given."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from harness import CALL, response
from test_partition import raws

from tamis.agents import engine as engines
from tamis.agents.engine import Engine
from tamis.agents.guard import Guard
from tamis.agents.sessions import Surroundings
from tamis.transport import BatchRecord, scheduler


class Kept:
    """Takes the place of the producer: everything is delivered at once, in order."""

    def __init__(self) -> None:
        self.log: list[tuple[str, Any]] = []

    def _done(self) -> asyncio.Future[None]:
        future = asyncio.get_running_loop().create_future()
        future.set_result(None)
        return future

    async def publish(self, partition: int, records: list[Any]) -> list[asyncio.Future[None]]:
        self.log += [(record.topic, record.value) for _, record in records]
        return [self._done()]

    async def send(self, topic: str, partition: int, records: Any) -> list[asyncio.Future[None]]:
        self.log += [(topic, (key, value)) for key, value, _, _ in records]
        return [self._done()]


def make(kept: Kept, rows: dict[bytes, bytes], committed: int | None = None) -> tuple[Engine, list[Any], list[tuple[int, int]]]:
    acknowledged: list[Any] = []
    seeks: list[tuple[int, int]] = []

    async def acknowledge(event: Any) -> None:
        kept.log.append(("ack", event))
        acknowledged.append(event)

    async def positions(number: int) -> tuple[int | None, int]:
        return committed, 0

    async def seek(number: int, offset: int) -> None:
        seeks.append((number, offset))

    made = Engine(
        kept, Guard(positions, seek, lambda *_: None), Surroundings(), lambda: rows, acknowledge,  # type: ignore[arg-type]
        changelog="log", partitions=1, idle_seconds=100.0, buffered_bytes=1 << 20,
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
    assert barrier[0].startswith(b"\0barrier-"), "a batch of its own closes every write"


async def test_a_gap_sets_the_consumer_back_and_one_in_the_log_is_passed_in_the_end() -> None:
    kept = Kept()
    engine, _, seeks = make(kept, {}, committed=5)
    late = raws(*response("r", CALL), start=9)
    for _ in range(3):
        await engine.take(0, late, "event")
    assert seeks == [(0, 5)] * 3
    assert kept.log == []
    await engine.take(0, late, "event")
    assert "tool-calls" in [topic for topic, _ in kept.log]
    await engine.take(0, late, "event")
    assert [topic for topic, _ in kept.log].count("tool-calls") == 1, "what was applied is dropped"


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
