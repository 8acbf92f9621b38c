"""The records of the changelog: kinds of rows, long rows in parts, and what a partition reads back.

A value is one byte (0 a row, 1 an index of parts), two of the partition, then the row or the index. Keys that begin with 0xFF are
ours: no session id does, 0xFF is no UTF-8.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from tamis.agents.bindings import Place
from tamis.agents.store import pack, unpack
from tamis.core.errors import SnapshotError

__all__ = ["BARRIER", "BIND", "MEMORY", "ORDER", "PART", "TEXT", "Row", "Rows", "binding_of", "partition_of", "rows_of", "text_name", "text_of"]



class Row(NamedTuple):
    """One record. `order` grows with what a session has applied: of two rows of a key the one with the greater order holds, whatever
    lies last, because a worker that was given up may still have written one. Texts and parts have none: they do not change."""

    key: bytes
    value: bytes | None
    order: int | None = None


ORDER = "o"
"""The header that holds the order, as decimal digits."""
BARRIER = b"\xffbarrier-"
"""Key of a partition's barrier record: the one-record batch that ends every write."""
PART = b"\xffpart-"
"""Of the keys of the parts of a long row."""
MEMORY = b"\xffmemory-"
"""Before a session's key: its memory."""
TEXT = b"\xfftext-"
"""Before partition and hash: a long text that rows name."""
BIND = b"\xffbind-"
"""Before a hash of the place: which version of a catalogue a response was bound to."""
_ROW = 900_000  # bytes of one record: beneath the topics' 1.5 MiB with room for key, headers and the batch's frame


class Rows:
    """Writes the rows of one partition. Of long ones it knows the last generation of their parts and the most parts there were."""

    def __init__(self, number: int) -> None:
        self._at = number.to_bytes(2, "big")
        self._long: dict[bytes, tuple[int, int]] = {}

    def write(self, key: bytes, row: bytes, order: int | None = None) -> list[Row]:
        """The records of a row: one, or parts and behind them the record that names them, so that a half-written row is never read."""
        if len(row) <= _ROW:
            return [Row(key, b"\0" + self._at + row, order)]
        pieces = [row[start : start + _ROW] for start in range(0, len(row), _ROW)]
        # two generations in turn: the last whole row stays readable until the next one is there
        generation, most = self._long.get(key, (0, 0))
        generation += 1
        self._long[key] = generation, max(most, len(pieces))
        index = json.dumps({"g": generation, "n": len(pieces)}).encode()
        parts = [Row(_part(generation, number, key), generation.to_bytes(8, "big") + piece) for number, piece in enumerate(pieces)]
        return [*parts, Row(key, b"\1" + self._at + index, order)]

    def bury(self, key: bytes, order: int | None = None) -> list[Row]:
        """Tombstones for all records of a row."""
        _, most = self._long.pop(key, (0, 0))
        return [Row(key, None, order), *(Row(_part(generation, number, key), None) for generation in (0, 1) for number in range(most))]

    def text(self, name: str, text: str) -> list[Row]:
        """The records of a long text."""
        return self.write(self._text_key(name), pack(text.encode("utf-8", "surrogatepass")))

    def bury_text(self, name: str) -> list[Row]:
        """Tombstones for a text that nothing names any more."""
        return self.bury(self._text_key(name))

    def binding(self, place: Place, name: str) -> list[Row]:
        """The record of a decision."""
        return [Row(_bind_key(place), b"\0" + self._at + pack(json.dumps([*place, name]).encode()))]

    def bury_binding(self, place: Place) -> list[Row]:
        """Its tombstone."""
        return [Row(_bind_key(place), None)]

    def read(self, key: bytes, value: bytes, table: Mapping[bytes, bytes]) -> bytes:
        """The row that `write` wrote. Raises `SnapshotError` when its parts are not all there."""
        if value[:1] == b"\0":
            return value[3:]
        index = json.loads(value[3:])
        generation, count = index["g"], index["n"]
        parts = [table.get(_part(generation, number, key), b"") for number in range(count)]
        if any(int.from_bytes(part[:8], "big") != generation or len(part) <= 8 for part in parts):
            raise SnapshotError("parts of a long row are missing")
        self._long[key] = generation, count
        return b"".join(part[8:] for part in parts)

    def _text_key(self, name: str) -> bytes:
        return TEXT + self._at + name.encode()


def _part(generation: int, number: int, key: bytes) -> bytes:
    return PART + f"{generation % 2}-{number}-".encode() + key


def _bind_key(place: Place) -> bytes:
    return BIND + hashlib.blake2b("\x1f".join(place).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def partition_of(value: bytes) -> int:
    """The partition of raw-stream that a row belongs to."""
    return int.from_bytes(value[1:3], "big")


def rows_of(table: Mapping[bytes, bytes], number: int) -> dict[str, list[tuple[bytes, bytes]]]:
    """The rows of one partition by kind: text, bind, memory, session."""
    found: dict[str, list[tuple[bytes, bytes]]] = {"text": [], "bind": [], "memory": [], "session": []}
    for key, value in list(table.items()):
        if key.startswith((BARRIER, PART)) or partition_of(value) != number:
            continue
        kind = "text" if key.startswith(TEXT) else "bind" if key.startswith(BIND) else "memory" if key.startswith(MEMORY) else "session"
        found[kind].append((key, value))
    return found


def text_name(key: bytes) -> str:
    """The hash in a text row's key."""
    return key[len(TEXT) + 2 :].decode()


def text_of(row: bytes) -> str:
    """The text of a row."""
    return unpack(row).decode("utf-8", "surrogatepass")


def binding_of(row: bytes) -> tuple[Place, str]:
    """A decision and its hash."""
    session_id, response_id, catalog_id, name = json.loads(unpack(row))
    return (session_id, response_id, catalog_id), name
