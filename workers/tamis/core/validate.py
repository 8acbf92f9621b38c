"""The last gate: arguments against the tool's JSON Schema, after all repair (P92, P93)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamis.core.catalog import Tool
from tamis.core.events import Repair

__all__ = ["Violation", "check"]

COMMENTARY = frozenset({"thought", "thoughts", "reasoning", "explanation", "rationale"})
"""Undeclared keys that only comment on the call: dropped where the schema is closed (P93)."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Where a schema is broken and how; the detail names types, never values."""

    path: str
    detail: str


def check(tool: Tool, arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Repair], Violation | None]:
    """(arguments, repairs, what is still wrong). Only what the schema leaves no choice about is set; only empties are dropped."""
    if _valid(tool, arguments):
        return arguments, [], None
    mended, repairs = _mend(tool, arguments)
    if repairs and _valid(tool, mended):
        return mended, repairs, None
    return arguments, [], _violation(tool, arguments)


def _valid(tool: Tool, arguments: dict[str, Any]) -> bool:
    try:
        return bool(tool.validator.is_valid(arguments))
    except (ValueError, OverflowError, TypeError, RecursionError):
        return False  # a value that the validator cannot take in, such as a number beyond its range


def _mend(tool: Tool, arguments: dict[str, Any]) -> tuple[dict[str, Any], list[Repair]]:
    repairs: list[Repair] = []
    mended = dict(arguments)
    for key in tool.required:
        schema = tool.properties.get(key)
        if key in mended or not isinstance(schema, dict):
            continue
        if "const" in schema:
            mended[key] = schema["const"]
        elif isinstance(schema.get("enum"), list) and len(schema["enum"]) == 1:
            mended[key] = schema["enum"][0]
        elif "default" in schema:
            mended[key] = schema["default"]
        else:
            continue
        repairs.append(Repair("only_value", f"$.{key}", None, mended[key]))
    if tool.schema.get("additionalProperties") is False:
        dropped = [key for key in mended if key not in tool.properties and (mended[key] in (None, "") or key.lower() in COMMENTARY)]
        repairs += [Repair("dropped_key", f"$.{key}", mended.pop(key), None) for key in dropped]
    return mended, repairs


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
    if rule == "type" and isinstance(schema, str | list):
        wanted = f" (wanted: {schema if isinstance(schema, str) else ', '.join(map(str, schema))})"
    return Violation(path, f"the {_type_of(value)} at {path} breaks the schema's {rule!r}{wanted}")
