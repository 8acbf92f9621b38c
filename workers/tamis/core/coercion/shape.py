"""What the rules ask of one schema: its types, its keys, and whether a value satisfies it. Compiled once a tool, at first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import jsonschema_rs

from tamis.core.catalog import Tool, compile_schema
from tamis.core.coercion.words import letters
from tamis.core.errors import CatalogError
from tamis.core.values import kinds, resolve_ref

__all__ = ["Plan", "Shape", "is_valid"]

_SHARED = ("$schema", "$defs", "definitions")  # what a part of a schema needs of the whole, so that its references still lead somewhere
_PARTS = 8  # schemas that are looked at in one allOf, or one within the other in unions of one: real ones have two


class Shape:
    """One schema within a tool's. `plan` is the tool's; all answers are worked out once."""

    def __init__(self, plan: Plan, schema: Any) -> None:
        self.plan = plan
        self.given = schema
        found = resolve_ref(schema, plan.root)
        self.schema: Mapping[str, Any] = found if isinstance(found, dict) else {}

    @cached_property
    def kinds(self) -> frozenset[str] | None:
        """The JSON types that are allowed, or None when the schema does not say."""
        return kinds(self.given, self.plan.root)

    def takes(self, kind: str) -> bool:
        """Whether a JSON type is known to be allowed."""
        return self.kinds is not None and kind in self.kinds

    @cached_property
    def branches(self) -> tuple[Shape, ...]:
        """The alternatives of a union, without the one that is only null."""
        options = [item for key in ("anyOf", "oneOf") if isinstance(self.schema.get(key), list) for item in self.schema[key]]
        found = (self.plan.shape(item) for item in options)
        return tuple(item for item in found if item.kinds != frozenset({"null"}))

    @cached_property
    def only(self) -> Shape:
        """The one alternative that may hold a value, where there is just one (an optional value is written so); else the schema itself."""
        found = self
        for _ in range(_PARTS):
            if len(found.branches) != 1 or found._parts("properties"):
                break
            found = found.branches[0]
        return found

    def _parts(self, key: str) -> list[Any]:
        parts = [self.schema.get(key)]
        joined = self.schema.get("allOf")
        if isinstance(joined, list):
            parts += [found.get(key) for item in joined[:_PARTS] if isinstance(found := resolve_ref(item, self.plan.root), dict)]
        return [part for part in parts if part is not None]

    @cached_property
    def properties(self) -> dict[str, Shape]:
        """The declared keys of an object."""
        return {key: self.plan.shape(item) for part in self._parts("properties") if isinstance(part, dict) for key, item in part.items()}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The declared keys that an object must have."""
        named = [key for part in self._parts("required") if isinstance(part, list) for key in part if isinstance(key, str)]
        return tuple(key for key in dict.fromkeys(named) if key in self.properties)

    @cached_property
    def closed(self) -> bool:
        """Whether undeclared keys are forbidden."""
        return self.schema.get("additionalProperties") is False or self.schema.get("unevaluatedProperties") is False

    @cached_property
    def is_map(self) -> bool:
        """Whether keys of the caller's own making are asked for: there no key is a misspelling of a declared one for certain."""
        extra = self.schema.get("additionalProperties")
        return bool(extra and isinstance(extra, dict)) or bool(self.schema.get("patternProperties"))

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Letters of a declared key -> the key; letters that two keys share lead nowhere."""
        found: dict[str, str] = {}
        twice: set[str] = set()
        for key in self.properties:
            same = letters(key)
            if same in found:
                twice.add(same)
            found[same] = key
        return {same: key for same, key in found.items() if same and same not in twice}

    @cached_property
    def items(self) -> Shape | None:
        """The schema of an array's elements, where all have the same."""
        found = self.schema.get("items")
        return self.plan.shape(found) if isinstance(found, dict) and "prefixItems" not in self.schema else None

    @cached_property
    def members(self) -> tuple[Any, ...] | None:
        """The only values that are allowed, where the schema lists them."""
        found = self.schema.get("enum")
        if isinstance(found, list):
            return tuple(found)
        return (self.schema["const"],) if "const" in self.schema else None

    @cached_property
    def format(self) -> str | None:
        """The declared format of a text."""
        found = self.schema.get("format")
        return found if isinstance(found, str) else None

    @cached_property
    def only_value(self) -> tuple[Any] | None:
        """The value that the schema leaves no choice about (P92), wrapped, because it may be null."""
        if self.members is not None and len(self.members) == 1:
            return (self.members[0],)
        return (self.schema["default"],) if "default" in self.schema else None

    @cached_property
    def _validator(self) -> Any:
        return self._compiled(formats=False)

    @cached_property
    def _strict(self) -> Any:
        return self._compiled(formats=True)

    def _compiled(self, *, formats: bool) -> Any:
        part = {**{key: self.plan.root[key] for key in _SHARED if key in self.plan.root}, "allOf": [self.given]}
        try:
            if formats:
                return jsonschema_rs.validator_for(part, validate_formats=True, retriever=_refuse)
            return compile_schema(part, self.plan.name)
        except (CatalogError, ValueError):
            return None  # a reference into some other place of the whole: such a part cannot be asked alone

    def valid(self, value: Any, *, formats: bool = False) -> bool | None:
        """Whether a value satisfies the schema; None when that cannot be told."""
        validator = self._strict if formats else self._validator
        return None if validator is None else is_valid(validator, value)


def _refuse(uri: str) -> Any:
    raise ValueError(f"remote reference {uri} is refused")


def is_valid(validator: Any, value: Any) -> bool:
    """Ask a compiled schema; a value that it cannot take in, such as a number beyond its range, is not valid."""
    try:
        return bool(validator.is_valid(value))
    except (ValueError, OverflowError, TypeError, RecursionError):
        return False


class Plan:
    """The shapes of one tool's schema."""

    __slots__ = ("_shapes", "_whole", "name", "root")

    def __init__(self, tool: Tool) -> None:
        self.name = tool.name
        self.root: Mapping[str, Any] = tool.schema
        self._whole = tool.validator
        self._shapes: dict[int, Shape] = {}

    @classmethod
    def of(cls, tool: Tool) -> Plan:
        """The plan of a tool, made at the first use and kept with it."""
        if tool.plan is None:
            tool.plan = cls(tool)
        plan: Plan = tool.plan
        return plan

    @property
    def top(self) -> Shape:
        """The shape of the arguments."""
        return self.shape(self.root)

    def shape(self, schema: Any) -> Shape:
        """The shape of a part of the schema. Parts are told apart by identity: the root keeps them alive."""
        found = self._shapes.get(id(schema))
        if found is None:
            found = self._shapes[id(schema)] = Shape(self, schema)
        return found

    def valid(self, arguments: Any) -> bool:
        """Whether arguments satisfy the whole schema."""
        return is_valid(self._whole, arguments)
