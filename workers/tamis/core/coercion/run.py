"""What one coercion keeps in mind: the changes made, the rules that nearly fired, and the optional rules that are switched on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tamis.core.events import Repair

__all__ = ["Run", "Switch", "looks_for", "no_rule"]

Switch = Callable[[str, str], bool]
"""(rule, path) -> whether an optional rule is on there."""


def no_rule(rule: str, path: str) -> bool:
    """No optional rule is on."""
    return False

_DEEP = 96  # looks within looks: a value has at most 64 levels, and a level takes one look, seldom two; far below the recursion limit
_LOOKS = 1000  # values looked at in one attempt, besides those that `looks` allows for: a value is tried a few times at each of its levels


def looks_for(value: Any) -> int:
    """How many looks an attempt on a value may take: a few for each value in it, so that the work grows with the size alone."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        count += 1
        if isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return _LOOKS + 4 * count


class Run:
    """One attempt. `near` maps a path to the first rule that looked at it and had to leave it."""

    __slots__ = ("_budget", "conflict", "history", "near", "on", "repairs", "tool")

    def __init__(self, tool: str, on: Switch = no_rule, history: Sequence[Any] = (), looks: int = 0) -> None:
        self._budget = [looks or _LOOKS, _DEEP]
        self.tool = tool
        self.on = on
        self.history = history
        self.repairs: list[Repair] = []
        self.near: dict[str, str] = {}
        self.conflict: str | None = None  # path of a key that two spellings give different values

    def note(self, rule: str, path: str, before: Any = None, after: Any = None) -> None:
        """A change was made."""
        self.repairs.append(Repair(rule, path, before, after))

    def nearly(self, rule: str, path: str) -> None:
        """A rule saw its case and had to leave it."""
        self.near.setdefault(path, rule)

    def would(self, rule: str, path: str) -> None:
        """An optional rule that is off would have made the value fit: that says more than a safe rule that could not."""
        self.near[path] = rule

    def enter(self) -> bool:
        """Whether one more value may be looked at: alternatives within alternatives could be tried for ever. `leave` goes with it."""
        self._budget[0] -= 1
        self._budget[1] -= 1
        return self._budget[0] >= 0 and self._budget[1] >= 0

    def leave(self) -> None:
        """The look is over."""
        self._budget[1] += 1

    def trial(self) -> Run:
        """A run of its own, whose changes count only when `take` is called with it."""
        other = Run(self.tool, self.on, self.history)
        other.near, other._budget = self.near, self._budget
        return other

    def take(self, other: Run) -> None:
        """Make a trial's changes one's own."""
        self.repairs += other.repairs
        self.conflict = self.conflict or other.conflict
