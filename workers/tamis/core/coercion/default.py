"""The schema-driven policy: what may be done to arguments, and in what order, so that they satisfy their schema and keep their meaning.

1. arguments that satisfy the schema stay as they are; only an undeclared key with the letters of a declared one gets its spelling
2. else the safe rules: wrapper, keys, values, nulls, the only possible value, leftovers
3. else the same with the optional rules that the tool's policy names
4. a result that does not satisfy the schema is thrown away whole: what was emitted is judged
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.core.catalog import Tool
from tamis.core.coercion.objects import mend, respell, undeclared
from tamis.core.coercion.run import Run, Switch, looks_for, no_rule
from tamis.core.coercion.shape import Plan
from tamis.core.coercion.whole import loose, unwrap
from tamis.core.events import Repair

__all__ = ["Coerced", "coerce", "coerce_loose"]


@dataclass(frozen=True, slots=True)
class Coerced:
    """Arguments and what was changed. `fits`: whether they satisfy the schema; when not, they are the emitted ones, and `near` says
    which rule nearly fired at which path; `conflict` is the path of a key that two spellings give two values."""

    arguments: dict[str, Any]
    repairs: tuple[Repair, ...] = ()
    fits: bool = True
    near: Mapping[str, str] = field(default_factory=dict)
    conflict: str | None = None


def coerce(tool: Tool, arguments: dict[str, Any], on: Switch | None = None, history: Sequence[Any] = ()) -> Coerced:
    """The arguments as the tool's schema wants them, or as they were. Pure; the given object is never changed.

    `on` tells which optional rules are switched on for the tool; None: none is. `history` is what they may look at.
    """
    plan = Plan.of(tool)
    if plan.valid(arguments):
        return _spelled(plan, arguments)
    near: dict[str, str] = {}
    for switch in (no_rule, on):
        if switch is None:
            break
        run = Run(tool.name, switch, history, looks_for(arguments))
        changed = mend(plan.top, unwrap(plan, arguments, run), "$", run)
        if run.conflict is not None:
            return Coerced(arguments, (), fits=False, conflict=run.conflict)
        if plan.valid(changed):
            return Coerced(changed, tuple(run.repairs))
        near = {**run.near, **near}
    return Coerced(arguments, (), fits=False, near=near)


def _spelled(plan: Plan, arguments: dict[str, Any]) -> Coerced:
    """Arguments that satisfy their schema: a misspelt optional key passes an open one and is then ignored, so its spelling is put right."""
    shape = plan.top
    if not undeclared(shape, arguments):
        return Coerced(arguments)
    run = Run(plan.name, looks=looks_for(arguments))
    changed = respell(shape, arguments, "$", run)
    if run.conflict is not None:
        return Coerced(arguments, (), fits=False, conflict=run.conflict)
    if changed is arguments:
        return Coerced(arguments)
    if not plan.valid(changed):
        changed = mend(shape, changed, "$", run)
        if not plan.valid(changed):
            return Coerced(arguments)
    return Coerced(changed, tuple(run.repairs))


def coerce_loose(tool: Tool, value: Any, on: Switch) -> Coerced | None:
    """Arguments that are no object, by optional rules alone; None when none applies."""
    plan = Plan.of(tool)
    run = Run(tool.name, on)
    arguments = loose(plan, value, run)
    if arguments is None:
        return None
    found = coerce(tool, arguments, on)
    return Coerced(found.arguments, (*run.repairs, *found.repairs)) if found.fits else None
