"""A worker as its own process, chunks into it and records out of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

import brokers

TOOLS = [{"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}]
CALL = 'Looking.\n<tool_call>\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n</tool_call>\n'
OUT = ("tool-calls", "rejections", "hallucinations", "content", "turns", "tool-messages", "raw-stream.dlq")


@dataclass
class Out:
    """One output record."""

    topic: str
    key: str | None
    value: Any
    headers: dict[str, str]
    raw: bytes


def environment(broker: brokers.Broker, port: int, **more: str) -> dict[str, str]:
    return {**os.environ, "TAMIS_BROKER": broker.url, "TAMIS_PARTITIONS": "4", "TAMIS_WEB_PORT": str(port), "TAMIS_SESSION_TIMEOUT_SECONDS": "6",
            "TAMIS_BARRIER_INTERVAL_SECONDS": "0.3", **more}  # fmt: skip


def init_topics(env: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-m", "tamis", "topics", "init"], env=env, check=True, capture_output=True, timeout=60)


def get(port: int, page: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=2) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


@contextlib.contextmanager
def worker(env: dict[str, str], *flags: str, out: IO[bytes] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that is ready; stopped with SIGTERM unless the test did something harder."""
    process = subprocess.Popen([sys.executable, "-m", "tamis", "worker", *flags], env=env, stdout=out, stderr=out)
    try:
        end = time.monotonic() + 60
        while get(int(env["TAMIS_WEB_PORT"]), "readyz")[0] != 200:
            assert process.poll() is None, "the worker ended by itself"
            assert time.monotonic() < end, get(int(env["TAMIS_WEB_PORT"]), "readyz")
            time.sleep(0.2)
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def response(response_id: str, text: str, *, size: int = 5, end: bool = True, **start: Any) -> list[dict[str, Any]]:
    """The records of one response, as a gateway writes them."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    records: list[dict[str, Any]] = [{"v": 1, "kind": "start", "response_id": response_id, "tools": TOOLS, "provider": "vllm", "model": "m", **start}]
    records += [{"v": 1, "kind": "delta", "response_id": response_id, "seq": seq, "text": piece} for seq, piece in enumerate(pieces)]
    if end:
        records.append({"v": 1, "kind": "end", "response_id": response_id, "seq": len(pieces), "finish_reason": "stop"})
    return records


class Stream:
    """Writes chunks, collects everything that comes out."""

    def __init__(self, producer: AIOKafkaProducer, consumer: AIOKafkaConsumer) -> None:
        self._producer = producer
        self._consumer = consumer
        self.seen: list[Out] = []

    async def publish(self, session: str | None, *values: dict[str, Any] | bytes) -> None:
        for value in values:
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            await self._producer.send("raw-stream", data, key=None if session is None else session.encode())
        await self._producer.flush()

    async def send(self, topic: str, key: str, value: Any) -> None:
        """One record of another topic."""
        await self._producer.send_and_wait(topic, json.dumps(value).encode(), key=key.encode())

    async def until(self, done: Callable[[list[Out]], bool], seconds: float = 40) -> list[Out]:
        """Collect until `done`; fails with what was seen when that takes too long."""
        end = time.monotonic() + seconds
        while not done(self.seen):
            assert time.monotonic() < end, [(item.topic, item.key, item.value) for item in self.seen]
            for records in (await self._consumer.getmany(timeout_ms=100)).values():
                for record in records:
                    headers = {key: value.decode("utf-8", "replace") for key, value in record.headers}
                    try:
                        value = json.loads(record.value)
                    except (ValueError, TypeError, RecursionError):  # a dead letter holds whatever somebody sent
                        value = None
                    key = None if record.key is None else record.key.decode("utf-8", "replace")
                    self.seen.append(Out(record.topic, key, value, headers, record.value))
        return self.seen

    def of(self, topic: str, session: str | None = None) -> list[Out]:
        """What was seen of a topic, doubles dropped by their id as a consumer has to."""
        found: dict[str, Out] = {}
        for item in self.seen:
            if item.topic == topic and (session is None or item.key == session):
                found.setdefault(item.headers.get("ce_id", str(len(found))), item)
        return list(found.values())


@contextlib.asynccontextmanager
async def stream(broker: brokers.Broker) -> AsyncIterator[Stream]:
    producer = AIOKafkaProducer(bootstrap_servers=broker.address)
    consumer = AIOKafkaConsumer(*OUT, bootstrap_servers=broker.address, group_id=None, auto_offset_reset="earliest", fetch_max_wait_ms=50)
    await producer.start()
    await consumer.start()
    try:
        yield Stream(producer, consumer)
    finally:
        await producer.stop()
        await consumer.stop()
        await asyncio.sleep(0)


def turns(*sessions: str) -> Callable[[list[Out]], bool]:
    """Whether each of these sessions has had a turn's end."""
    return lambda seen: set(sessions) <= {item.key for item in seen if item.topic == "turns"}
