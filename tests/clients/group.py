"""A consumer group of plain lists, and a member whose client reads them."""

from __future__ import annotations

import asyncio
from typing import Any

from aiokafka import TopicPartition
from aiokafka.errors import CommitFailedError
from test_memory import Raw

from tamis.clients import Consumer
from tamis.settings import Settings
from tamis.wire.codec import dumps
from tamis.wire.topics import Topic

__all__ = ["SETTINGS", "Client", "Group", "Member"]

SETTINGS = Settings(broker="kafka://nowhere:9092")


class Group:
    """Topics and commits of one consumer group."""

    def __init__(self, partitions: int = 2, topic: str = "tool-calls") -> None:
        self.topic = topic
        self.log: dict[TopicPartition, list[Raw]] = {TopicPartition(topic, number): [] for number in range(partitions)}
        self.committed: dict[TopicPartition, int] = {}
        self.commits = 0

    def write(self, partition: int, value: Any, ce_id: str, key: str = "s") -> None:
        log = self.log[TopicPartition(self.topic, partition)]
        raw = Raw(len(log), dumps(value), [("ce_id", ce_id.encode())], key.encode(), self.topic)
        raw.partition = partition
        log.append(raw)


class Client:
    """One member, as far as the consumer uses the client library."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.at: dict[TopicPartition, int] = {}
        self.listener: Any = None
        self.stopped = False

    def subscribe(self, topics: list[str], listener: Any) -> None:
        assert topics == [self.group.topic]
        self.listener = listener

    async def start(self) -> None:
        await self.rebalance(self.group.log)

    async def stop(self) -> None:
        self.stopped = True

    async def rebalance(self, partitions: Any) -> None:
        await self.listener.on_partitions_revoked(set(self.at))
        self.at = dict.fromkeys(partitions, 0)
        await self.listener.on_partitions_assigned(set(self.at))

    async def getmany(self, timeout_ms: int, max_records: int) -> dict[TopicPartition, list[Raw]]:
        for tp, offset in self.at.items():
            if offset < len(self.group.log[tp]):
                self.at[tp] += 1
                return {tp: [self.group.log[tp][offset]]}
        await asyncio.sleep(0.001)
        return {}

    def seek(self, tp: TopicPartition, offset: int) -> None:
        assert offset <= len(self.group.log[tp])
        self.at[tp] = offset

    async def committed(self, tp: TopicPartition) -> int | None:
        return self.group.committed.get(tp)

    async def end_offsets(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return {tp: len(self.group.log[tp]) for tp in partitions}

    async def beginning_offsets(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return dict.fromkeys(partitions, 0)

    async def commit(self, offsets: dict[TopicPartition, int]) -> None:
        if not offsets.keys() <= self.at.keys():
            raise CommitFailedError
        self.group.commits += 1
        self.group.committed |= offsets


class Member(Consumer):
    """A consumer whose client is a `Client`."""

    def __init__(self, group: Group, **options: Any) -> None:
        super().__init__(SETTINGS, [Topic(group.topic)], "g", from_beginning=True, **options)
        self.client = Client(group)

    def _client(self) -> Client:
        return self.client
