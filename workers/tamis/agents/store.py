"""Sessions as rows of the changelog: a small header, then tools and the parsers' snapshots. Versioned; a row holds a session whole.

A record is: one byte (0 a row, 1 an index of parts), two of the partition, then the row or the index.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import zlib
from typing import Any

from tamis.agents.open_response import Choice, Response
from tamis.agents.sessions import SessionState, Surroundings, catalog_of
from tamis.core import End, Session
from tamis.core.errors import SnapshotError
from tamis.wire.frames import Start
from tamis.wire.records import About

__all__ = ["BARRIER", "PART", "decode", "encode", "graves", "join", "partition_of", "split"]

VERSION = 1
BARRIER = b"\xffbarrier-"
"""Key of a partition's barrier record: the one-record batch that ends every write. No session id begins so: 0xFF is no UTF-8."""
PART = b"\xffpart-"
"""Of the keys of the parts of a long row."""
_ROW = 900_000  # bytes of one record: beneath the topics' 1.5 MiB with room for key, headers and the batch's frame
_COMPRESS = 16 * 1024  # below this a row is written as it is: most are some hundred bytes


def encode(state: SessionState) -> bytes:
    """The row of a session."""
    blobs: list[bytes] = []
    tools: dict[str, int] = {}  # declarations are long and the same in most responses of a session: each is written once
    opened = [_response(response, blobs, tools) for response in state.responses.values()]
    # what has ended keeps only what another choice would need
    ended = [_response(response, blobs, tools if not response.over else None) for response in state.ended.values()]
    head = {"id": state.id, "p": state.partition, "o": state.offset, "t": state.last_ms, "h": state.hallucinations, "n": state.parts,
            "r": opened, "e": ended, "tools": list(tools)}  # fmt: skip
    text = json.dumps(head, separators=(",", ":")).encode()
    body = struct.pack(">I", len(text)) + text + b"".join(blobs)
    packed = len(body) > _COMPRESS
    return bytes([VERSION, packed]) + (zlib.compress(body, 1) if packed else body)


def _response(response: Response, blobs: list[bytes], tools: dict[str, int] | None) -> list[Any]:
    declared: dict[str, Any] | None = None
    if tools is not None:
        start = response.start
        declared = {item.name: value for item in dataclasses.fields(start) if (value := getattr(start, item.name)) != item.default}
        if start.tools is not None:
            declared["tools"] = tools.setdefault(json.dumps(start.tools), len(tools))
    choices = []
    for index, choice in response.choices.items():
        blobs.append(choice.session.snapshot())
        about = choice.about
        choices.append([index, len(blobs[-1]), choice.seq, choice.chunks, choice.usage, choice.wire, choice.shown, choice.reasoned,
                        about.first_offset, about.last_offset, about.time_ms])  # fmt: skip
    trace = response.trace.decode("latin-1") if response.trace is not None else None
    return [response.id, declared, sorted(response.closed), response.over, response.doom, response.ended_ms, trace, choices]


def decode(row: bytes, around: Surroundings, now: float = 0.0) -> SessionState:
    """The session of a row; `now` is the worker's clock. Raises `SnapshotError` for bytes that this version cannot read."""
    if len(row) < 2 or row[0] != VERSION:
        raise SnapshotError(f"a row of the changelog has version {row[0] if row else 'none'}; this worker reads version {VERSION}")
    body = zlib.decompress(row[2:]) if row[1] else row[2:]
    (size,) = struct.unpack_from(">I", body)
    head: dict[str, Any] = json.loads(body[4 : 4 + size])
    at = 4 + size
    state = SessionState(head["id"], head["p"], around)
    state.offset, state.last_ms, state.hallucinations, state.parts, state.touched = head["o"], head["t"], head["h"], head["n"], now
    tools = [json.loads(text) for text in head["tools"]]
    for response_id, declared, closed, over, doom, ended_ms, trace, choices in head["r"] + head["e"]:
        declared = declared or {}
        if "tools" in declared:
            declared["tools"] = tools[declared["tools"]]
        start = Start(**{**declared, "namespaces": tuple(declared.get("namespaces", ()))})
        response = Response(response_id, start, catalog_of(start))
        response.closed, response.over, response.ended_ms, response.touched = set(closed), over, ended_ms, now
        response.doom = None if doom is None else End(doom)
        response.trace = None if trace is None else trace.encode("latin-1")
        for index, length, seq, chunks, usage, wire, shown, reasoned, first, last, time_ms in choices:
            session = Session.restore(body[at : at + length], response.catalog, **response.keywords(state.id, index, around.policy))
            at += length
            about = About(state.id, response_id, index, start.turn, start.provider, start.model, start.catalog, state.partition, first, last, time_ms,
                          response.trace, around.source)  # fmt: skip
            choice = response.choices[index] = Choice(session, about)
            choice.seq, choice.chunks, choice.usage, choice.wire = seq, chunks, usage, wire
            choice.shown, choice.reasoned = shown, reasoned
        (state.responses if choices or not closed else state.ended)[response_id] = response
    return state


def split(key: bytes, state: SessionState, row: bytes) -> list[tuple[bytes, bytes]]:
    """The records of a row: one, or parts and behind them the record that names them, so that a half-written row is never read."""
    at = state.partition.to_bytes(2, "big")
    if len(row) <= _ROW:
        return [(key, b"\0" + at + row)]
    parts = [row[start : start + _ROW] for start in range(0, len(row), _ROW)]
    state.parts = max(state.parts, len(parts))
    # two generations in turn: the last whole row stays readable until the next one is there
    state.generation = generation = state.generation + 1
    names = [_part(generation, number, key) for number in range(len(parts))]
    index = json.dumps({"g": generation, "n": len(parts)}).encode()
    return [*((name, generation.to_bytes(8, "big") + part) for name, part in zip(names, parts, strict=True)), (key, b"\1" + at + index)]


def graves(key: bytes, state: SessionState) -> list[tuple[bytes, None]]:
    """Tombstones for all rows of a session."""
    return [(key, None), *((_part(generation, number, key), None) for generation in (0, 1) for number in range(state.parts))]


def partition_of(value: bytes) -> int:
    """The partition of raw-stream that a record's session belongs to."""
    return int.from_bytes(value[1:3], "big")


def join(key: bytes, value: bytes, rows: dict[bytes, bytes]) -> tuple[bytes, int]:
    """The row that `split` wrote, and its generation (0: in one record). Raises `SnapshotError` when its parts are not all there."""
    if value[:1] == b"\0":
        return value[3:], 0
    index = json.loads(value[3:])
    parts = [rows.get(_part(index["g"], number, key), b"") for number in range(index["n"])]
    if any(int.from_bytes(part[:8], "big") != index["g"] or len(part) <= 8 for part in parts):
        raise SnapshotError("parts of a long row are missing")
    return b"".join(part[8:] for part in parts), index["g"]


def _part(generation: int, number: int, key: bytes) -> bytes:
    return PART + f"{generation % 2}-{number}-".encode() + key
