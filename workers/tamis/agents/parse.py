"""The Faust agent: lists of records of one partition in, everything else in the engine. Nothing may leave this loop as an exception."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.structs import TopicPartition
from faust import current_event
from faust.types import TP

from tamis import metrics
from tamis.agents.catalog_topic import follow
from tamis.agents.engine import Engine, die
from tamis.agents.fence import Fence
from tamis.agents.guard import Guard
from tamis.agents.outputs import Sender
from tamis.agents.sessions import Surroundings
from tamis.agents.startup import client_options, refuse_wrong_topics
from tamis.app import app, raw_topic, results_topic, sessions_table, settings, topic_name
from tamis.wire.topics import Topic

__all__ = ["engine", "parse", "results"]

log = logging.getLogger(__name__)
faust_app: Any = app  # the private attributes used below are named in docs of the pinned versions, not in its types
_LOOK_MS = 5000  # for one record that is known to be there: far above any fetch
_RAW = topic_name(settings, Topic.RAW_STREAM)
_RESULTS = topic_name(settings, Topic.TOOL_RESULTS)


def _observe(kind: str, *details: Any) -> None:
    """The seam to metrics for what the sessions see."""
    _SEAM[kind](*details)


_SEAM: dict[str, Callable[..., None]] = {
    "event": metrics.observe,
    "turn": metrics.turn,
    "first_call": metrics.first_call,
    "usage": metrics.usage,
    "unknown_field": lambda wire, name: metrics.count("tamis_unknown_fields_total", wire, name),
    "dlq": metrics.dlq,
    "duplicate": metrics.duplicate,
    "jump": lambda kind: metrics.count("tamis_offset_jumps_total", kind),
    "misplaced": lambda: metrics.count("tamis_misplaced_keys_total"),
    "evicted": lambda reason, sessions: metrics.count("tamis_session_evictions_total", reason, by=sessions),
    "barrier": lambda seconds: metrics.record("tamis_barrier_seconds", value=seconds),
    "snapshot": metrics.snapshot,
    "catalog": lambda result: metrics.count("tamis_catalog_records_total", result),
}
"""What may be observed, and what counts it."""


class BrokerLog:
    """One topic's log as the broker has it: Faust's own idea of it may be empty or old after a rebalance."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    async def committed(self, number: int) -> int | None:
        """The committed offset of the group, if there is one."""
        return (await self._positions(number))[0]

    async def position(self, number: int) -> int:
        """The committed offset, or the first one that is there when that is later."""
        committed, earliest = await self._positions(number)
        return max(committed or 0, earliest)

    async def end(self, number: int) -> int:
        """The offset behind the last record; the embedded broker may tell a lower one."""
        async with self._asking(number) as (consumer, tp):
            offset: int = (await consumer.end_offsets([tp]))[tp]
            return offset

    async def following(self, number: int, offset: int) -> int | None:
        """The offset of the first record at or behind `offset`; None when none came in time."""
        async with self._asking(number) as (consumer, tp):
            consumer.seek(tp, offset)
            found = await consumer.getmany(tp, timeout_ms=_LOOK_MS, max_records=1)
            return next((record.offset for records in found.values() for record in records), None)

    async def _positions(self, number: int) -> tuple[int | None, int]:
        async with self._asking(number) as (consumer, tp):
            return await consumer.committed(tp), (await consumer.beginning_offsets([tp]))[tp]

    @asynccontextmanager
    async def _asking(self, number: int) -> AsyncIterator[tuple[Any, TopicPartition]]:
        """A short-lived consumer of one partition that joins no group, to ask the broker itself."""
        consumer = AIOKafkaConsumer(
            group_id=settings.app_id, enable_auto_commit=False, auto_offset_reset="earliest", fetch_max_wait_ms=100, **client_options(settings)
        )
        await consumer.start()
        try:
            tp = TopicPartition(self._topic, number)
            consumer.assign([tp])
            yield consumer, tp
        finally:
            await consumer.stop()


def _owns(number: int) -> bool:
    return app.consumer is not None and TP(_RAW, number) in app.consumer.assignment()


def _seek(topic: str) -> Callable[[int, int], Awaitable[None]]:
    async def seek(number: int, offset: int) -> None:
        # in the consumer's own thread, as `seek` is not: its fetcher must not lose a list in the middle of being handed out
        await app.consumer.seek_wait({TP(topic, number): offset})

    return seek


def _reached(topic: str) -> Callable[[int], Awaitable[int | None]]:
    async def reached(number: int) -> int | None:
        tp = TP(topic, number)
        offset: int | None = await app.consumer.position(tp) if tp in app.consumer.assignment() else None
        return offset

    return reached


async def _acknowledge(event: Any) -> None:
    event.ack()


sessions: Any = sessions_table
around = Surroundings(
    limits={name: getattr(settings.limits, name) for name in settings.limits.__slots__}, raw=settings.raw_in_rejections, observe=_observe
)
fence = Fence(settings.session_timeout_seconds)
engine = Engine(
    Sender(lambda: faust_app.producer._producer, settings.prefix, metrics.emit_latency, fence, metrics.produced),
    Guard(BrokerLog(_RAW), _seek(_RAW), _observe, _reached(_RAW)),
    around,
    lambda: sessions.data.data,
    _acknowledge,
    _owns,
    changelog=f"{settings.app_id}-sessions-changelog",
    partitions=settings.partitions,
    idle_seconds=settings.idle_seconds,
    buffered_bytes=settings.buffered_bytes,
    results=Guard(BrokerLog(_RESULTS), _seek(_RESULTS), reached=_reached(_RESULTS)),
    catalog_wait_seconds=settings.catalog_wait_seconds,
    result_wait_seconds=settings.result_wait_seconds,
)


@faust_app.agent(raw_topic, name="tamis.parse")
async def parse(stream: Any) -> None:
    """Work through `raw-stream`. Concurrency stays 1: state is per partition, more workers take more partitions."""
    async for records in stream.noack():
        event: Any = current_event()
        try:
            await engine.take(event.message.partition, records, event)
            _count()
        except Exception as error:  # noqa: BLE001 - the event would be lost with the exception; stopping brings it back
            die("a list of records could not be worked through", error)


@faust_app.agent(results_topic, name="tamis.results")
async def results(stream: Any) -> None:
    """Work through `tool-results`, which has the same partitions on the same workers."""
    async for records in stream.noack():
        event: Any = current_event()
        try:
            await engine.take_results(event.message.partition, records, event)
        except Exception as error:  # noqa: BLE001 - as above
            die("a list of results could not be worked through", error)


def _count() -> None:
    for (provider, model, wire), (number, size) in around.seen.items():
        metrics.chunk(provider, model, wire, number, size)
    around.seen.clear()


@faust_app.task
async def barriers() -> None:
    """A barrier every now and then, for as long as the worker runs."""
    while not app.should_stop:
        await asyncio.sleep(settings.barrier_interval_seconds)
        try:
            await engine.sweep(_assigned())
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - outputs or state may be missing on the broker: only a replay makes it right
            die("a barrier failed", error)


def _assigned() -> list[int]:
    """Partitions that may be read back now; none while the changelog is still being read."""
    tables: Any = app.tables
    if app.rebalancing or not tables.recovery.completed.is_set():
        return []
    return sorted(tp.partition for tp in app.consumer.assignment() if tp.topic == _RAW)


@faust_app.on_partitions_assigned.connect
async def _joined(sender: Any, assigned: set[TP], **keywords: Any) -> None:
    fence.joined(faust_app.generation())


@faust_app.on_partitions_revoked.connect
async def _revoked(sender: Any, revoked: set[TP], **keywords: Any) -> None:
    await _release()


@faust_app.on_before_shutdown.connect
async def _shutdown(sender: Any, **keywords: Any) -> None:
    await _release()


async def _release() -> None:
    """Finish the barrier and commit directly: Faust drops its own list of acknowledged offsets on a revoke."""
    try:
        offsets, seen = await engine.release()
        at = {TP(topic, number): offset for topic, found in ((_RAW, offsets), (_RESULTS, seen)) for number, offset in found.items()}
        if at and app.consumer is not None:
            await faust_app.consumer._commit(at)
    except Exception:
        # what could not be finished is replayed by the next owner
        log.warning("partitions were given up before their last barrier; the next owner replays it", exc_info=True)


@faust_app.task
async def catalogs() -> None:
    """Read `tool-catalog` for as long as the worker runs: every worker reads all of it."""

    async def changed() -> None:
        try:
            await engine.resume()
        except Exception as error:  # noqa: BLE001 - records may have been taken out and not published: only a replay makes it right
            die("waiting records could not go on", error)

    await follow(topic_name(settings, Topic.TOOL_CATALOG), around.catalogs, changed, client_options(settings), _observe)


faust_app.on_heartbeat = fence.heard
app.check_topics = lambda: refuse_wrong_topics(settings)
