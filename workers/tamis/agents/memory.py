"""What a session remembers beyond its open responses: calls that results may answer, the results, and what still has to go out.

It has a row of its own in the changelog, written only when it changed: results may be long, and the row of the parsers is written
often. Which results a response could see depends on when they came, which no replay can repeat: so each result is written together
with the place in `raw-stream` at which it was seen, before any record behind that place may show it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tamis.core.coercion.history import KEPT, KEPT_BYTES
from tamis.core.conversation.calls import KEPT as KEPT_CALLS
from tamis.core.conversation.calls import Published, PublishedCalls
from tamis.wire.records import Record
from tamis.wire.topics import Topic

__all__ = ["Memory", "Seen", "Waiting"]

_WAITING = 64  # results of a session that may wait for their call: a dispatcher that answers this many at once has lost its way
_WAITING_BYTES = 1024 * 1024  # of their values together


@dataclass(slots=True)
class Seen:
    """A result as a message of the history; visible to responses that begin behind offset `at` of raw-stream."""

    at: int
    message: dict[str, Any]
    size: int


@dataclass(slots=True)
class Waiting:
    """A result whose call is not known yet: this worker may not have read again what another one published."""

    offset: int
    value: bytes
    headers: list[tuple[str, bytes]]
    time_ms: int
    since: float = 0.0  # this worker's clock


@dataclass(slots=True)
class Memory:
    """`offset` is the last record of tool-results that was applied; what lies at or before it is a replay. `answered` are the ids
    (response, choice, call) that had a result: a second one is a double."""

    calls: PublishedCalls = field(default_factory=PublishedCalls)
    answered: dict[tuple[str, int, str], None] = field(default_factory=dict)
    results: list[Seen] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    outbox: list[Record] = field(default_factory=list)
    offset: int = -1

    def __bool__(self) -> bool:
        return bool(len(self.calls) or self.results or self.waiting or self.outbox)

    def answer(self, call: Published) -> bool:
        """Note that a call has its result; False when it had one."""
        key = call.response_id, call.choice, call.id
        if key in self.answered:
            return False
        self.answered[key] = None
        while len(self.answered) > KEPT_CALLS:  # as many as there are calls that could be answered again
            del self.answered[next(iter(self.answered))]
        return True

    # -- results

    def see(self, message: dict[str, Any], at: int) -> None:
        """Add a result that came when raw-stream had been worked up to `at`."""
        self.results.append(Seen(at, message, len(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))))

    def history(self, offset: int) -> list[dict[str, Any]]:
        """The results that a response sees which begins at `offset`, oldest first: the last ones, within the bounds of a history."""
        return [item.message for item in reversed(list(self._kept(offset)))]

    def trim(self, durable: int) -> None:
        """Drop results that no replay from behind `durable` can ask for."""
        needed = set(map(id, self._kept(durable + 1)))
        self.results = [item for item in self.results if item.at > durable or id(item) in needed]

    def _kept(self, offset: int) -> Iterator[Seen]:
        """Newest first."""
        size = 0
        for number, item in enumerate(item for item in reversed(self.results) if item.at < offset):
            size += item.size
            if number >= KEPT or size > KEPT_BYTES:
                return
            yield item

    def wait(self, item: Waiting) -> list[Waiting]:
        """Let a result wait for its call; those that have no room, oldest first."""
        self.waiting.append(item)
        lost: list[Waiting] = []
        while len(self.waiting) > _WAITING or sum(len(one.value) for one in self.waiting) > _WAITING_BYTES:
            lost.append(self.waiting.pop(0))
        return lost

    def expire(self) -> bool:
        """Forget calls and results of a session that nothing was heard of for a day; whether there were any."""
        stale = bool(len(self.calls) or self.results)
        self.calls = PublishedCalls()
        self.answered.clear()
        self.results.clear()
        return stale

    # -- as a row

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON values."""
        return {
            "o": self.offset, "c": self.calls.to_list(), "a": [list(key) for key in self.answered],
            "r": [[item.at, item.message, item.size] for item in self.results],
            "w": [[item.offset, _text(item.value), _pairs(item.headers), item.time_ms] for item in self.waiting],
            "x": [[item.topic, _text(item.value), _pairs(item.headers), item.time_ms] for item in self.outbox],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: dict[str, Any], now: float) -> Memory:
        """What `to_json` gave; what waits has waited since `now`."""
        return cls(
            PublishedCalls.from_list(data["c"]),
            dict.fromkeys((response, choice, call) for response, choice, call in data["a"]),
            [Seen(*item) for item in data["r"]],
            [Waiting(offset, _bytes(value), _headers(headers), time_ms, now) for offset, value, headers, time_ms in data["w"]],
            [Record(Topic(topic), _bytes(value), _headers(headers), time_ms) for topic, value, headers, time_ms in data["x"]],
            data["o"],
        )


def _text(value: bytes | None) -> str | None:
    return None if value is None else base64.b85encode(value).decode()


def _bytes(text: str | None) -> Any:
    return None if text is None else base64.b85decode(text)


def _pairs(headers: list[tuple[str, bytes]]) -> list[list[str]]:
    return [[name, value.decode("latin-1")] for name, value in headers]


def _headers(pairs: list[list[str]]) -> list[tuple[str, bytes]]:
    return [(name, value.encode("latin-1")) for name, value in pairs]
