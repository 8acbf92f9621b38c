"""What is open in one session, and what one record does to it. Pure: records in, records out; no broker, no clock."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from tamis.agents.open_response import Choice, Response
from tamis.core import Cause, Content, End, Event, HallucinatedResult, Reasoning, TamisError
from tamis.core.catalog import UNAVAILABLE, Catalog
from tamis.core.events import TurnEnd
from tamis.wire.frames import Frame, FrameError, Reason, Start, merge
from tamis.wire.inbound import read_record
from tamis.wire.records import About, Record, event_record

__all__ = ["REMEMBERED", "SessionState", "Surroundings", "catalog_of"]

REMEMBERED = 16  # ended responses of a session whose late records are known for what they are
REMEMBERED_MS = 10 * 60 * 1000  # and for how long
_PLAIN_KEYS = frozenset({"v", "kind", "response_id", "seq", "text"})


@lru_cache(maxsize=512)  # distinct catalogues in use at once: compiled once each
def _compiled(tools: str, namespaces: tuple[str, ...]) -> Catalog:
    return Catalog.of(json.loads(tools), namespaces)


def catalog_of(start: Start) -> Catalog | None:
    """The catalogue that a start declares: its tools, or a named one that is not loaded. Raises `TamisError`."""
    if start.tools:
        return _compiled(json.dumps(start.tools, sort_keys=True), start.namespaces)
    return UNAVAILABLE if start.catalog is not None else None


class Surroundings:
    """What all sessions of a worker share: options, and the seams to metrics."""

    __slots__ = ("observe", "policy", "raw", "seen", "source")

    def __init__(self, *, limits: dict[str, int] | None = None, raw: bool = True, observe: Callable[..., None] = lambda *_: None) -> None:
        self.policy: dict[str, Any] = {"limits": limits} if limits else {}
        self.raw = raw
        self.observe = observe
        self.source = "/tamis"
        self.seen: Counter[tuple[str | None, str | None, str]] = Counter()  # chunks by provider, model and wire since the last look


class SessionState:
    """One session. `offset` is the last record applied: what lies at or before it is a replay."""

    __slots__ = ("around", "ended", "hallucinations", "id", "last_ms", "late", "offset", "partition", "responses", "touched")

    def __init__(self, session_id: str, partition: int, around: Surroundings) -> None:
        self.id = session_id
        self.partition = partition
        self.around = around
        self.offset = -1
        self.last_ms = 0
        self.touched = 0.0  # the worker's clock at the last record: for idleness only
        self.hallucinations = 0
        self.late = 0
        self.responses: dict[str, Response] = {}
        self.ended: list[tuple[str, int, int]] = []

    # -- records

    def text(self, body: dict[str, Any], offset: int, time_ms: int, out: list[Record], waiting: set[Choice]) -> bool:
        """The common record: a native text delta of a response that is open. False: it is another one, nothing was done."""
        response = self.responses.get(body.get("response_id", ""))
        text = body.get("text")
        if response is None or text.__class__ is not str or not body.keys() <= _PLAIN_KEYS:
            return False
        choice = response.choices.get(0)
        seq = body.get("seq")
        if choice is None or choice.doom is not None:
            return False
        if seq is not None and (choice.seq is None or seq.__class__ is not int or seq != choice.seq + 1):
            return False
        choice.seq = seq if seq is not None else choice.seq
        choice.chunks += 1
        about = choice.about
        about.last_offset, about.time_ms = offset, time_ms
        self.offset, self.last_ms = offset, time_ms
        self.around.seen[about.provider, about.model, "native"] += 1
        events = choice.session.receive(text)
        for event in events:
            if event.__class__ is Content or event.__class__ is Reasoning:
                choice.text(event, out)
            else:
                self._give(response, 0, choice, event, out)
        waiting.add(choice)
        return True

    def apply(
        self, value: bytes | None, headers: Iterable[tuple[str, bytes | None]], offset: int, time_ms: int, out: list[Record], waiting: set[Choice]
    ) -> None:
        """Any record. Raises `FrameError` when it is no chunk; the state has then not changed."""
        frames = read_record(value, headers)
        trace = next((raw for key, raw in headers if key == "traceparent"), None)
        self._checked(frames)
        self.offset, self.last_ms = offset, time_ms
        for frame in frames:
            self._frame(frame, offset, time_ms, trace, out, waiting)

    def broken(self, error: FrameError, offset: int, time_ms: int, out: list[Record]) -> None:
        """A record of this session was no chunk: no call may be built across the hole."""
        self.offset, self.last_ms = offset, time_ms
        named = [error.response_id] if error.response_id in self.responses else list(self.responses)
        for response_id in named:
            response = self.responses[response_id or ""]
            for index in list(response.choices):
                self._close(response, index, End.INCOMPLETE, offset, time_ms, out, Cause.SEQUENCE_GAP, "a record of the response could not be read")

    def doom(self, end: End) -> bool:
        """Mark all that is open to end so; true when there was something. The mark has to be written before `end_doomed`."""
        found = False
        for response in self.responses.values():
            for choice in response.choices.values():
                if choice.doom is None:
                    choice.doom = end
                    found = True
        return found

    def end_doomed(self, out: list[Record]) -> None:
        """End what was marked, by the records that it had."""
        for response in list(self.responses.values()):
            for index, choice in list(response.choices.items()):
                if choice.doom is not None:
                    cause = Cause.LIMIT_EXCEEDED if choice.doom is End.EVICTED else None
                    about = choice.about
                    self._close(response, index, choice.doom, about.last_offset, about.time_ms, out, cause, "the worker's buffers are full")

    @property
    def buffered(self) -> int:
        """Characters held for decisions that are not made yet."""
        return sum(choice.session.buffered for response in self.responses.values() for choice in response.choices.values())

    # -- frames

    def _checked(self, frames: list[Frame]) -> None:
        """Resolve what each frame is about, before anything changes."""
        for frame in frames:
            if frame.response_id is None:
                if len(self.responses) > 1:
                    raise FrameError(Reason.AMBIGUOUS_RESPONSE, "several responses are open and the record names none")
                frame.response_id = next(iter(self.responses), None)
            start = frame.start
            if start is not None and (start.tools is not None or start.policy or start.tool_choice != "auto" or start.format):
                try:
                    probe = Response("", start, catalog_of(start))
                    probe.open(self.id, 0, None, self.around.policy)  # type: ignore[arg-type]
                except TamisError as error:
                    raise FrameError(Reason.BAD_TOOLS, str(error), frame.response_id) from None

    def _late(self, response_id: str | None, choice: int | None) -> bool:
        return any(item[0] == response_id and (choice is None or item[1] == choice) for item in self.ended)

    def _frame(self, frame: Frame, offset: int, time_ms: int, trace: bytes | None, out: list[Record], waiting: set[Choice]) -> None:
        response_id = frame.response_id
        response = self.responses.get(response_id or "")
        over = response is None or (frame.choice is not None and frame.choice in response.closed)
        if over and (self._late(response_id, frame.choice) or frame.kind in ("finish", "abort", "usage")):
            self.late += 1  # of a response that has ended, or the end of one that never began
            return
        if response is None:
            if response_id is None:
                response_id = f"auto-{self.partition}-{offset}"
            start = frame.start or Start()
            response = self.responses[response_id] = Response(response_id, start, catalog_of(start))
        elif frame.start is not None and not response.choices:
            # a provider's chunk names its model again and again: what a start record declared stands
            response.start = merge(response.start, frame.start)
            response.catalog = catalog_of(response.start)
        if frame.kind == "start":
            return
        choices = [frame.choice] if frame.choice is not None else list(response.choices) or [0]
        for index in choices:
            if frame.choice is None and index not in response.choices and frame.kind != "finish":
                continue
            choice = self._choice(response, index, offset, time_ms, trace)
            choice.wire = frame.wire
            if choice.doom is not None or not self._in_sequence(response, index, choice, frame, len(choices) == 1, offset, time_ms, out):
                continue
            about = choice.about
            about.last_offset, about.time_ms = offset, time_ms
            self._step(response, index, choice, frame, out, waiting)

    def _choice(self, response: Response, index: int, offset: int, time_ms: int, trace: bytes | None) -> Choice:
        start = response.start
        about = About(self.id, response.id, index, start.turn, start.provider, start.model, start.catalog, self.partition, offset, offset,
                      time_ms, trace, self.around.source)  # fmt: skip
        return response.open(self.id, index, about, self.around.policy)

    def _in_sequence(
        self, response: Response, index: int, choice: Choice, frame: Frame, alone: bool, offset: int, time_ms: int, out: list[Record]
    ) -> bool:
        seq = frame.seq
        if seq is None or not alone:
            return True
        if choice.seq is None:
            wanted: tuple[int, ...] = (0, 1)
        elif seq <= choice.seq:
            self.around.observe("duplicate", "seq")
            return False
        else:
            wanted = (choice.seq + 1,)
        if seq not in wanted:
            self._close(response, index, End.INCOMPLETE, offset, time_ms, out, Cause.SEQUENCE_GAP, "records of the response are missing")
            return False
        choice.seq = seq
        return True

    def _step(self, response: Response, index: int, choice: Choice, frame: Frame, out: list[Record], waiting: set[Choice]) -> None:
        session, kind, about = choice.session, frame.kind, choice.about
        if kind in ("text", "reasoning", "tool"):
            choice.chunks += 1
            self.around.seen[about.provider, about.model, frame.wire] += 1
        events: list[Event] = []
        if kind == "text":
            events = session.receive(frame.payload)
        elif kind == "reasoning":
            events = session.receive_reasoning(frame.payload)
        elif kind == "tool":
            events = session.receive_delta(frame.payload)
        elif kind == "usage":
            choice.usage = frame.payload or choice.usage
        elif kind == "finish":
            events = session.finish(frame.payload)
        elif kind == "abort":
            events = session.close(End.ABORTED)
        elif kind == "error":
            events = session.close(End.ERROR, Cause.UPSTREAM_ERROR, "the provider sent an error frame")
        for event in events:
            self._give(response, index, choice, event, out)
        if choice.buffer:
            waiting.add(choice)

    def _close(
        self, response: Response, index: int, end: End, offset: int, time_ms: int, out: list[Record], cause: Cause | None = None, detail: str = ""
    ) -> None:
        choice = response.choices[index]
        choice.about.last_offset, choice.about.time_ms = offset, time_ms
        for event in choice.session.close(end, cause, detail):
            self._give(response, index, choice, event, out)

    def _give(self, response: Response, index: int, choice: Choice, event: Event, out: list[Record]) -> None:
        """One event as a record, behind the text that stands before it."""
        if isinstance(event, Content | Reasoning):
            choice.text(event, out)
            return
        choice.flush(out)
        about = choice.about
        if isinstance(event, HallucinatedResult):
            self.hallucinations += 1
        out.append(
            event_record(event, about, session_count=self.hallucinations, chunks=choice.chunks, usage=choice.usage, raw=self.around.raw)
        )
        self.around.observe("event", event, about.provider, about.model)
        if isinstance(event, TurnEnd):
            del response.choices[index]
            response.closed.add(index)
            self.ended.append((response.id, index, about.time_ms))
            del self.ended[:-REMEMBERED]
            if not response.choices:
                self.responses.pop(response.id, None)
