"""Contiguous offsets: the first record of a partition must stand where the broker says, every later one right behind the last."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from tamis.agents.partition import Partition

__all__ = ["Guard", "Positions"]

log = logging.getLogger(__name__)

_SEEKS = 3  # a gap that is there after so many seeks is in the log itself (retention, or a transaction's mark): no seek mends it

Positions = Callable[[int], Awaitable[tuple[int | None, int]]]
"""Of a partition: (committed offset or None, earliest offset), asked from the broker."""


class Guard:
    """Sets the consumer back when a list does not begin where it must."""

    def __init__(self, positions: Positions, seek: Callable[[int, int], Awaitable[None]], observe: Callable[..., None]) -> None:
        self._positions = positions
        self._seek = seek
        self._observe = observe
        self._tries: dict[int, tuple[int, int]] = {}

    async def committed(self, number: int) -> int | None:
        """The committed offset of a partition."""
        return (await self._positions(number))[0]

    def forget(self) -> None:
        """Partitions move: what was tried is no longer true."""
        self._tries.clear()

    async def contiguous(self, part: Partition, records: list[Any]) -> list[Any] | None:
        """The records that are to be applied (those before the position are dropped), or None when the consumer was set back."""
        first = records[0].offset
        if part.next is None:
            committed, earliest = await self._positions(part.number)
            part.next = max(committed or 0, earliest)
        wanted = part.next
        if first == wanted:
            self._tries.pop(part.number, None)
            return records
        if first < wanted:
            return [record for record in records if record.offset >= wanted]
        at, tries = self._tries.get(part.number, (wanted, 0))
        tries = tries + 1 if at == wanted else 1
        self._tries[part.number] = (wanted, tries)
        if tries <= _SEEKS:
            await self._seek(part.number, wanted)
            return None
        log.error("partition %s: offsets %s to %s are not in the log; going on behind them", part.number, wanted, first - 1)
        self._observe("gap", "log")
        self._tries.pop(part.number, None)
        part.next = first
        return records
