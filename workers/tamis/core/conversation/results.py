"""Conversation messages that answer a call: its result, or why it was refused.

    native call          {"role": "tool", "tool_call_id": …, "name": …, "content": …}
    call read from text  {"role": "user", "content": "<function_results>…</function_results>"}

A host that got a call as text has no place for a `tool` message: its API would refuse one whose id no assistant message carries. What is
written here, `tamis.core.coercion.history` reads back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tamis.core.conversation.quoting import element
from tamis.core.errors import UsageError
from tamis.core.events import Rejection, ToolCall
from tamis.core.feedback import error_line

__all__ = ["NATIVE", "format_refusal", "format_tool_result"]

NATIVE = "native"
"""The format label of calls that arrived as structured deltas."""
_LISTED = 200  # names in a refusal: the largest catalogues of one server seen have 60; of a thousand the nearest and these are enough


def format_tool_result(call: ToolCall | Mapping[str, Any], result: Any, *, is_error: bool = False) -> dict[str, Any]:
    """The message that puts a tool's result back into the conversation, in the shape that the call's format needs.

    `call` is a `ToolCall`, or a record with `id`, `name` and `format` (as on `tool-calls`). `result` is text, which stays as it is, or
    any JSON value. `is_error` says that the tool failed: the content is then `{"error": result}`. Raises `UsageError` on anything else.
    """
    call_id, name, label = _about(call)
    if is_error:
        result = {"error": result}
    return _message(label, call_id, name, result if isinstance(result, str) else _json(result))


def format_refusal(rejection: Rejection | Mapping[str, Any]) -> dict[str, Any]:
    """The message that tells the model about a refusal: `{"error", "available", "hint"}` in the refused call's own format.

    `rejection` is a `Rejection`, or its record (as on `rejections`). A native call whose provider gave no id, and the refusal of a whole turn,
    are told in a block. Of a large catalogue the first 200 names are listed; the nearest ones stand in the hint.
    """
    if isinstance(rejection, Rejection):
        found: dict[str, Any] = {
            "error": error_line(rejection.cause, rejection.detail), "available": rejection.available, "hint": rejection.hint,
            "suggestions": rejection.suggestions, "emitted_name": rejection.name, "call_id": rejection.call_id, "format": rejection.format,
        }  # fmt: skip
    elif isinstance(rejection, Mapping) and isinstance(rejection.get("error"), str):
        found = dict(rejection)
    else:
        raise UsageError("a refusal is a tamis.Rejection, or a record of the topic rejections")
    names, nearest = list(found.get("available") or ()), list(found.get("suggestions") or ())
    hint = str(found.get("hint") or "")
    if nearest:
        hint = f"Did you mean {' or '.join(nearest)}? {hint}"
    if len(names) > _LISTED:
        hint = f"{hint} ({_LISTED} of {len(names)} tools are listed.)"
    told = _json({"error": found["error"], "available": names[:_LISTED], "hint": hint.strip()})
    return _message(found.get("format"), found.get("call_id"), found.get("emitted_name"), told)


def _about(call: ToolCall | Mapping[str, Any]) -> tuple[str, str, str]:
    """Id, name and format of a call."""
    if isinstance(call, ToolCall):
        return call.id, call.name, call.format
    if isinstance(call, Mapping):
        found = call.get("id"), call.get("name"), call.get("format")
        if all(isinstance(item, str) and item for item in found):
            return found  # type: ignore[return-value]  # just checked
    raise UsageError("a call is a tamis.ToolCall, or a record of the topic tool-calls with id, name and format")


def _message(label: str | None, call_id: str | None, name: str | None, content: str) -> dict[str, Any]:
    if label == NATIVE and call_id:
        return {"role": "tool", "tool_call_id": call_id, **({"name": name} if name else {}), "content": content}
    about = [element(tag, text) for tag, text in (("tool_name", name), ("call_id", call_id)) if text]
    parts = ["<function_results>", "<result>", *about, element("output", content, lines=True), "</result>", "</function_results>"]
    return {"role": "user", "content": "\n".join(parts)}


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise UsageError(f"a result is text or a JSON value, not {type(value).__name__} that JSON cannot say") from None
