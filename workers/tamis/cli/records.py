"""Input files to raw-stream records: a plain text, JSON Lines of chunks, or a capture of server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from tamis.cli.output import CommandError, Exit

__all__ = ["Kind", "Outgoing", "cut", "detect", "from_jsonl", "from_sse", "from_text", "response_of", "start_record"]


class Kind(StrEnum):
    """What an input file is."""

    AUTO = "auto"
    TEXT = "text"
    JSONL = "jsonl"
    SSE = "sse"


class Outgoing(NamedTuple):
    """Value and headers of one record to be published."""

    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


def detect(text: str) -> Kind:
    """What the text looks like: SSE by its field names, JSONL when every one of the first lines is a JSON object that is a chunk."""
    lines = [line for line in text.splitlines() if line.strip()][:5]
    if lines and lines[0].startswith(("data:", "event:", ":", "id:", "retry:")) and any(line.startswith("data:") for line in text.splitlines()):
        return Kind.SSE
    if lines and all(_is_chunk(line) for line in lines):
        return Kind.JSONL
    return Kind.TEXT


def _is_chunk(line: str) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and ("kind" in value or "choices" in value or "object" in value)


def from_text(text: str, start: dict[str, Any], response_id: str, finish_reason: str, size: int) -> Iterator[Outgoing]:
    """A start, the text in pieces of `size` characters, an end; numbered, so that a lost record would show."""
    yield start_record(start, response_id)
    number = 0
    for number, piece in enumerate(cut(text, size), 1):
        yield _native({"v": 1, "kind": "delta", "response_id": response_id, "seq": number - 1, "text": piece})
    yield _native({"v": 1, "kind": "end", "response_id": response_id, "seq": number, "finish_reason": finish_reason})


def from_jsonl(text: str, name: str) -> Iterator[Outgoing]:
    """One record a line, its bytes as they are. Raises `CommandError` on a line that is no JSON object."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise CommandError(f"{name}: line {number} is no JSON object", "one chunk a line; or give --as text", Exit.USAGE)
        yield Outgoing(line.strip().encode("utf-8"))


def from_sse(text: str, name: str) -> Iterator[Outgoing]:
    """The data of each event; comments and the closing [DONE] carry nothing. Raises `CommandError` on data that is no JSON."""
    data: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        stripped = line.removesuffix("\r")
        if stripped.startswith("data:"):
            data.append(stripped[5:].removeprefix(" "))
        elif not stripped and data:
            payload = "\n".join(data)
            data = []
            if payload.strip() == "[DONE]":
                continue
            try:
                json.loads(payload)
            except (ValueError, RecursionError):
                raise CommandError(f"{name}: the event before line {number} holds no JSON", "or give --as text", Exit.USAGE) from None
            yield Outgoing(payload.encode("utf-8"))


def response_of(record: Outgoing) -> str | None:
    """The response id that a record names in its body, or None."""
    value = json.loads(record.value)
    found = value.get("response_id") or value.get("id")
    return found if isinstance(found, str) and found else None


def cut(text: str, size: int) -> Iterator[str]:
    """The text in pieces of `size` characters; one empty piece for an empty text, so that the response exists."""
    if not text:
        yield ""
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _native(body: dict[str, Any]) -> Outgoing:
    return Outgoing(json.dumps(body, ensure_ascii=False).encode("utf-8"))


def start_record(start: dict[str, Any], response_id: str | None) -> Outgoing:
    """The record that declares provider, model, tools and turn of a response."""
    return _native({"v": 1, "kind": "start", **({"response_id": response_id} if response_id else {}), **start})
