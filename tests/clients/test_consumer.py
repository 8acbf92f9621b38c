"""The consumer around a group of plain lists: killed between handler and commit, moved between members, with duplicates in the log."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import KafkaConnectionError
from group import SETTINGS, Group, Member
from test_memory import text

import tamis
from tamis.clients import BrokerError, Received, consumer
from tamis.core import TamisError
from tamis.settings import Settings
from tamis.wire.topics import Topic


@pytest.fixture(autouse=True)
def _topics_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async def there(*_: Any) -> None:
        return None

    monkeypatch.setattr(consumer, "require_topics", there)


async def until_idle(member: Member, seconds: float = 0.03) -> list[Received]:
    """Everything up to a pause; the last one is handled as well."""
    found: list[Received] = []
    while True:
        try:
            async with asyncio.timeout(seconds):
                found.append(await anext(member))
        except TimeoutError:
            await member.commit()
            return found


def ids(records: list[Received]) -> list[str | None]:
    return [item.id for item in records]


async def test_each_record_once_typed_and_committed_when_the_next_is_asked_for() -> None:
    group = Group(1)
    for number in (0, 1, 1, 0, 2):
        group.write(0, {"name": f"tool-{number}"}, f"id-{number}", key="séance")
    tp = TopicPartition("tool-calls", 0)
    async with Member(group) as member:
        first = await anext(member)
        assert (first.topic, first.key, first.value, first.id, first.offset) == (Topic.TOOL_CALLS, "séance", {"name": "tool-0"}, "id-0", 0)
        assert first.headers["ce_id"] == "id-0"
        assert group.committed[tp] == 0
        second = await anext(member)
        assert (second.id, group.committed[tp]) == ("id-1", 1)
        third = await anext(member)
        assert (third.id, group.committed[tp]) == ("id-2", 2)
        await member.commit()
        assert group.committed[tp] == 5
    assert member.client.stopped
    with pytest.raises(StopAsyncIteration):
        await anext(member)


async def test_a_handler_that_fails_leaves_its_record_to_the_next_one() -> None:
    group = Group(1)
    for number in range(3):
        group.write(0, {}, f"id-{number}")

    async def dispatch() -> None:
        async with Member(group) as records:
            async for record in records:
                if record.id == "id-1":
                    raise RuntimeError("the tool is down")

    with pytest.raises(RuntimeError, match="the tool is down"):
        await dispatch()
    assert group.committed == {TopicPartition("tool-calls", 0): 1}
    async with Member(group) as member:
        assert ids(await until_idle(member)) == ["id-1", "id-2"]


async def test_commits_may_be_rarer() -> None:
    group = Group(1)
    now = 0.0
    for number in range(20):
        group.write(0, {}, f"id-{number}")
    member = Member(group, commit_interval_seconds=5.0, clock=lambda: now)
    async with member:
        before = group.commits
        for number in range(10):
            now = float(number)
            await anext(member)
        assert group.commits == before + 1
    assert group.committed[TopicPartition("tool-calls", 0)] == 9  # at the end what was handled is committed, the one in the hand not


async def test_a_duplicate_behind_a_restart_is_known_from_the_log() -> None:
    group = Group(1)
    for number in range(8):
        group.write(0, {}, f"id-{number}")
    async with Member(group) as member:
        assert len(await until_idle(member)) == 8
    for number in (5, 6, 7, 8):  # a worker was killed, and another one wrote the same again
        group.write(0, {}, f"id-{number}")
    async with Member(group) as member:
        assert ids(await until_idle(member)) == ["id-8"]
    group.write(0, {}, "id-1")
    async with Member(group, remember=3) as member:
        assert ids(await until_idle(member)) == ["id-1"]  # further back than it was told to remember


async def test_a_new_group_begins_with_the_next_record_and_stays_there() -> None:
    group = Group(1)
    group.write(0, {}, "old")
    member = Member(group)
    member._from_beginning = False
    async with member:
        assert await until_idle(member) == []
    group.write(0, {}, "while nobody was there")
    again = Member(group)
    again._from_beginning = False
    async with again:
        assert ids(await until_idle(again)) == ["while nobody was there"]


async def test_a_rebalance_waits_for_the_handler_and_its_commit() -> None:
    group = Group(2)
    tp = TopicPartition("tool-calls", 0)
    for number in range(4):
        group.write(0, {}, f"id-{number}")
    member = Member(group)
    async with member:
        assert (await anext(member)).id == "id-0"
        moving = asyncio.create_task(member.client.rebalance([tp]))
        await asyncio.sleep(0.02)
        assert not moving.done()
        following = asyncio.create_task(anext(member))
        await moving
        assert group.committed[tp] == 1
        assert (await following).id == "id-1"


async def test_a_handler_that_takes_too_long_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "HANDOVER_SECONDS", 0.02)
    group = Group(1)
    tp = TopicPartition("tool-calls", 0)
    for number in range(2):
        group.write(0, {}, f"id-{number}")
    member, other = Member(group), Member(group)
    async with member:
        assert (await anext(member)).id == "id-0"
        await member.client.rebalance([])
        async with other:
            assert ids(await until_idle(other)) == ["id-0", "id-1"]
        await member.client.rebalance([tp])  # it comes back, and is further than it was
        assert await until_idle(member) == []
    assert group.committed[tp] == 2


async def test_kept_partitions_are_not_read_again() -> None:
    group = Group(2)
    for number in range(6):
        group.write(number % 2, {}, f"id-{number}")
    async with Member(group) as member:
        assert len(await until_idle(member)) == 6
        await member.client.rebalance(list(group.log))
        assert set(member.client.at.values()) == {3}
        group.write(0, {}, "id-4")
        group.write(0, {}, "id-9")
        assert ids(await until_idle(member)) == ["id-9"]


async def test_a_member_that_was_left_behind_begins_where_the_others_are() -> None:
    group = Group(1)
    tp = TopicPartition("tool-calls", 0)
    for number in range(4):
        group.write(0, {}, f"id-{number}")
    async with Member(group) as member:
        assert len(await until_idle(member)) == 4
        member.client.at.clear()  # the group has thrown it out, and it does not know yet
        for number in (4, 5, 6):
            group.write(0, {}, f"id-{number}")
        group.committed[tp] = 6
        group.write(0, {}, "id-5")
        await member.client.rebalance([tp])
        assert ids(await until_idle(member)) == ["id-6"]


async def test_offsets_that_somebody_set_back_are_read_again() -> None:
    group = Group(1)
    tp = TopicPartition("tool-calls", 0)
    for number in range(4):
        group.write(0, {}, f"id-{number}")
    async with Member(group) as member:
        await until_idle(member)
        group.committed[tp] = 2
        await member.client.rebalance([tp])
        assert ids(await until_idle(member)) == ["id-2", "id-3"]


async def test_a_rebalance_commits_what_was_not_due_yet() -> None:
    group = Group(1)
    for number in range(4):
        group.write(0, {}, f"id-{number}")
    async with Member(group, commit_interval_seconds=1000.0) as member:
        for _ in range(3):
            await anext(member)
        member._let_go()
        await member.client.rebalance([])
    assert group.committed == {TopicPartition("tool-calls", 0): 3}


async def test_a_failed_takeover_is_raised_where_the_caller_sees_it() -> None:
    group = Group(1)
    member = Member(group)

    async def fails(tp: TopicPartition) -> int:
        raise KafkaConnectionError("gone")

    member.client.committed = fails  # type: ignore[method-assign]
    async with member:
        with pytest.raises(BrokerError, match=r"nowhere:9092.*gone.*check that it runs"):
            await anext(member)


async def test_content_comes_as_text_beyond_what_was_handled() -> None:
    group = Group(1, "content")

    def write(offset: int, piece: str) -> None:
        record = text("content", offset, piece)
        group.write(0, record.value, record.id or "")

    for offset, piece in ((0, "Look"), (4, "ing."), (0, "Lookin"), (6, "g. No"), (11, "w.")):
        write(offset, piece)
    async with Member(group) as member:
        got = "".join(record.value["text"] for record in await until_idle(member))
    for offset, piece in ((6, "g. Now"), (12, ". Done")):
        write(offset, piece)
    async with Member(group) as member:
        got += "".join(record.value["text"] for record in await until_idle(member))
    assert got == "Looking. Now. Done"


def worker_log(rng: random.Random, events: int) -> Iterator[int]:
    """Numbers of events as a worker writes them that is killed now and then: from a barrier on it writes again."""
    barrier = at = 0
    while at < events:
        yield at
        at += 1
        if rng.random() < 0.2:
            barrier = at
        if rng.random() < 0.1:
            at = barrier


@pytest.mark.parametrize("seed", range(40))
async def test_killed_and_moved_at_random_nothing_is_lost_and_only_what_was_in_the_hand_comes_again(seed: int) -> None:
    rng = random.Random(seed)
    group = Group(2)
    logs = {number: list(worker_log(rng, 30)) for number in (0, 1)}
    handled: defaultdict[int, list[int]] = defaultdict(list)
    in_hand: Counter[tuple[int, int]] = Counter()
    members: list[Member] = []

    async def move() -> None:
        """All members give up what they have, then each gets its share."""
        await asyncio.gather(*(member.client.listener.on_partitions_revoked(set(member.client.at)) for member in members))
        for number, member in enumerate(members):
            member.client.at = {tp: 0 for at, tp in enumerate(group.log) if at % len(members) == number}
        for member in members:
            await member.client.listener.on_partitions_assigned(set(member.client.at))

    async def join() -> None:
        member = Member(group)
        member._kafka = member.client
        member.client.subscribe([group.topic], consumer._Listener(member))
        members.append(member)
        await move()

    await join()
    while any(logs.values()) or any(group.committed[tp] < len(log) for tp, log in group.log.items()):
        for number, log in logs.items():
            for _ in range(rng.randint(0, 4)):
                if log:
                    event = log.pop(0)
                    group.write(number, {"n": event}, f"{number}-{event}")
        for member in list(members):
            try:
                async with asyncio.timeout(0.004):
                    record = await anext(member)
            except TimeoutError:
                continue
            handled[record.partition].append(record.value["n"])
            if rng.random() < 0.1:  # killed: no commit, no goodbye
                in_hand[record.partition, record.value["n"]] += 1
                members.remove(member)
                if not members:
                    await join()
                await asyncio.gather(*(other._commit() for other in members))
            else:
                await member.commit()
        if rng.random() < 0.15 and len(members) < 3:
            await join()
        else:
            await move()
    for number, found in handled.items():
        assert list(dict.fromkeys(found)) == list(range(30)), "in the order of the log, none missing"
        assert {(number, event): count - 1 for event, count in Counter(found).items() if count > 1} == {
            key: count for key, count in in_hand.items() if key[0] == number
        }


@pytest.mark.parametrize(
    "call",
    [
        lambda: tamis.consume("tool-cals", group="g", settings=SETTINGS),
        lambda: tamis.consume("raw-stream", group="g", settings=SETTINGS),
        lambda: tamis.consume(group="g", settings=SETTINGS),
        lambda: tamis.consume("turns", group="", settings=SETTINGS),
        lambda: tamis.consume("turns", group="tamis", settings=SETTINGS),
        lambda: tamis.consume("turns", group="g", settings=SETTINGS, remember=0),
        lambda: tamis.consume("turns", group="g", settings=Settings()),
        lambda: tamis.publish(settings=SETTINGS, coalesce_ms=5000),
        lambda: tamis.publish(settings=SETTINGS, buffer_bytes=0),
    ],
)
def test_misuse_says_what_to_do(call: Any) -> None:
    with pytest.raises(TamisError) as caught:
        call()
    assert len(str(caught.value)) > 20


def test_a_misspelt_topic_gets_a_suggestion() -> None:
    with pytest.raises(TamisError, match="did you mean tool-calls"):
        tamis.consume("tool-cals", group="g", settings=SETTINGS)
