"""Coercion as a session's policy wants it: the host's coercer of the tool first, then the schema's rules, then the optional ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamis.core.catalog import Catalog, Tool
from tamis.core.coercion.default import Coerced, coerce, coerce_loose
from tamis.core.coercion.registry import Registry
from tamis.core.coercion.registry import registry as process_registry
from tamis.core.coercion.shape import Plan
from tamis.core.coercion.words import letters
from tamis.core.drafts import Draft, Fault, plain_name
from tamis.core.events import Repair
from tamis.core.jsontext import depth

if TYPE_CHECKING:
    from tamis.core.policy import Policy

__all__ = ["Coercion"]


class Coercion:
    """What one session does to arguments."""

    __slots__ = ("_history", "_nesting", "_registered", "_registry", "_rules", "_schema")

    def __init__(self, policy: Policy, history: Sequence[Any] = (), registry: Registry = process_registry) -> None:
        strict = policy.mode == "strict"
        self._schema = policy.coercion == "schema" and not strict
        self._registered = policy.coercion != "off" and not strict
        self._nesting = policy.limits.nesting
        self._rules = policy.coercion_rules
        self._history = history
        self._registry = registry

    def run(self, tool: Tool, arguments: dict[str, Any]) -> Coerced:
        """The arguments for the schema gate. What the host's coercer made counts only if it satisfies the schema in the end."""
        if not self._registered:
            return Coerced(arguments)
        named, renamed = _unaliased(tool, arguments)
        own, repairs = self._registry.apply(tool.name, named, self._history)
        repairs = (*renamed, *repairs)
        found = self._judged(tool, own)
        if own is not arguments and not found.fits:
            found, repairs = self._judged(tool, arguments), tuple(item for item in repairs if item.rule == "coercer_failed")
        if found.arguments is not arguments and any(depth(value) > self._nesting for value in found.arguments.values()):
            return Coerced(arguments, fits=False)  # texts within texts: decoded they are deeper than any argument may be
        return replace(found, repairs=(*repairs, *found.repairs)) if repairs else found

    def _judged(self, tool: Tool, arguments: dict[str, Any]) -> Coerced:
        """What the schema's rules make of arguments, where they are on."""
        if not self._schema:
            return Coerced(arguments, fits=Plan.of(tool).valid(arguments))
        return coerce(tool, arguments, self._rules.switch(tool.name), self._history)

    def schema_of(self, tool: Tool, key: str) -> Any:
        """The schema by which the text under a key is typed: the key's own, or that of the key whose spelling it will get."""
        schema = tool.property_schema(tool.aliases.get(key, key) if self._registered else key)
        if schema is None and self._schema:
            schema = tool.properties.get(Plan.of(tool).top.spellings.get(letters(key), ""))
        return schema

    def loose(self, fault: Fault, catalog: Catalog) -> Draft | Fault:
        """A call whose arguments are no object, mended by an optional rule of its tool; else the fault."""
        tool = catalog.get(plain_name(fault.name or "")) if self._schema else None
        switch = self._rules.switch(tool.name) if tool is not None else None
        if tool is None or switch is None:
            return fault
        found = coerce_loose(tool, fault.value, switch)
        return fault if found is None else Draft(tool.name, found.arguments, None, found.repairs, fault.format)


def _unaliased(tool: Tool, arguments: dict[str, Any]) -> tuple[dict[str, Any], tuple[Repair, ...]]:
    """Arguments with the catalogue's other keys put into declared ones, where these are absent."""
    found: dict[str, str] = {}
    for key in arguments:
        meant = tool.aliases.get(key)
        if meant is not None and meant not in arguments and meant not in found.values():
            found[key] = meant
    if not found:
        return arguments, ()
    repairs = tuple(Repair("key_alias", f"$.{meant}", key, meant) for key, meant in found.items())
    return {found.get(key, key): value for key, value in arguments.items()}, repairs
