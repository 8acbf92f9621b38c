"""One seed: a broker, workers, a gateway that writes the plan, a dispatcher that answers calls, faults, and the verdict."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.errors import KafkaError

import brokers
from crash.faults import STOPS, Fault, faults
from crash.oracle import Logged, expected
from crash.proxy import Proxy
from crash.traffic import MIX, Plan, answer_to, partition_of, plan
from crash.verdict import Verdict, judge
from crash.workers import Workers
from tamis.wire.topics import Topic

__all__ = ["Chosen", "Outcome", "run"]

_INPUTS = (Topic.RAW_STREAM, Topic.TOOL_RESULTS, Topic.TOOL_CATALOG)
OUTPUTS = tuple(topic for topic in Topic if topic not in _INPUTS)
_TICK = 0.05  # seconds between two lots of records
_PROGRESS = 5  # records
_PROGRESS_SECONDS = 8.0  # to wait for something to come out between two faults; far below the idle time, or open responses would end by it
_QUIET_SECONDS = 4.0  # without a record, once everything is there: several barriers and commits


@dataclass(frozen=True, slots=True)
class Chosen:
    """How large a run is. `rate` is in records a second; `build` and `env` are of the workers."""

    broker: str = "embedded"
    workers: int = 3
    sessions: int = 40
    stops: int = 8
    rate: int = 200
    idle_seconds: float = 60.0  # a broker's restart and a group that forms anew stay below it, on a busy machine too
    patience_seconds: float = 100.0  # without a record while something is missing: the idle time, and a group that lost a worker needs some twenty
    orphans: int = 2
    delays: bool = True
    kinds: tuple[str, ...] = ("kill", "kill", "term", "pause")
    build: str = ""
    mix: Mapping[str, int] = field(default_factory=lambda: MIX)
    versions: int = 6
    env: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """`stops` that took place, `deaths` of workers by themselves, `held` writes that were held up."""

    seed: int
    verdict: Verdict
    stops: int
    deaths: int
    held: int
    seconds: float
    log: str

    def __str__(self) -> str:
        one = self.verdict
        return (f"seed {self.seed}: {self.stops} stops, {one}; {self.deaths} deaths, {self.held} writes held up, "
                f"{self.seconds:.0f} s")  # fmt: skip


class Reader:
    """Everything that lies in the topics, in the order in which it was read."""

    def __init__(self, consumer: AIOKafkaConsumer) -> None:
        self._consumer = consumer
        self.logs: dict[str, list[Logged]] = {topic: [] for topic in (*OUTPUTS, *_INPUTS)}
        self.calls: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.last = time.monotonic()  # when something new came out
        self.new = 0
        self._ids: set[bytes] = set()

    async def follow(self) -> None:
        """Read for ever."""
        while True:
            try:
                fetched = await self._consumer.getmany(timeout_ms=100)
            except KafkaError:
                continue  # the broker is away
            for records in fetched.values():
                for item in records:
                    self._take(Logged(item.topic, item.partition, item.offset, item.timestamp, item.key.decode(), item.value, tuple(item.headers)))

    def _take(self, record: Logged) -> None:
        self.logs[record.topic].append(record)
        ce_id = dict(record.headers).get("ce_id")
        if ce_id is None or ce_id in self._ids:
            return
        self._ids.add(ce_id)
        self.last = time.monotonic()
        self.new += 1
        if record.topic == Topic.TOOL_CALLS:
            self.calls.put_nowait(json.loads(record.value))

    def verdict(self) -> Verdict:
        """As things stand."""
        raw, results, catalogs = (self.logs[topic] for topic in _INPUTS)
        return judge([record for topic in OUTPUTS for record in self.logs[topic]], *expected(raw, results, catalogs))


class Run:
    """The parts of one run while it lasts."""

    def __init__(self, made: Plan, chosen: Chosen, broker: brokers.Broker, workers: Workers, producer: Any, reader: Reader, proxy: Proxy) -> None:
        self.plan, self.chosen, self.broker, self.workers = made, chosen, broker, workers
        self.producer, self.reader, self.proxy = producer, reader, proxy
        self.stops = 0
        self.told: list[str] = []  # what was done when, for who has to find out why

    async def write(self) -> None:
        """The plan, with its faults between."""
        chunks = self.plan.chunks
        due = faults(self.plan.seed, len(chunks), self.chosen.stops, self.chosen.workers, self.chosen.kinds,
                     restarts=self.broker.restart is not None, delays=self.chosen.delays)  # fmt: skip
        size, at, out = max(1, int(self.chosen.rate * _TICK)), 0, 0
        while at < len(chunks):
            until = min(at + size, len(chunks), due[0].at if due else len(chunks))
            for chunk in chunks[at:until]:
                partition = 0 if chunk.topic == Topic.TOOL_CATALOG else partition_of(chunk.key)
                await self.producer.send(chunk.topic, chunk.value, key=chunk.key.encode(), partition=partition)
            at = until
            while due and due[0].at <= at:
                fault = due.pop(0)
                if fault.kind in STOPS:
                    await self._progress(out)
                await self._do(fault)
                out = self.reader.new
            await asyncio.sleep(_TICK)
        await self.producer.flush()

    async def _progress(self, out: int) -> None:
        """Let some records come out since the last fault, when there were `out`: a group that never forms has nothing that could be lost."""
        end = time.monotonic() + _PROGRESS_SECONDS
        while self.reader.new < out + _PROGRESS and time.monotonic() < end:  # noqa: ASYNC110 - it asks for a time, not for an event
            await asyncio.sleep(_TICK)

    async def _do(self, fault: Fault) -> None:
        before = self.stops
        await self._done(fault)
        what = f"{fault.kind} {fault.worker}" if fault.kind in STOPS else f"writes held up for {fault.number:.0f} ms"
        skipped = "" if self.stops > before or fault.kind == "slow" else ": nobody was there"
        self.told.append(f"{datetime.now():%H:%M:%S.%f} at {fault.at}, {self.reader.new} records out: {what}{skipped}")

    async def _done(self, fault: Fault) -> None:
        if fault.kind == "slow":
            self.proxy.delay = fault.number / 1000
        elif fault.kind == "broker":
            assert self.broker.restart is not None
            await asyncio.to_thread(self.broker.restart, signal.SIGTERM if fault.number else signal.SIGKILL)
            self.stops += 1
        else:
            # the next one when that worker is down or paused already
            for number in range(self.chosen.workers):
                if await self.workers.stop(fault.kind, (fault.worker + number) % self.chosen.workers, fault.number):
                    self.stops += 1
                    break

    async def answer(self) -> None:
        """The dispatcher: every call once, by its id."""
        while True:
            call = await self.reader.calls.get()
            for body in answer_to(call, self.plan.seed):
                key = call["session_id"]
                await self.producer.send(Topic.TOOL_RESULTS, json.dumps(body).encode(), key=key.encode(), partition=partition_of(key))

    async def settle(self) -> Verdict:
        """The verdict, once everything is there and nothing more comes, or when patience has ended."""
        self.proxy.delay = 0.0
        while True:
            quiet = time.monotonic() - self.reader.last
            if quiet >= _QUIET_SECONDS:
                verdict = self.reader.verdict()
                written = len(self.reader.logs[Topic.RAW_STREAM]) + len(self.reader.logs[Topic.TOOL_CATALOG])
                # an orphan is missing until its time is over
                if (verdict.missing == 0 and written >= len(self.plan.chunks)) or quiet >= self.chosen.patience_seconds:
                    return verdict
            await asyncio.sleep(1.0)


@contextlib.asynccontextmanager
async def _clients(broker: brokers.Broker) -> AsyncIterator[tuple[Any, Reader]]:
    # the embedded broker has no idempotent producer; it is not restarted, so nothing is written twice there
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, client_id="crash", acks="all", linger_ms=2,
                                enable_idempotence=broker.name == "kafka")  # fmt: skip
    consumer = AIOKafkaConsumer(*OUTPUTS, *_INPUTS, bootstrap_servers=broker.address, client_id="crash", auto_offset_reset="earliest",
                                enable_auto_commit=False, fetch_max_wait_ms=100)  # fmt: skip
    await producer.start()
    await consumer.start()
    try:
        yield producer, Reader(consumer)
    finally:
        await consumer.stop()
        await producer.stop()


async def run(seed: int, chosen: Chosen) -> Outcome:
    """One seed from an empty broker to the verdict."""
    begun = time.monotonic()
    made = plan(seed, chosen.sessions, chosen.mix, chosen.versions, chosen.orphans)
    advertised = brokers.free_port()
    with tempfile.TemporaryDirectory(prefix="tamis-crash-") as name, brokers.start(chosen.broker, advertised) as broker:
        proxy = Proxy(broker.port)
        workers = Workers(broker, chosen.workers, Path(name), idle_seconds=chosen.idle_seconds, build=chosen.build, **chosen.env)
        async with proxy.listening(advertised):
            try:
                await workers.start()
                async with _clients(broker) as (producer, reader):
                    this = Run(made, chosen, broker, workers, producer, reader, proxy)
                    helpers = [asyncio.create_task(reader.follow()), asyncio.create_task(this.answer())]
                    try:
                        await this.write()
                        verdict = await this.settle()
                    finally:
                        for task in helpers:
                            task.cancel()
                        failed = [item for item in await asyncio.gather(*helpers, return_exceptions=True) if isinstance(item, Exception)]
                    if failed:
                        raise failed[0]
            finally:
                await workers.close()
        return Outcome(seed, verdict, this.stops, workers.deaths, proxy.held, time.monotonic() - begun, "\n".join([*this.told, workers.log()]))
