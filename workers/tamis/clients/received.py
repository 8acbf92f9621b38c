"""One record as a consumer gets it, and what tells it from every other one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamis.wire.codec import loads
from tamis.wire.topics import Topic

__all__ = ["OUTPUTS", "Received", "decode", "identity"]

OUTPUTS = frozenset(Topic) - {Topic.RAW_STREAM, Topic.TOOL_RESULTS, Topic.TOOL_CATALOG}
"""The topics that tamis writes."""
_ORIGIN = ("__streams.errors.topic", "__streams.errors.partition", "__streams.errors.offset")


@dataclass(frozen=True, slots=True)
class Received:
    """One record of an output topic.

    `value` is the JSON object that the topic's schema describes; on `raw-stream.dlq` the bytes of the bad input, verbatim (None for a
    tombstone). `key` is the session id (None where a dead letter had none). `headers` are text; of two with one name the later one.
    `id` is the record's identity, `ce_id`, and for a dead letter the place of its input: the same event has the same one,
    however often it is written. None: somebody else wrote the record, and it is handed on each time. `topic` is the logical name,
    without a prefix; `time_ms` the record's time.
    """

    topic: Topic
    key: str | None
    value: Any
    headers: Mapping[str, str]
    id: str | None
    partition: int
    offset: int
    time_ms: int


def identity(topic: Topic, headers: Mapping[str, str]) -> str | None:
    """What tells a record from others. A dead letter has copied its input's headers, so that a `ce_id` there is not its own."""
    if topic is not Topic.DLQ:
        return headers.get("ce_id") or None
    place = [headers.get(name) for name in _ORIGIN]
    return None if None in place else "/".join(map(str, place))


def decode(topic: Topic, record: Any) -> Received:
    """A raw record as what it says. Raises ValueError when its value is no JSON object (but on `raw-stream.dlq`)."""
    headers = {name: (raw or b"").decode("utf-8", "replace") for name, raw in record.headers}
    value = record.value
    if topic is not Topic.DLQ:
        value = loads(record.value or b"")
        if not isinstance(value, dict):
            raise ValueError("the value is no JSON object")
    key = None if record.key is None else record.key.decode("utf-8", "replace")
    return Received(topic, key, value, headers, identity(topic, headers), record.partition, record.offset, record.timestamp)
