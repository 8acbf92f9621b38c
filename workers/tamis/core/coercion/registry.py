"""Coercers of the host: one function a tool, `(arguments, history) -> arguments`, tried before the schema's own rules.

    @tamis.coercer("widget_create")
    def widget_create(arguments, history):
        ...

A coercer is pure: it gets copies, and what it raises or returns in another shape leaves the arguments as they were. Packages may offer
theirs in the entry-point group "tamis.coercers"; `tamis.coercers` loads them, this module only keeps them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tamis.core.errors import UsageError
from tamis.core.events import Repair

__all__ = ["Coercer", "Registry", "coercer", "registry"]

Coercer = Callable[[dict[str, Any], list[Any]], dict[str, Any]]
_F = TypeVar("_F", bound=Coercer)


class Registry:
    """Coercers by tool name."""

    __slots__ = ("_by_tool",)

    def __init__(self) -> None:
        self._by_tool: dict[str, Coercer] = {}

    def add(self, tool: str, function: Coercer) -> None:
        """Register a tool's coercer. Raises `UsageError` for a second one, unless it is the same function loaded again."""
        if not isinstance(tool, str) or not tool:
            raise UsageError("a coercer is registered for a tool's name, as in @tamis.coercer('widget_create')")
        if not callable(function):
            raise UsageError(f"the coercer of {tool!r} must be a function (arguments, history) -> arguments")
        before = self._by_tool.get(tool)
        if before is not None and _identity(before) != _identity(function):
            raise UsageError(f"tool {tool!r} has a coercer already; take it out first (registry.remove)")
        self._by_tool[tool] = function

    def remove(self, tool: str) -> None:
        """Take a tool's coercer out; nothing happens when it has none."""
        self._by_tool.pop(tool, None)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that have one, sorted."""
        return tuple(sorted(self._by_tool))

    def apply(self, tool: str, arguments: dict[str, Any], history: Sequence[Any]) -> tuple[dict[str, Any], tuple[Repair, ...]]:
        """The arguments after the tool's coercer, and a repair for each key that it changed; one `coercer_failed` when it raised."""
        function = self._by_tool.get(tool)
        if function is None:
            return arguments, ()
        try:
            given = json.dumps([arguments, list(history)])  # a copy: a coercer that writes into what it got changes nothing
            changed = function(*json.loads(given))
            if not isinstance(changed, dict):
                raise TypeError("a coercer returns the arguments")
            changed = json.loads(json.dumps(changed, allow_nan=False))  # what is no JSON could not be published
        except Exception:  # noqa: BLE001 - code of the host: whatever it raises, the call goes on as it was emitted
            return arguments, (Repair("coercer_failed", "$"),)
        keys = [key for key in {**arguments, **changed} if key not in arguments or key not in changed or arguments[key] != changed[key]]
        return (changed, tuple(Repair("coercer", f"$.{key}") for key in keys)) if keys else (arguments, ())


def _identity(function: Coercer) -> tuple[str, str]:
    return getattr(function, "__module__", ""), getattr(function, "__qualname__", repr(function))


registry = Registry()
"""The coercers of this process."""


def coercer(tool: str) -> Callable[[_F], _F]:
    """Register the decorated function as the coercer of `tool`: pure, `(arguments, history) -> arguments`.

    `history` are the messages that the session keeps (`tamis.core.coercion.history`). Raises `UsageError` when the tool has another one.
    """
    if not isinstance(tool, str) or not tool:
        raise UsageError("a coercer is registered for a tool's name, as in @tamis.coercer('widget_create')")

    def register(function: _F) -> _F:
        registry.add(tool, function)
        return function

    return register
