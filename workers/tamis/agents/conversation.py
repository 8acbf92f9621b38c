"""What a session knows of its conversation: calls and their results joined to messages, refusals as messages. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tamis.agents.memory import Memory, Waiting
from tamis.core.conversation.calls import Published
from tamis.core.events import Event, Rejection, ToolCall
from tamis.wire.codec import dumps
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError, Reason
from tamis.wire.messages import published, refusal_record, result_record
from tamis.wire.records import About, Record
from tamis.wire.results import ToolResult, read_result
from tamis.wire.topics import Topic

__all__ = ["Conversation"]


class Conversation:
    """The memory of one session and what changes it. `changed` says that its row has to be written."""

    __slots__ = ("changed", "memory", "observe", "partition", "session_id", "source")

    def __init__(self, session_id: str, partition: int, source: str, observe: Callable[..., None], memory: Memory | None = None) -> None:
        self.session_id = session_id
        self.partition = partition
        self.source = source
        self.observe = observe
        self.memory = memory or Memory()
        self.changed = False

    # -- what the parser says

    def follow(self, event: Event, about: About, out: list[Record]) -> None:
        """Remember a call, and answer it when its result came first; tell the model of a refusal."""
        if isinstance(event, ToolCall):
            self.memory.calls.add(published(event, about))
            self.changed = True
            if self.memory.waiting:
                self._join_waiting(out)
        elif isinstance(event, Rejection):
            out.append(refusal_record(event, about))

    def _join_waiting(self, out: list[Record]) -> None:
        for item in list(self.memory.waiting):
            result = read_result(item.value)
            call = self.memory.calls.find(result.call_id, item.time_ms, result.response_id, result.choice)
            if call is not None:
                self.memory.waiting.remove(item)
                # what lies in the outbox is not durable yet; here the waiting result is, and a replay joins it again
                self._answer(call, result, item, int(call.about["last_offset"]), out)

    # -- what a dispatcher says

    def result(self, value: bytes | None, headers: list[tuple[str, bytes]], offset: int, time_ms: int, at: int, now: float) -> None:
        """One record of tool-results, seen when raw-stream had been worked up to `at`. What comes of it lies in the memory's outbox:
        it may go out only once the row is written, because another worker might join it to another call."""
        memory = self.memory
        if offset <= memory.offset:
            self.observe("duplicate", "replay")
            return
        memory.offset = offset
        self.changed = True
        try:
            result = read_result(value)
        except FrameError as error:
            self._dead(value, headers, offset, time_ms, error)
            return
        call = memory.calls.find(result.call_id, time_ms, result.response_id, result.choice)
        item = Waiting(offset, value or b"", headers, time_ms, now)
        if call is not None:
            self._answer(call, result, item, at, memory.outbox)
            return
        for lost in memory.wait(item):
            self._unknown(lost)

    def overdue(self, since: float) -> bool:
        """Give up on results that wait for their call since before `since` (this worker's clock); whether there were any."""
        late = [item for item in self.memory.waiting if item.since <= since]
        for item in late:
            self.memory.waiting.remove(item)
            self._unknown(item)
        self.changed |= bool(late)
        return bool(late)

    def _answer(self, call: Published, result: ToolResult, item: Waiting, at: int, out: list[Record]) -> None:
        try:
            record = result_record(call, result, self.session_id, self.partition, item.time_ms, self.source)
        except FrameError as error:
            self._dead(item.value, item.headers, item.offset, item.time_ms, error)
            return
        self.changed = True
        if not self.memory.answer(call):
            self.observe("duplicate", "result")
            return
        out.append(record)
        content = result.value if isinstance(result.value, str) else dumps(result.value).decode()
        self.memory.see({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": content}, at)

    def _unknown(self, item: Waiting) -> None:
        error = FrameError(Reason.UNKNOWN_CALL, "no call of the session has that id: none of its last ones, within a day, was published with it")
        self._dead(item.value, item.headers, item.offset, item.time_ms, error)

    def _dead(self, value: bytes | None, headers: list[tuple[str, bytes]], offset: int, time_ms: int, error: FrameError) -> None:
        self.observe("dlq", error.reason)
        told: list[Any] = [*headers, *dlq_headers(Topic.TOOL_RESULTS, self.partition, offset, error)]
        self.memory.outbox.append(Record(Topic.DLQ, value, told, time_ms))

    # -- ends

    def take_outbox(self) -> list[Record]:
        """What the written row has decided to send; the next row is without it."""
        outbox, self.memory.outbox = self.memory.outbox, []
        self.changed |= bool(outbox)
        return outbox

    def renew(self) -> None:
        """The session has ended and a new one has its id."""
        self.changed |= self.memory.expire()
