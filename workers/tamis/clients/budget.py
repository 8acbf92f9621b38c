"""A bound on what waits to be written, with a queue in front of it."""

from __future__ import annotations

import asyncio
from collections import deque

__all__ = ["Budget"]


class Budget:
    """`limit` bytes in all. Who finds no room waits for its turn, first come first served."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self.held = 0

    async def take(self, cost: int, seconds: float) -> bool:
        """Whether there was room for `cost` bytes within `seconds`; then they are held."""
        if not self._waiting and self._fits(cost):
            self.held += cost
            return True
        if seconds <= 0:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = cost, turn
        self._waiting.append(entry)
        try:
            await asyncio.wait([turn], timeout=seconds)
        except asyncio.CancelledError:
            if turn.done():
                self.give(cost)  # its turn had come, and nobody will use it
            else:
                self._leave(entry)
            raise
        if not turn.done():
            self._leave(entry)
            return False
        return True

    def give(self, cost: int) -> None:
        """Let go of bytes that are held."""
        self.held -= cost
        self._admit()

    def _leave(self, entry: tuple[int, asyncio.Future[None]]) -> None:
        self._waiting.remove(entry)
        self._admit()  # a smaller one may have stood behind it

    def _admit(self) -> None:
        while self._waiting and self._fits(self._waiting[0][0]):
            cost, turn = self._waiting.popleft()
            self.held += cost
            turn.set_result(None)

    def _fits(self, cost: int) -> bool:
        return self.held + cost <= self._limit or not self.held  # what is larger than the whole budget goes alone
