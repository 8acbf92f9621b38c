"""A worker that the group has given up writes nothing more."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from tamis.agents.fence import Fence, FencedError


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def fence(clock: Clock) -> Fence:
    made = Fence(10.0, clock)
    made.joined(3)
    return made


async def test_a_worker_with_young_heartbeats_writes_at_once(fence: Fence, clock: Clock) -> None:
    clock.now += 7.9
    await asyncio.wait_for(fence.passed(), 0.02)


async def test_a_write_behind_a_pause_waits_for_the_next_heartbeat(fence: Fence, clock: Clock) -> None:
    clock.now += 11
    writing = asyncio.create_task(fence.passed())
    await asyncio.sleep(0.1)
    assert not writing.done()
    fence.heard(3, True)
    await asyncio.wait_for(writing, 1)


@pytest.mark.parametrize("generation", [-1, 4])
async def test_another_generation_ends_it(fence: Fence, clock: Clock, generation: int) -> None:
    clock.now += 11
    writing = asyncio.create_task(fence.passed())
    await asyncio.sleep(0.06)
    fence.heard(generation, False)
    with pytest.raises(FencedError, match="without this worker"):
        await asyncio.wait_for(writing, 1)
    with pytest.raises(FencedError):
        await fence.passed()


async def test_a_heartbeat_that_is_refused_proves_nothing(fence: Fence, clock: Clock) -> None:
    clock.now += 11
    fence.heard(3, False)
    writing = asyncio.create_task(fence.passed())
    await asyncio.sleep(0.06)
    assert not writing.done()
    clock.now += 61
    with pytest.raises(FencedError, match="too long"):
        await asyncio.wait_for(writing, 1)


async def test_a_write_that_waited_over_a_rejoin_is_not_let_through(fence: Fence, clock: Clock) -> None:
    clock.now += 11
    writing = asyncio.create_task(fence.passed())
    await asyncio.sleep(0.06)
    fence.joined(4)
    with pytest.raises(FencedError, match="without this worker"):
        await asyncio.wait_for(writing, 1)


async def test_joining_again_lets_it_write_again(fence: Fence, clock: Clock) -> None:
    clock.now += 11
    fence.heard(4, True)
    fence.joined(4)
    await asyncio.wait_for(fence.passed(), 0.02)


@dataclass
class Message:
    value: Any
    headers: Any
    partition: int = 0


@dataclass
class Event:
    key: Any
    value: Any
    message: Message


def test_recovery_takes_the_row_with_the_greatest_order_whatever_lies_last() -> None:
    from tamis.app import app
    from tamis.transport import NewestTable

    table: Any = NewestTable(app, name="t", partitions=1, key_type=bytes, value_type=bytes)

    def read(key: bytes, value: bytes | None, order: int | None) -> None:
        headers = [] if order is None else [("o", str(order).encode())]
        table.apply_changelog_batch([Event(key, value, Message(value, headers))])

    read(b"a", b"new", 9)
    read(b"a", b"old", 8)
    read(b"b", b"row", 5)
    read(b"b", None, 4)  # a stale tombstone
    read(b"c", b"row", 5)
    read(b"c", None, 6)
    read(b"c", b"back", 5)  # and a row that comes back from the dead
    read(b"d", b"decision", 7)
    read(b"d", b"later at the same place", 7)
    read(b"text", b"one", None)
    read(b"text", None, None)
    assert dict(table.data.data) == {b"a": b"new", b"b": b"row", b"d": b"later at the same place"}
