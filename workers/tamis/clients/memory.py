"""What a consumer remembers of one partition, so that a record that is written twice is handed on once.

Duplicates come from a worker that reads again what lies behind its last barrier. They therefore stand near the first copy: within as
many records as the partition gets in one replay. So the last `size` records are remembered and no more, by place in the log and not
by time, since a worker may be gone for hours before another one replays. Order within a session is not relied on: results on
`tool-messages` come in the order in which tools finish.

The memory is a function of the log: who takes a partition over reads the last `size` records before the committed offset again, and
knows what its predecessor knew of them.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import Protocol

from tamis.clients.received import Received
from tamis.wire.topics import Topic

__all__ = ["DEFAULT_SIZE", "Memory", "SeenIds", "SeenText", "memory_for"]

DEFAULT_SIZE = 10_000
"""Records of one partition. A worker reads at most a second of input again (its barrier), some 100 000 chunks, and eight or more of
them make one record; they are spread over topics and, but in the worst case, over partitions."""


class Memory(Protocol):
    """What was there already; `take` gives what is new of a record, or None."""

    def take(self, record: Received) -> Received | None: ...

    def __len__(self) -> int: ...


def memory_for(topic: Topic, size: int) -> Memory:
    """An empty memory for one partition of `topic`."""
    return SeenText(size) if topic is Topic.CONTENT else SeenIds(size)


class SeenIds:
    """Records with an identity of their own: the last `size` ids, 16 bytes each (some 160 with the table around them)."""

    def __init__(self, size: int = DEFAULT_SIZE) -> None:
        self._size = size
        self._seen: dict[bytes, None] = {}  # in the order of the log

    def take(self, record: Received) -> Received | None:
        """The record, or None when its id is known."""
        if record.id is None:
            return record
        name = _digest(record.id)
        if name in self._seen:
            # the younger copy counts, so that a worker which dies again and again is still followed
            self._seen[name] = self._seen.pop(name)
            return None
        self._seen[name] = None
        if len(self._seen) > self._size:
            del self._seen[next(iter(self._seen))]
        return record

    def __len__(self) -> int:
        return len(self._seen)


class SeenText:
    """The text stream `content`: how many characters of each (session, response, choice, kind) there are, of the last `size` ones.

    A stream that is not known begins where its record says: what lies before was handed on earlier, or is not kept any more.
    """

    def __init__(self, size: int = DEFAULT_SIZE) -> None:
        self._size = size
        self._reached: dict[bytes, int] = {}  # the stream touched last stands last

    def take(self, record: Received) -> Received | None:
        """The record, cut to the text beyond what is there, or None when nothing is. Its headers stay those of the whole record."""
        value = record.value
        try:
            kind, offset, text, before = value["kind"], value["offset"], value["text"], value["content_offset"]
            name = _digest("\x1f".join((record.key or "", value["response_id"], str(value["choice"]), kind)))
            if kind == "reclassify":  # no text: it stands at a place among the content, and happens there once
                offset, end = before, before + 1
            else:
                end = offset + len(text)
        except (KeyError, TypeError):
            return record  # not of tamis, or of a version to come: nothing is known about it that could be taken away
        had = self._reached.pop(name, offset)
        self._reached[name] = max(had, end)
        if len(self._reached) > self._size:
            del self._reached[next(iter(self._reached))]
        if had <= offset:
            return record if end > offset else None
        if had >= end:
            return None
        known = had - offset
        moved = known if kind == "content" else 0
        return replace(record, value={**value, "offset": had, "text": text[known:], "content_offset": before + moved})

    def __len__(self) -> int:
        return len(self._reached)


def _digest(name: str) -> bytes:
    """16 bytes: ids may be long, and 2^64 records would have to be read before two are likely to meet."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
