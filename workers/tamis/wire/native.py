"""The native envelope of `raw-stream`: start, delta, end and abort."""

from __future__ import annotations

from typing import Any

from tamis.core.choice import choice_word
from tamis.core.coercion.history import recent
from tamis.core.errors import UsageError
from tamis.wire.frames import Frame, FrameError, Reason, Start

__all__ = ["MAX_CHOICE", "read_entries", "read_native", "read_start"]

MAX_CHOICE = 1023
"""Largest index of a choice: providers serve up to 128, and each one is a parser of its own."""
_MAX_CALL_ID = 256  # characters: those of providers have some 40, and `turns` lists up to 128 of them
_KINDS = frozenset({"start", "delta", "end", "abort"})
_START_FIELDS = ("turn", "provider", "model", "catalog", "tools", "namespaces", "tool_choice", "thought_open", "format", "policy", "history")


def _optional(body: dict[str, Any], key: str, kind: type, word: str) -> Any:
    value = body.get(key)
    if value is None:
        return None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise FrameError(Reason.BAD_FIELD, f"field {key!r} must be {word}")
    return value


def _choice(body: dict[str, Any]) -> str:
    given = body.get("tool_choice")
    try:
        return "auto" if given is None else choice_word(given)
    except UsageError as error:
        raise FrameError(Reason.BAD_FIELD, f"field 'tool_choice': {error}") from None


def read_start(body: dict[str, Any]) -> Start | None:
    """The declarations in a record, or None when it makes none. Raises `FrameError` for one of the wrong shape."""
    if not any(body.get(key) is not None for key in _START_FIELDS):
        return None
    namespaces = _optional(body, "namespaces", list, "a list of strings") or []
    if not all(isinstance(item, str) for item in namespaces):
        raise FrameError(Reason.BAD_FIELD, "field 'namespaces' must be a list of strings")
    return Start(
        _optional(body, "turn", int, "a whole number"),
        _optional(body, "provider", str, "a string"),
        _optional(body, "model", str, "a string"),
        _optional(body, "catalog", str, "a string"),
        _optional(body, "tools", list, "a list of declarations"),
        tuple(namespaces),
        _choice(body),
        bool(_optional(body, "thought_open", bool, "true or false")),
        _optional(body, "format", str, "a string"),
        _optional(body, "policy", dict, "an object"),
        recent(_optional(body, "history", list, "a list of messages") or []) or None,
    )


def read_entries(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of `tool_calls`. Raises `FrameError`: a piece of a call that is left out would be a hole in it."""
    entries: list[dict[str, Any]] = _optional(body, "tool_calls", list, "a list of entries") or []
    for entry in entries:
        if not isinstance(entry, dict):
            raise FrameError(Reason.BAD_FIELD, "field 'tool_calls' must hold objects")
        given = entry.get("id")
        if isinstance(given, str) and len(given) > _MAX_CALL_ID:
            raise FrameError(Reason.BAD_FIELD, f"the id of a call has more than {_MAX_CALL_ID} characters")
    return entries


def read_native(body: dict[str, Any]) -> list[Frame]:
    """The frames of one native record. Raises `FrameError`."""
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise FrameError(Reason.NOT_A_CHUNK, "the record has no known 'kind' (start, delta, end, abort)")
    if body.get("v", 1) != 1:
        raise FrameError(Reason.BAD_FIELD, "field 'v' must be 1; this worker reads no other version of the envelope")
    response_id = _optional(body, "response_id", str, "a string") or None
    seq = _optional(body, "seq", int, "a whole number")
    choice = _optional(body, "choice", int, "a whole number")
    if (seq is not None and seq < 0) or (choice is not None and not 0 <= choice <= MAX_CHOICE):
        raise FrameError(Reason.BAD_FIELD, f"fields 'seq' and 'choice' must not be negative, nor 'choice' above {MAX_CHOICE}")
    start = read_start(body)
    if kind == "delta":
        frames: list[Frame] = []
        choice = choice or 0
        reasoning = _optional(body, "reasoning", str, "a string")
        text = _optional(body, "text", str, "a string")
        entries = read_entries(body)
        if reasoning:
            frames.append(Frame("reasoning", reasoning, response_id, choice))
        if text is not None:
            frames.append(Frame("text", text, response_id, choice))
        frames += (Frame("tool", entry, response_id, choice) for entry in entries)
        if not frames:
            frames.append(Frame("text", "", response_id, choice))
        frames[0].seq = seq
        frames[0].start = start
        return frames
    if kind == "start":
        return [Frame("start", None, response_id, choice, None, start or Start())]
    if kind == "abort":
        return [Frame("abort", None, response_id, choice)]
    reason = _optional(body, "finish_reason", str, "a string")
    usage = _optional(body, "usage", dict, "an object")
    out = [Frame("usage", usage, response_id, choice)] if usage else []
    out.append(Frame("finish", reason and reason[:64], response_id, choice))  # 64: the words known have some 15 characters
    out[0].seq = seq
    out[0].start = start
    return out
