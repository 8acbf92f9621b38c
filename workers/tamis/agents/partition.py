"""What a worker holds of one partition, and how a list of its records is worked through."""

from __future__ import annotations

import logging
import time
from typing import Any

import orjson
from aiokafka.partitioner import murmur2

from tamis.agents.open_response import Choice
from tamis.agents.sessions import REMEMBERED_MS, SessionState, Surroundings
from tamis.core.events import End
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError, Reason
from tamis.wire.inbound import read_key
from tamis.wire.records import Record
from tamis.wire.topics import Topic

__all__ = ["Partition"]

log = logging.getLogger(__name__)


class Partition:
    """Sessions, position and what the next barrier has to write. No broker in here."""

    def __init__(self, number: int, partitions: int, around: Surroundings) -> None:
        self.number = number
        self.partitions = partitions
        self.around = around
        self.sessions: dict[bytes, SessionState] = {}
        self.next: int | None = None  # the offset that has to come next
        self.dirty: set[bytes] = set()
        self.events: list[Any] = []  # stream events to acknowledge at the next barrier
        self.futures: list[Any] = []  # deliveries to await before it
        self.buried: dict[bytes, int] = {}  # sessions to forget once the offset is committed
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
            if state is not None and offset > state.offset and not record.headers and record.value is not None:
                # the common record: a text delta of a session that is known
                try:
                    body = loads(record.value)
                except orjson.JSONDecodeError:
                    body = None
                if body.__class__ is dict and body.get("kind") == "delta":
                    choices = waiting.get(key)
                    if choices is None:
                        choices = waiting[key] = set()
                    if state.text(body, offset, record.timestamp, made, choices):
                        state.touched = now
                        dirty.add(key)
                        if made:
                            out += ((key, item) for item in made)
                        continue
            self._other(record, state, made, waiting, now, out)
        for key, choices in waiting.items():
            made = []
            # in the order of the choices: a set's order must not show in the topics
            for choice in sorted(choices, key=lambda item: (item.about.response_id, item.about.choice)):
                choice.flush(made)
            out += ((key, item) for item in made)
        self.next = records[-1].offset + 1
        return out

    def _other(
        self, record: Any, state: SessionState | None, made: list[Record], waiting: dict[bytes, set[Choice]], now: float,
        out: list[tuple[bytes, Record]],
    ) -> None:  # fmt: skip
        offset, key = record.offset, record.key
        headers = tuple(record.headers or ())
        try:
            session_id = read_key(key)
            if state is None:
                state = self._new(key, session_id)
            if offset <= state.offset:
                self.around.observe("duplicate", "replay")
                return
            state.touched = now
            self.dirty.add(key)
            try:
                state.apply(record.value, headers, offset, record.timestamp, made, waiting.setdefault(key, set()))
            except FrameError as error:
                state.broken(error, offset, record.timestamp, made)
                raise
            except Exception as error:
                # one poisonous record must not stop a partition: its response ends, its bytes are kept
                log.exception("record %s of partition %s could not be applied", offset, self.number)
                fault = FrameError(Reason.POISON, f"the record made the worker fail: {type(error).__name__}")
                state.broken(fault, offset, record.timestamp, made)
                raise fault from None
        except FrameError as error:
            self.around.observe("dlq", error.reason)
            copied = [*headers, *dlq_headers(Topic.RAW_STREAM, self.number, offset, error)]
            out.append((key, Record(Topic.DLQ, record.value, [(name, value or b"") for name, value in copied], record.timestamp)))
        finally:
            out += ((key, item) for item in made)

    def _new(self, key: bytes, session_id: str) -> SessionState:
        if (murmur2(key) & 0x7FFFFFFF) % self.partitions != self.number:
            if not self.misplaced:
                log.warning(
                    "partition %s holds a key that murmur2 partitioning would put elsewhere: a producer with another partitioner splits sessions",
                    self.number,
                )
            self.misplaced += 1
        state = self.sessions[key] = SessionState(session_id, self.number, self.around)
        self.buried.pop(key, None)
        return state

    def decide(self, idle_seconds: float) -> list[bytes]:
        """Sessions whose open responses are idle by the worker's clock: marked, and to be written before they end."""
        now = time.monotonic()
        found = [
            key for key, state in self.sessions.items() if state.responses and now - state.touched >= idle_seconds and state.doom(End.IDLE)
        ]
        self.dirty.update(found)
        return found

    def evict(self, room: int) -> list[bytes]:
        """Sessions to end so that at most `room` characters stay buffered: those idle for longest first."""
        held = {key: size for key, state in self.sessions.items() if state.responses and (size := state.buffered)}
        total = sum(held.values())
        found: list[bytes] = []
        for key in sorted(held, key=lambda item: self.sessions[item].touched):
            if total <= room:
                break
            if self.sessions[key].doom(End.EVICTED):
                found.append(key)
            total -= held[key]
        self.dirty.update(found)
        return found

    def forget(self) -> None:
        """Mark for burial what has nothing open and was not heard of for as long as ended responses are remembered."""
        now = time.monotonic()
        for key, state in self.sessions.items():
            if not state.responses and key not in self.buried and (now - state.touched) * 1000 >= REMEMBERED_MS:
                self.buried[key] = state.offset
