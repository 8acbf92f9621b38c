"""Records of `tool-messages`: a result or a refusal as a message that can be appended to the conversation."""

from __future__ import annotations

from typing import Any, Protocol

from tamis.core.events import Rejection
from tamis.core.results import rejection_message, result_message
from tamis.wire.codec import dumps
from tamis.wire.records import About, Record, common, headers_of, record_id
from tamis.wire.results import ToolResult
from tamis.wire.topics import Topic

__all__ = ["Answered", "rejection_message_record", "result_message_record"]


class Answered(Protocol):
    """A call that was published, as far as its message needs it."""

    response_id: str
    choice: int
    id: str
    name: str
    format: str
    ordinal: int
    content_offset: int
    turn: int | None
    provider: str | None
    model: str | None
    catalog: str | None
    first_offset: int
    last_offset: int


def result_message_record(call: Answered, result: ToolResult, session_id: str, partition: int, time_ms: int, source: str) -> Record:
    """The message that answers a call, in the shape of its format."""
    about = About(session_id, call.response_id, call.choice, call.turn, call.provider, call.model, call.catalog, partition, call.first_offset,
                  call.last_offset, time_ms, None, source)  # fmt: skip
    message = result_message(call.id, call.name, call.format, result.text)
    return _record(about, "result", call.id, message, call.format, call.ordinal, call.content_offset)


def rejection_message_record(event: Rejection, about: About) -> Record:
    """The message that tells the model of a refusal."""
    return _record(about, "rejection", event.call_id, rejection_message(event), event.format, event.ordinal, event.content_offset)


def _record(about: About, kind: str, call_id: str | None, message: Any, label: str | None, ordinal: int, content_offset: int) -> Record:
    topic = Topic.TOOL_MESSAGES
    value = {"for": kind, "call_id": call_id, "message": message, "format": label, "ordinal": ordinal, **common(about, content_offset)}
    return Record(topic, dumps(value), headers_of(topic, about, record_id(topic, about, ordinal), label), about.time_ms)
