"""Changes of keys that a tool's policy may name: `policy.coercion_rules`."""

from __future__ import annotations

from typing import Any

from tamis.core.coercion.convert import trial
from tamis.core.coercion.run import Run
from tamis.core.coercion.shape import Shape
from tamis.core.coercion.words import PAIRS, tokens

__all__ = ["apply", "schema_echo"]

_TURNS = ("un", "de", "dis", "non", "in")
"""Beginnings that turn a word round."""


def apply(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """The object after the optional rules that are on, behind the safe ones."""
    return _free_alias(shape, _open_object(shape, value, path, run), path, run)


def _extra(shape: Shape, value: dict[str, Any]) -> list[str]:
    from tamis.core.coercion.objects import droppable, undeclared

    return [key for key in undeclared(shape, value) if not droppable(key, value[key])]


def schema_echo(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Values where a schema's properties would stand: {"type": "object", "properties": {…}}."""
    inner = value.get("properties")
    if not isinstance(inner, dict) or value.get("type") != "object" or "properties" in shape.properties or "type" in shape.properties:
        return value
    if not run.on("schema_echo", path) or not inner.keys() <= shape.properties.keys():
        run.would("schema_echo", path)
        return value
    run.note("schema_echo", path)
    return inner


def _open_object(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Undeclared keys into the one required object that takes any keys and is missing."""
    extra = _extra(shape, value)
    homes = [key for key in shape.required if (part := shape.properties[key].only).takes("object") and not part.properties and not part.closed]
    if not extra or len(homes) != 1 or homes[0] in value:
        return value
    (home,) = homes
    if not run.on("open_object", f"{path}.{home}"):
        run.would("open_object", path)
        return value
    run.note("open_object", f"{path}.{home}")
    return {**{key: item for key, item in value.items() if key not in extra}, home: {key: value[key] for key in extra}}


def _free_alias(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """The one undeclared key for the one missing required one, or both sides of a pair for both of another.

    Never the id of one thing for the id of another, nor one side of a pair for the other: no host can want that of all its calls.
    """
    extra = _extra(shape, value)
    missing = [key for key in shape.required if key not in value]
    if not extra or len(extra) != len(missing) or len(extra) > 2:
        return value
    if len(extra) == 2:
        extra, missing = _ordered(extra), _ordered(missing)
        if not extra or not missing:
            return value
    elif _contrary(extra[0], missing[0]):
        return value
    said = dict(zip(extra, missing, strict=True))
    if not all(trial(shape.properties[meant], value[key], f"{path}.{meant}", run)[0] for key, meant in said.items()):
        return value
    if not all(run.on("free_alias", f"{path}.{meant}") for meant in missing):
        run.would("free_alias", path)
        return value
    for key, meant in said.items():
        run.note("free_alias", f"{path}.{meant}", key, meant)
    return {said.get(key, key): item for key, item in value.items()}


def _contrary(said: str, meant: str) -> bool:
    one, other = tokens(said), tokens(meant)
    if one[-1:] == other[-1:] == ("id",) and len(one) > 1 and len(other) > 1:
        return True
    if any((first in one and second in other) or (second in one and first in other) for first, second in PAIRS):
        return True
    apart = [(a, b) for a, b in zip(one, other, strict=False) if a != b] if len(one) == len(other) else []
    return len(apart) == 1 and any(a == f"{prefix}{b}" or b == f"{prefix}{a}" for a, b in apart for prefix in _TURNS)


def _ordered(keys: list[str]) -> list[str]:
    """Two keys that are the sides of a pair, the first side first; none when they are no pair."""
    first, second = keys
    for one, other in PAIRS:
        for key, partner in ((first, second), (second, first)):
            words = tokens(key)
            if one in words and tuple(other if word == one else word for word in words) == tokens(partner):
                return [key, partner]
    return []
