"""Sessions as rows of the changelog: a small header, then the parsers' snapshots. Versioned; one row holds a session whole."""

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

__all__ = ["BARRIER", "PART", "decode", "encode", "join", "split"]

VERSION = 1
BARRIER = b"\0barrier-"
"""Key of a partition's barrier record: the one-record batch that ends every write."""
PART = b"\0part-"
_ROW = 900_000  # bytes of one record: beneath the topics' 1.5 MiB with room for key, headers and the batch's frame
_COMPRESS = 16 * 1024  # below this a row is written as it is: most are some hundred bytes


def encode(state: SessionState) -> bytes:
    """The row of a session."""
    blobs: list[bytes] = []
    responses = []
    for response in state.responses.values():
        choices = []
        for index, choice in response.choices.items():
            blobs.append(choice.session.snapshot())
            about = choice.about
            trace = about.traceparent.decode("latin-1") if about.traceparent is not None else None
            choices.append([index, len(blobs[-1]), choice.seq, choice.chunks, choice.usage, choice.wire, choice.doom, choice.shown, choice.reasoned,
                            about.first_offset, about.last_offset, about.time_ms, trace])  # fmt: skip
        responses.append([response.id, dataclasses.asdict(response.start), sorted(response.closed), choices])
    head = {"id": state.id, "p": state.partition, "o": state.offset, "t": state.last_ms, "h": state.hallucinations, "e": state.ended, "r": responses}
    text = json.dumps(head, separators=(",", ":")).encode()
    body = struct.pack(">I", len(text)) + text + b"".join(blobs)
    packed = len(body) > _COMPRESS
    return bytes([VERSION, packed]) + (zlib.compress(body, 1) if packed else body)


def decode(row: bytes, around: Surroundings) -> SessionState:
    """The session of a row. Raises `SnapshotError` for bytes that this version cannot read."""
    if len(row) < 2 or row[0] != VERSION:
        raise SnapshotError(f"a row of the changelog has version {row[0] if row else 'none'}; this worker reads version {VERSION}")
    body = zlib.decompress(row[2:]) if row[1] else row[2:]
    (size,) = struct.unpack_from(">I", body)
    head: dict[str, Any] = json.loads(body[4 : 4 + size])
    at = 4 + size
    state = SessionState(head["id"], head["p"], around)
    state.offset, state.last_ms, state.hallucinations = head["o"], head["t"], head["h"]
    state.ended = [tuple(item) for item in head["e"]]
    for response_id, declared, closed, choices in head["r"]:
        start = Start(**{**declared, "namespaces": tuple(declared["namespaces"])})
        response = Response(response_id, start, catalog_of(start))
        response.closed = set(closed)
        for index, length, seq, chunks, usage, wire, doom, shown, reasoned, first, last, time_ms, trace in choices:
            session = Session.restore(body[at : at + length], response.catalog, **response.keywords(state.id, index, around.policy))
            at += length
            about = About(state.id, response_id, index, start.turn, start.provider, start.model, start.catalog, state.partition, first, last, time_ms,
                          trace.encode("latin-1") if trace is not None else None, around.source)  # fmt: skip
            choice = response.choices[index] = Choice(session, about)
            choice.seq, choice.chunks, choice.usage, choice.wire = seq, chunks, usage, wire
            choice.doom = None if doom is None else End(doom)
            choice.shown, choice.reasoned = shown, reasoned
        state.responses[response_id] = response
    return state


def split(key: bytes, row: bytes, generation: int) -> list[tuple[bytes, bytes]]:
    """The records of a row: one, or parts and behind them the record that names them, so that a half-written row is never read."""
    if len(row) <= _ROW:
        return [(key, b"\0" + row)]
    parts = [row[start : start + _ROW] for start in range(0, len(row), _ROW)]
    names = [PART + f"{generation % 2}-{number}-".encode() + key for number in range(len(parts))]
    index = json.dumps({"g": generation, "n": len(parts)}).encode()
    return [*((name, generation.to_bytes(8, "big") + part) for name, part in zip(names, parts, strict=True)), (key, b"\1" + index)]


def join(key: bytes, value: bytes, rows: dict[bytes, bytes]) -> bytes | None:
    """The row that `split` wrote, or None when its parts are not all there."""
    if value[:1] == b"\0":
        return value[1:]
    index = json.loads(value[1:])
    generation = index["g"]
    parts = [rows.get(PART + f"{generation % 2}-{number}-".encode() + key) for number in range(index["n"])]
    if any(part is None or int.from_bytes(part[:8], "big") != generation for part in parts):
        return None
    return b"".join(part[8:] for part in parts if part is not None)
