"""Tool declarations in the shapes that hosts use (OpenAI, Anthropic, MCP, Gemini, plain), mixed, as one plain form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tamis.core.errors import CatalogError
from tamis.core.jsontext import depth

__all__ = ["ToolSpec", "read_tools"]

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_SCHEMA_SIZE = 256 * 1024  # bytes of one schema: the largest seen has 40 kB; more is an attack on the compiler
_SCHEMA_DEPTH = 64  # far above real schemas, far below any recursion limit
_TYPES = {"dict": "object", "float": "number", "double": "number", "tuple": "array", "list": "array", "int": "integer", "str": "string",
          "bool": "boolean", "long": "integer"}  # fmt: skip
"""Type words of other type systems that stand in declarations; `any` means no type at all."""
_JSON_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_CHILD_MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties"})
_LITERAL = frozenset({"enum", "const", "default", "examples", "example", "required"})


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One declared tool: `schema` of its arguments (an object schema), `destructive` as MCP hints say (None: no hint)."""

    name: str
    schema: dict[str, Any]
    destructive: bool | None = None


def read_tools(tools: Iterable[Mapping[str, Any]]) -> list[ToolSpec]:
    """The declared tools in order. Raises `CatalogError` that names the tool and the fault."""
    if isinstance(tools, str | bytes | Mapping):
        raise CatalogError("tools must be a list of declarations; put a single one into a list")
    found: dict[str, ToolSpec] = {}
    for number, tool in enumerate(tools):
        if not isinstance(tool, Mapping):
            raise CatalogError(f"tool {number} must be an object, not {type(tool).__name__}")
        for spec in _read(tool, number):
            before = found.get(spec.name)
            if before is not None and before.schema != spec.schema:
                raise CatalogError(f"tool {spec.name!r} is declared twice with different schemas; names must be unique")
            found[spec.name] = spec
    return list(found.values())


def _read(tool: Mapping[str, Any], number: int) -> Iterable[ToolSpec]:
    declarations = tool.get("functionDeclarations", tool.get("function_declarations"))
    if isinstance(declarations, list):
        for item in declarations:
            if not isinstance(item, Mapping):
                raise CatalogError(f"tool {number}: functionDeclarations must hold objects")
            yield _one(item, number)
        return
    inner = tool.get("function")
    yield _one(inner if isinstance(inner, Mapping) else tool, number)


def _one(tool: Mapping[str, Any], number: int) -> ToolSpec:
    name = tool.get("name")
    if not isinstance(name, str) or not name.strip():
        raise CatalogError(f"tool {number} has no name; each declaration needs a string under 'name'")
    schema: Any = next((tool[key] for key in _SCHEMA_KEYS if tool.get(key) is not None), {})
    if not isinstance(schema, Mapping):
        raise CatalogError(f"tool {name!r}: its parameters must be a JSON Schema object, not {type(schema).__name__}")
    try:
        size = len(json.dumps(schema))
    except (TypeError, ValueError, RecursionError):
        raise CatalogError(f"tool {name!r}: its parameters are no JSON value") from None
    plain = dict(schema)
    if size > _SCHEMA_SIZE or depth(plain) > _SCHEMA_DEPTH:
        raise CatalogError(f"tool {name!r}: its schema is larger than {_SCHEMA_SIZE} bytes or deeper than {_SCHEMA_DEPTH} levels")
    annotations = tool.get("annotations")
    hint = annotations.get("destructiveHint") if isinstance(annotations, Mapping) else None
    if not isinstance(hint, bool):
        # what only reads takes nothing away
        hint = False if isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is True else None
    return ToolSpec(name, _plain(plain), hint)


def _plain(schema: Any) -> Any:
    """The schema with type words of other systems put into JSON Schema's; everything else as it was."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "type" and isinstance(value, str):
            word = value if value in _JSON_TYPES else _TYPES.get(value.lower(), value.lower())
            if word != "any":
                out[key] = word
        elif key in _LITERAL:
            out[key] = value
        elif key in _CHILD_MAPS and isinstance(value, dict):
            out[key] = {name: _plain(item) for name, item in value.items()}
        elif isinstance(value, dict):
            out[key] = _plain(value)
        elif isinstance(value, list):
            out[key] = [_plain(item) for item in value]
        else:
            out[key] = value
    return out
