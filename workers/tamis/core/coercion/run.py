"""What one coercion keeps in mind: the changes made, the rules that nearly fired, and the optional rules that are switched on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tamis.core.events import Repair

__all__ = ["Run", "Switch", "no_rule"]

Switch = Callable[[str, str], bool]
"""(rule, path) -> whether an optional rule is on there."""


def no_rule(rule: str, path: str) -> bool:
    """No optional rule is on."""
    return False


class Run:
    """One attempt. `near` maps a path to the first rule that looked at it and had to leave it."""

    __slots__ = ("conflict", "history", "near", "on", "repairs", "tool")

    def __init__(self, tool: str, on: Switch = no_rule, history: Sequence[Any] = ()) -> None:
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

    def trial(self) -> Run:
        """A run of its own, whose changes count only when `take` is called with it."""
        other = Run(self.tool, self.on, self.history)
        other.near = self.near
        return other

    def take(self, other: Run) -> None:
        """Make a trial's changes one's own."""
        self.repairs += other.repairs
        self.conflict = self.conflict or other.conflict
