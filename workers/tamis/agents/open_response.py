"""One response and its choices: the parsers' sessions, and what the records about them share."""

from __future__ import annotations

from typing import Any

from tamis.agents.declared import Declared
from tamis.core import Policy, Session
from tamis.core.catalog import Catalog
from tamis.core.coercion.registry import registry
from tamis.core.events import Content, End, Reasoning
from tamis.wire.frames import Start
from tamis.wire.records import About, Record, content_record

__all__ = ["Choice", "Pace", "Response"]

_PIECE = 200_000  # characters of one content record: 4 bytes each stay below the message limit


class Pace:
    """How a response went in time, for the metrics alone: not part of its state, so a restored one begins anew without `first_ms`."""

    __slots__ = ("called", "first_ms", "gap_ms", "last_ms", "spent")

    def __init__(self, first_ms: int | None) -> None:
        self.first_ms = first_ms  # time of the first record; None: it was read by another worker
        self.last_ms: int | None = None
        self.gap_ms = 0
        self.spent = 0.0  # seconds inside the parser
        self.called = False

    def chunk(self, time_ms: int, spent: float) -> None:
        """One more chunk, at a record's time, that kept the parser busy for `spent` seconds."""
        self.spent += spent
        last = self.last_ms
        if last is not None and time_ms - last > self.gap_ms:
            self.gap_ms = time_ms - last
        self.last_ms = time_ms


class Choice:
    """State of one (session, response, choice) beside the parser's own."""

    __slots__ = ("about", "buffer", "chunks", "kind", "offset", "pace", "reasoned", "seq", "session", "shown", "start_offset", "usage", "wire")

    def __init__(self, session: Session, about: About) -> None:
        self.session = session
        self.about = about
        self.seq: int | None = None
        self.chunks = 0
        self.pace = Pace(None)
        self.usage: Any = None
        self.wire = "native"
        self.shown = self.reasoned = 0
        # text that waits to be sent as one record
        self.buffer: list[str] = []
        self.kind = ""
        self.offset = self.start_offset = 0

    def text(self, event: Content | Reasoning, out: list[Record]) -> None:
        """Add a piece of text to what is sent next; another kind of text sends what waits."""
        kind = "content" if event.__class__ is Content else "reasoning"
        if kind != self.kind and self.buffer:
            self.flush(out)
        if not self.buffer:
            self.kind = kind
            self.offset = self.shown if kind == "content" else self.reasoned
            self.start_offset = event.content_offset
        self.buffer.append(event.text)
        if kind == "content":
            self.shown += len(event.text)
        else:
            self.reasoned += len(event.text)

    def flush(self, out: list[Record]) -> None:
        """Turn the waiting text into records."""
        if not self.buffer:
            return
        text = "".join(self.buffer)
        self.buffer.clear()
        for start in range(0, len(text), _PIECE):
            moved = self.start_offset + (start if self.kind == "content" else 0)
            out.append(content_record(self.about, self.kind, self.offset + start, text[start : start + _PIECE], moved))


class Response:
    """What is declared for all choices of a response, and the choices that are open.

    `declared` is the version of tools and policy that it is bound to, `seen` the results that its session had seen when it began.
    `closed` are the indices that have ended; `over` says that no other one may begin. `doom` is an end that was decided by the
    worker's clock or memory and has to be written before it shows. `touched` is that clock at the last record.
    """

    __slots__ = ("choices", "closed", "declared", "doom", "ended_ms", "id", "names", "over", "seen", "start", "touched", "trace", "used")

    def __init__(self, response_id: str, start: Start, declared: Declared | None, seen: list[dict[str, Any]] | None = None) -> None:
        self.id = response_id
        self.start = start
        self.declared = declared
        self.seen = seen or []
        self.names: list[str] | None = None  # hashes of what start and session told, once they are known
        self.choices: dict[int, Choice] = {}
        self.closed: set[int] = set()
        self.over = False
        self.doom: End | None = None
        self.touched = 0.0
        self.ended_ms = 0
        self.trace: bytes | None = None
        self.used: Any = None  # the usage that was counted: one object may stand for all choices

    @property
    def catalog(self) -> Catalog | None:
        """The tools that calls are held against; None when nothing was declared."""
        return self.declared.catalog if self.declared is not None else None

    def open(self, session_id: str, choice: int, about: About, policy: dict[str, Any]) -> Choice:
        """The open choice of that index, made when it is new. Raises `TamisError` for declarations that cannot be used."""
        found = self.choices.get(choice)
        if found is None:
            found = self.choices[choice] = Choice(Session(self.catalog, **self.keywords(session_id, choice, policy)), about)
        return found

    def keywords(self, session_id: str, choice: int, policy: dict[str, Any]) -> dict[str, Any]:
        """The keywords of the parser's session. Of worker, catalogue and start record the later one's policy wins."""
        start, chosen = self.start, policy
        for asked in (self.declared.policy if self.declared is not None else None, start.policy):
            if asked:
                chosen = _over(chosen, asked)
        return {
            "tool_choice": start.tool_choice, "thought_open": start.thought_open, "format": start.format, "model": start.model,
            "provider": start.provider, "session_id": session_id, "response_id": self.id, "choice": choice, "turn": start.turn,
            "policy": chosen, "history": self.history,
        }  # fmt: skip

    def looks_back(self, policy: dict[str, Any]) -> bool:
        """Whether its calls may depend on earlier results: an optional rule or a coercer of the host may look at them."""
        asked = self.keywords("", 0, policy)["policy"]
        return bool(registry.tools or (asked and Policy.of(asked).coercion_rules))

    @property
    def history(self) -> list[dict[str, Any]]:
        """What the session saw, and behind it what the start record tells; a result that both have stands once."""
        told = self.start.history or []
        if not self.seen:
            return told
        ids = {message.get("tool_call_id") for message in told} - {None}
        return [*(message for message in self.seen if message.get("tool_call_id") not in ids), *told]


def _over(policy: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    chosen = {**policy, **asked}
    limits, lower = policy.get("limits"), asked.get("limits")
    if limits and isinstance(lower, dict):
        # a catalogue or a record may ask for less than the worker's limits, never for more
        chosen["limits"] = {**limits, **{name: _lower(value, limits.get(name)) for name, value in lower.items()}}
    return chosen


def _lower(value: Any, limit: int | None) -> Any:
    return min(value, limit) if isinstance(value, int) and limit is not None else value
