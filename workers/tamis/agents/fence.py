"""The zombie fence: a worker that the group may have given up writes nothing more.

A worker that was paused (SIGSTOP, a frozen machine, a dead network) past its session timeout does not know that its partitions are another's by
now. Whatever it wrote then could lie behind the new owner's rows. So before each write the last heartbeat that the group answered
must be younger than the session timeout, with room for the write itself; else the write waits for the next one. When the group says then that
another generation has begun, the worker stops: its successor reads again from the last barrier.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

__all__ = ["Fence", "FencedError"]

_SHARE = 0.8  # of the session timeout: the rest is for the write on its way
_LOOK_SECONDS = 0.05  # between two looks while a write waits
_PATIENCE = 6  # session timeouts that a write waits: a coordinator that moved is back long before; then the worker stops


class FencedError(RuntimeError):
    """The group has gone on without this worker; it must not write."""


class Fence:
    """`heard` is called with the group's generation for every heartbeat that was answered, `joined` when partitions were assigned."""

    def __init__(self, session_timeout_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = session_timeout_seconds * _SHARE
        self._patience = session_timeout_seconds * _PATIENCE
        self._clock = clock
        self._last = clock()
        self._generation: int | None = None
        self._now: int | None = None

    def joined(self, generation: int | None) -> None:
        """Partitions were assigned in this generation."""
        self._generation = self._now = generation
        self._last = self._clock()

    def heard(self, generation: int, answered: bool) -> None:
        """A heartbeat came back; `answered` says that the group knows this worker. Called from the consumer's thread."""
        self._now = generation
        if answered:
            self._last = self._clock()

    async def passed(self) -> None:
        """Wait until this worker may write. Raises `FencedError` when it may not any more."""
        begin, own = self._clock(), self._generation
        while True:
            # a write that waited over a rejoin is one of the generation before
            if self._generation is not None and (self._now != self._generation or self._generation != own):
                raise FencedError("the consumer group has gone on without this worker")
            now = self._clock()
            if now - self._last <= self._limit:
                return
            if now - begin > self._patience:
                raise FencedError("the consumer group has not answered for too long")
            await asyncio.sleep(_LOOK_SECONDS)
