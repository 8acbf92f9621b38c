"""Sessions as rows of the changelog: a small header, then the parsers' snapshots. Versioned; a row holds a session whole.

Long texts (declarations, histories) have rows of their own and are named by hash; so has a session's memory (agents/memory.py). What
records hold these rows, and which kinds there are, is agents/changelog.py's business.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any

from tamis.agents.bindings import Bindings
from tamis.agents.declared import declared as declared_of
from tamis.agents.declared import unavailable
from tamis.agents.memory import Memory
from tamis.agents.open_response import Choice, Response
from tamis.agents.sessions import SessionState, Surroundings
from tamis.core import End, Session
from tamis.core.conversation.fabrications import Fabrications
from tamis.core.errors import SnapshotError
from tamis.wire.frames import Start
from tamis.wire.records import About

__all__ = ["Glance", "decode", "decode_memory", "encode", "encode_memory", "glance", "glance_memory", "pack", "unpack"]

VERSION = 2
_COMPRESS = 16 * 1024  # below this a row is written as it is: most are some hundred bytes
_GLANCE = struct.Struct(">qq?")  # offset, time of the last record, quiet
_TOLD = ("tools", "history")  # fields of a start that stand in texts


def pack(body: bytes) -> bytes:
    """Version and body, compressed when it is long."""
    packed = len(body) > _COMPRESS
    return bytes([VERSION, packed]) + (zlib.compress(body, 1) if packed else body)


def _check(row: bytes) -> None:
    if len(row) < 2 or row[0] != VERSION:
        raise SnapshotError(f"a row of the changelog has version {row[0] if row else 'none'}; this worker reads version {VERSION}")


def unpack(row: bytes) -> bytes:
    """The body of a row. Raises `SnapshotError` for one that this version cannot read."""
    _check(row)
    try:
        return zlib.decompress(row[2:]) if row[1] else row[2:]
    except zlib.error:
        raise SnapshotError("a row of the changelog is damaged") from None


@dataclass(frozen=True, slots=True)
class Glance:
    """What can be seen of a session's row without reading it whole. `quiet`: nothing is open, and it names no text."""

    offset: int
    last_ms: int
    quiet: bool


def glance(row: bytes) -> Glance:
    """A look at a row. Raises `SnapshotError`."""
    _check(row)
    return Glance(*_GLANCE.unpack_from(row, 2))


def encode(state: SessionState) -> tuple[bytes, set[str]]:
    """The row of a session, and the hashes of the texts that it names."""
    blobs: list[bytes] = []
    used: set[str] = set()
    opened = [_response(response, blobs, used, state) for response in state.responses.values()]
    # what has ended keeps only what another choice would need
    ended = [_response(response, blobs, used, state) for response in state.ended.values()]
    made_up = state.fabrications.to_dict() if state.fabrications.detections else None
    head = {"id": state.id, "p": state.partition, "o": state.offset, "t": state.last_ms, "h": made_up, "r": opened, "e": ended}
    text = json.dumps(head, separators=(",", ":")).encode()
    row = pack(struct.pack(">I", len(text)) + text + b"".join(blobs))
    return row[:2] + _GLANCE.pack(state.offset, state.last_ms, not (opened or used)) + row[2:], used


def _response(response: Response, blobs: list[bytes], used: set[str], state: SessionState) -> list[Any]:
    told: dict[str, Any] | None = None
    bound: str | None = None
    names: list[str] = []
    if not response.over or response.choices:
        start, texts = response.start, state.bindings.texts
        told = {item.name: value for item in dataclasses.fields(start)
                if item.name not in _TOLD and (value := getattr(start, item.name)) != item.default}  # fmt: skip
        bound = response.declared.hash if response.declared is not None else None
        if response.names is None:
            response.names = [texts.add(json.dumps(messages)) if messages else "" for messages in (start.history, response.seen)]
        names = response.names
        used.update(name for name in (bound, *names) if name)
    choices = []
    for index, choice in response.choices.items():
        blobs.append(choice.session.snapshot())
        about = choice.about
        choices.append([index, len(blobs[-1]), choice.seq, choice.chunks, choice.usage, choice.wire, choice.shown, choice.reasoned,
                        about.first_offset, about.last_offset, about.time_ms])  # fmt: skip
    trace = response.trace.decode("latin-1") if response.trace is not None else None
    inline = response.start.tools is not None
    return [response.id, told, bound, inline, names, sorted(response.closed), response.over, response.doom, response.ended_ms, trace, choices]


def decode(row: bytes, around: Surroundings, bindings: Bindings, now: float = 0.0) -> SessionState:
    """The session of a row; `now` is the worker's clock. Raises `SnapshotError` for bytes that this version cannot read."""
    _check(row)
    body = unpack(row[:2] + row[2 + _GLANCE.size :])
    (size,) = struct.unpack_from(">I", body)
    head: dict[str, Any] = json.loads(body[4 : 4 + size])
    at = 4 + size
    state = SessionState(head["id"], head["p"], around, bindings)
    state.offset, state.last_ms, state.touched = head["o"], head["t"], now
    if head["h"] is not None:
        state.fabrications = Fabrications.from_dict(head["h"])
    state.durable = state.offset
    for number, item in enumerate(head["r"] + head["e"]):
        response, choices = _restored(item, bindings, now)
        for index, length, seq, chunks, usage, wire, shown, reasoned, first, last, time_ms in choices:
            session = Session.restore(body[at : at + length], response.catalog, **response.keywords(state.id, index, around.policy))
            at += length
            start = response.start
            about = About(state.id, response.id, index, start.turn, start.provider, start.model, start.catalog, state.partition, first, last, time_ms,
                          response.trace, around.source)  # fmt: skip
            choice = response.choices[index] = Choice(session, about)
            choice.seq, choice.chunks, choice.usage, choice.wire = seq, chunks, usage, wire
            choice.shown, choice.reasoned = shown, reasoned
        (state.responses if number < len(head["r"]) else state.ended)[response.id] = response
    return state


def _restored(item: list[Any], bindings: Bindings, now: float) -> tuple[Response, list[Any]]:
    response_id, told, bound, inline, names, closed, over, doom, ended_ms, trace, choices = item
    texts = bindings.texts
    start = Start(**{**told, "namespaces": tuple(told.get("namespaces", ()))}) if told else Start()
    declared = None if bound is None else declared_of(texts.get(bound)) if bound else unavailable()
    if inline and declared is not None:
        start.tools = declared.tools
    history, seen = [json.loads(texts.get(name)) if name else None for name in names] or [None, None]
    start.history = history
    response = Response(response_id, start, declared, seen)
    response.names = names or None
    response.closed, response.over, response.ended_ms, response.touched = set(closed), over, ended_ms, now
    response.doom = None if doom is None else End(doom)
    response.trace = None if trace is None else trace.encode("latin-1")
    return response, choices


def glance_memory(row: bytes) -> Glance:
    """A look at a memory's row: its offset in tool-results, and whether nothing in it still has to happen. Raises `SnapshotError`."""
    _check(row)
    return Glance(*_GLANCE.unpack_from(row, 2))


def encode_memory(memory: Memory) -> bytes:
    """The row of a session's memory."""
    text = json.dumps(memory.to_json(), separators=(",", ":"), ensure_ascii=False)
    row = pack(text.encode("utf-8", "surrogatepass"))
    return row[:2] + _GLANCE.pack(memory.offset, 0, not (memory.waiting or memory.outbox)) + row[2:]


def decode_memory(row: bytes, now: float) -> Memory:
    """The memory of a row; what waits in it has waited since `now`. Raises `SnapshotError`."""
    _check(row)
    return Memory.from_json(json.loads(unpack(row[:2] + row[2 + _GLANCE.size :]).decode("utf-8", "surrogatepass")), now)
