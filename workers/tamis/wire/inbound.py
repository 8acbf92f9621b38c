"""One raw record to frames: key, headers, framing, and the adapter of its wire."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import orjson

from tamis.wire.frames import Frame, FrameError, Reason, Start
from tamis.wire.native import read_native
from tamis.wire.openai_chat import is_openai_chat, read_openai_chat

__all__ = ["read_key", "read_record"]

_ADAPTERS: dict[str, Callable[[dict[str, Any]], list[Frame]]] = {"native": read_native, "text": read_native, "openai.chat": read_openai_chat}
_REGISTRY_FRAME = 5  # a zero byte and a schema id of four, as schema-registry serializers put in front
_START_HEADERS = {"x-provider": "provider", "x-model": "model", "x-catalog": "catalog"}


def read_key(key: bytes | None) -> str:
    """The session id of a record. Raises `FrameError`."""
    if key is None:
        raise FrameError(Reason.NO_KEY, "the record has no key; the key is the session id")
    if not 1 <= len(key) <= 256:
        raise FrameError(Reason.BAD_KEY, "the key must have 1 to 256 bytes")
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise FrameError(Reason.BAD_KEY, "the key is no UTF-8") from None


def read_record(value: bytes | None, headers: Iterable[tuple[str, bytes | None]] = ()) -> list[Frame]:
    """The frames of a record's value; headers win over the body. Raises `FrameError`, with the response id when it is known."""
    named = {key: raw.decode("utf-8", "replace") for key, raw in headers if raw is not None and key.startswith("x-")} if headers else {}
    response_id = named.get("x-response-id") or None
    try:
        frames = _frames(value, named.get("x-wire"))
    except FrameError as error:
        error.response_id = response_id or error.response_id
        raise
    if named:
        declared = {field: named[header] for header, field in _START_HEADERS.items() if named.get(header)}
        for frame in frames:
            if response_id is not None:
                frame.response_id = response_id
            if declared:
                frame.start = frame.start or Start()
                for field, text in declared.items():
                    setattr(frame.start, field, text)
    return frames


def _frames(value: bytes | None, wire: str | None) -> list[Frame]:
    if value is None:
        raise FrameError(Reason.NO_VALUE, "the record has no value; raw-stream takes no tombstones")
    if value[:1] == b"\0":
        value = value[_REGISTRY_FRAME:]
    try:
        body = orjson.loads(value)
    except orjson.JSONDecodeError:
        raise FrameError(Reason.NOT_JSON, "the value is no JSON") from None
    if not isinstance(body, dict):
        raise FrameError(Reason.NOT_A_CHUNK, "the value is no JSON object")
    if wire is None:
        wire = "openai.chat" if is_openai_chat(body) else "native"
    adapter = _ADAPTERS.get(wire)
    if adapter is None:
        raise FrameError(Reason.UNKNOWN_WIRE, f"the wire of header x-wire is not known; known: {', '.join(sorted(_ADAPTERS))}")
    try:
        return adapter(body)
    except FrameError as error:
        given = body.get("response_id", body.get("id"))
        error.response_id = given if isinstance(given, str) else None
        raise
