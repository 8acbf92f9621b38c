"""Contiguous offsets: the first record of a partition must stand where the broker says, every later one right behind the last, and what the
client has handed out must have come."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

__all__ = ["Guard", "Log"]

log = logging.getLogger(__name__)

_STANDING_SECONDS = 5.0  # without progress: far above the time that a list needs from the client to here, far below any idle time
_LOOKS = 2  # so many times in vain, twenty seconds: past any rebalance that this worker would not be told of
_SELDOM = 4  # doublings of the time between two looks, 80 s at most: each asks the broker, and most partitions stand still because nothing comes


class Log(Protocol):
    """What the broker itself says of a partition of raw-stream; Faust's own idea may be empty or old after a rebalance."""

    async def committed(self, number: int) -> int | None:
        """The committed offset of the group, if there is one."""

    async def position(self, number: int) -> int:
        """Where the group goes on: the committed offset, or the first one that is there when that is later."""

    async def end(self, number: int) -> int:
        """The offset behind the last record, perhaps lower while the embedded broker tells of it."""

    async def following(self, number: int, offset: int) -> int | None:
        """The offset of the first record at or behind `offset`; None when none came in time."""


class Guard:
    """Sets the consumer back when a list does not begin where it must, or does not come.

    `reached` asks the client for the offset behind the last record that it has handed out.
    """

    def __init__(
        self, broker: Log, seek: Callable[[int, int], Awaitable[None]], observe: Callable[..., None] = lambda *_: None,
        reached: Callable[[int], Awaitable[int | None]] | None = None,
    ) -> None:  # fmt: skip
        self._reached = reached
        self._standing: dict[int, tuple[int, float, int]] = {}
        self._broker = broker
        self._seek = seek
        self._observe = observe

    async def committed(self, number: int) -> int | None:
        """The committed offset of a partition."""
        return await self._broker.committed(number)

    async def position(self, number: int) -> int:
        """Where a partition that was just assigned has to begin."""
        return await self._broker.position(number)

    async def contiguous(self, number: int, wanted: int, records: list[Any]) -> list[Any] | None:
        """The records that are to be applied (those before `wanted` are dropped), or None when the consumer was set back.

        Lists that were fetched before the consumer was set back are still on their way here: each of them is judged alone, so
        that their number proves nothing. Only the log can say that offsets are missing in it.
        """
        first = records[0].offset
        if first == wanted:
            return records
        if first < wanted:
            fresh = [record for record in records if record.offset >= wanted]
            self._observe("duplicate", "replay", len(records) - len(fresh))
            return fresh
        if await self._broker.following(number, wanted) == first:
            # retention, or the mark of a transaction: no seek brings these back
            log.warning("partition %s: offsets %s to %s are not in the log; going on behind them", number, wanted, first - 1)
            self._observe("jump", "missing")
            return records
        log.warning("partition %s: a list begins at %s instead of %s; reading again from there", number, first, wanted)
        self._observe("jump", "reread")
        await self._seek(number, wanted)
        return None

    async def arrived(self, number: int, wanted: int, now: float) -> None:
        """Look after a partition that has stood at `wanted` for a while: where the client has handed out more, lists were lost on their way, as
        it happens when a partition starts while the flow stands still. If nothing came behind them, nothing else would ever show it.

        Raises `RuntimeError` where the log goes on and the client does not: the worker has to begin anew then.
        """
        at, since, looks = self._standing.get(number, (-1, now, 0))
        if at != wanted:
            since, looks = now, 0
        due = now - since >= _STANDING_SECONDS * 2 ** min(looks, _SELDOM) * max(1, looks - _SELDOM + 1)
        self._standing[number] = wanted, since, looks + due
        if self._reached is None or not due:
            return
        reached = await self._reached(number)
        if reached is not None and reached > wanted:
            log.warning("partition %s: records from %s to %s did not come; reading them again", number, wanted, reached - 1)
            self._observe("jump", "reread")
            await self._seek(number, wanted)
        # only a record proves it: behind the last one there may be marks of transactions
        elif looks >= _LOOKS and await self._broker.end(number) > wanted and await self._broker.following(number, wanted) is not None:
            raise RuntimeError(f"partition {number} stands still at {wanted} though there are records: the client reads it no more")

    def forget(self) -> None:
        """Partitions move: what was seen of them says nothing any more."""
        self._standing.clear()
