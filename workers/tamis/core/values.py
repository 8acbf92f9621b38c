"""Types for values that arrived as text: from the schema, from a mark in the markup, or from the text itself (P79-P86)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tamis.core.drafts import Element
from tamis.core.jsonrepair import RepairFault, load_lenient
from tamis.core.jsontext import JSONFault, load_strict

__all__ = ["kinds", "resolve_ref", "type_element", "type_raw"]

_LONE = re.compile("[\ud800-\udfff]")
_INTEGER = re.compile(r"[+-]?\d+\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_WORDS = {"true": True, "false": False}
_HOPS = 16  # references and alternatives followed inside one schema: real ones need two or three
_DEEPEST = 256  # containers of one value within each other: four times the usual limit, and safe for a recursive reader
_ALL = frozenset({"null", "integer", "number", "boolean", "object", "array", "string"})
_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"), (type(None), "null"),
)  # fmt: skip


def _kind(value: Any) -> str:
    return next(name for kind, name in _NAMES if isinstance(value, kind))


def resolve_ref(schema: Any, root: Mapping[str, Any]) -> Any:
    """The schema that a local reference leads to."""
    for _ in range(_HOPS):
        ref = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(ref, str) or not ref.startswith("#/"):
            break
        schema = root
        for part in ref[2:].split("/"):
            schema = schema.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(schema, Mapping) else None
    return schema


def kinds(schema: Any, root: Mapping[str, Any], hops: int = _HOPS) -> frozenset[str] | None:
    """The JSON types that a schema allows, or None when it does not say."""
    schema = resolve_ref(schema, root)
    if not isinstance(schema, dict) or hops <= 0:
        return None
    found: frozenset[str] | None = None
    declared = schema.get("type")
    if isinstance(declared, str):
        found = frozenset({declared})
    elif isinstance(declared, list):
        found = frozenset(item for item in declared if isinstance(item, str))
    elif isinstance(schema.get("enum"), list):
        found = frozenset(map(_kind, schema["enum"]))
    elif "const" in schema:
        found = frozenset({_kind(schema["const"])})
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            inner = [kinds(item, root, hops - 1) for item in options]
            union = _ALL if any(item is None for item in inner) else frozenset().union(*(item for item in inner if item is not None))
            found = union if found is None else found & union
    for item in schema["allOf"] if isinstance(schema.get("allOf"), list) else ():
        inner_kinds = kinds(item, root, hops - 1)
        if inner_kinds is not None:
            found = inner_kinds if found is None else found & inner_kinds
    if schema.get("nullable") is True and found is not None:
        found |= {"null"}
    if found is None and ("properties" in schema or "items" in schema):
        found = frozenset({"object" if "properties" in schema else "array"})
    return found


def _json(text: str) -> Any:
    """A JSON or Python literal, or the text itself when it is none (P83)."""
    try:
        return load_strict(text)[0]
    except JSONFault:
        try:
            return load_lenient(text).value
        except RepairFault:
            return text


def type_raw(text: str, schema: Any, *, mark: bool | None = None, root: Mapping[str, Any] | None = None) -> Any:
    """The value of a raw tag text. `mark`: True says string, False says JSON, None leaves it to the schema.

    A text that fits none of the allowed types stays text: the schema check then refuses it.
    """
    text = _LONE.sub("\ufffd", text)
    if mark is True:
        return text
    allowed = kinds(schema, root or {}) if schema is not None else None
    bare = text.strip()
    if allowed is None or mark is False:
        value = _json(bare) if bare[:1] in "{[\"0123456789-" or (mark is False and bare in ("true", "false", "null")) else text
        # without a schema a bare word stays a word (P85)
        return value if not (isinstance(value, str) and mark is None) else text
    if allowed == {"string"}:
        return text
    return _typed(text, bare, allowed)


def _typed(text: str, bare: str, allowed: frozenset[str]) -> Any:
    if "null" in allowed and bare == "null":
        return None
    if "integer" in allowed or "number" in allowed:
        zeros = "string" in allowed and len(bare.lstrip("+-")) > 1 and bare.lstrip("+-")[0] == "0"  # a code, where text is allowed
        if _INTEGER.match(bare) is not None and len(bare) <= 4300 and not zeros:  # 4300: the digits that Python converts
            return int(bare)
        if _NUMBER.match(bare) is not None and not (zeros and bare.lstrip("+-")[1:2] != "."):
            value = float(bare)
            if value not in (float("inf"), float("-inf")) and ("number" in allowed or value.is_integer()):
                return value
    if "boolean" in allowed and bare.lower() in _WORDS:
        return _WORDS[bare.lower()]
    if bare[:1] in ("{", "["):
        value = _json(bare)
        if ("object" in allowed and isinstance(value, dict)) or ("array" in allowed and isinstance(value, list)):
            return value
    if "string" not in allowed and bare[:1] == '"':
        value = _json(bare)
        if isinstance(value, str) and value != text:
            return _typed(value, value.strip(), allowed)
    return text


def type_element(element: Element, schema: Any, root: Mapping[str, Any], hops: int = _DEEPEST) -> Any:
    """The value of an element: containers by their stated type, by their children's names or by the schema; leaves as `type_raw`.

    `hops` bounds the depth, which a decoder with the usual limits refuses long before. Raises `ValueError` for a deeper one.
    """
    schema = resolve_ref(schema, root) if schema is not None else None
    allowed = kinds(schema, root) if schema is not None else None
    children = element.children
    if children is None:
        if not element.text.strip() and allowed is not None and element.mark is not True and "string" not in allowed:
            if "array" in allowed:
                return []
            if "object" in allowed:
                return {}
        bare = element.kind == "bare" and allowed is None
        return type_raw(element.text, schema, mark=False if bare else element.mark, root=root)
    if hops <= 0:
        raise ValueError(f"an argument is nested deeper than {_DEEPEST} levels")
    names = {child.key for child in children}
    is_list = element.kind == "list" or (element.kind != "dict" and names <= {"item", ""} and (allowed is None or "array" in allowed))
    if is_list:
        items = schema.get("items") if isinstance(schema, dict) else None
        return [type_element(child, items, root, hops - 1) for child in children]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        properties = {}
    value: dict[str, Any] = {}
    times = Counter(child.key for child in children)
    for child in children:
        inner = properties.get(child.key)
        if times[child.key] > 1:
            inner = inner.get("items") if isinstance(inner, dict) else None
            value.setdefault(child.key, []).append(type_element(child, inner, root, hops - 1))
        else:
            value[child.key] = type_element(child, inner, root, hops - 1)
    return value
