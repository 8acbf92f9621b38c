"""Other names of tools and keys that a catalogue declares: words that a model is known to use, and what they stand for.

    {"getWeather": "get_weather",         a tool
     "get_weather.town": "city"}          a key of the arguments of get_weather

An alias is the host's word, as exact as a declaration: nothing is guessed by it. `tamis learn` proposes such a file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tamis.core.declare import ToolSpec
from tamis.core.errors import CatalogError

__all__ = ["Aliases", "read_aliases"]


@dataclass(frozen=True, slots=True)
class Aliases:
    """`tools` maps other names to declared ones; `keys` maps a declared tool to (other key -> declared key)."""

    tools: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_aliases(aliases: Mapping[str, Any] | None, specs: Collection[ToolSpec]) -> Aliases:
    """The aliases of a catalogue. Raises `CatalogError` that names the alias and what is wrong with it."""
    if aliases is None:
        return Aliases()
    if not isinstance(aliases, Mapping):
        raise CatalogError('aliases must be an object of other name -> declared name, or "tool.key" -> declared key')
    declared = {spec.name: _properties(spec) for spec in specs}
    tools: dict[str, str] = {}
    keys: dict[str, dict[str, str]] = {}
    for other, meant in aliases.items():
        if not isinstance(other, str) or not other.strip() or not isinstance(meant, str):
            raise CatalogError(f"alias {other!r}: both sides must be names")
        if other in declared:
            raise CatalogError(f"alias {other!r}: a tool of this name is declared; an alias may not take its calls away")
        tool, _, key = other.rpartition(".")
        of_key = key != "" and meant in declared.get(tool, ())
        if meant in declared and of_key:
            raise CatalogError(f"alias {other!r}: {meant!r} is a tool and a key of {tool!r}; rename one of them")
        if meant in declared:
            tools[other] = meant
        elif not of_key:
            raise CatalogError(f"alias {other!r}: {meant!r} is neither a declared tool" + (f" nor a key of {tool!r}" if tool in declared else ""))
        elif key in declared[tool]:
            raise CatalogError(f"alias {other!r}: {tool!r} declares a key {key!r} itself")
        else:
            keys.setdefault(tool, {})[key] = meant
    return Aliases(tools, keys)


def _properties(spec: ToolSpec) -> Collection[str]:
    found = spec.schema.get("properties")
    return found.keys() if isinstance(found, dict) else ()
