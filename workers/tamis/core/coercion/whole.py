"""Arguments that came as something else than their own object: an object around them, or no object at all."""

from __future__ import annotations

from typing import Any

from tamis.core.calljson import decoded
from tamis.core.coercion.run import Run
from tamis.core.coercion.shape import Plan, Shape
from tamis.core.coercion.words import SELF, WRAPPERS, letters

__all__ = ["loose", "unwrap"]

_WRAPPED = 3  # wrappers inside wrappers: two were seen


def unwrap(plan: Plan, arguments: dict[str, Any], run: Run) -> dict[str, Any]:
    """The arguments out of a wrapper that the schema does not declare, and that stands alone or beside the tool's own name."""
    shape = plan.top
    for _ in range(_WRAPPED):
        inner = _inner(shape, arguments, run)
        if inner is None:
            return arguments
        arguments = inner
    return arguments


def _inner(shape: Shape, value: dict[str, Any], run: Run) -> dict[str, Any] | None:
    found = [key for key in value if key not in shape.properties and letters(key) in WRAPPERS and isinstance(value[key], dict | str)]
    if len(found) != 1 or shape.is_map:
        return None
    (key,) = found
    if not all(other not in shape.properties and _is_own_name(other, value[other], run.tool) for other in value if other != key):
        run.nearly("unwrapped_arguments", "$")
        return None
    held: Any = value[key]
    if isinstance(held, str):
        held = decoded(held)[0]
    if not isinstance(held, dict) or not (_known(shape, held) or _inner(shape, held, run.trial()) is not None):
        return None
    run.note("unwrapped_arguments", f"$.{key}")
    return held


def _known(shape: Shape, held: dict[str, Any]) -> bool:
    """Whether the keys are the tool's: all of them but for comments; none at all where the tool takes none."""
    from tamis.core.coercion.objects import droppable

    said = [key for key, item in held.items() if not droppable(key, item) or letters(key) in shape.spellings]
    return all(letters(key) in shape.spellings for key in said) and (bool(said) or not shape.required)


def _is_own_name(key: str, value: Any, tool: str) -> bool:
    return letters(key) in SELF and isinstance(value, str) and letters(value.removeprefix("functions.")) == letters(tool)


def loose(plan: Plan, value: Any, run: Run) -> dict[str, Any] | None:
    """The arguments of a call whose arguments are no object, by the optional rule `bare_value`: the value of the only key that can be meant."""
    shape = plan.top
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    keys = shape.required if len(shape.required) == 1 else tuple(shape.properties) if len(shape.properties) == 1 else ()
    broken = isinstance(value, str) and value.strip()[:1] in ("{", "[")  # an object that could not be read is no value
    if len(keys) != 1 or isinstance(value, dict | list) or value is None or broken or not run.on("bare_value", f"$.{keys[0]}"):
        return None
    run.note("bare_value", f"$.{keys[0]}")
    return {keys[0]: value}
