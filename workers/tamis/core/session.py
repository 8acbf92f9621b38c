"""One response, read as it streams: the public face of the core.

    session = Session(tools=[...])
    events = session.receive("text")      # each event as soon as it is certain
    events = session.finish("stop")

The result depends on text, tools and policy alone: never on where the text was cut, on a clock or on chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tamis.core import snapshot as snapshots
from tamis.core.bodies.context import Context
from tamis.core.catalog import UNAVAILABLE, Catalog
from tamis.core.choice import ToolChoice
from tamis.core.coercion.history import recent
from tamis.core.dialects import lexicon, load
from tamis.core.drafts import Draft
from tamis.core.errors import UsageError
from tamis.core.events import Cause, Content, End, Event, Reasoning
from tamis.core.judge import Judge
from tamis.core.ledger import Identity, Ledger
from tamis.core.native import NativeCalls
from tamis.core.policy import Policy
from tamis.core.reader import PROBE, Reader, Trace
from tamis.core.state import State
from tamis.core.turn import Turn, collect
from tamis.core.verdicts import Accepted, Refused

__all__ = ["Session", "parse"]

_tuple: Callable[..., Any] = tuple.__new__  # half the price of the class's own constructor, paid for nearly every chunk

_BROKEN_OFF = {"content_filter": End.FINISHED, "error": End.ERROR, "aborted": End.ABORTED}
"""Finish reasons that complete nothing, and the end they mean."""


class Session:
    """The parser's state for one (session, response, choice).

    `tools` are declarations in any known shape, mixed, or a ready `Catalog`; None and [] both mean that no catalogue is given.
    `format` is the dialect that the host expects: it breaks a tie and never excludes another. `session_id`, `response_id`, `choice` and
    `turn` go into call ids only. `tool_choice` is what the host asked the model for: "auto"; "required" (rules about a call's place in the
    text do not hold, all others do); "none" (every call is refused); or the name of the one tool that may be called, which is also required.
    `model` and `provider` are kept for the host.
    Raises `TamisError` on misuse; never on anything that a model can write.
    """

    __slots__ = (
        "_apart", "_call_limit", "_context", "_direct", "_judge", "_ledger", "_limit", "_native", "_reader", "_received", "_recent", "catalog",
        "ended", "identity", "model", "policy", "provider", "tool_choice",
    )  # fmt: skip

    def __init__(
        self,
        tools: Iterable[Mapping[str, Any]] | Catalog | None = None,
        *,
        namespaces: Sequence[str] = (),
        history: Sequence[Mapping[str, Any]] = (),
        tool_choice: str = "auto",
        thought_open: bool = False,
        format: str | None = None,
        model: str | None = None,
        provider: str | None = None,
        session_id: str = "",
        response_id: str = "",
        choice: int = 0,
        turn: int | None = None,
        policy: Policy | Mapping[str, Any] | None = None,
    ) -> None:
        if isinstance(history, str | bytes | Mapping) or not isinstance(history, Iterable):
            raise UsageError(f"history is a list of messages, not {type(history).__name__}")
        if format not in (None, "auto") and format not in load():
            raise UsageError(f"the format hint {format!r} is no dialect; `tamis dialects list` shows the names")
        self.policy = Policy.of(policy)
        self.catalog = tools if isinstance(tools, Catalog) else Catalog.of(tools, namespaces)
        self.tool_choice = ToolChoice.of(tool_choice, self.catalog)
        self.model, self.provider = model, provider
        self.identity = Identity(session_id, response_id, choice, turn)
        self.ended = False
        self._received = 0
        self._apart = 0  # of these, how many came as reasoning on its own side of the wire: the reader has not seen them
        self._limit = self.policy.limits.text
        self._call_limit = self.policy.limits.call
        self._direct: type[Content] | type[Reasoning] | None = None  # what plain text is now; None: it has to be read
        self._ledger = Ledger(self.identity, self.policy.limits)
        self._judge = Judge(self.catalog, self.policy, recent(history), self.tool_choice)
        self._native = NativeCalls()
        catalog = self.catalog
        known = catalog.given or catalog is UNAVAILABLE
        self._context = Context(lexicon(), self.policy.limits, known, catalog.declares, catalog.needs_arguments, catalog.properties)
        self._context.allows = self.policy.allows
        self._context.required = self.tool_choice.wanted
        self._context.hint = format if format != "auto" else None
        self._context.accepts, self._context.repeats = self._accepts, self._repeats
        self._context.initials |= catalog.initials
        self._reader = Reader(self._ledger, self._context, self._judge.text, thought_open=thought_open)
        self._recent = self._reader.recent

    def tell(self, trace: Trace | None) -> None:
        """Have somebody told why each span was read as it was; see `tamis.core.explain`."""
        self._reader.trace = trace

    def _accepts(self, draft: Draft) -> bool:
        """Whether a draft would pass the gates; it stays as it is."""
        return isinstance(self._judge.text(deepcopy(draft), ""), Accepted)

    def _repeats(self, draft: Draft) -> bool:
        """Whether a draft is a call that was given out."""
        verdict = self._judge.text(deepcopy(draft), "")
        return isinstance(verdict, Accepted) and self._ledger.knows(verdict)

    # -- what arrives

    def receive(self, text: str) -> list[Event]:
        """Text of the model; the events that it makes certain. Raises `UsageError` after the end."""
        direct = self._direct
        fed = False
        if direct is not None and text.__class__ is str and text:
            # the common chunk: plain text in the middle of a line; anything with a meaning takes the way below
            received = self._received + len(text)
            if received <= self._limit:
                reader = self._reader
                piece = text if PROBE(text) is None and not reader.tail else reader.quick(text)
                if piece is not None:
                    self._received = received
                    if not piece:
                        return []
                    ledger = self._ledger
                    offset = ledger.content_chars
                    if direct is Content:
                        ledger.content_chars = offset + len(piece)
                    else:
                        ledger.reasoning_chars += len(piece)
                    self._recent.append(piece)
                    return [_tuple(direct, (piece, offset))]
                fed = True
        if not isinstance(text, str):
            raise UsageError(f"receive takes str, not {type(text).__name__}; decode bytes first, receive_delta takes native deltas")
        if not self._open():
            return []
        reader, limit = self._reader, self._limit
        room = limit - self._received
        self._received += len(text)
        if text:
            if direct is not None:
                self._count(0 if fed else len(text))
                self._direct = None
            if fed:
                reader.resume()
            else:
                reader.feed(text if len(text) <= room else text[: max(room, 0)])
            if reader.state is State.BODY and not (reader.over_limit or self._ledger.out or self._received > limit or self._ledger.max_reached):
                return []
        if self._received > limit and not reader.over_limit:
            return self._over(f"the response is longer than {limit} characters")
        events = self._out()
        if reader.calm and self._ledger.plain:
            self._direct = Reasoning if self._ledger.thought else Content
        return events

    def receive_reasoning(self, text: str) -> list[Event]:
        """Reasoning that arrived on a structured side of the wire: handed on as it is."""
        if not self._open() or not text:
            return []
        self._received += len(text)
        if self._received > self.policy.limits.text:
            return self._over(f"the response is longer than {self.policy.limits.text} characters")
        if self._direct is not None:
            self._count(len(text))
            self._direct = None
        self._apart += len(text)
        ledger = self._ledger
        events: list[Event] = [Reasoning(text, ledger.content_chars)]
        ledger.reasoning_chars += len(text)
        return events

    def receive_delta(self, entry: Mapping[str, Any]) -> list[Event]:
        """One entry of an OpenAI-shaped `tool_calls` delta; the calls that it completes."""
        current = self._native.open
        if current is not None and entry.__class__ is dict and not self.ended and len(entry) == 2:
            # the common delta: another piece of the arguments of the call that is open
            function = entry.get("function")
            if function.__class__ is dict and len(function) == 1 and entry.get("index") is current.index:
                piece = function.get("arguments")
                if piece.__class__ is str:
                    current.arguments.append(piece)
                    current.size += len(piece)
                    if current.size <= self._call_limit:
                        return []
                    return self._over(f"a native call is longer than {self._call_limit} characters")
        if not self._open():
            return []
        done = self._native.add(entry)
        for call in done:
            self._ledger.give(self._judge.native(call, None))
        current = self._native.open
        if current is not None and current.size > self.policy.limits.call:
            return self._over(f"a native call is longer than {self.policy.limits.call} characters")
        return self._out()

    # -- how it ends

    def finish(self, reason: str | None = "stop") -> list[Event]:
        """The provider's finish; the remaining events, the last one a `TurnEnd`."""
        if not self._open():
            return []
        broken = _BROKEN_OFF.get(reason or "")
        return self._finish(broken or End.FINISHED, reason, complete=broken is None)

    def close(self, end: End, cause: Cause | None = None, detail: str = "") -> list[Event]:
        """End without a finish frame: nothing is completed, an open call is `truncated`; `cause` adds a refusal of the turn."""
        if not self._open():
            return []
        return self._finish(end, None, complete=False, cause=cause, detail=detail)

    def _finish(self, end: End, reason: str | None, *, complete: bool, cause: Cause | None = None, detail: str = "") -> list[Event]:
        ledger, judge = self._ledger, self._judge
        if not complete:
            judge.reason = reason or end.value
        ledger.reason = reason
        self._reader.end(reason if complete else judge.reason)
        call = self._native.finish()
        if call is not None:
            ledger.give(judge.native(call, reason))
        ledger.settle(complete=complete)
        if self._reader.over_limit or ledger.max_reached:
            return self._out()
        if cause is not None:
            ledger.give(Refused(cause, None, detail or f"the response ended: {end.value}"))
        ledger.end(end, reason, required=self.tool_choice.wanted)
        self.ended = True
        return ledger.take()

    def _open(self) -> bool:
        """False when a limit has ended the response: what the producer still sends is dropped."""
        if not self.ended:
            return True
        if self._reader.over_limit:
            return False
        raise UsageError("the response has ended; make a new Session for the next one")

    def _count(self, ahead: int) -> None:
        """Tell the reader how much went straight through; `ahead` characters of what was received are not among it."""
        source = self._reader.source
        source.rebase(self._received - self._apart - ahead - (len(source.text) - source.pos))

    def _out(self) -> list[Event]:
        reader, ledger = self._reader, self._ledger
        if ledger.max_reached:
            return self._over(f"the response makes more than {self.policy.limits.calls} calls")
        if reader.over_limit:
            return self._over(f"one call is longer than {self.policy.limits.call} characters")
        return ledger.take()

    def _over(self, detail: str) -> list[Event]:
        self._reader.over_limit = True
        ledger = self._ledger
        ledger.settle(complete=False)
        ledger.give(Refused(Cause.LIMIT_EXCEEDED, None, detail))
        ledger.end(End.LIMIT, None)
        self.ended = True
        return ledger.take()

    # -- state

    @property
    def open(self) -> bool:
        """Whether a call or a block that may be one is being read."""
        return self._reader.state is State.BODY or self._native.open is not None

    @property
    def buffered(self) -> int:
        """Characters that are held because no decision has used them up yet."""
        call = self._native.open
        return self._reader.buffered + self._ledger.held + (call.size if call is not None else 0)

    def snapshot(self) -> bytes:
        """The state as bytes, at any chunk boundary: the decisions so far and the text that is not decided yet."""
        if self._direct is not None:
            self._count(0)
        return snapshots.dump(
            {
                "received": self._received,
                "ended": self.ended,
                "broken": self._judge.reason,
                "choice": self.tool_choice.word,
                "ledger": self._ledger.freeze(),
                "native": self._native.freeze(),
                "reader": self._reader.freeze(),
            }
        )

    @classmethod
    def restore(cls, state: bytes, tools: Iterable[Mapping[str, Any]] | Catalog | None = None, **keywords: Any) -> Session:
        """The session that `snapshot` described; give it the same tools and keywords. Raises `SnapshotError` on other bytes."""
        read = snapshots.load(state)
        session = cls(tools, **{"tool_choice": read["choice"], **keywords, "thought_open": False})
        session._received = read["received"]
        session.ended = read["ended"]
        session._judge.reason = read["broken"]
        session._ledger.thaw(read["ledger"])
        session._native.thaw(read["native"])
        session._reader.thaw(read["reader"])
        source = session._reader.source
        session._apart = session._received - source.offset - len(source.rest())
        session._ledger.out.clear()
        return session


def parse(text: str, tools: Iterable[Mapping[str, Any]] | Catalog | None = None, *, finish_reason: str | None = "stop", **keywords: Any) -> Turn:
    """Read one whole turn; keywords as for `Session`."""
    session = Session(tools, **keywords)
    events = session.receive(text)
    if not session.ended:
        events += session.finish(finish_reason)
    return collect(events)
