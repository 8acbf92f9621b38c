"""Reading topics for people: a consumer without a group, and records decoded with their headers."""

from __future__ import annotations

import base64
import contextlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

from tamis.cli.broker import client_options
from tamis.cli.output import CommandError
from tamis.settings import Settings

__all__ = ["decoded", "records", "summary"]

POLL_MS = 250
SETTLE_MS = 500
"""The embedded broker's end offsets are too low by up to a batch: what comes within this time and is older than the start is dropped."""


@contextlib.asynccontextmanager
async def _consumer(settings: Settings, topics: Sequence[str], *, from_beginning: bool) -> AsyncIterator[Any]:
    from aiokafka import AIOKafkaConsumer

    partitions = await _partitions(settings, topics)
    consumer = AIOKafkaConsumer(**client_options(settings), enable_auto_commit=False, auto_offset_reset="earliest", fetch_max_wait_ms=100)
    await consumer.start()
    try:
        consumer.assign(partitions)
        await (consumer.seek_to_beginning(*partitions) if from_beginning else consumer.seek_to_end(*partitions))
        yield consumer
    finally:
        await consumer.stop()


async def _partitions(settings: Settings, topics: Sequence[str]) -> list[Any]:
    """All partitions of the topics, asked from the broker first: to read a topic that is missing could make it."""
    from aiokafka import TopicPartition
    from aiokafka.admin import AIOKafkaAdminClient

    admin = AIOKafkaAdminClient(**client_options(settings))
    await admin.start()
    try:
        there = set(await admin.list_topics())
        for topic in topics:
            if topic not in there:
                raise CommandError(f"topic {topic!r} is not on the broker", "run `tamis topics init`")
        described = await admin.describe_topics(list(topics))
    finally:
        await admin.close()
    return [TopicPartition(item["topic"], part["partition"]) for item in described for part in item["partitions"]]


async def records(
    settings: Settings, topics: Sequence[str], *, from_beginning: bool = False, idle_seconds: float | None = None
) -> AsyncGenerator[Any, None]:
    """Raw records of whole topics (names as on the broker), and None whenever there was nothing for a moment.

    Ends after `idle_seconds` without a record; None follows for ever. The end of a topic is found by waiting, not by asking: the
    embedded broker's answer is wrong.
    """
    started = int(time.time() * 1000)
    async with _consumer(settings, topics, from_beginning=from_beginning) as consumer:
        if not from_beginning:
            for batch in (await consumer.getmany(timeout_ms=SETTLE_MS)).values():
                for record in batch:
                    if record.timestamp >= started:
                        yield record
        yield None  # from here on nothing is missed
        last = time.monotonic()
        while True:
            found = await consumer.getmany(timeout_ms=POLL_MS)
            for batch in found.values():
                for record in batch:
                    yield record
            if found:
                last = time.monotonic()
            elif idle_seconds is not None and time.monotonic() - last >= idle_seconds:
                return
            else:
                yield None


def decoded(record: Any) -> dict[str, Any]:
    """A record as JSON values: headers as text, the value parsed where it is JSON, else as text or base64."""
    headers = {name: (value or b"").decode("utf-8", "replace") for name, value in record.headers}
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp_ms": record.timestamp,
        "key": None if record.key is None else record.key.decode("utf-8", "replace"),
        "headers": headers,
        "value": _value(record.value),
    }


def _value(raw: bytes | None) -> Any:
    if raw is None:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def summary(topic: str, value: Any) -> str:
    """One line on what a record says, by its logical topic."""
    if not isinstance(value, dict):
        return str(value)
    get = value.get
    if topic == "tool-calls":
        repaired = f"  [{', '.join(dict.fromkeys(item['rule'] for item in get('repairs') or ()))}]" if get("repairs") else ""
        return f"{get('name')} {json.dumps(get('arguments'), ensure_ascii=False)}{repaired}"
    if topic == "rejections":
        return f"{get('cause')} {get('emitted_name') or '(no name)'}: {get('detail')}"
    if topic == "hallucinations":
        return f"{get('markup')}, {get('length')} characters, session count {get('session_count')}"
    if topic == "turns":
        return f"{get('end')} {get('diagnosis')}, calls {len(get('calls') or ())}, refused {get('rejections')}, made up {get('hallucinations')}"
    if topic == "content":
        return f"{get('kind')} @{get('offset')} {get('text')}"
    return json.dumps(value, ensure_ascii=False)
