"""What a worker holds of one partition, and how a list of its records is worked through."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Any

import orjson
from aiokafka.partitioner import murmur2

from tamis.agents.bindings import Awaited
from tamis.agents.open_response import Choice, Response
from tamis.agents.sessions import SessionState, Surroundings, place_of
from tamis.agents.shelf import Shelf
from tamis.agents.waiting import WaitingRoom
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
        self.shelf = Shelf(number, around)
        self.sessions = self.shelf.sessions
        self.waiting = WaitingRoom()
        self.next = position  # the offset that has to come next
        self.time_ms: int | None = None  # of the record before it, when this worker read it
        self.next_result: int | None = None  # the same of tool-results, once it is known
        self.events: list[tuple[int, Any]] = []  # stream events of raw-stream to acknowledge at a barrier, each with its next offset
        self.result_events: list[Any] = []  # and of tool-results
        self.futures: list[Any] = []  # deliveries to await before it
        self.given_up = False  # moved to another worker: nothing more may be done here
        self.misplaced = 0  # keys on a partition where murmur2 would not put them

    def work(self, records: list[Any]) -> list[tuple[bytes, Record]]:
        """Apply records that begin at `next`; the output records in order, with their keys."""
        out: list[tuple[bytes, Record]] = []
        waiting: dict[bytes, set[Choice]] = {}
        now = time.monotonic()
        sessions, dirty, loads, held = self.sessions, self.shelf.dirty, orjson.loads, self.waiting.held
        for record in records:
            offset, key = record.offset, record.key
            if held and key in held and self._hold(record, now, out):
                continue
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
        self._flush(waiting, out)
        self.next = records[-1].offset + 1
        self.time_ms = records[-1].timestamp
        self.shelf.latest_ms = max(self.shelf.latest_ms, min(records[-1].timestamp, MAX_TIME_MS))
        return out

    def _hold(self, record: Any, now: float, out: list[tuple[bytes, Record]]) -> bool:
        """Let a record wait behind others of its session. False: too much waits, the decision is made at once and the record goes on."""
        if self.waiting.add(record):
            return True
        self._go_on([record.key], now, out, deciding=True)
        return False

    def resume(self, seconds: float) -> list[tuple[bytes, Record]]:
        """Records whose catalogue has come, or that waited for it longer than `seconds`; what they make, in order."""
        now = time.monotonic()
        out: list[tuple[bytes, Record]] = []
        self._go_on(self.waiting.overdue(now - seconds), now, out, deciding=True)
        self._go_on(self.waiting.ready(self.around.catalogs), now, out, deciding=False)
        return out

    def _go_on(self, keys: list[bytes], now: float, out: list[tuple[bytes, Record]], *, deciding: bool) -> None:
        for key in keys:
            self.shelf.bindings.deciding = deciding
            records = self.waiting.leave(key)
            while records:
                made: list[Record] = []
                waiting: dict[bytes, set[Choice]] = {}
                record = records.pop(0)
                self._other(record, self.shelf.find(key), None, made, waiting, now, out)
                self._flush(waiting, out)
                if key in self.waiting.held:
                    # it waits for another catalogue now, and what is behind it with it
                    self.waiting.held[key].records += records
                    break
            self.shelf.bindings.deciding = False

    def _flush(self, waiting: dict[bytes, set[Choice]], out: list[tuple[bytes, Record]]) -> None:
        """Text that was kept back so that one list of records makes one record of it."""
        for key, choices in waiting.items():
            made: list[Record] = []
            # in the order of the choices: a set's order must not show in the topics
            for choice in sorted(choices, key=lambda item: (item.about.response_id, item.about.choice)):
                choice.flush(made)
            out += ((key, item) for item in made)

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
            state = self.shelf.find(key) or self._new(key, session_id)
        if offset <= state.offset:
            self.around.observe("duplicate", "replay")
            return
        state.touched = now
        try:
            state.apply(record.value, headers, body, offset, time_ms, now, made, waiting.setdefault(key, set()))
        except Awaited as awaited:
            self.waiting.enter(record, awaited.catalog_id, now)
            return
        except FrameError as error:
            state.broken(error, offset, time_ms, made)
            self._dead(record, error, out)
        except Exception as error:  # noqa: BLE001 - as above
            self._poisoned(record, state, error, made, out)
            return
        self.shelf.dirty.add(key)
        out += ((key, item) for item in made)

    def _poisoned(self, record: Any, state: SessionState, error: Exception, made: list[Record], out: list[tuple[bytes, Record]]) -> None:
        """A record that makes the worker fail must not stop a partition: its response ends, its bytes are kept."""
        log.error("record %s of partition %s could not be applied: %s", record.offset, self.number, place_of(error))
        fault = FrameError(Reason.POISON, f"the record made the worker fail: {type(error).__name__}")
        state.broken(fault, record.offset, min(max(record.timestamp, 0), MAX_TIME_MS), made)
        self.shelf.dirty.add(record.key)
        self._dead(record, fault, out)
        out += ((record.key, item) for item in made)

    def _dead(self, record: Any, error: FrameError, out: list[tuple[bytes, Record]], topic: Topic = Topic.RAW_STREAM) -> None:
        self.around.observe("dlq", error.reason)
        copied = [*(record.headers or ()), *dlq_headers(topic, self.number, record.offset, error)]
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
        return self.shelf.new(key, session_id)

    def take_settled(self) -> list[Any]:
        """Events whose records lie in rows to the last one: those that may be acknowledged once these are written."""
        held = [floor for floor in (self.waiting.first, self.shelf.floor) if floor is not None]
        if not held:
            settled, self.events = self.events, []
            return [event for _, event in settled]
        floor = min(held)
        settled = [item for item in self.events if item[0] <= floor]
        self.events = self.events[len(settled) :]
        return [event for _, event in settled]

    # -- tool-results

    def results(self, records: list[Any]) -> tuple[list[bytes], list[tuple[bytes, Record]]]:
        """Apply records of tool-results; the sessions whose memory has to be written before their outboxes go out, and dead letters."""
        touched: dict[bytes, None] = {}
        dead: list[tuple[bytes, Record]] = []
        now = time.monotonic()
        for record in records:
            time_ms = min(max(record.timestamp, 0), MAX_TIME_MS)
            headers = [(name, value or b"") for name, value in record.headers or ()]
            try:
                session_id = read_key(record.key)
            except FrameError as error:
                self._dead(record, error, dead, Topic.TOOL_RESULTS)
                continue
            state = self.shelf.find(record.key) or self._new(record.key, session_id)
            state.touched = now
            state.conversation.result(record.value, headers, record.offset, time_ms, self.next - 1, now)
            touched[record.key] = None
        self.next_result = records[-1].offset + 1
        return list(touched), dead

    def outboxes(self, keys: Iterable[bytes] | None = None) -> list[tuple[bytes, Record]]:
        """What written memories have decided to send: of these sessions, or of all."""
        chosen = self.sessions.items() if keys is None else [(key, self.sessions[key]) for key in keys]
        return [(key, item) for key, state in chosen if state.conversation.memory.outbox for item in state.conversation.take_outbox()]

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
                self.shelf.dirty.add(key)
                marked = True
        return marked

    def held(self) -> list[tuple[float, int, bytes]]:
        """Sessions with text that is not decided yet: (clock at the last record, characters, key)."""
        return [(state.touched, size, key) for key, state in self.sessions.items() if state.responses and (size := state.buffered)]

    def overdue(self, seconds: float) -> bool:
        """Give up on results that have waited for their call for so long; true when there was one. The letters lie in outboxes."""
        limit = time.monotonic() - seconds
        found = [key for key, state in self.sessions.items() if state.conversation.memory.waiting and state.conversation.overdue(limit)]
        self.shelf.dirty.update(found)
        return bool(found)
