"""Workers that lack one guard, to show that the suite sees it: `python -m crash.sabotage BUILD[,BUILD…] worker …`.

A build is either a trial, which makes happen often what otherwise happens rarely (a worker with it must pass), or the same worker without
the guard that holds against it (it must fail). The product itself has no switch for any of this.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any

from aiokafka.errors import KafkaTimeoutError

from tamis.agents import engine, shelf
from tamis.agents.bindings import Bindings
from tamis.agents.engine import Engine
from tamis.agents.fence import Fence
from tamis.agents.guard import Guard
from tamis.agents.outputs import Sender
from tamis.agents.shelf import Shelf
from tamis.transport import NewestTable

__all__ = ["BUILDS", "main"]

_HELD_SECONDS = 1.0  # far beyond two barriers: what is in flight at a kill is lost
_FAILS_AT = 60  # the write of a process that fails, once: some seconds after it began

# -- trials


def lost_lists() -> None:
    """Now and then a fetched list does not reach the agent, as it happens when a partition starts while the flow stands still."""
    lost: set[tuple[int, int]] = set()
    take = Engine.take

    async def sometimes(self: Engine, number: int, records: list[Any], event: Any) -> None:
        first = records[0].offset
        if first % 2 and (number, first) not in lost:
            lost.add((number, first))
            return
        await take(self, number, records, event)

    Engine.take = sometimes  # type: ignore[method-assign]


def slow_outputs() -> None:
    """Outputs reach the broker a second late, in order; rows and offsets do not wait by themselves."""
    publish = Sender.publish
    last: dict[int, asyncio.Task[Any]] = {}

    async def late(self: Sender, partition: int, records: Any, before: asyncio.Task[Any] | None, until: float) -> None:
        if before is not None:
            await asyncio.wait([before])
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        for future in await publish(self, partition, records):
            await future

    async def delayed(self: Sender, partition: int, records: Any) -> list[Any]:
        last[partition] = asyncio.create_task(late(self, partition, records, last.get(partition), time.monotonic() + _HELD_SECONDS))
        return [last[partition]]

    Sender.publish = delayed  # type: ignore[method-assign]


def failing_write() -> None:
    """One write of each process fails for good, as it does when a broker stays away for too long."""
    publish = Sender.publish
    seen = 0

    async def failing(self: Sender, partition: int, records: Any) -> list[Any]:
        nonlocal seen
        seen += 1
        if seen != _FAILS_AT:
            return await publish(self, partition, records)
        future = asyncio.get_running_loop().create_future()
        future.set_exception(KafkaTimeoutError())
        return [future]

    Sender.publish = failing  # type: ignore[method-assign]


def short_memory() -> None:
    """Sessions are forgotten a second after they ended."""
    shelf.REMEMBERED_MS = 1000


# -- and without the guard


def no_contiguity() -> None:
    """Whatever list comes is applied."""

    async def anything(self: Guard, number: int, wanted: int, records: list[Any]) -> list[Any]:
        return [record for record in records if record.offset >= wanted]

    Guard.contiguous = anything  # type: ignore[method-assign]


def not_looked_after() -> None:
    """A partition where nothing comes any more is left alone."""

    async def nothing(self: Guard, number: int, wanted: int, now: float) -> None:
        return None

    Guard.arrived = nothing  # type: ignore[method-assign]


def zombies() -> None:
    """A worker that the group has given up goes on writing, and a recovery takes whatever row lies last."""

    async def passed(self: Fence) -> None:
        return None

    Fence.passed = passed  # type: ignore[method-assign]
    NewestTable._newer = lambda *given: True  # type: ignore[method-assign]


def state_before_outputs() -> None:
    """A barrier does not wait for outputs."""

    async def write(self: Engine, part: Any, futures: list[Any], rows: Any) -> None:
        await self._log(part, rows)

    Engine._write = write  # type: ignore[method-assign]


def offset_before_state() -> None:
    """Records are acknowledged when they were worked through, not when their state is written."""
    take = Engine.take

    async def early(self: Engine, number: int, records: list[Any], event: Any) -> None:
        await take(self, number, records, event)
        part = self.partitions.get(number)
        if part is not None and not part.waiting:
            events, part.events = part.events, []
            for _, item in events:
                await self._acknowledge(item)

    Engine.take = early  # type: ignore[method-assign]


def applied_again() -> None:
    """A row that is read back does not say up to which record it goes."""
    decode = shelf.decode

    def forgetful(*given: Any) -> Any:
        state = decode(*given)
        state.offset = -1
        return state

    shelf.decode = forgetful


def early_tombstones() -> None:
    """Sessions are forgotten without a look at what is committed."""
    to_forget = Shelf.to_forget

    def at_once(self: Shelf, silent: list[bytes], committed: int) -> Any:
        return to_forget(self, silent, 1 << 60)

    Shelf.to_forget = at_once  # type: ignore[method-assign]


def decisions_last() -> None:
    """Which version of a catalogue was bound is written with the next barrier, not before it shows."""

    async def later(self: Engine, part: Any) -> None:
        return None

    Engine._decide = later  # type: ignore[method-assign]


def seen_undecided() -> None:
    """Which results a response saw when it began is left to the order in which a worker happens to read."""

    def whatever(self: Bindings, session_id: str, response_id: str, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return results

    Bindings.see = whatever  # type: ignore[method-assign]


def failures_ignored() -> None:
    """A failed write is passed over."""
    delivered = engine.delivered

    async def passed(futures: Any) -> None:
        for future in futures:
            try:
                await delivered([future])
            except KafkaTimeoutError:
                continue

    engine.delivered = passed


BUILDS: dict[str, Callable[[], None]] = {
    made.__name__: made
    for made in (lost_lists, slow_outputs, failing_write, short_memory, no_contiguity, not_looked_after, zombies, state_before_outputs,
                 offset_before_state, applied_again, early_tombstones, decisions_last, seen_undecided, failures_ignored)
}  # fmt: skip


def main() -> None:
    """Change the worker, then be the worker."""
    for name in sys.argv[1].split(","):
        BUILDS[name]()
    from tamis.cli import main as tamis

    sys.argv = ["tamis", *sys.argv[2:]]
    tamis()


if __name__ == "__main__":
    main()
