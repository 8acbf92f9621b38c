"""The load played in real time, and all that comes of it read.

Nothing hangs on the machine's speed: a counter shows a rate only once Prometheus has seen it before and after it grew, so the last waves
wait until everything of the first ones has been scraped.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

import brokers
from golden.load import Message, bad_records, wave
from golden.scraper import Scraper

__all__ = ["IDLE_SECONDS", "TOPICS", "play"]

TOPICS = ("tool-calls", "rejections", "hallucinations", "content", "turns", "tool-messages", "format-candidates", "raw-stream.dlq")
IDLE_SECONDS = 4  # after so long a silent response is given up; far longer than any pause of the others
_PARTS = (range(4), range(4, 6))  # the numbers of the waves; each half of the models has its faults in every second wave
_WAVE_SECONDS = 2.5
_PATIENCE = 60  # seconds until Prometheus must have seen what the topics hold


async def play(broker: brokers.Broker, scraper: Scraper, say: Callable[[str], None]) -> tuple[list[Any], float]:
    """The records of all topics, each once, and when the last one was sent."""
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, linger_ms=5, max_request_size=2 * 1024 * 1024)
    consumer = AIOKafkaConsumer(*TOPICS, bootstrap_servers=broker.address, group_id=None, auto_offset_reset="earliest", fetch_max_wait_ms=50)
    await producer.start()
    await consumer.start()
    seen: list[Any] = []
    sent = 0.0
    try:
        for part in _PARTS:
            due = [((number - part[0]) * _WAVE_SECONDS + item.at_ms / 1000, item) for number in part for item in wave(number) + bad_records(number)]
            await _send(producer, sorted(due, key=lambda pair: pair[0]))
            sent = time.time()
            say(f"{len(due)} records sent, waves {part[0] + 1} to {part[-1] + 1}")
            await _read(consumer, seen, IDLE_SECONDS + 2 if part is _PARTS[-1] else 1.5)
            await _scraped(scraper, seen)
        return seen, sent
    finally:
        await producer.stop()
        await consumer.stop()


async def _send(producer: AIOKafkaProducer, due: list[tuple[float, Message]]) -> None:
    """Send each message when it is due, in seconds from now."""
    began = time.monotonic()
    for at, item in due:
        early = at - (time.monotonic() - began)
        if early > 0.01:  # finer than a gateway's own batching
            await asyncio.sleep(early)
        await producer.send(item.topic, item.value, key=item.key, headers=list(item.headers), partition=item.partition)
    await producer.flush()


async def _read(consumer: AIOKafkaConsumer, seen: list[Any], seconds: float) -> None:
    """Read until nothing has come for so long."""
    quiet = time.monotonic()
    while time.monotonic() - quiet < seconds:
        batch = [record for records in (await consumer.getmany(timeout_ms=200)).values() for record in records]
        seen += batch
        if batch:
            quiet = time.monotonic()


async def _scraped(scraper: Scraper, seen: list[Any]) -> None:
    """Wait until Prometheus has what was read, and for two scrapes more; when it never has, the sums will say so."""
    turns = sum(record.topic == "turns" for record in seen)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = await asyncio.to_thread(scraper.at, "sum(tamis_turns_total)", time.time())
        if found and found[0].points and found[0].points[0][1] >= turns:
            break
        await asyncio.sleep(0.5)
    await asyncio.sleep(2.5)
