"""One response on its way from a provider to `raw-stream`: what a gateway calls for each piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol

from tamis.clients.envelope import Envelope, Outgoing, cost_of, encode
from tamis.core.errors import UsageError
from tamis.wire.inbound import WIRES
from tamis.wire.native import MAX_CHOICE

__all__ = ["Reply", "Writer"]


class Writer(Protocol):
    """What a reply needs of its gateway."""

    async def room(self, reply: Reply, cost: int) -> bool:
        """Whether a piece may be held; if not, the response has been given up."""

    def release(self, cost: int) -> None:
        """A piece is not held any more."""

    def waits(self, reply: Reply) -> None:
        """A piece is to be written when those that follow had time to come."""

    def put_first(self, reply: Reply, record: Outgoing, then: Callable[[], None]) -> None:
        """Write a record; `then` is called when the broker has it, and not when its response is given up."""

    def put(self, reply: Reply, records: Iterable[Outgoing]) -> None:
        """Write records in this order."""


class Reply:
    """Made by `Gateway.start`; use it with `async with`, so that a stream that breaks off is said to have done so.

    Every method may wait for room in the gateway's buffer, and none raises for the broker's sake: where a piece found no room, or was not
    written, the response is given up. An abort record tells the workers, `given_up` tells the caller, and further pieces are dropped.
    """

    def __init__(self, writer: Writer, key: bytes, envelope: Envelope) -> None:
        self.key = key
        self.given_up = False
        self.ended = False
        self.lost = False  # a record of it was not written: those behind it are not wanted any more
        self._writer = writer
        self._envelope = envelope
        self._frames = False
        self._held: list[Outgoing] | None = None  # records behind a declaration that is not acknowledged yet

    @property
    def response_id(self) -> str:
        """Its id, as it will be on every record."""
        return self._envelope.response_id

    async def __aenter__(self) -> Reply:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None and self._frames and not self.ended:
            self.ended = True
            self.cut()  # the provider's own last frame has ended it
        else:
            self.abort()

    async def delta(self, text: str, choice: int = 0) -> None:
        """A piece of the model's text. Pieces are joined for some milliseconds."""
        await self._add("text", text, choice)

    async def reasoning(self, text: str, choice: int = 0) -> None:
        """A piece of reasoning that the provider sends apart from the text."""
        await self._add("reasoning", text, choice)

    async def tool_calls(self, entries: Iterable[Mapping[str, Any]], choice: int = 0) -> None:
        """Entries of an OpenAI-shaped `delta.tool_calls`."""
        for entry in entries:
            if not isinstance(entry, Mapping):
                raise UsageError("tool_calls must be a list of objects")
            await self._add("tool_calls", dict(entry), choice)

    async def frame(self, frame: Mapping[str, Any] | bytes | str, wire: str) -> None:
        """A provider's frame, verbatim: its JSON, not its line of server-sent events, and not the closing [DONE]. `wire` says whose it is.

        Frames carry no numbers, so a lost one does not show by itself. What was declared is written, and acknowledged, before the first.
        """
        if wire not in WIRES:
            raise UsageError(f"wire {wire!r} is not known; known: {', '.join(sorted(WIRES))}")
        value = frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame if isinstance(frame, bytes) else encode(dict(frame))
        if not self._open() or not await self._writer.room(self, len(value)):
            return
        if self._late(len(value)):
            return
        self._frames = True
        first = self._envelope.declare()
        if first is not None:
            self._writer.put_first(self, first, self._declared)
            self._held = []
        headers = (("x-wire", wire.encode()), ("x-response-id", self.response_id.encode("utf-8", "replace")))
        self._send([*self._envelope.cut(), Outgoing(value, headers, len(value))])

    async def end(self, finish_reason: str | None = "stop", usage: Mapping[str, Any] | None = None, choice: int | None = None) -> None:
        """The provider is done: with one choice, or with None with all of them, and then with the response."""
        if choice is not None:
            _check(choice)
        if not self._open():
            return
        self.ended = choice is None
        self._send(self._envelope.end(finish_reason, usage, choice))

    def abort(self) -> None:
        """Nothing more will come: what was complete stands, nothing else is completed. Does nothing when the response has ended."""
        if not self.ended and not self.given_up:
            self._send([*self._envelope.cut(), self._envelope.abort()])
        self.ended = True

    def give_up(self, lost: bool) -> list[Outgoing]:
        """For the gateway: nothing more is taken. What has to be written: the pieces taken so far, or none when a record before them is
        lost, and that the response ends here."""
        self.lost = self.lost or lost
        held: list[Outgoing] = []
        if self.lost and self._held is not None:
            held, self._held = self._held, None
            self._writer.release(sum(record.cost for record in held))
        if self.given_up:
            return [record for record in held if record.last]
        self.given_up = True
        if self.lost:
            self._writer.release(self._envelope.discard())
            return [self._envelope.abort()]
        records = [*self._envelope.cut(), self._envelope.abort()]
        if self._held is None:
            return records
        self._held += records
        return []

    def cut(self) -> None:
        """For the gateway: what waits has waited long enough."""
        self._send(self._envelope.cut())

    async def _add(self, kind: str, piece: Any, choice: int) -> None:
        _check(choice)
        if not piece or not self._open():
            return
        cost = cost_of(piece)
        if await self._writer.room(self, cost) and not self._late(cost):
            self._send(self._envelope.add(kind, piece, choice, cost))
            self._writer.waits(self)

    def _open(self) -> bool:
        if self.ended:
            raise UsageError(f"response {self.response_id!r} has ended; start another one")
        return not self.given_up

    def _late(self, cost: int) -> bool:
        """Whether the response has ended while a piece waited for room."""
        if self.given_up or self.ended:
            self._writer.release(cost)
            return True
        return False

    def _send(self, records: list[Outgoing]) -> None:
        if self._held is not None:
            self._held += records
        else:
            self._writer.put(self, records)

    def _declared(self) -> None:
        held, self._held = self._held or [], None
        self._writer.put(self, held)


def _check(choice: int) -> None:
    if not 0 <= choice <= MAX_CHOICE:
        raise UsageError(f"choice must be from 0 to {MAX_CHOICE}")
