"""Which call a result answers: the last calls of a session, by id.

A dispatcher's result names a call's id, and perhaps the response. Ids of providers and `lenient_{turn}_{index}` are unique in a response
only, so without a response the newest call with that id is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tamis.core.errors import SnapshotError

__all__ = ["KEPT", "KEPT_MS", "Published", "PublishedCalls"]

KEPT = 256  # calls of a session: two responses of the most calls that one may have; some 100 kB of state
KEPT_MS = 24 * 60 * 60 * 1000  # the topics of results and chunks keep no longer: an older result cannot arrive in order


@dataclass(frozen=True, slots=True)
class Published:
    """A published call, as far as its result needs it: what `format_tool_result` takes, and where the call stood.

    `about` is the caller's: JSON values that its records repeat (turn, model, place in the log).
    """

    id: str
    name: str
    format: str
    response_id: str
    choice: int
    time_ms: int
    about: Mapping[str, Any] = field(default_factory=dict)

    def call(self) -> dict[str, Any]:
        """The call for `format_tool_result`."""
        return {"id": self.id, "name": self.name, "format": self.format}


class PublishedCalls:
    """The joinable calls of one session, oldest first. Every time is a record time in ms."""

    __slots__ = ("_calls",)

    def __init__(self, calls: Iterable[Published] = ()) -> None:
        self._calls: dict[tuple[str, int, str], Published] = {}
        for call in calls:
            self.add(call)

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: Published) -> None:
        """Remember a call that was published. The same call again, after a replay, is one call."""
        self._calls.setdefault((call.response_id, call.choice, call.id), call)
        while len(self._calls) > KEPT:
            del self._calls[next(iter(self._calls))]

    def find(self, call_id: str, now_ms: int, response_id: str | None = None, choice: int | None = None) -> Published | None:
        """The call that a result of time `now_ms` answers, or None: no such call, or it is older than 24 h.

        Without `response_id` the newest call of that id; without `choice` the newest of the response.
        """
        for call in reversed(self._calls.values()):
            named = response_id in (None, call.response_id) and choice in (None, call.choice)
            if call.id == call_id and named:
                return call if now_ms - call.time_ms <= KEPT_MS else None
        return None

    def expire(self, now_ms: int) -> None:
        """Forget what no result can reach any more."""
        self._calls = {key: call for key, call in self._calls.items() if now_ms - call.time_ms <= KEPT_MS}

    def to_list(self) -> list[dict[str, Any]]:
        """The calls as JSON values, oldest first."""
        return [{**asdict(call), "about": dict(call.about)} for call in self._calls.values()]

    @classmethod
    def from_list(cls, state: Iterable[Mapping[str, Any]]) -> PublishedCalls:
        """The calls that `to_list` wrote. Raises `SnapshotError` for anything else."""
        try:
            return cls(Published(**item) for item in state)
        except TypeError:
            raise SnapshotError("these are no published calls: fields are missing or unknown") from None
