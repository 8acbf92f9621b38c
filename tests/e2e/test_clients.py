"""The clients on a broker: gateway to worker to dispatcher as the README has it, and a consumer that is killed in its handler."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from harness import CALL, TOOLS, environment, init_topics, worker

import brokers
import tamis
from helpers import ROOT
from tamis.clients import BrokerError, Consumer
from tamis.settings import Settings
from tamis.wire.records import About, content_record

# 32-bit hashes of Java's own client, from its test of `Utils.murmur2`
MURMUR2 = {"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536, "abc": 479470107}
HANDLER = """
import asyncio, sys, tamis
async def main(topic, group, path, stop):
    async with tamis.consume(topic, group=group, from_beginning=True) as records:
        async for record in records:
            with open(path, "a") as done:
                print(record.id, file=done)
            if record.id == stop:
                print("in the hand", flush=True)
                await asyncio.sleep(600)
asyncio.run(main(*sys.argv[1:]))
"""


def settings(broker: brokers.Broker) -> Settings:
    return Settings(broker=broker.url, partitions=4, session_timeout_seconds=6)


@pytest.fixture(scope="module")
def env(broker: brokers.Broker) -> dict[str, str]:
    made = environment(broker, brokers.free_port(), TAMIS_APP_ID="clients")
    init_topics(made)
    return made


async def write(broker: brokers.Broker, topic: str, records: list[tuple[str, str, Any]]) -> None:
    """(session, ce_id, value), as the workers write them."""
    producer = AIOKafkaProducer(bootstrap_servers=broker.address)
    await producer.start()
    try:
        for session, ce_id, value in records:
            await producer.send_and_wait(topic, json.dumps(value).encode(), key=session.encode(), headers=[("ce_id", ce_id.encode())])
    finally:
        await producer.stop()


async def rest(records: Consumer, seconds: float = 5) -> list[Any]:
    """What still comes; all of it handled."""
    found = []
    while True:
        try:
            async with asyncio.timeout(seconds):
                found.append(await anext(records))
        except TimeoutError:
            await records.commit()
            return found


async def until(done: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        await asyncio.sleep(0.1)


def killed_in_the_hand(env: dict[str, str], topic: str, group: str, path: Path, stop: str) -> None:
    """A consumer that dies when its handler has done `stop`, and before that is committed."""
    command = [sys.executable, "-c", HANDLER, topic, group, str(path), stop]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the hand\n"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


async def test_a_consumer_killed_between_handler_and_commit(broker: brokers.Broker, env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "handled"
    events = [(f"s{number % 5}", f"id-{number}", {"name": "f", "n": number}) for number in range(40)]
    doubled = [*events[:20], *events[12:20], *events[15:]]  # two workers were killed in between
    await write(broker, "tool-calls", doubled[:30])
    await asyncio.to_thread(killed_in_the_hand, env, "tool-calls", "killed", path, "id-9")
    await write(broker, "tool-calls", doubled[30:])
    before = path.read_text().split()
    assert before[-1] == "id-9"
    async with tamis.consume("tool-calls", group="killed", settings=settings(broker)) as records:
        after = [item.id for item in await rest(records)]
    assert {*before, *after} == {ce_id for _, ce_id, _ in events}, "nothing is lost"
    assert [ce_id for ce_id, count in Counter([*before, *after]).items() if count > 1] == ["id-9"], "what was in the hand comes again, nothing else"
    await write(broker, "tool-calls", [*events[30:], ("s1", "id-40", {"name": "f"})])
    async with tamis.consume("tool-calls", group="killed", settings=settings(broker)) as records:
        assert [item.id for item in await rest(records)] == ["id-40"]


async def test_content_of_a_replay_that_was_cut_elsewhere(broker: brokers.Broker, env: dict[str, str], tmp_path: Path) -> None:
    def piece(session: str, offset: int, text: str) -> tuple[str, str, Any]:
        about = About(session, "r", 0, None, None, None, None, 0, 0)
        record = content_record(about, "content", offset, text, offset)
        return session, next(raw.decode() for name, raw in record.headers if name == "ce_id"), json.loads(record.value or b"")

    pieces = {session: [piece(session, 0, "The tide "), piece(session, 9, "turns at "), piece(session, 18, "six.")] for session in ("a", "b")}
    await write(broker, "content", [item for session in pieces for item in pieces[session]])
    stop = pieces["b"][1][1]
    await asyncio.to_thread(killed_in_the_hand, env, "content", "reader", tmp_path / "handled", stop)
    await write(broker, "content", [piece("b", 4, "tide turns"), piece("b", 14, " at six. Be there."), piece("a", 18, "six. Good.")])
    handled = (tmp_path / "handled").read_text().split()
    got = {"a": "", "b": ""}
    for session, items in pieces.items():
        for _, ce_id, value in items:
            if ce_id in handled and ce_id != stop:
                got[session] += value["text"]
    async with tamis.consume("content", group="reader", settings=settings(broker), commit_interval_seconds=1.0) as records:
        for record in await rest(records):
            got[record.key] += record.value["text"]
    assert got == {"a": "The tide turns at six. Good.", "b": "The tide turns at six. Be there."}


async def test_two_members_share_and_hand_over(broker: brokers.Broker, env: dict[str, str]) -> None:
    handled: list[tuple[str, str]] = []

    async def member(name: str, until: asyncio.Event) -> None:
        async with tamis.consume("rejections", group="shared", settings=settings(broker), from_beginning=True) as records:
            while not until.is_set():
                try:
                    async with asyncio.timeout(0.5):
                        record = await anext(records)
                except TimeoutError:
                    continue
                await asyncio.sleep(0.03)  # a rebalance meets a handler that is running
                handled.append((name, record.id or ""))
            await records.commit()

    events = [(f"session-{number}", f"id-{number}", {"n": number}) for number in range(400)]
    first_leaves, all_done = asyncio.Event(), asyncio.Event()
    members = [asyncio.create_task(member("first", first_leaves))]
    await write(broker, "rejections", events[:200])
    await until(lambda: bool(handled))
    members.append(asyncio.create_task(member("second", all_done)))
    await until(lambda: any(name == "second" for name, _ in handled))
    await write(broker, "rejections", [*events[150:200], *events[200:]])
    first_leaves.set()
    await until(lambda: len({ce_id for _, ce_id in handled}) == 400)
    await asyncio.sleep(1)
    all_done.set()
    await asyncio.gather(*members)
    assert [ce_id for ce_id, count in Counter(ce_id for _, ce_id in handled).items() if count > 1] == []
    assert {name for name, _ in handled} == {"first", "second"}


async def test_from_a_gateway_to_a_dispatcher_as_the_readme_has_it(
    broker: brokers.Broker, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TAMIS_BROKER", "TAMIS_SESSION_TIMEOUT_SECONDS"):
        monkeypatch.setenv(name, env[name])
    readme: dict[str, Any] = {}
    exec(compile("\n".join(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)), "README.md", "exec"), readme)
    asked: asyncio.Queue[Any] = asyncio.Queue()

    async def run(*call: Any) -> None:
        await asked.put(call)

    async def words() -> AsyncIterator[str]:
        for at in range(0, len(CALL), 4):
            yield CALL[at : at + 4]
            await asyncio.sleep(0.002)

    with worker(env):
        dispatching = asyncio.create_task(readme["dispatch"](run))
        await asyncio.sleep(8)  # a new group begins with the next record: it has to be there first
        async with asyncio.timeout(60):
            await readme["relay"]("by-the-book", words())
            session, name, arguments, ce_id = await asked.get()
        assert (session, name, arguments) == ("by-the-book", "get_tide", {"port": "Brest"})
        assert ce_id
        assert asked.empty()
        dispatching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dispatching


async def test_gateway_records_on_the_broker(broker: brokers.Broker, env: dict[str, str]) -> None:
    async with tamis.publish(settings=settings(broker), coalesce_ms=40) as gateway:
        lines = [gateway.start(session, response_id="m2", tools=TOOLS) for session in MURMUR2]
        for piece in (CALL[:10], CALL[10:30], CALL[30:]):
            for line in lines:
                await line.delta(piece)
            await asyncio.sleep(0.005)
        for line in lines:
            await line.end("stop")
        left = gateway.start("abc", response_id="left open")
        await left.delta("Loo")
    async with tamis.publish(settings=settings(broker), buffer_bytes=1, max_wait_seconds=0) as gateway:
        line = gateway.start("abc", response_id="full")
        for _ in range(50):
            await line.delta("x" * 100)
        await gateway.flush()
        assert (line.given_up, gateway.dropped) == (True, 1)
    consumer = AIOKafkaConsumer("raw-stream", bootstrap_servers=broker.address, auto_offset_reset="earliest", fetch_max_wait_ms=50)
    await consumer.start()
    found: list[Any] = []
    try:
        while records := [item for part in (await consumer.getmany(timeout_ms=3000)).values() for item in part]:
            found += records
    finally:
        await consumer.stop()
    bodies = [(item.key.decode(), item.partition, json.loads(item.value)) for item in found]
    for session, java in MURMUR2.items():
        mine = [(partition, body) for key, partition, body in bodies if key == session and body["response_id"] == "m2"]
        assert {partition for partition, _ in mine} == {(java & 0x7FFFFFFF) % 4}
        assert [body["seq"] for _, body in mine] == list(range(1, len(mine) + 1))
        assert "".join(body.get("text", "") for _, body in mine) == CALL
        assert (len(mine), mine[0][1]["tools"], mine[-1][1]["kind"]) == (2, TOOLS, "end"), "three pieces in one window are one record"
    assert [body["kind"] for _, _, body in bodies if body["response_id"] == "left open"] == ["delta", "abort"]
    assert [body["kind"] for _, _, body in bodies if body["response_id"] == "full"] == ["delta", "abort"]


async def test_what_is_missing_is_told(broker: brokers.Broker, env: dict[str, str]) -> None:
    elsewhere = settings(broker).with_flags(prefix="nowhere.")
    with pytest.raises(BrokerError, match=r"nowhere\.turns is not on the broker.*tamis topics init"):
        await anext(tamis.consume("turns", group="g", settings=elsewhere))
    with pytest.raises(BrokerError, match=r"nowhere\.raw-stream is not on the broker"):
        await tamis.publish(settings=elsewhere).__aenter__()
    gone = settings(broker).with_flags(broker=f"kafka://127.0.0.1:{brokers.free_port()}")
    with pytest.raises(BrokerError, match="check that it runs"):
        await anext(tamis.consume("turns", group="g", settings=gone))
