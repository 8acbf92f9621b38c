"""Arguments that show a tool's shape: what it requires, with values that are plainly made up."""

from __future__ import annotations

import json
from typing import Any

from tamis.core.catalog import Tool

__all__ = ["sample"]

_DEPTH = 4  # levels of objects in an example: deeper ones show nothing more, and a schema may refer to itself
_MEMBER = 80  # characters of a const or an enum member: a longer one is prose, and prose of a schema is not repeated to a model
_TYPED: dict[str, Any] = {"string": "text", "integer": 1, "number": 1.5, "boolean": True, "null": None, "array": [], "object": {}}


def sample(tool: Tool) -> dict[str, Any]:
    """The required arguments of a tool, each of its type. They may miss what only the schema's fine print asks for: the caller checks."""
    found = _value(tool.schema, tool.schema, _DEPTH)
    return found if isinstance(found, dict) else {}


def _value(schema: Any, root: dict[str, Any], depth: int) -> Any:
    if not isinstance(schema, dict):
        return "text"
    schema = _referred(schema, root)
    members = [schema["const"]] if "const" in schema else schema.get("enum")
    for member in members if isinstance(members, list) else ():
        if len(json.dumps(member)) <= _MEMBER:
            return member
    for key in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(key)
        if isinstance(parts, list) and parts and "type" not in schema:
            return _value(parts[0], root, depth)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((item for item in kind if item != "null"), "null")
    properties = schema.get("properties")
    if (kind == "object" or properties) and depth:
        declared = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        return {key: _value(declared.get(key), root, depth - 1) for key in (required if isinstance(required, list) else ()) if isinstance(key, str)}
    if kind == "array" and schema.get("minItems") and depth:
        return [_value(schema.get("items"), root, depth - 1)]
    least = schema.get("minimum")
    if kind in ("integer", "number") and isinstance(least, int | float) and not isinstance(least, bool):
        return least
    return _TYPED.get(str(kind), "text")


def _referred(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The schema that a local reference points to; one step, as declarations have it."""
    path = schema.get("$ref")
    if not isinstance(path, str) or not path.startswith("#/"):
        return schema
    found: Any = root
    for part in path[2:].split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else schema
