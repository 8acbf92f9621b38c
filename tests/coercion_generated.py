"""Argument objects that satisfy a schema, made from a seed: JSON Schema as tools declare it, nothing more."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

__all__ = ["arguments", "valid_objects"]

WORDS = (
    "north wing", "007", "1e5", "NO", "null", "[1, 2]", '{"a": 1}', "2025-03-01", " padded ", "a, b", "true", "3.10", "Smith, John", "", "None",
    "x@example.org",
)  # fmt: skip
"""Texts that eager readers change: each is a value of its own where a text is allowed."""
_FORMATS = {
    "date": "2025-03-01", "date-time": "2025-03-01T10:00:00Z", "email": "ann@example.org", "uri": "https://example.org/a", "time": "10:00:00Z",
    "uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "hostname": "example.org",
}  # fmt: skip
_DEPTH = 5


def _value(schema: Any, chance: random.Random, depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return chance.choice(WORDS)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return chance.choice(schema["enum"])
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return _value(chance.choice(schema[key]), chance, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = chance.choice(kind)
    if kind == "string":
        return _FORMATS.get(schema.get("format", ""), chance.choice(WORDS) + "x" * schema.get("minLength", 0))
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", -5), schema.get("maximum", 400)
        return chance.randint(int(low), int(max(low, high))) if kind == "integer" or chance.random() < 0.5 else round(chance.uniform(low, high), 2)
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "null":
        return None
    if kind == "array":
        count = chance.randint(schema.get("minItems", 0), max(schema.get("minItems", 0), 3))
        return [_value(schema.get("items", {"type": "string"}), chance, depth + 1) for _ in range(count)]
    if kind == "object" or "properties" in schema:
        return arguments(schema, chance, depth + 1)
    return chance.choice(WORDS)


def arguments(schema: Mapping[str, Any], chance: random.Random, depth: int = 0) -> dict[str, Any]:
    """An object of a schema: its required keys, some others, and in an open one now and then a key that nobody declared."""
    properties, required = schema.get("properties") or {}, schema.get("required") or ()
    made = {key: _value(part, chance, depth) for key, part in properties.items() if key in required or chance.random() < 0.6}
    if not properties and schema.get("type") == "object":
        made = {key: chance.choice((1, "a", [1], None)) for key in chance.sample(("key", "value", "note"), chance.randint(0, 2))}
    if schema.get("additionalProperties") is None and properties and chance.random() < 0.2:
        made[chance.choice(("x_trace", "colour_scheme", "only_if_empty"))] = chance.choice(("keep", True, None, 0))
    return made


def valid_objects(tools: list[Mapping[str, Any]], count: int, seed: int) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    """`count` pairs of a tool and arguments that satisfy it, every tool in turn."""
    chance = random.Random(seed)
    validators = {tool["name"]: jsonschema_rs.validator_for(tool["parameters"]) for tool in tools}
    made = tried = 0
    while made < count:
        tool = tools[tried % len(tools)]
        tried += 1
        found = arguments(tool["parameters"], chance)
        if validators[tool["name"]].is_valid(found):
            made += 1
            yield tool, found
        assert tried < 20 * count, "the generator makes hardly any valid object"
