"""How far behind a partition is, in records and in seconds. Pure: offsets and clock readings in, numbers out."""

from __future__ import annotations

from collections import deque

__all__ = ["Lag"]

_KEPT = 600  # looks at the log's end that are remembered: ten minutes at one a second; older ones only make the answer coarser


class Lag:
    """One partition. Remembers when its end was seen where, so that the wait of the oldest unread record can be told.

    The age of the last record that was read would not do: on a quiet partition it is hours, and one new record would look as late.
    """

    __slots__ = ("_ends",)

    def __init__(self) -> None:
        self._ends: deque[tuple[int, float]] = deque(maxlen=_KEPT)

    def look(self, end: int, position: int, now: float, age: float | None = None) -> tuple[int, float]:
        """Records and seconds that the reader is behind.

        `end` is the offset behind the last record of the log, `position` the one that is read next, `now` a clock in seconds. `age` is how
        long ago the record before `position` was written: it counts only while nothing is known of the time when this one came.
        """
        ends = self._ends
        if not ends or end > ends[-1][0]:
            ends.append((end, now))
        behind = max(0, end - position)
        if not behind:
            return 0, 0.0
        first = ends[0][0] > position  # the record was there before the first look
        while ends[0][0] <= position:
            ends.popleft()
        waited = now - ends[0][1]
        return behind, max(waited, age or 0.0) if first and age is not None else waited
