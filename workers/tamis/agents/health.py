"""The worker's own health as metrics: lag, what it holds, rebalances, and how late its event loop runs."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from typing import Any

import faust
from aiokafka import AIOKafkaConsumer
from aiokafka.structs import TopicPartition
from faust.types import TP

from tamis import metrics
from tamis.agents.lag import Lag
from tamis.agents.parse import around, engine
from tamis.agents.startup import client_options
from tamis.app import app, settings, topic_name
from tamis.wire.frames import Reason
from tamis.wire.topics import Topic

__all__ = ["fresh"]

log = logging.getLogger(__name__)
faust_app: Any = app

_LOOK_SECONDS = 1.0  # one small request to the broker each; a scrape is rarely more often
_TICK_SECONDS = 0.25  # the event loop is asked so often how late it is
_TOPIC = str(Topic.RAW_STREAM)
_RAW = topic_name(settings, Topic.RAW_STREAM)

metrics.know(settings.known_models)
metrics.prepare(settings.known_providers, [reason for name, reason in vars(Reason).items() if name.isupper()])
metrics.level("tamis_topic_partitions", _TOPIC, value=settings.partitions)
metrics.level("tamis_buffer_limit_bytes", value=settings.buffered_bytes)


class _Rebalances(faust.Sensor):
    """Faust's seam for what its consumer group does."""

    def on_rebalance_start(self, app: Any) -> dict[str, Any]:
        return {"began": time.monotonic()}

    def on_rebalance_end(self, app: Any, state: dict[str, Any]) -> None:
        metrics.count("tamis_rebalances_total")
        metrics.record("tamis_rebalance_seconds", value=time.monotonic() - state["began"])


faust_app.sensors.add(_Rebalances())


@faust_app.task
async def ticks() -> None:
    """Measure how late the event loop runs what is due."""
    while not app.should_stop:
        due = time.monotonic() + _TICK_SECONDS
        await asyncio.sleep(_TICK_SECONDS)
        metrics.record("tamis_event_loop_lag_seconds", value=time.monotonic() - due)


@faust_app.task
async def looks() -> None:
    """Look at the end of the log once a second; a broker that does not answer leaves the last numbers, and is logged."""
    lags: dict[int, Lag] = {}
    failing = False
    while not app.should_stop:
        async with AsyncExitStack() as stack:
            try:
                consumer = AIOKafkaConsumer(group_id=None, **client_options(settings))
                stack.push_async_callback(consumer.stop)
                await consumer.start()
                while not app.should_stop:
                    await _look(consumer, lags)
                    failing = False
                    await asyncio.sleep(_LOOK_SECONDS)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - a metric must not stop the worker; whatever else is wrong, the barriers notice
                if not failing:
                    log.warning("the lag cannot be measured: %s", type(error).__name__)
                failing = True
        await asyncio.sleep(_LOOK_SECONDS)


async def _look(consumer: Any, lags: dict[int, Lag]) -> None:
    held = dict(engine.partitions)
    ends: dict[TopicPartition, int] = await consumer.end_offsets([TopicPartition(_RAW, number) for number in held]) if held else {}
    now = time.monotonic()
    for number, part in held.items():
        # the embedded broker tells too low an end; what the fetches have seen is as good a witness
        end = max(ends[TopicPartition(_RAW, number)], _seen(number), part.next)
        lag = lags.setdefault(number, Lag())
        records, seconds = lag.look(end, part.next, now, None if part.time_ms is None else time.time() - part.time_ms / 1000)
        metrics.level("tamis_consumer_lag_records", _TOPIC, str(number), value=records)
        metrics.level("tamis_consumer_lag_seconds", _TOPIC, str(number), value=seconds)
    for number in set(lags) - set(held):
        del lags[number]
        metrics.drop("tamis_consumer_lag_records", _TOPIC, str(number))
        metrics.drop("tamis_consumer_lag_seconds", _TOPIC, str(number))


def _seen(number: int) -> int:
    tp = TP(_RAW, number)
    if app.consumer is None or tp not in app.consumer.assignment():
        return 0
    return app.consumer.highwater(tp) or 0


def fresh() -> None:
    """Set what is read at the moment of a scrape. On the event loop: it looks at the engine's own state."""
    metrics.level("tamis_barrier_age_seconds", value=time.monotonic() - engine.last_barrier)
    metrics.level("tamis_partitions_assigned", _TOPIC, value=len(engine.partitions))
    metrics.level("tamis_catalogs", value=len(around.catalogs))
    metrics.level("tamis_catalog_tools", value=around.catalogs.tools)
    sessions = [state for part in engine.partitions.values() for state in part.sessions.values() if state.responses]
    metrics.level("tamis_sessions_active", value=len(sessions))
    metrics.level("tamis_buffer_bytes", value=4 * sum(state.buffered for state in sessions))
