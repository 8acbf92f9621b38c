"""Records on their way to the broker: one batch a topic, delivery awaited at the barrier."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from tamis.agents.fence import Fence
from tamis.wire.records import Record
from tamis.wire.topics import Topic

__all__ = ["Outgoing", "Sender"]

Outgoing = tuple[bytes | None, bytes | None, int | None, list[tuple[str, bytes]]]
"""Key, value, time in ms (None: now), headers."""
_TOPICS = frozenset(Topic)


class Sender:
    """Writes to one partition of any topic through the app's producer, in order."""

    def __init__(
        self, producer: Callable[[], Any], prefix: str, latency: Callable[[str | None, str | None, float], None], fence: Fence | None = None,
        produced: Callable[[str, int, float | None], None] = lambda *_: None,
    ) -> None:  # fmt: skip
        self._producer = producer
        self._fence = fence
        self._prefix = prefix
        self._latency = latency
        self._produced = produced

    async def send(self, topic: str, partition: int, records: Iterable[Outgoing]) -> list[asyncio.Future[Any]]:
        """Hand records to the producer; the futures resolve when the broker has them. Raises `FencedError`."""
        if self._fence is not None:
            await self._fence.passed()
        producer = self._producer()
        futures: list[asyncio.Future[Any]] = []
        builder = None
        count = 0
        name = topic.removeprefix(self._prefix)
        label = name if name in _TOPICS else "changelog"
        for key, value, time_ms, headers in records:
            if builder is None or builder.append(timestamp=time_ms, key=key, value=value, headers=headers) is None:
                if builder is not None:
                    futures.append(await producer.send_batch(builder, topic, partition=partition))
                    futures[-1].add_done_callback(self._count(label, count))
                    count = 0
                builder = producer.create_batch()
                if builder.append(timestamp=time_ms, key=key, value=value, headers=headers) is None:
                    raise RuntimeError(f"a record for {topic} is larger than the producer takes; raise max.message.bytes")
            count += 1
        if builder is not None:
            futures.append(await producer.send_batch(builder, topic, partition=partition))
            futures[-1].add_done_callback(self._count(label, count))
        return futures

    async def publish(self, partition: int, records: list[tuple[bytes, Record]]) -> list[asyncio.Future[Any]]:
        """Send output records, each to its topic, and time the calls among them up to their acknowledgement."""
        topics: dict[str, list[Outgoing]] = {}
        timed: dict[str, list[tuple[str | None, str | None, int]]] = {}
        for key, record in records:
            topics.setdefault(record.topic, []).append((key, record.value, record.time_ms, record.headers))
            if record.format is not None and record.topic is not Topic.TOOL_MESSAGES:  # a result comes when its tool is done
                provider = next((raw.decode("utf-8", "replace") for name, raw in record.headers if name == "provider"), None)
                timed.setdefault(record.topic, []).append((provider, record.format, record.time_ms))
        futures: list[asyncio.Future[Any]] = []
        for topic, outgoing in topics.items():
            sent = await self.send(self._prefix + topic, partition, outgoing)
            if topic in timed:
                sent[-1].add_done_callback(self._timer(timed[topic]))
            futures += sent
        return futures

    def _count(self, label: str, count: int) -> Callable[[asyncio.Future[Any]], None]:
        began = time.monotonic()

        def done(future: asyncio.Future[Any]) -> None:
            delivered = not future.cancelled() and future.exception() is None
            self._produced(label, count, time.monotonic() - began if delivered else None)

        return done

    def _timer(self, timed: list[tuple[str | None, str | None, int]]) -> Callable[[asyncio.Future[Any]], None]:
        def done(future: asyncio.Future[Any]) -> None:
            if not future.cancelled() and future.exception() is None:
                now = time.time()
                for provider, label, time_ms in timed:
                    self._latency(provider, label, now - time_ms / 1000)

        return done


async def delivered(futures: Iterable[Awaitable[Any]]) -> None:
    """Wait until the broker has everything; the first failure is raised."""
    for future in futures:
        await future
