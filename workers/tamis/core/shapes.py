"""Shapes in which models write a call as JSON without the usual keys; only the catalogue tells them from data.

Each is one small rule: the value holds the name of a declared tool, and every other key is one of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tamis.core.calljson import ARGUMENT_KEYS
from tamis.core.jsonrepair import NAME_KEYS

__all__ = ["Properties", "call_object", "named_arguments"]

Properties = Callable[[str], Mapping[str, Any]]
"""The parameters of a declared tool by its emitted name; empty when the name fits none, or several."""
_LEVELS = 2  # a list of calls inside a list: deeper it is data
_PLAIN_NAMES = ("name", "function", "tool", "func", "function_name", "tool_name")
"""Keys that carry the name of a flat call, whose other keys are its arguments."""


def named_arguments(name: object, arguments: object, properties: Properties) -> dict[str, Any] | None:
    """The call object for a name and an object that stands beside it, when its keys are parameters of the tool."""
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    plain = name.replace("\\_", "_").strip()
    known = properties(plain)
    if not known or not all(isinstance(key, str) and key.replace("\\_", "_") in known for key in arguments):
        return None
    return {"name": plain, "arguments": {key.replace("\\_", "_"): value for key, value in arguments.items()}}


def call_object(value: Any, properties: Properties, rules: dict[str, None], levels: int = _LEVELS) -> Any:
    """`value` with every call of another shape in the usual one; what was recognised is noted in `rules`. Anything else stays as it is."""
    if isinstance(value, list) and levels:
        return [call_object(item, properties, rules, levels - 1) for item in value]
    if not isinstance(value, dict) or not value:
        return value
    for name, reading in _READINGS.items():
        found = reading(value, properties)
        if found is not None:
            rules.setdefault(name)
            return found
    return value


def _map(value: dict[str, Any], properties: Properties) -> Any:
    """`{"f": {…}}`, one key or several: each key a declared tool, each value its arguments."""
    found = [named_arguments(name, arguments, properties) for name, arguments in value.items()]
    if any(item is None for item in found):
        return None
    return found[0] if len(found) == 1 else found


def _flat(value: dict[str, Any], properties: Properties) -> Any:
    """`{"name": f, "a": 1}`: the other keys are parameters, and none is called as the name's key is."""
    if any(key in value for key in ARGUMENT_KEYS):
        return None
    for key in _PLAIN_NAMES:
        name = value.get(key)
        rest = {other: item for other, item in value.items() if other != key}
        if not isinstance(name, str) or not rest or any(other in NAME_KEYS and other not in properties(name) for other in rest):
            continue
        found = None if key in properties(name) else named_arguments(name, rest, properties)
        if found is not None:
            return found
    return None


_READINGS: dict[str, Callable[[dict[str, Any], Properties], Any]] = {"name_as_key": _map, "flat_call": _flat}
"""Rule names and readings, in the order in which they are tried."""
