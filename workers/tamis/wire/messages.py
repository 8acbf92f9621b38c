"""Records of `tool-messages`: a result or a refusal as a message that can be appended to the conversation."""

from __future__ import annotations

from typing import Any

from tamis.core.conversation.calls import Published
from tamis.core.conversation.results import format_refusal, format_tool_result
from tamis.core.events import Rejection, ToolCall
from tamis.wire.codec import dumps
from tamis.wire.frames import FrameError, Reason
from tamis.wire.records import MAX_VALUE, About, Record, common, headers_of, record_id
from tamis.wire.results import ToolResult
from tamis.wire.topics import Topic

__all__ = ["published", "refusal_record", "result_record"]

_ABOUT = ("turn", "provider", "model", "catalog", "first_offset", "last_offset")


def published(event: ToolCall, about: About) -> Published:
    """A call as its result will need it."""
    told = {name: value for name in _ABOUT if (value := getattr(about, name)) is not None}
    told |= {"ordinal": event.ordinal, "content_offset": event.content_offset}
    return Published(event.id, event.name, event.format, about.response_id, about.choice, about.time_ms, told)


def result_record(call: Published, result: ToolResult, session_id: str, partition: int, time_ms: int, source: str) -> Record:
    """The message that answers a call, in the shape of its format. Raises `FrameError` when it is too long for a record."""
    told = dict(call.about)
    ordinal, content_offset = told.pop("ordinal"), told.pop("content_offset")
    about = About(session_id, call.response_id, call.choice, partition=partition, time_ms=time_ms, source=source,
                  **{"turn": None, "provider": None, "model": None, "catalog": None, **told})  # fmt: skip
    message = format_tool_result(call.call(), result.value, is_error=result.is_error)
    record = _record(about, "result", call.id, message, call.format, ordinal, content_offset)
    if len(record.value or b"") > MAX_VALUE:
        raise FrameError(Reason.TOO_LARGE, f"the message of the result has more than {MAX_VALUE} bytes; publish a shortened result")
    return record


def refusal_record(event: Rejection, about: About) -> Record:
    """The message that tells the model of a refusal."""
    return _record(about, "rejection", event.call_id, format_refusal(event), event.format, event.ordinal, event.content_offset)


def _record(about: About, kind: str, call_id: str | None, message: Any, label: str | None, ordinal: int, content_offset: int) -> Record:
    topic = Topic.TOOL_MESSAGES
    value = {"for": kind, "call_id": call_id, "message": message, "format": label, "ordinal": ordinal, **common(about, content_offset)}
    return Record(topic, dumps(value), headers_of(topic, about, record_id(topic, about, ordinal), label), about.time_ms)
