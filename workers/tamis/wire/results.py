"""One record of `tool-results`: what a dispatcher got for one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamis.wire.codec import loads
from tamis.wire.frames import FrameError, Reason
from tamis.wire.inbound import MAX_ID
from tamis.wire.native import MAX_CHOICE

__all__ = ["ToolResult", "read_result"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`value` is text or any JSON value. `choice` None: nobody said."""

    call_id: str
    value: Any
    response_id: str | None = None
    choice: int | None = None
    name: str | None = None
    is_error: bool = False


def read_result(value: bytes | None) -> ToolResult:
    """The result of a record's value. Raises `FrameError`, whose text names fields and never content."""
    if value is None:
        raise FrameError(Reason.NO_VALUE, "the record has no value; tool-results takes no tombstones")
    try:
        body = loads(value)
    except ValueError:
        raise FrameError(Reason.NOT_JSON, "the value is no JSON") from None
    if not isinstance(body, dict):
        raise FrameError(Reason.NOT_A_RESULT, "the value is no JSON object")
    if body.get("v") != 1:
        raise FrameError(Reason.NOT_A_RESULT, "field 'v' must be 1")
    if "result" not in body:
        raise FrameError(Reason.NOT_A_RESULT, "field 'result' is missing; a tool that gives nothing has the result null")
    choice = body.get("choice")
    if choice is not None and (choice.__class__ is not int or not 0 <= choice <= MAX_CHOICE):
        raise FrameError(Reason.BAD_FIELD, f"field 'choice' must be a whole number from 0 to {MAX_CHOICE}")
    is_error = body.get("is_error", False)
    if is_error.__class__ is not bool:
        raise FrameError(Reason.BAD_FIELD, "field 'is_error' must be true or false")
    call_id = _string(body, "call_id")
    if not call_id:
        raise FrameError(Reason.BAD_FIELD, "field 'call_id' must be the id of a call")
    return ToolResult(call_id, body["result"], _string(body, "response_id"), choice, _string(body, "name"), is_error)


def _string(body: dict[str, Any], key: str) -> str | None:
    value = body.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > MAX_ID:
        raise FrameError(Reason.BAD_FIELD, f"field {key!r} must be a string of at most {MAX_ID} characters")
    return value
