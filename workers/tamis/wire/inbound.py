"""One raw record to frames: key, headers, framing, and the adapter of its wire."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tamis.wire.codec import exact, loads
from tamis.wire.frames import Frame, FrameError, Reason, Start
from tamis.wire.native import read_native
from tamis.wire.openai_chat import is_openai_chat, read_openai_chat

__all__ = ["MAX_ID", "WIRES", "read_key", "read_record"]

MAX_ID = 512
"""Characters of a response id: ids of providers have some 40; every output record carries it."""

_ADAPTERS: dict[str, Callable[[dict[str, Any]], list[Frame]]] = {"native": read_native, "text": read_native, "openai.chat": read_openai_chat}
WIRES = frozenset(_ADAPTERS)
"""What header `x-wire` may say."""
_REGISTRY_FRAME = 5  # a zero byte and a schema id of four, as schema-registry serializers put in front
_START_HEADERS = {"x-provider": "provider", "x-model": "model", "x-catalog": "catalog"}
_LABELS = ("provider", "model", "catalog", "format")
_MAX_LABEL = 256  # characters: the longest real model names have some 60; a megabyte here would be in every output record


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


def read_record(value: bytes | None, headers: Iterable[tuple[str, bytes | None]] = (), body: Any = None) -> list[Frame]:
    """The frames of a record's value; headers win over the body. Raises `FrameError`, with the response id when it is known.

    `body` is the decoded value when the caller has it already, so that nothing is decoded twice.
    """
    named = {key: raw.decode("utf-8", "replace") for key, raw in headers if raw is not None and key.startswith("x-")} if headers else {}
    response_id = named.get("x-response-id") or None
    try:
        if response_id is not None and len(response_id) > MAX_ID:
            response_id = None
            raise FrameError(Reason.BAD_FIELD, f"header x-response-id has more than {MAX_ID} characters")
        frames = _frames(value, named.get("x-wire"), body)
    except FrameError as error:
        error.response_id = response_id or error.response_id
        raise
    declared = {field: named[header] for header, field in _START_HEADERS.items() if named.get(header)} if named else None
    start = frames[0].start
    if declared:
        start = start or Start()
        for field, text in declared.items():
            setattr(start, field, text)
    if start is not None:
        for field in _LABELS:
            text = getattr(start, field)
            if text is not None and len(text) > _MAX_LABEL:
                setattr(start, field, text[:_MAX_LABEL])
    for frame in frames:
        frame.start = start
        if response_id is not None:
            frame.response_id = response_id
    return frames


def _frames(value: bytes | None, wire: str | None, body: Any) -> list[Frame]:
    if value is None:
        raise FrameError(Reason.NO_VALUE, "the record has no value; raw-stream takes no tombstones")
    if body is None or not exact(value):
        try:
            body = loads(value[_REGISTRY_FRAME:] if value[:1] == b"\0" else value)
        except ValueError:
            raise FrameError(Reason.NOT_JSON, "the value is no JSON") from None
    if not isinstance(body, dict):
        raise FrameError(Reason.NOT_A_CHUNK, "the value is no JSON object")
    if wire is None:
        wire = "openai.chat" if is_openai_chat(body) else "native"
    adapter = _ADAPTERS.get(wire)
    try:
        if adapter is None:
            raise FrameError(Reason.UNKNOWN_WIRE, f"the wire of header x-wire is not known; known: {', '.join(sorted(_ADAPTERS))}")
        frames = adapter(body)
        given = frames[0].response_id
        if given is not None and len(given) > MAX_ID:
            raise FrameError(Reason.BAD_FIELD, f"the response id has more than {MAX_ID} characters")
        return frames
    except FrameError as error:
        given = body.get("response_id", body.get("id"))
        error.response_id = given if isinstance(given, str) and 0 < len(given) <= MAX_ID else None
        raise
