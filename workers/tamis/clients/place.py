"""Where a consumer stands in one partition. Pure: records in, what is new of them out."""

from __future__ import annotations

import logging
from typing import Any

from tamis.clients.memory import Memory, memory_for
from tamis.clients.received import Received, decode
from tamis.wire.topics import Topic

__all__ = ["Place"]

log = logging.getLogger(__name__)


class Place:
    """`live` is the offset from which records are handed on: those before it were handled, and are read only to be remembered.

    `start` is where reading begins, `next` the offset behind the last record taken, `done` the one that may be committed, `committed`
    the one that was.
    """

    __slots__ = ("committed", "done", "live", "memory", "next", "start", "topic")

    def __init__(self, topic: Topic, live: int, remember: int) -> None:
        self.topic = topic
        self.memory: Memory = memory_for(topic, remember)
        self.live = self.done = self.committed = live
        self.start = self.next = max(0, live - remember)

    def take(self, record: Any) -> Received | None:
        """What is new of the next raw record; None: nothing is, and it counts as handled. A record that is handed on does not count
        until `handled` is called."""
        if record.offset < self.start and self.next == self.start:
            # not even the first record is where it was asked for: the topic was made anew, and what was committed means nothing
            log.warning("%s, partition %s begins anew at offset %s", self.topic, record.partition, record.offset)
            self.live = self.start = self.next = record.offset
            self.done = self.committed = record.offset
        if record.offset < self.next:
            return None  # fetched before the position was set
        self.next = record.offset + 1
        found: Received | None = None
        try:
            found = self.memory.take(decode(self.topic, record))
        except ValueError:
            log.warning("%s, partition %s, offset %s: the value is no record of tamis; skipped", self.topic, record.partition, record.offset)
        if record.offset < self.live:
            return None
        if found is None:
            self.done = self.next
        return found

    def handled(self, record: Received) -> None:
        """Whoever got this record is done with it."""
        self.done = max(self.done, record.offset + 1)
