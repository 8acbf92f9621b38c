"""How one response becomes records of `raw-stream`: pieces joined, records numbered. Pure; when to write them is decided elsewhere.

Numbers begin at 1, and what the response declares stands in the first record of each choice. So the loss of any record shows as a
gap, and no deltas are read without the tools that go with them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from tamis.core.errors import UsageError

__all__ = ["MAX_PIECE", "MAX_START", "MAX_VALUE", "Envelope", "Outgoing", "cost_of", "encode"]

MAX_VALUE = 1_572_864 - 16 * 1024
"""Bytes of one value: raw-stream takes 1.5 MiB with key, headers and the batch's frame."""
MAX_PIECE = 128 * 1024
"""Characters of text in one record: six bytes each at worst (control characters) leave half a record for what is declared."""
MAX_START = 640 * 1024
"""Bytes of what a response declares, beside a text of the longest kind in the same record."""


class Outgoing(NamedTuple):
    """Value and headers of one record; `cost` is what of the gateway's budget it holds, `last` says that it is an abort."""

    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()
    cost: int = 0
    last: bool = False


def encode(value: Any) -> bytes:
    """Compact JSON. Half of a surrogate pair, where a gateway has cut between two, stays what it is. Raises `UsageError`."""
    try:
        return orjson.dumps(value)
    except TypeError:
        pass  # half of a pair, an integer beyond 64 bits, deep nesting, or no JSON at all
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"this cannot be written as JSON: {error}") from None


def cost_of(piece: Any) -> int:
    """Bytes that a piece takes until it is written."""
    return sys.getsizeof(piece) if isinstance(piece, str) else len(encode(piece))


class _Choice:
    """Number of the next record, and the pieces of one kind that wait to be joined."""

    __slots__ = ("cost", "kind", "number", "pieces", "size")

    def __init__(self) -> None:
        self.number = 1
        self.kind = ""
        self.pieces: list[Any] = []
        self.size = self.cost = 0


class Envelope:
    """One response. `start` is what it declares, JSON values by name of the native envelope's fields."""

    def __init__(self, response_id: str, start: Mapping[str, Any], traceparent: str | None = None) -> None:
        self.response_id = response_id
        self._start = dict(start)
        self._headers = (("traceparent", traceparent.encode("ascii", "replace")),) if traceparent else ()
        self._choices: dict[int, _Choice] = {}
        self._told = False  # a start record of its own has gone out

    def add(self, kind: str, piece: Any, choice: int, cost: int) -> list[Outgoing]:
        """Let a piece wait: `text` or `reasoning` as str, `tool_calls` as one entry. The records that are full by it."""
        found = self._choices.setdefault(choice, _Choice())
        size = len(piece) if isinstance(piece, str) else cost
        out: list[Outgoing] = []
        if found.pieces and (found.kind != kind or found.size + size > MAX_PIECE):
            out += self._cut(choice, found)
        found.kind = kind
        found.pieces.append(piece)
        found.size += size
        found.cost += cost
        if found.size > MAX_PIECE:
            out += self._cut(choice, found)
        return out

    def cut(self) -> list[Outgoing]:
        """What waits, as records."""
        return [record for index, choice in self._choices.items() if choice.pieces for record in self._cut(index, choice)]

    def discard(self) -> int:
        """Forget what waits; its cost."""
        cost = sum(choice.cost for choice in self._choices.values())
        self._choices.clear()
        return cost

    def declare(self) -> Outgoing | None:
        """A record of its own for what is declared, where frames of a provider follow that have no place for it; once."""
        if self._told or self._choices or not (self._start or self._headers):
            return None
        self._told = True
        return Outgoing(encode({"v": 1, "kind": "start", "response_id": self.response_id, **self._start}), self._headers)

    def end(self, finish_reason: str | None, usage: Mapping[str, Any] | None, choice: int | None) -> list[Outgoing]:
        """What waits, and the end of one choice or, with None, of all that there are: each with its number, so that a lost delta shows."""
        out = self.cut()
        indices = [choice] if choice is not None else list(self._choices) or [0]
        for index in indices:
            found = self._choices.setdefault(index, _Choice())
            body: dict[str, Any] = {"finish_reason": finish_reason}
            if usage is not None and index == indices[0]:
                body["usage"] = dict(usage)  # the response's, so it is told once
            out.append(self._record("end", index, found, body))
        return out

    def abort(self) -> Outgoing:
        """The end of a response that nothing more will come of."""
        return Outgoing(encode({"v": 1, "kind": "abort", "response_id": self.response_id}), last=True)

    def _cut(self, index: int, choice: _Choice) -> list[Outgoing]:
        kind, pieces, cost = choice.kind, choice.pieces, choice.cost
        choice.pieces, choice.size, choice.cost = [], 0, 0
        if kind == "tool_calls":
            return [self._record("delta", index, choice, {kind: pieces}, cost)]
        text = "".join(pieces)
        parts = [text[at : at + MAX_PIECE] for at in range(0, len(text), MAX_PIECE)] or [""]
        return [self._record("delta", index, choice, {kind: part}, cost if number == 0 else 0) for number, part in enumerate(parts)]

    def _record(self, kind: str, index: int, choice: _Choice, body: Mapping[str, Any], cost: int = 0) -> Outgoing:
        first = choice.number == 1 and not self._told
        value: dict[str, Any] = {"v": 1, "kind": kind, "response_id": self.response_id, **(self._start if first else {}), "seq": choice.number}
        if index:
            value["choice"] = index
        choice.number += 1
        return Outgoing(encode({**value, **body}), self._headers if first else (), cost)
