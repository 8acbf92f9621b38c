"""The last gate: arguments against the tool's JSON Schema, after all repair (P92, P93)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamis.core.catalog import Tool
from tamis.core.coercion.rules import OPTIONAL, SAFE
from tamis.core.coercion.shape import is_valid

__all__ = ["Violation", "check", "conflict"]

_LISTED = 8  # members of an enum that a refusal names: a longer list would hide the rest of the text

@dataclass(frozen=True, slots=True)
class Violation:
    """Where a schema is broken and how; the detail names types, never values. `rule` is the rule of coercion that nearly fired."""

    path: str
    detail: str
    rule: str = ""


def conflict(path: str) -> Violation:
    """A key that stands twice, in two spellings and with two values: nobody knows which was meant."""
    return Violation(path, f"the key at {path} stands in two spellings with different values", "duplicate_key")


def check(tool: Tool, arguments: dict[str, Any], near: Mapping[str, str] | None = None) -> Violation | None:
    """What of the schema the arguments break, or None. `near` names by path the rule of coercion that nearly mended it."""
    if is_valid(tool.validator, arguments):
        return None
    found = _violation(tool, arguments)
    rule = (near or {}).get(found.path)
    if rule is None:
        return found
    wants = OPTIONAL.get(rule) or SAFE.get(rule, "")
    kind = "the optional rule" if rule in OPTIONAL else "the rule"
    return Violation(found.path, f"{found.detail}; {kind} {rule} nearly applied (it takes {wants})", rule)


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"),
)  # fmt: skip


def _type_of(value: Any) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "null")


def _violation(tool: Tool, arguments: dict[str, Any]) -> Violation:
    try:
        error = next(iter(tool.validator.iter_errors(arguments)), None)
    except (ValueError, OverflowError, TypeError, RecursionError):
        error = None
    if error is None:
        return Violation("$", "a value cannot be checked against the schema")
    path, value = "$", arguments
    for part in error.instance_path:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
        value = value[part]
    rule = next((part for part in reversed(error.schema_path) if isinstance(part, str)), "schema")
    missing = [key for key in tool.required if key not in arguments]
    if path == "$" and rule == "required" and missing:
        return Violation(path, f"required key {missing[0]!r} is missing")
    if rule == "additionalProperties":
        extra = sorted(key for key in value if key not in tool.properties) if path == "$" else []
        return Violation(path, f"key {extra[0]!r} is not allowed by the schema" if extra else "a key is not allowed by the schema")
    schema: Any = tool.schema
    wanted = ""
    for part in error.schema_path:
        try:
            schema = schema[part]
        except (KeyError, IndexError, TypeError):
            schema = None
            break
    if rule == "enum" and isinstance(schema, list):
        more = "" if len(schema) <= _LISTED else ", …"
        wanted = f" (one of: {', '.join(json.dumps(item, ensure_ascii=False) for item in schema[:_LISTED])}{more})"
    if rule == "type" and isinstance(schema, str | list):
        wanted = f" (wanted: {schema if isinstance(schema, str) else ', '.join(map(str, schema))})"
    return Violation(path, f"the {_type_of(value)} at {path} breaks the schema's {rule!r}{wanted}")
