"""Records of sessions whose catalogue is not there yet. They wait a bounded time, and no other session waits with them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Held", "WaitingRoom"]

_BYTES = 1024 * 1024  # of one session's waiting records: seconds of any model's text; past it the decision is made at once


@dataclass(slots=True)
class Held:
    """The records of one session in order, since when (this worker's clock), and the catalogue that is waited for."""

    since: float
    catalog_id: str
    records: list[Any] = field(default_factory=list)
    size: int = 0  # bytes of their values, those counted that came behind the first


class WaitingRoom:
    """By session key. While somebody waits, no offset of the partition is committed: a restart reads the records again."""

    def __init__(self) -> None:
        self.held: dict[bytes, Held] = {}

    def __bool__(self) -> bool:
        return bool(self.held)

    def enter(self, record: Any, catalog_id: str, now: float) -> None:
        """The first record of a session that has to wait."""
        self.held[record.key] = Held(now, catalog_id, [record])

    def add(self, record: Any) -> bool:
        """A later record; False when the session has no more room. A replay of what waits already is dropped."""
        found = self.held[record.key]
        if record.offset <= found.records[-1].offset:
            return True
        found.size += len(record.value or b"")
        if found.size > _BYTES:
            return False
        found.records.append(record)
        return True

    def leave(self, key: bytes) -> list[Any]:
        """Take the records of a session out."""
        return self.held.pop(key).records

    def overdue(self, since: float) -> list[bytes]:
        """Sessions that wait since before `since`."""
        return [key for key, item in self.held.items() if item.since <= since]

    def ready(self, catalogs: Container[str]) -> list[bytes]:
        """Sessions whose catalogue is there."""
        return [key for key, item in self.held.items() if item.catalog_id in catalogs]

    @property
    def first(self) -> int | None:
        """The offset of the first record that waits."""
        return min((item.records[0].offset for item in self.held.values()), default=None)
