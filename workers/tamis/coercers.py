"""Coercers that installed packages offer: the entry-point group "tamis.coercers", a tool's name for each function.

    [project.entry-points."tamis.coercers"]
    widget_create = "my_tools.coercers:widget_create"

The command line and the worker load them at their start; a program calls `load` once. The core itself looks at nothing that is installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from tamis.core.coercion.registry import Registry, registry
from tamis.core.errors import UsageError

__all__ = ["GROUP", "load"]

GROUP = "tamis.coercers"


def load(into: Registry = registry, found: Iterable[EntryPoint] | None = None) -> tuple[str, ...]:
    """Register what is installed; the tools that have a coercer now. Raises `UsageError` that names the entry point that cannot be used."""
    for point in sorted(entry_points(group=GROUP) if found is None else found, key=lambda item: (item.name, item.value)):
        try:
            function = point.load()
        except Exception as error:  # noqa: BLE001 - the import of somebody's module may raise anything; whose it is must be said
            raise UsageError(f"entry point {point.name} = {point.value!r} of group {GROUP!r} cannot be loaded: {type(error).__name__}") from None
        into.add(point.name, function)
    return into.tools
