"""What is open in one session, and what one record does to it. Pure: records in, records out; no broker; a clock only to measure."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import Any

from tamis.agents.bindings import Bindings
from tamis.agents.conversation import Conversation
from tamis.agents.declared import Declared, inline
from tamis.agents.observed import late, tell
from tamis.agents.open_response import Choice, Pace, Response
from tamis.agents.surroundings import Surroundings
from tamis.core import Cause, Content, End, Event, HallucinatedResult, Reasoning, Session, TamisError, ToolCall
from tamis.core.conversation.fabrications import SESSION_MS, Advice, Fabrications
from tamis.core.errors import NotAvailableError
from tamis.core.events import TurnEnd
from tamis.wire.frames import Frame, FrameError, Reason, Start, merge
from tamis.wire.inbound import read_record
from tamis.wire.records import About, Record, event_record

__all__ = ["REMEMBERED", "REMEMBERED_MS", "SessionState", "Surroundings", "place_of"]

log = logging.getLogger(__name__)

REMEMBERED = 16  # ended responses of a session whose late records are known for what they are
REMEMBERED_MS = 10 * 60 * 1000  # and for how long, by the time of the records: a replay must remember as long
_PLAIN_KEYS = frozenset({"v", "kind", "response_id", "seq", "text"})
_SAYS = frozenset({"text", "reasoning", "tool"})
_BEGINS = _SAYS | {"finish"}  # what is heard of another choice when the first one has ended already
_ENDS = frozenset({"finish", "abort", "error"})
_clock = time.perf_counter  # measures the parser for the metrics; nothing is decided by it


def place_of(error: BaseException) -> str:
    """What kind of exception it is and where it was raised: its message may hold what a model wrote, which no log may."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return f"{type(error).__name__} in {last.tb_frame.f_code.co_qualname}, line {last.tb_lineno}" if last is not None else type(error).__name__


def _log_rewrite(call: ToolCall) -> None:
    """One line for a name that was rewritten, so that whoever checks permissions can see it; never its arguments."""
    rule = next((item.rule for item in call.repairs if not item.path and item.before == call.emitted_name and item.after == call.name), None)
    if rule is not None:
        log.info("name %r was read as the tool %r (%s)", call.emitted_name, call.name, rule)


class SessionState:
    """One session. `offset` is the last record applied: what lies at or before it is a replay."""

    __slots__ = ("around", "bindings", "conversation", "durable", "ended", "fabrications", "id", "last_ms", "offset", "partition", "responses",
                 "touched")  # fmt: skip

    def __init__(self, session_id: str, partition: int, around: Surroundings, bindings: Bindings) -> None:
        self.id = session_id
        self.partition = partition
        self.around = around
        self.bindings = bindings
        self.conversation = Conversation(session_id, partition, around.source, around.observe)
        self.offset = -1
        self.last_ms = 0
        self.touched = 0.0  # the worker's clock at the last record
        self.fabrications = Fabrications()
        self.durable = -1  # the offset that the last written row has: no replay begins before it
        self.responses: dict[str, Response] = {}
        self.ended: dict[str, Response] = {}  # the last ones, oldest first; they keep what was declared: another choice may still begin

    # -- records

    def text(
        self, body: dict[str, Any], size: int, offset: int, time_ms: int, now: float, out: list[Record], waiting: set[Choice]
    ) -> bool:
        """The common record: a native text delta of a response that is open. False: it is another one, nothing was done."""
        response_id, text = body.get("response_id"), body.get("text")
        if response_id.__class__ is not str or text.__class__ is not str or body.get("v") != 1 or not body.keys() <= _PLAIN_KEYS:
            return False
        response = self.responses.get(response_id)
        if response is None:
            return False
        choice = response.choices.get(0)
        if choice is None:
            return False
        seq = body.get("seq")
        if seq is not None:
            if choice.seq is None or seq.__class__ is not int or seq != choice.seq + 1:
                return False
            choice.seq = seq
        choice.chunks += 1
        about = choice.about
        about.last_offset = self.offset = offset
        about.time_ms = self.last_ms = time_ms
        response.touched = now
        seen = self.around.seen[about.provider, about.model, "native"]
        seen[0] += 1
        seen[1] += size
        began = _clock()
        events = choice.session.receive(text)
        choice.pace.chunk(time_ms, _clock() - began)
        for event in events:
            if event.__class__ is Content or event.__class__ is Reasoning:
                choice.text(event, out)
            else:
                self._give(response, 0, choice, event, out)
        waiting.add(choice)
        return True

    def apply(
        self, value: bytes | None, headers: Iterable[tuple[str, bytes | None]], body: Any, offset: int, time_ms: int, now: float, out: list[Record],
        waiting: set[Choice],
    ) -> None:  # fmt: skip
        """Any record; `body` is its value when that is decoded already. Raises `FrameError` when it is no chunk, and `Awaited` when it has
        to wait for its catalogue: nothing has changed then."""
        frames = read_record(value, headers, body)
        response = self._find(frames, offset, time_ms)
        if self._over(time_ms):
            self.renew()
        self.offset, self.last_ms = offset, time_ms
        if response is None:
            late(self.around.observe, frames, self.ended.get(frames[0].response_id or ""))
            return
        for name in frames[0].unread:
            self.around.observe("unknown_field", frames[0].wire, name)
        self.around.seen[response.start.provider, response.start.model, frames[0].wire][1] += len(value or b"")
        self.ended.pop(response.id, None)
        self.responses[response.id] = response
        response.touched = now
        if response.trace is None:
            response.trace = next((raw for key, raw in headers if key == "traceparent"), None)
        if not self._in_sequence(response, frames[0], offset, time_ms, out):
            return
        for frame in frames:
            self._frame(response, frame, offset, time_ms, out, waiting)

    def broken(self, error: FrameError, offset: int, time_ms: int, out: list[Record]) -> None:
        """A record of this session was no chunk: no call may be built across the hole, nor behind a start that was lost in it."""
        self.offset, self.last_ms = offset, time_ms
        named = error.response_id
        if named is None:
            hit = list(self.responses.values())
        elif named in self.responses:
            hit = [self.responses[named]]
        elif self._remembered(named, time_ms) is not None:
            hit = []
        else:
            hit = [Response(named, Start(), None)]
        for response in hit:
            self._end(response, End.INCOMPLETE, offset, time_ms, out, Cause.SEQUENCE_GAP, "a record of the response could not be read")

    def end_doomed(self, out: list[Record]) -> None:
        """End what was marked by `Response.doom`, at the last record that it had."""
        for response in list(self.responses.values()):
            if response.doom is not None:
                cause = Cause.LIMIT_EXCEEDED if response.doom is End.EVICTED else None
                self._end(response, response.doom, None, None, out, cause, "the worker's buffers are full")

    @property
    def buffered(self) -> int:
        """Characters held for decisions that are not made yet."""
        return sum(choice.session.buffered for response in self.responses.values() for choice in response.choices.values())

    # -- which response

    def _find(self, frames: list[Frame], offset: int, time_ms: int) -> Response | None:
        """The response of a record, a new one perhaps, or None: it has ended, or never began. Raises `FrameError`."""
        response_id, start = frames[0].response_id, frames[0].start
        kinds = {frame.kind for frame in frames}
        if response_id is None:
            if len(self.responses) > 1 and any(frame.payload is not None or frame.kind != "usage" for frame in frames):
                raise FrameError(Reason.AMBIGUOUS_RESPONSE, "several responses are open and the record names none")
            response_id = next(iter(self.responses)) if len(self.responses) == 1 else None
        response = self.responses.get(response_id) if response_id is not None else None
        if response is not None:
            if start is not None and not response.choices and not response.closed:
                # a provider's chunk names its model again and again: what a start record declared stands
                whole = merge(response.start, start)
                if whole != response.start:
                    response.declared = self._usable(whole, response, response.id)
                    response.start, response.names = whole, None
                    self._look_back(response)
            return response
        if response_id is not None:
            ended = self._remembered(response_id, time_ms)
            if ended is not None:
                begins = any(frame.choice not in ended.closed and frame.kind in _BEGINS and frame.choice is not None for frame in frames)
                return ended if begins and not ended.over else None
            if kinds <= {"usage", "abort"}:
                return None  # there is nothing to give up
        elif kinds <= {"usage", "abort", "finish"}:
            return None
        response = Response(response_id if response_id is not None else f"auto-{self.partition}-{offset}", start or Start(), None)
        response.declared = self._usable(response.start, response, response_id)
        if not self._over(time_ms):
            response.seen = self.conversation.memory.history(offset)
        self._look_back(response)
        return response

    def _look_back(self, response: Response) -> None:
        if response.looks_back(self.around.policy):
            response.seen = self.bindings.see(self.id, response.id, response.seen)

    def _usable(self, start: Start, response: Response, named: str | None) -> Declared | None:
        """What a start declares, its own tools or a catalogue. Raises `FrameError` when anything in it cannot be used (better no call
        than one past no gate) and `Awaited` when the catalogue is not there yet."""
        try:
            if start.tools:
                found: Declared | None = inline(start.tools, start.namespaces)
                start.tools = found.tools if found is not None else None  # one object for all responses that declare the same
            elif start.catalog is None:
                found = None
            elif response.declared is not None and response.start.catalog == start.catalog:
                found = response.declared
            else:
                found = self.bindings.bind(self.id, response.id, start.catalog)
            if start.policy or start.tool_choice != "auto" or start.format is not None:
                Session(found.catalog if found else None, **Response("", start, found).keywords(self.id, 0, self.around.policy))
        except NotAvailableError as error:
            raise FrameError(Reason.NOT_AVAILABLE, str(error), named) from None
        except (TamisError, TypeError) as error:
            raise FrameError(Reason.BAD_TOOLS, str(error), named) from None
        if found is not None and found.hash:
            self.bindings.texts.add(found.text)
        return found

    # -- the session's own end

    def _over(self, time_ms: int) -> bool:
        """Whether the session ended before this record: nothing was heard of it for a day, by the time of its records."""
        return self.last_ms > 0 and time_ms - self.last_ms > SESSION_MS and not self.responses

    def renew(self) -> None:
        """Begin anew: counters and memory end with a session."""
        self.fabrications = Fabrications()
        self.conversation.renew()

    def _remembered(self, response_id: str, time_ms: int) -> Response | None:
        ended = self.ended.get(response_id)
        if ended is not None and time_ms - ended.ended_ms > REMEMBERED_MS:
            del self.ended[response_id]
            return None
        return ended

    # -- what a record does

    def _in_sequence(self, response: Response, first: Frame, offset: int, time_ms: int, out: list[Record]) -> bool:
        """Whether a record is the next one of its choice; behind a gap the choice ends."""
        seq, index = first.seq, first.choice
        if index is None:
            index = next(iter(response.choices), 0) if len(response.choices) <= 1 else None
        if seq is None or index is None or index in response.closed:
            return True
        known = response.choices.get(index)
        last = known.seq if known is not None else None
        if last is not None and seq <= last:
            self.around.observe("duplicate", "seq")
            return False
        choice = self._choice(response, index, offset, time_ms)
        if seq != (last + 1 if last is not None else min(seq, 1)):
            if first.choice is None:
                response.over = True
            self._close(response, index, End.INCOMPLETE, offset, time_ms, out, Cause.SEQUENCE_GAP, "records of the response are missing")
            return False
        choice.seq = seq
        return True

    def _frame(self, response: Response, frame: Frame, offset: int, time_ms: int, out: list[Record], waiting: set[Choice]) -> None:
        kind = frame.kind
        if kind == "start":
            return
        if frame.choice is not None:
            if frame.choice in response.closed:
                self.around.observe("duplicate", "late")
                return
            if kind not in _BEGINS and frame.choice not in response.choices:
                return
            targets = [frame.choice]
        else:
            targets = list(response.choices)
            if kind in _ENDS:
                response.over = True
                if not targets and not response.closed:
                    targets = [0]  # an end is the first that is heard of it
        for index in targets:
            choice = self._choice(response, index, offset, time_ms)
            choice.about.last_offset, choice.about.time_ms = offset, time_ms
            self._step(response, index, choice, frame, out, waiting)

    def _choice(self, response: Response, index: int, offset: int, time_ms: int) -> Choice:
        found = response.choices.get(index)
        if found is not None:
            return found
        # a response whose other choices have all ended is open again
        self.ended.pop(response.id, None)
        self.responses[response.id] = response
        start = response.start
        about = About(self.id, response.id, index, start.turn, start.provider, start.model, start.catalog, self.partition, offset, offset,
                      time_ms, response.trace, self.around.source)  # fmt: skip
        made = response.open(self.id, index, about, self.around.policy)
        made.pace = Pace(time_ms)
        return made

    def _step(self, response: Response, index: int, choice: Choice, frame: Frame, out: list[Record], waiting: set[Choice]) -> None:
        session, kind, about = choice.session, frame.kind, choice.about
        if kind in _SAYS:
            choice.chunks += 1
            choice.wire = frame.wire
            self.around.seen[about.provider, about.model, frame.wire][0] += 1
        began = _clock()
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
        choice.pace.chunk(about.time_ms, _clock() - began)
        for event in events:
            self._give(response, index, choice, event, out)
        if choice.buffer:
            waiting.add(choice)

    @property
    def order(self) -> int:
        """Grows with every record of either topic that was applied."""
        return self.offset + self.conversation.memory.offset + 1

    # -- ends

    def _end(
        self, response: Response, end: End, offset: int | None, time_ms: int | None, out: list[Record], cause: Cause | None, detail: str
    ) -> None:
        """End a whole response; one that nothing was heard of yet ends as its choice 0. `offset` None: at the last record."""
        response.over = True
        self.responses[response.id] = response
        if not response.choices and not response.closed:
            self._choice(response, 0, self.offset, self.last_ms)
        for index in list(response.choices):
            self._close(response, index, end, offset, time_ms, out, cause, detail)
        if self.responses.pop(response.id, None) is not None:
            self._remember(response, self.last_ms)

    def _close(
        self, response: Response, index: int, end: End, offset: int | None, time_ms: int | None, out: list[Record], cause: Cause | None, detail: str
    ) -> None:
        choice = response.choices[index]
        about = choice.about
        if offset is not None and time_ms is not None:
            about.last_offset, about.time_ms = offset, time_ms
        try:
            events = choice.session.close(end, cause, detail)
        except Exception as error:  # noqa: BLE001 - a parser that has failed may fail again: the worker must get past it
            log.error("a response could not be closed, its turn is not published: %s", place_of(error))
            self._gone(response, index, about.time_ms)
            return
        for event in events:
            self._give(response, index, choice, event, out)

    def _give(self, response: Response, index: int, choice: Choice, event: Event, out: list[Record]) -> None:
        """One event as a record, behind the text that stands before it."""
        if isinstance(event, Content | Reasoning):
            choice.text(event, out)
            return
        choice.flush(out)
        about = choice.about
        advice: Advice | None = None
        if isinstance(event, HallucinatedResult):
            advice = self.fabrications.observe(response.id, about.time_ms)
        elif isinstance(event, ToolCall):
            _log_rewrite(event)
        out.append(event_record(event, about, advice=advice, chunks=choice.chunks, usage=choice.usage, raw=self.around.raw))
        tell(self.around.observe, event, response, choice)
        self.conversation.follow(event, about, out)
        if isinstance(event, TurnEnd):
            self._gone(response, index, about.time_ms)

    def _gone(self, response: Response, index: int, time_ms: int) -> None:
        response.choices.pop(index, None)
        response.closed.add(index)
        if not response.choices:
            self.responses.pop(response.id, None)
            self._remember(response, time_ms)

    def _remember(self, response: Response, time_ms: int) -> None:
        response.ended_ms = time_ms
        self.ended.pop(response.id, None)
        self.ended[response.id] = response
        while len(self.ended) > REMEMBERED:
            del self.ended[next(iter(self.ended))]
