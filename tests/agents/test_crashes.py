"""Killed at any write: chunks, results and changing catalogues mixed, and what comes out is as if nobody had been killed.

A worker is the engine with a broker of plain lists. It is killed at a random write of its own, the next one has what had been written.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from typing import Any

import pytest
from harness import CALL, TOOLS, response
from test_partition import Raw, raws

from tamis.agents.catalog_topic import take
from tamis.agents.engine import Engine
from tamis.agents.guard import Guard
from tamis.agents.sessions import Surroundings

SESSIONS = 4
OTHER = [*TOOLS, {"name": "get_moon"}]


class Killed(Exception):
    """The worker is gone."""


class Broker:
    """Topics as lists; `lives` counts down to the write at which the worker is killed."""

    def __init__(self) -> None:
        self.raw: list[Raw] = []
        self.results: list[Raw] = []
        self.catalogs: list[bytes] = []
        self.out: list[Any] = []  # (topic, record)
        self.rows: dict[bytes, bytes] = {}
        self.committed = {"raw": 0, "results": 0}
        self.lives = 0

    def _write(self) -> asyncio.Future[None]:
        self.lives -= 1
        if self.lives < 0:
            raise Killed
        future = asyncio.get_running_loop().create_future()
        future.set_result(None)
        return future

    async def publish(self, partition: int, records: list[Any]) -> list[asyncio.Future[None]]:
        for key, record in records:
            done = self._write()  # killed between two records of one list, too
            self.out.append((key, record))
        return [done]

    async def send(self, topic: str, partition: int, records: Any) -> list[asyncio.Future[None]]:
        futures = []
        for key, value, _, _ in records:
            futures.append(self._write())
            if value is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = value
        return futures

    async def acknowledge(self, event: tuple[str, int]) -> None:
        topic, offset = event
        self.committed[topic] = max(self.committed[topic], offset)


class At:
    """The log of one topic as the broker tells of it."""

    def __init__(self, broker: Broker, topic: str) -> None:
        self.broker, self.topic = broker, topic

    async def committed(self, number: int) -> int | None:
        return self.broker.committed[self.topic]

    async def position(self, number: int) -> int:
        return self.broker.committed[self.topic]

    async def following(self, number: int, offset: int) -> int | None:
        return offset


class Worker:
    """One life of a worker."""

    def __init__(self, broker: Broker) -> None:
        async def no_seek(number: int, offset: int) -> None:
            raise AssertionError("nothing is out of order here")

        self.broker = broker
        self.around = Surroundings()
        self.engine = Engine(
            broker, Guard(At(broker, "raw"), no_seek), self.around, lambda: dict(broker.rows), broker.acknowledge, lambda _: True,  # type: ignore[arg-type]
            changelog="log", partitions=1, idle_seconds=1000.0, buffered_bytes=1 << 20, results=Guard(At(broker, "results"), no_seek),
            catalog_wait_seconds=1000.0, result_wait_seconds=1000.0,
        )  # fmt: skip
        self.at = dict(broker.committed)
        self.read = 0

    async def step(self, chance: random.Random) -> None:
        what = chance.choice(["raw", "raw", "results", "catalog", "barrier"])
        if what == "catalog":
            for value in self.broker.catalogs[self.read :]:
                take(self.around.catalogs, b"c", value, lambda *_: None)
            self.read = len(self.broker.catalogs)
            await self.engine.resume()
        elif what == "barrier":
            await self.engine.sweep([0])
        else:
            log = self.broker.raw if what == "raw" else self.broker.results
            records = log[self.at[what] : self.at[what] + chance.randint(1, 12)]
            if records:
                self.at[what] += len(records)
                applied = self.engine.take if what == "raw" else self.engine.take_results
                await applied(0, records, (what, self.at[what]))


def traffic(chance: random.Random, *, one_turn: bool) -> list[Raw]:
    """Responses of several sessions, their records mixed, some with tools of their own, some with a catalogue."""
    queues = []
    for session in range(SESSIONS):
        for number in range(3):
            turn = 0 if one_turn else number
            values: list[dict[str, Any]] = response(f"r{number}", CALL + "and\n" + CALL, turn=turn, size=chance.randint(9, 40), catalog="c")
            if chance.random() < 0.6:
                values = [{name: value for name, value in item.items() if name != "tools"} for item in values]
            queues.append((f"s{session}".encode(), number, values))
    found: list[Raw] = []
    ready = {session: 0 for session, _, _ in queues}
    while any(values for _, _, values in queues):
        key, number, values = chance.choice([item for item in queues if item[2]])
        if number == ready[key]:  # the responses of a session one behind the other
            found += raws(values.pop(0), key=key, start=len(found))
            ready[key] += not values
    return found


async def life(seed: int, *, one_turn: bool = False) -> tuple[Broker, int]:
    """`one_turn`: the calls of a session's responses have the same ids, and results do not say which response they are for."""
    chance = random.Random(seed)
    broker = Broker()
    broker.raw = traffic(chance, one_turn=one_turn)
    versions = [json.dumps({"v": 1, "tools": tools}).encode() for tools in (TOOLS, OTHER, TOOLS)]
    answered: set[Any] = set()
    kills = 0
    for again in range(60):
        worker = Worker(broker)
        broker.lives = chance.randint(1, 50) if again < 40 else 10**9
        try:
            for _ in range(40 if again < 40 else 300):
                if versions and chance.random() < 0.05:
                    broker.catalogs.append(versions.pop(0))
                await worker.step(chance)
                for key, record in broker.out:  # a dispatcher, sometimes twice
                    if record.topic != "tool-calls" or chance.random() < 0.5:
                        continue
                    call = json.loads(record.value)
                    place = key, call["response_id"], call["id"]
                    if place not in answered or chance.random() < 0.02:
                        answered.add(place)
                        named = None if one_turn else call["response_id"]
                        body = {"v": 1, "call_id": call["id"], "response_id": named, "result": f"result {len(broker.results)};"}
                        broker.results += raws(body, key=key, start=len(broker.results))
        except Killed:
            kills += 1
        if again > 45 and worker.at == {"raw": len(broker.raw), "results": len(broker.results)} == broker.committed:
            break
    return broker, kills


@pytest.mark.parametrize("seed", range(8))
async def test_nothing_is_missing_doubled_or_told_differently(seed: int) -> None:
    broker, kills = await life(seed)
    assert kills > 10, "the test is none without"
    first: dict[str, Any] = {}
    for key, record in broker.out:
        if record.topic != "content":
            ce_id = dict(record.headers)["ce_id"].decode()
            assert first.setdefault(ce_id, (key, record))[1].value == record.value, (record.topic, record.value, first[ce_id][1].value)
    told = {topic: [json.loads(record.value) for _, record in first.values() if record.topic == topic]
            for topic in ("tool-calls", "turns", "tool-messages", "rejections", "raw-stream.dlq")}  # fmt: skip
    assert told["rejections"] == told["raw-stream.dlq"] == []
    turns = Counter((item["session_id"], item["response_id"]) for item in told["turns"])
    assert turns == {(f"s{session}", f"r{number}"): 1 for session in range(SESSIONS) for number in range(3)}
    calls = {(item["session_id"], item["response_id"], item["id"]) for item in told["tool-calls"]}
    assert len(calls) == len(told["tool-calls"]) == SESSIONS * 3 * 2
    assert {item["end"] for item in told["turns"]} == {"finished"}
    answers = Counter((item["session_id"], item["response_id"], item["call_id"]) for item in told["tool-messages"])
    assert answers == dict.fromkeys(calls, 1)


@pytest.mark.parametrize("seed", range(8))
async def test_no_result_answers_two_calls(seed: int) -> None:
    broker, _ = await life(seed, one_turn=True)
    answers: dict[str, set[str]] = {}
    for _, record in broker.out:
        if record.topic == "tool-messages":
            said = json.loads(record.value)["message"]["content"]
            answers.setdefault(said[said.index("result ") : said.index(";")], set()).add(dict(record.headers)["ce_id"].decode())
    assert len(answers) > 8
    assert [said for said, ids in answers.items() if len(ids) > 1] == []


ROOMS = [{"name": "list_rooms"}, {"name": "open_room", "parameters": {"type": "object", "properties": {"room_id": {"type": "integer"}}}}]
ROWS = [{"id": 4, "name": "attic"}]


def called(name: str, **arguments: object) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>\n"


async def test_a_result_that_had_not_come_stays_unseen_by_a_worker_that_reads_it_first() -> None:
    broker = Broker()
    broker.raw = raws(*response("list", called("list_rooms"), tools=ROOMS), key=b"s", start=0)
    begun = len(broker.raw)
    policy = {"coercion_rules": {"open_room": ["name_to_id"]}}
    broker.raw += raws(*response("open", called("open_room", room_id="attic"), tools=ROOMS, policy=policy), key=b"s", start=begun)
    broker.lives = 10**9
    first = Worker(broker)
    await first.engine.take(0, broker.raw[:begun], ("raw", begun))
    await first.engine.sweep([0])
    await first.engine.take(0, broker.raw[begun:], ("raw", len(broker.raw)))  # and is killed before its next barrier
    (listed,) = [json.loads(record.value) for _, record in broker.out if record.topic == "tool-calls"]
    assert [record.topic for _, record in broker.out].count("rejections") == 1
    second = Worker(broker)
    result = raws({"v": 1, "call_id": listed["id"], "response_id": "list", "result": ROWS}, key=b"s", start=0)
    await second.engine.take_results(0, result, ("results", 1))
    await second.engine.take(0, broker.raw[begun:], ("raw", len(broker.raw)))
    told: dict[str, set[bytes]] = {}
    for _, record in broker.out:
        told.setdefault(dict(record.headers)["ce_id"].decode(), set()).add(record.value)
    assert [len(values) for values in told.values()] == [1] * len(told)
    assert [record.topic for _, record in broker.out].count("rejections") == 2
    assert [record.topic for _, record in broker.out].count("tool-calls") == 1
