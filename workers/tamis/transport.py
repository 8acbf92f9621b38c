"""Faust's official seams, used so that a fetched list of records costs about as much as one event.

A `ConsumerScheduler` hands each partition's list on as one pseudo record and a `Schema` passes it through; the agent then sees lists
of raw records. The transport only shortens the long poll, which Faust fixes at 1.5 s. Nothing of Faust is patched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import faust
from aiokafka.structs import TopicPartition
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.transport.utils import DefaultSchedulingStrategy

__all__ = ["BatchRecord", "BatchSchema", "LowLatencyApp", "NewestTable", "scheduler"]

EXIT_REFUSED = 1
_MAX_BATCH = 4000  # records handled without giving the event loop a turn: some 20 ms of work


class BatchRecord:
    """The records of one partition, dressed as one: offset and time are the last one's, so that acknowledging it covers all."""

    __slots__ = ("checksum", "headers", "key", "offset", "partition", "serialized_key_size", "serialized_value_size", "timestamp",
                 "timestamp_type", "topic", "value")  # fmt: skip

    def __init__(self, tp: TopicPartition, records: list[Any]) -> None:
        last = records[-1]
        self.topic, self.partition = tp.topic, tp.partition
        self.offset, self.timestamp, self.timestamp_type = last.offset, last.timestamp, last.timestamp_type
        self.key, self.value, self.headers = None, records, ()
        self.checksum, self.serialized_key_size, self.serialized_value_size = None, 0, len(records)


class BatchSchema(faust.Schema[Any, Any]):
    """Passes a list of records through as it is."""

    def loads_key(self, app: Any, message: Any, **keywords: Any) -> None:
        """A list has no key of its own."""

    def loads_value(self, app: Any, message: Any, **keywords: Any) -> Any:
        """The list."""
        return message.value


def scheduler(*topics: str) -> type[DefaultSchedulingStrategy]:
    """A consumer scheduler that hands `topics` on in lists and everything else record by record."""

    class BatchScheduler(DefaultSchedulingStrategy):
        def iterate(self, records: Mapping[TopicPartition, list[Any]]) -> Iterator[tuple[TopicPartition, Any]]:
            rest = {}
            for tp, messages in records.items():
                if tp.topic in topics and messages:
                    for start in range(0, len(messages), _MAX_BATCH):
                        yield tp, BatchRecord(tp, messages[start : start + _MAX_BATCH])
                else:
                    rest[tp] = messages
            if rest:
                yield from super().iterate(rest)

    return BatchScheduler


class _Thread(AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer = super()._create_worker_consumer(transport)
        app: Any = self.app
        consumer._fetch_max_wait_ms = app.fetch_max_wait_ms
        return consumer

    async def on_start(self) -> None:
        """Start, and tell the app of every heartbeat from then on."""
        await super().on_start()
        app: Any = self.app
        consumer: Any = self._consumer
        coordinator = consumer._coordinator
        beat = coordinator._do_heartbeat

        async def told() -> bool:
            answered: bool = await beat()
            if app.on_heartbeat is not None:
                app.on_heartbeat(coordinator.generation, answered)
            return answered

        coordinator._do_heartbeat = told
        app.generation = lambda: coordinator.generation


class _Consumer(Consumer):
    def _new_consumer_thread(self) -> Any:
        return _Thread(self, loop=self.loop, beacon=self.beacon)


class _Transport(Transport):
    Consumer = _Consumer


class NewestTable(faust.Table[Any, Any]):
    """A table whose recovery takes, of several records of a key, the one with the greatest order, not the one that lies last.

    The order stands in a header (`order_header`); a record without one always counts. So a row that a paused worker still wrote behind
    its successor's does no harm.
    """

    order_header = "o"

    def apply_changelog_batch(self, batch: Iterable[Any]) -> None:
        """Apply what is not older than what was read already."""
        orders = self.__dict__.setdefault("_orders", {})
        super().apply_changelog_batch([event for event in batch if self._newer(event, orders)])

    def _newer(self, event: Any, orders: dict[Any, int]) -> bool:
        told = dict(event.message.headers or ()).get(self.order_header)
        if told is None:
            return True
        key, order = event.key, int(told)
        if order < orders.get(key, order):
            return False
        orders[key] = order
        return True


class LowLatencyApp(faust.App):
    """A Faust app whose fetches wait `fetch_max_wait_ms`."""

    fetch_max_wait_ms = 50
    on_heartbeat: Any = None
    """Called with the group's generation and whether the group knows this worker, in the consumer's thread."""
    generation: Any = staticmethod(lambda: None)
    """The generation of the group as this worker knows it; None before it joined."""
    check_topics: Any = None
    """Awaited before anything is consumed; raises when the worker must not start."""

    async def on_first_start(self) -> None:
        """Refuse to start on topics that are not as they must be."""
        if self.check_topics is not None:
            try:
                await self.check_topics()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is said once, without a traceback, and the worker ends
                os.write(2, f"tamis: {error}\n".encode())  # the spinner of Faust holds sys.stderr by now
                os._exit(EXIT_REFUSED)
        await super().on_first_start()

    def _new_transport(self) -> Any:
        return _Transport(self.conf.broker_consumer, self, loop=self.loop)
