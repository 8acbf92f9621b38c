"""The worker's loop around its partitions: fetch, work, send; and in the order outputs, state, offset, the barrier."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from tamis.agents.guard import Guard
from tamis.agents.outputs import Outgoing, Sender, delivered
from tamis.agents.partition import Partition
from tamis.agents.sessions import Surroundings
from tamis.agents.store import BARRIER, PART, decode, encode, join, split
from tamis.core.errors import SnapshotError

__all__ = ["Engine", "die"]

log = logging.getLogger(__name__)

EXIT_FAILED = 70  # EX_SOFTWARE: a supervisor starts the worker again, which replays from the last barrier


def die(why: str) -> None:
    """Stop at once: what was not written is read again by the next worker, which is safer than going on."""
    log.critical("stopping at once: %s", why, exc_info=True)
    logging.shutdown()
    os._exit(EXIT_FAILED)


class Engine:
    """All partitions of one worker."""

    def __init__(
        self, sender: Sender, guard: Guard, around: Surroundings, rows: Callable[[], dict[bytes, bytes]],
        acknowledge: Callable[[Any], Awaitable[Any]], *, changelog: str, partitions: int, idle_seconds: float, buffered_bytes: int,
    ) -> None:  # fmt: skip
        self._sender = sender
        self._guard = guard
        self._around = around
        self._rows = rows
        self._acknowledge = acknowledge
        self._changelog = changelog
        self._count = partitions
        self._idle_seconds = idle_seconds
        self._buffered_bytes = buffered_bytes
        self._lock = asyncio.Lock()  # one barrier at a time; a revoke waits for the one that runs
        self.partitions: dict[int, Partition] = {}
        self.last_barrier = time.monotonic()

    async def take(self, number: int, records: list[Any], event: Any) -> None:
        """Work through one fetched list of one partition."""
        part = self.partitions.get(number)
        if part is None:
            part = await self._open(number)
        usable = await self._guard.contiguous(part, records)
        if usable is None:
            return  # the consumer was set back: the same records come again
        if usable:
            out = part.work(usable)
            if out:
                part.futures += await self._sender.publish(number, out)
        part.events.append(event)

    async def _open(self, number: int) -> Partition:
        """A partition that was just assigned: its sessions as the changelog has them."""
        part = Partition(number, self._count, self._around)
        rows = self._rows()
        now = time.monotonic()
        for key, value in list(rows.items()):
            if key.startswith((BARRIER, PART)):
                continue
            try:
                row = join(key, value, rows)
                if row is None:
                    continue
                state = decode(row, self._around)
            except (SnapshotError, ValueError, KeyError) as error:
                raise RuntimeError(f"a row of the changelog cannot be read: {error}") from error
            if state.partition == number:
                state.touched = now
                part.sessions[key] = state
        self.partitions[number] = part
        await self._end_doomed(part)
        return part

    async def _end_doomed(self, part: Partition) -> None:
        for key, state in part.sessions.items():
            made: list[Any] = []
            state.end_doomed(made)
            if made:
                part.dirty.add(key)
                part.futures += await self._sender.publish(part.number, [(key, item) for item in made])

    async def barrier(self, number: int) -> bool:
        """Await outputs, write state, then acknowledge. True when something was acknowledged."""
        async with self._lock:
            part = self.partitions.get(number)
            if part is None:
                return False
            # one partition's share of the bound; 4 bytes a character at most
            doomed = part.decide(self._idle_seconds) + part.evict(self._buffered_bytes // 4 // max(1, len(self.partitions)))
            part.forget()
            if not (part.dirty or part.events or part.futures):
                self.last_barrier = time.monotonic()
                return False
            events, part.events = part.events, []
            futures, part.futures = part.futures, []
            rows: list[tuple[bytes, bytes | None]] = []
            for key in part.dirty:
                state = part.sessions[key]
                rows += split(key, encode(state), state.offset + 1)
            part.dirty = set()
            graves = await self._graves(part)
            at = part.next
            await delivered(futures)
            rows += graves
            outgoing: list[Outgoing] = [(key, value, None, []) for key, value in rows]
            await delivered(await self._sender.send(self._changelog, number, outgoing))
            # a batch of one record closes every write: the embedded broker's end offset is the base of the last batch
            await delivered(await self._sender.send(self._changelog, number, [(BARRIER + str(number).encode(), str(at).encode(), None, [])]))
            for event in events:
                await self._acknowledge(event)
            self.last_barrier = time.monotonic()
            if doomed:
                await self._end_doomed(part)
            return bool(events)

    async def _graves(self, part: Partition) -> list[tuple[bytes, bytes | None]]:
        """Tombstones for sessions that nobody can ask about again: only behind a commit beyond their last record."""
        if not part.buried:
            return []
        committed = await self._guard.committed(part.number)
        found: list[tuple[bytes, bytes | None]] = []
        for key, offset in list(part.buried.items()):
            if committed is not None and committed > offset and key not in part.dirty:
                del part.buried[key]
                del part.sessions[key]
                found.append((key, None))
        return found

    async def sweep(self) -> None:
        """One barrier for every partition; the memory bound is kept here too."""
        for number in list(self.partitions):
            await self.barrier(number)

    async def release(self) -> None:
        """Before partitions move: finish, so that the next owner finds everything written, and leave the table as it is there."""
        for number in list(self.partitions):
            await self.barrier(number)
        rows = self._rows()
        for part in self.partitions.values():
            for key, state in part.sessions.items():
                for name, value in split(key, encode(state), state.offset + 1):
                    rows[name] = value
        self.partitions.clear()
        self._guard.forget()

    def next_offsets(self) -> dict[int, int]:
        """Where each partition goes on."""
        return {number: part.next for number, part in self.partitions.items() if part.next is not None}
