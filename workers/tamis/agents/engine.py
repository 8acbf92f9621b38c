"""The worker's loop around its partitions: fetch, work, send; and in the order outputs, state, offset, the barrier."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiokafka.errors import KafkaError

from tamis.agents.changelog import BARRIER, ORDER, Row
from tamis.agents.guard import Guard
from tamis.agents.outputs import Outgoing, Sender, delivered
from tamis.agents.partition import Partition
from tamis.agents.sessions import Surroundings, place_of
from tamis.core.errors import SnapshotError, TamisError

__all__ = ["Engine", "die"]

log = logging.getLogger(__name__)

EXIT_FAILED = 70  # EX_SOFTWARE: a supervisor starts the worker again, which replays from the last barrier


def die(why: str, error: Exception) -> None:
    """Stop at once: what was not written is read again by the next worker, which is safer than going on."""
    # messages of the broker's and our own errors hold no content; those of others may
    said = f": {error}" if isinstance(error, KafkaError | OSError | TamisError | RuntimeError) else ""
    log.critical("stopping at once: %s (%s)%s", why, place_of(error), said)
    logging.shutdown()
    os._exit(EXIT_FAILED)


class Engine:
    """All partitions of one worker. `owns` says whether a partition is assigned to it right now."""

    def __init__(
        self, sender: Sender, guard: Guard, around: Surroundings, rows: Callable[[], dict[bytes, bytes]],
        acknowledge: Callable[[Any], Awaitable[Any]], owns: Callable[[int], bool], *, changelog: str, partitions: int, idle_seconds: float,
        buffered_bytes: int, results: Guard | None = None, catalog_wait_seconds: float = 5.0, result_wait_seconds: float = 30.0,
    ) -> None:  # fmt: skip
        self._sender = sender
        self._guard = guard
        self._results_guard = results
        self._catalog_wait = catalog_wait_seconds
        self._result_wait = result_wait_seconds
        self._around = around
        self._rows = rows
        self._acknowledge = acknowledge
        self._owns = owns
        self._changelog = changelog
        self._count = partitions
        self._idle_seconds = idle_seconds
        self._buffered = buffered_bytes // 4  # characters have 4 bytes at most
        self._opening = asyncio.Lock()
        self._barrier = asyncio.Lock()  # one at a time; a revoke waits for the one that runs
        self.partitions: dict[int, Partition] = {}
        self.last_barrier = time.monotonic()

    # -- records

    async def take(self, number: int, records: list[Any], event: Any) -> None:
        """Work through one fetched list of one partition. What comes after a revoke is dropped: the next owner reads it."""
        part = await self.open(number)
        if part is None:
            return
        async with part.lock:
            if part.given_up:
                return
            usable = await self._guard.contiguous(number, part.next, records)
            if usable is None:
                return  # the consumer was set back: the same records come again
            if usable:
                out = part.work(usable)
                await self._decide(part)
                await self._publish(part, out)
            part.events.append((records[-1].offset + 1, event))

    async def take_results(self, number: int, records: list[Any], event: Any) -> None:
        """Work through one fetched list of tool-results: what was decided is written before it goes out."""
        part = await self.open(number)
        if part is None or self._results_guard is None:
            return
        # a barrier that is being written must not put an older row over the one that is written here
        async with self._barrier, part.lock:
            if part.given_up:
                return
            if part.next_result is None:
                part.next_result = await self._results_guard.position(number)
            usable = await self._results_guard.contiguous(number, part.next_result, records)
            if usable is None:
                return
            if usable:
                touched, dead = part.results(usable)
                rows = [row for key in touched for row in part.shelf.memory_rows(key)]
                await self._log(part, rows)
                await self._publish(part, [*part.outboxes(touched), *dead])
                part.shelf.dirty.update(touched)
            part.result_events.append(event)

    async def resume(self) -> None:
        """Let records go on whose catalogue has come or did not come in time."""
        for part in list(self.partitions.values()):
            if not part.waiting:
                continue
            async with part.lock:
                if not part.given_up:
                    out = part.resume(self._catalog_wait)
                    await self._decide(part)
                    await self._publish(part, out)

    async def _decide(self, part: Partition) -> None:
        """Write fresh decisions before anything that depends on them."""
        if part.shelf.bindings.fresh:
            await self._log(part, part.shelf.decisions())

    async def open(self, number: int) -> Partition | None:
        """The partition, read back from the changelog when it was just assigned; None when it is another worker's."""
        async with self._opening:
            part = self.partitions.get(number)
            if part is None and self._owns(number):
                part = Partition(number, self._count, self._around, await self._guard.position(number))
                self._read_back(part)
                self.partitions[number] = part
                async with part.lock:
                    await self._end_doomed(part)
            return part

    def _read_back(self, part: Partition) -> None:
        try:
            part.shelf.load(self._rows())
        except SnapshotError as error:
            raise RuntimeError(f"a row of the changelog cannot be read: {error}") from error

    async def _publish(self, part: Partition, out: list[Any]) -> None:
        if out:
            sent = await self._sender.publish(part.number, out)  # awaited first: the list may be another one by then
            part.futures += sent

    async def _end_doomed(self, part: Partition) -> None:
        out: list[Any] = []
        for key, state in part.sessions.items():
            made: list[Any] = []
            state.end_doomed(made)
            if made:
                part.shelf.dirty.add(key)
                out += ((key, item) for item in made)
        out += part.outboxes()
        part.shelf.dirty.update(key for key, _ in out)
        await self._publish(part, out)

    # -- the barrier

    async def barrier(self, number: int, evicted: list[bytes] | None = None, *, whole: bool = False) -> bool:
        """Await outputs, write state (`whole`: long rows too), then acknowledge. True when something was acknowledged.

        Ends that clock or memory decide, and sessions that are forgotten, are written while the partition stands still: no record
        may meet a decision that a replay would not find.
        """
        async with self._barrier:
            part = self.partitions.get(number)
            if part is None or part.given_up:
                return False
            began = time.monotonic()
            committed = await self._guard.committed(number) if part.shelf.silent() or part.shelf.aging else None
            async with part.lock:
                decided = part.idle(self._idle_seconds)
                decided |= part.overdue(self._result_wait)
                for key in evicted or ():
                    decided |= key in part.sessions and part.evict(key)
                forgotten, resting = part.shelf.to_forget(part.shelf.silent(), committed or 0)
                offsets = {key: part.sessions[key].offset for key in part.shelf.dirty}
                # tombstones of texts and decisions may only be written while nothing can name them anew
                locked = decided or whole or bool(forgotten) or part.shelf.due
                rows = part.shelf.cut(part.next, forgotten, resting, locked=locked)
                for key in part.shelf.dirty:  # left for later
                    del offsets[key]
                events = part.take_settled()
                results, part.result_events = part.result_events, []
                futures, part.futures = part.futures, []
                if locked:
                    await self._write(part, futures, rows)
                    part.shelf.forget(forgotten)
                    self._around.observe("evicted", "silent", len(forgotten))
                    await self._end_doomed(part)
            if not locked and (rows or events or results or futures):
                await self._write(part, futures, rows)
            part.shelf.written(offsets)
            for event in (*events, *results):
                await self._acknowledge(event)
            self.last_barrier = time.monotonic()
            if rows or events or results or futures:  # an empty one says nothing of how long a barrier takes
                self._around.observe("barrier", self.last_barrier - began)
            return bool(events or results)

    async def _write(self, part: Partition, futures: list[Any], rows: list[Row]) -> None:
        await delivered(futures)
        await self._log(part, rows)

    async def _log(self, part: Partition, rows: list[Row]) -> None:
        """Write rows and wait for them; what is buried must not come back with the table's old rows."""
        outgoing: list[Outgoing] = [
            (row.key, row.value, None, [] if row.order is None else [(ORDER, str(row.order).encode())]) for row in rows
        ]
        self._around.observe("snapshot", len(rows), sum(len(row.value or b"") for row in rows))
        await delivered(await self._sender.send(self._changelog, part.number, outgoing))
        # a batch of one record closes every write: the embedded broker's end offset is the base of the last batch
        mark: list[Outgoing] = [(BARRIER + str(part.number).encode(), str(part.next).encode(), None, [])]
        await delivered(await self._sender.send(self._changelog, part.number, mark))
        table = self._rows()
        for row in rows:
            if row.value is None:
                table.pop(row.key, None)

    async def sweep(self, assigned: list[int] | None = None) -> None:
        """One barrier for every partition. Those just assigned are opened: what is open in them must end even if nothing comes any more."""
        for number in assigned or ():
            part = await self.open(number)
            if part is not None:
                await self._arrived(part)
        await self.resume()
        evicted: dict[int, list[bytes]] = {}
        held = [(*item, number) for number, part in self.partitions.items() for item in part.held()]
        over = sum(size for _, size, _, _ in held) - self._buffered
        if over > 0:
            for _, size, key, number in sorted(held):  # idle for longest first
                evicted.setdefault(number, []).append(key)
                over -= size
                self._around.observe("evicted", "bytes", 1)
                if over <= 0:
                    break
        for number in list(self.partitions):
            await self.barrier(number, evicted.get(number))
        self.last_barrier = time.monotonic()

    async def _arrived(self, part: Partition) -> None:
        """See to it that lists which were lost on their way here are read again, also when nothing comes behind them."""
        if part.lock.locked():
            return  # it is at work
        now = time.monotonic()
        await self._guard.arrived(part.number, part.next, now)
        if self._results_guard is not None:
            async with part.lock:
                if part.next_result is None:
                    part.next_result = await self._results_guard.position(part.number)
            await self._results_guard.arrived(part.number, part.next_result, now)

    async def release(self) -> tuple[dict[int, int], dict[int, int]]:
        """Before partitions move: finish, so that the next owner finds everything written; the offsets to commit, of raw-stream and of
        tool-results.

        The table is left as the changelog has it, because recovery only reads what is new. Nothing of a partition stays here, whatever
        happens: state from before a move must never meet records from after it.
        """
        try:
            for number in list(self.partitions):
                await self.barrier(number, whole=True)
            offsets: dict[int, int] = {}
            seen: dict[int, int] = {}
            async with self._barrier:
                rows = self._rows()
                for number, part in self.partitions.items():
                    async with part.lock:
                        part.given_up = True
                        if not (part.shelf.dirty or part.futures or part.result_events or (part.events and not part.waiting)):
                            first = part.waiting.first
                            offsets[number] = part.next if first is None else first
                            if part.next_result is not None:
                                seen[number] = part.next_result
                            rows.update((row.key, row.value) for row in part.shelf.everything() if row.value is not None)
            return offsets, seen
        finally:
            for part in self.partitions.values():
                part.given_up = True
                self._around.observe("evicted", "revoked", len(part.sessions))
            self.partitions.clear()
            for guard in filter(None, (self._guard, self._results_guard)):
                guard.forget()
