"""What a worker holds of one partition, and how a list of its records is worked through."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import orjson
from aiokafka.partitioner import murmur2

from tamis.agents.open_response import Choice, Response
from tamis.agents.sessions import REMEMBERED_MS, SessionState, Surroundings, place_of
from tamis.core.events import End
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError, Reason
from tamis.wire.inbound import read_key
from tamis.wire.records import MAX_TIME_MS, Record
from tamis.wire.topics import Topic

__all__ = ["Partition"]

log = logging.getLogger(__name__)


class Partition:
    """Sessions, position and what the next barrier has to write. No broker in here.

    Whoever changes something holds `lock`: state must not be cut between the records that made it and the hand-over of their outputs.
    """

    def __init__(self, number: int, partitions: int, around: Surroundings, position: int = 0) -> None:
        self.number = number
        self.partitions = partitions
        self.around = around
        self.lock = asyncio.Lock()
        self.sessions: dict[bytes, SessionState] = {}
        self.next = position  # the offset that has to come next
        self.time_ms: int | None = None  # of the record before it, when this worker read it
        self.dirty: set[bytes] = set()
        self.events: list[Any] = []  # stream events to acknowledge at the next barrier
        self.futures: list[Any] = []  # deliveries to await before it
        self.given_up = False  # moved to another worker: nothing more may be done here
        self.misplaced = 0  # keys on a partition where murmur2 would not put them

    def work(self, records: list[Any]) -> list[tuple[bytes, Record]]:
        """Apply records that begin at `next`; the output records in order, with their keys."""
        out: list[tuple[bytes, Record]] = []
        waiting: dict[bytes, set[Choice]] = {}
        now = time.monotonic()
        sessions, dirty, loads = self.sessions, self.dirty, orjson.loads
        for record in records:
            offset, key = record.offset, record.key
            state = sessions.get(key) if key is not None else None
            made: list[Record] = []
            body: Any = None
            if state is not None and offset > state.offset and not record.headers and record.value is not None:
                # the common record: a text delta of a session that is known
                try:
                    body = loads(record.value)
                except orjson.JSONDecodeError:
                    body = None  # framed perhaps, or no chunk: the longer way tells
                if body.__class__ is dict and body.get("kind") == "delta":
                    choices = waiting.get(key)
                    if choices is None:
                        choices = waiting[key] = set()
                    time_ms = record.timestamp
                    try:
                        if 0 <= time_ms <= MAX_TIME_MS and state.text(body, len(record.value), offset, time_ms, now, made, choices):
                            state.touched = now
                            dirty.add(key)
                            if made:
                                out += ((key, item) for item in made)
                            continue
                    except Exception as error:  # noqa: BLE001 - whatever it is, the next worker would meet it again
                        self._poisoned(record, state, error, made, out)
                        continue
            self._other(record, state, body, made, waiting, now, out)
        for key, choices in waiting.items():
            made = []
            # in the order of the choices: a set's order must not show in the topics
            for choice in sorted(choices, key=lambda item: (item.about.response_id, item.about.choice)):
                choice.flush(made)
            out += ((key, item) for item in made)
        self.next = records[-1].offset + 1
        self.time_ms = records[-1].timestamp
        return out

    def _other(
        self, record: Any, state: SessionState | None, body: Any, made: list[Record], waiting: dict[bytes, set[Choice]], now: float,
        out: list[tuple[bytes, Record]],
    ) -> None:  # fmt: skip
        offset, key = record.offset, record.key
        headers = tuple(record.headers or ())
        time_ms = min(max(record.timestamp, 0), MAX_TIME_MS)  # a producer may have written any number
        try:
            session_id = read_key(key)
        except FrameError as error:
            self._dead(record, error, out)
            return
        if state is None:
            state = self._new(key, session_id)
        if offset <= state.offset:
            self.around.observe("duplicate", "replay")
            return
        state.touched = now
        self.dirty.add(key)
        try:
            state.apply(record.value, headers, body, offset, time_ms, now, made, waiting.setdefault(key, set()))
        except FrameError as error:
            state.broken(error, offset, time_ms, made)
            self._dead(record, error, out)
        except Exception as error:  # noqa: BLE001 - as above
            self._poisoned(record, state, error, made, out)
            return
        out += ((key, item) for item in made)

    def _poisoned(self, record: Any, state: SessionState, error: Exception, made: list[Record], out: list[tuple[bytes, Record]]) -> None:
        """A record that makes the worker fail must not stop a partition: its response ends, its bytes are kept."""
        log.error("record %s of partition %s could not be applied: %s", record.offset, self.number, place_of(error))
        fault = FrameError(Reason.POISON, f"the record made the worker fail: {type(error).__name__}")
        state.broken(fault, record.offset, min(max(record.timestamp, 0), MAX_TIME_MS), made)
        self.dirty.add(record.key)
        self._dead(record, fault, out)
        out += ((record.key, item) for item in made)

    def _dead(self, record: Any, error: FrameError, out: list[tuple[bytes, Record]]) -> None:
        self.around.observe("dlq", error.reason)
        copied = [*(record.headers or ()), *dlq_headers(Topic.RAW_STREAM, self.number, record.offset, error)]
        out.append((record.key, Record(Topic.DLQ, record.value, [(name, value or b"") for name, value in copied], record.timestamp)))

    def _new(self, key: bytes, session_id: str) -> SessionState:
        if (murmur2(key) & 0x7FFFFFFF) % self.partitions != self.number:
            if not self.misplaced:
                log.warning(
                    "partition %s holds a key that murmur2 partitioning would put elsewhere: a producer with another partitioner splits sessions",
                    self.number,
                )
            self.misplaced += 1
            self.around.observe("misplaced")
        state = self.sessions[key] = SessionState(session_id, self.number, self.around)
        return state

    # -- what the worker's clock and memory decide; to be written before it shows

    def idle(self, seconds: float) -> bool:
        """Mark open responses that nothing was heard of for so long; true when there was one."""
        limit = time.monotonic() - seconds
        found = [
            (key, response) for key, state in self.sessions.items() for response in state.responses.values() if response.touched <= limit
        ]
        return self._doom(found, End.IDLE)

    def evict(self, session: bytes) -> bool:
        """Mark all that is open in a session."""
        return self._doom([(session, response) for response in self.sessions[session].responses.values()], End.EVICTED)

    def _doom(self, found: list[tuple[bytes, Response]], end: End) -> bool:
        marked = False
        for key, response in found:
            if response.doom is None:
                response.doom = end
                self.dirty.add(key)
                marked = True
        return marked

    def held(self) -> list[tuple[float, int, bytes]]:
        """Sessions with text that is not decided yet: (clock at the last record, characters, key)."""
        return [(state.touched, size, key) for key, state in self.sessions.items() if state.responses and (size := state.buffered)]

    def silent(self) -> list[bytes]:
        """Sessions with nothing open and not heard of for as long as ended responses are remembered."""
        limit = time.monotonic() - REMEMBERED_MS / 1000
        return [key for key, state in self.sessions.items() if not state.responses and state.touched <= limit and key not in self.dirty]

