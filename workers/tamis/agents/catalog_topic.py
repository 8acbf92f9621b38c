"""Follows `tool-catalog`: all of it, on every worker, outside the consumer group."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError
from aiokafka.structs import TopicPartition

from tamis.agents.declared import Catalogs
from tamis.core.errors import TamisError
from tamis.wire.catalogs import read_catalog, read_catalog_id
from tamis.wire.frames import FrameError

__all__ = ["Listed", "follow", "read_all", "take"]

log = logging.getLogger(__name__)

_AGAIN_SECONDS = 2.0  # between two tries to reach the broker: the worker itself fails by its own consumer if that stays away
_MAX_WAIT_MS = 500  # of one fetch: how late a new catalogue may be noticed


def take(catalogs: Catalogs, key: bytes | None, value: bytes | None, observe: Callable[..., None]) -> bool:
    """Apply one record; whether it changed anything. A bad one is refused with its reasons, and the old version stays."""
    name = "?"
    try:
        name = read_catalog_id(key)
        if value is None:
            catalogs.remove(name)
            observe("catalog", "removed")
            return True
        found = catalogs.put(name, read_catalog(value))
    except (FrameError, TamisError) as error:
        observe("catalog", "refused")
        stays = "the version before it stays" if name in catalogs else "there is no version of it"
        log.warning("catalogue %r is refused, %s: %s", name, stays, error)
        return False
    observe("catalog", "loaded")
    log.info("catalogue %r: %d tools, version %s", name, len(found.catalog.names), found.hash)
    return True


@dataclass(frozen=True, slots=True)
class Listed:
    """The newest record of one id: its version, or why no worker takes it (then the version before it stays in use where it is known)."""

    name: str
    tools: int
    version: str
    refused: str


async def read_all(topic: str, options: dict[str, Any], quiet_ms: int) -> list[Listed]:
    """What the topic holds; it has been read to its end when nothing came for `quiet_ms`."""
    newest: dict[bytes | None, bytes] = {}
    consumer = AIOKafkaConsumer(enable_auto_commit=False, auto_offset_reset="earliest", **options)
    await consumer.start()
    try:
        tp = TopicPartition(topic, 0)
        consumer.assign([tp])
        await consumer.seek_to_beginning(tp)
        while found := await consumer.getmany(timeout_ms=quiet_ms):
            for record in next(iter(found.values())):
                newest.pop(record.key, None)
                if record.value is not None:
                    newest[record.key] = record.value
    finally:
        await consumer.stop()
    return sorted((_listed(key, value) for key, value in newest.items()), key=lambda item: item.name)


def _listed(key: bytes | None, value: bytes) -> Listed:
    name = (key or b"").decode("utf-8", "backslashreplace")
    try:
        found = Catalogs().put(read_catalog_id(key), read_catalog(value))
    except (FrameError, TamisError) as error:
        return Listed(name, 0, "", str(error))
    return Listed(name, len(found.catalog.names), found.hash, "")


async def follow(
    topic: str, catalogs: Catalogs, changed: Callable[[], Awaitable[None]], options: dict[str, Any], observe: Callable[..., None]
) -> None:
    """Read the topic from its beginning and go on for ever; `changed` is awaited behind each list that changed something."""
    at = 0
    while True:
        consumer = AIOKafkaConsumer(enable_auto_commit=False, auto_offset_reset="earliest", fetch_max_wait_ms=_MAX_WAIT_MS, **options)
        try:
            await consumer.start()
            tp = TopicPartition(topic, 0)
            consumer.assign([tp])
            await consumer.seek_to_beginning(tp) if at == 0 else consumer.seek(tp, at)
            while True:
                for records in (await consumer.getmany(timeout_ms=_MAX_WAIT_MS)).values():
                    applied = [take(catalogs, record.key, record.value, observe) for record in records]
                    at = records[-1].offset + 1
                    if any(applied):
                        await changed()
        except (KafkaError, OSError) as error:
            log.warning("%s cannot be read (%s); trying again", topic, type(error).__name__)
            await asyncio.sleep(_AGAIN_SECONDS)
        finally:
            await consumer.stop()
