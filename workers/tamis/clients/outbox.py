"""What waits to be written of all responses: a bounded buffer, and the loop that empties it in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tamis.clients.budget import Budget
from tamis.clients.envelope import MAX_VALUE, Outgoing
from tamis.clients.reply import Reply

__all__ = ["Outbox", "Send"]

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0  # between two attempts to write that a response was given up
MAX_RETRIES = 10_000  # of such records that wait for another attempt, some 10 MB; beyond it the workers' idle rule has to do

Send = Callable[[bytes, Outgoing], Awaitable[asyncio.Future[Any]]]
"""Hands a record with its key to the broker's client; the future is done when the broker has it."""


@dataclass(eq=False, slots=True)
class _Item:
    """A record to be written, and what is called when it is."""

    reply: Reply
    record: Outgoing
    then: Callable[[], None] | None = None


class Outbox:
    """What replies write to. At most `buffer_bytes` are held; `dropped` counts the responses that were given up."""

    def __init__(
        self, send: Send, *, coalesce_seconds: float, buffer_bytes: int, max_wait_seconds: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:  # fmt: skip
        self.dropped = 0
        self.unwritten = 0  # records that are queued or on their way
        self._send = send
        self._coalesce_seconds = coalesce_seconds
        self._max_wait_seconds = max_wait_seconds
        self._sleep = sleep
        self._budget = Budget(buffer_bytes)
        self._waiting: dict[Reply, None] = {}  # replies with pieces that are to be joined
        self._queue: deque[_Item] = deque()
        self._again: dict[_Item, asyncio.TimerHandle] = {}  # aborts that the broker did not take
        self._wake = asyncio.Event()
        self._quiet = asyncio.Event()  # nothing waits and nothing is on its way
        self._quiet.set()
        self._closing = False
        self._pump: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to write."""
        self._pump = asyncio.create_task(self._write_all(), name="tamis outbox")

    async def flush(self) -> None:
        """Wait until all that was handed over has been written or given up."""
        self._wake.set()
        await self._quiet.wait()

    async def close(self, seconds: float) -> None:
        """Write what waits, for so long, and end."""
        self._closing = True
        for item in list(self._again):
            self._retry(item)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.flush()
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.wait([self._pump])

    # -- what replies need

    async def room(self, reply: Reply, cost: int) -> bool:
        """Whether a piece may be held; if not, its response has been given up."""
        if await self._budget.take(cost, self._max_wait_seconds):
            return True
        self._give_up(reply, "the buffer is full", lost=False)
        return False

    def release(self, cost: int) -> None:
        """A piece is not held any more."""
        self._budget.give(cost)

    def waits(self, reply: Reply) -> None:
        """A piece is to be written when those that follow had time to come."""
        self._waiting[reply] = None
        self._quiet.clear()
        self._wake.set()

    def put_first(self, reply: Reply, record: Outgoing, then: Callable[[], None]) -> None:
        """Write a record; `then` is called when the broker has it."""
        self._enqueue(_Item(reply, record, then))

    def put(self, reply: Reply, records: Iterable[Outgoing]) -> None:
        """Write records in this order. One that no broker would take ends its response."""
        for record in records:
            if len(record.value) > MAX_VALUE:
                self._budget.give(record.cost)
                self._give_up(reply, f"a record would have more than {MAX_VALUE} bytes", lost=True)
            elif reply.lost and not record.last:
                self._budget.give(record.cost)
            else:
                self._enqueue(_Item(reply, record))

    def _enqueue(self, item: _Item) -> None:
        self._queue.append(item)
        self.unwritten += 1
        self._quiet.clear()
        self._wake.set()

    def _give_up(self, reply: Reply, why: str, *, lost: bool) -> None:
        if not reply.given_up:
            self.dropped += 1
            if self.dropped & (self.dropped - 1) == 0:  # 1, 2, 4, 8, …: an outage must not fill the log
                log.warning("a response was given up (%s so far): %s", self.dropped, why)
        for record in reply.give_up(lost):
            self._enqueue(_Item(reply, record))

    # -- writing

    async def _write_all(self) -> None:
        while True:
            await self._wake.wait()
            if self._waiting and not self._closing:
                await self._sleep(self._coalesce_seconds)
            self._wake.clear()
            waiting, self._waiting = self._waiting, {}
            for reply in waiting:
                reply.cut()
            while self._queue:
                await self._write(self._queue.popleft())
            self._look()

    async def _write(self, item: _Item) -> None:
        reply, record = item.reply, item.record
        if reply.lost and not record.last:
            self._settle(item, None, written=False)
            return
        try:
            sent = await self._send(reply.key, record)
        except Exception as error:  # noqa: BLE001 - whatever it is, this record is lost and the others are not
            self._settle(item, error, written=False)
        else:
            sent.add_done_callback(lambda future: self._sent(item, future))

    def _sent(self, item: _Item, future: asyncio.Future[Any]) -> None:
        error = asyncio.CancelledError() if future.cancelled() else future.exception()
        self._settle(item, error, written=error is None)

    def _settle(self, item: _Item, error: BaseException | None, *, written: bool) -> None:
        """A record is written, or will not be."""
        self._budget.give(item.record.cost)
        if error is not None:
            self._give_up(item.reply, f"the broker did not take a record ({type(error).__name__})", lost=True)
            if item.record.last:
                self._later(item)
        elif written and item.then is not None:
            item.then()
        self.unwritten -= 1
        self._look()

    def _later(self, item: _Item) -> None:
        """Write an abort again: the workers would wait for more of the response until it is idle."""
        if not self._closing and len(self._again) < MAX_RETRIES:
            self._again[item] = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._retry, item)

    def _retry(self, item: _Item) -> None:
        self._again.pop(item).cancel()
        self._enqueue(item)

    def _look(self) -> None:
        if not self.unwritten and not self._waiting:
            self._quiet.set()
