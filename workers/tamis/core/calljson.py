"""From a decoded JSON value to the calls in it: alias keys, wrappers, encoded arguments (P20-P24, P54-P56)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import NAME_KEYS, RepairFault, load_lenient
from tamis.core.jsontext import JSONFault, load_strict

__all__ = ["DraftFault", "JSONCall", "decoded", "gate", "read_calls"]

ARGUMENT_KEYS = ("arguments", "parameters", "args", "tool_args", "action_input", "input", "params", "kwargs")
"""Keys that carry the arguments, in the order in which they count (P21)."""
_CANONICAL = frozenset({"name", "arguments", "parameters"})
_LISTS = ("tool_calls", "actions")
_WRAPPERS = ("function_call", "function", "command")
_OBJECT_WORDS = ("object", "dict", "OBJECT")  # as JSON Schema, benchmark catalogues and Gemini spell it
_LEVELS = 3  # wrappers inside wrappers: a list, its entry and the entry's function object
_ENCODED = 2  # times that arguments are encoded as text: by the model and by the layer that asked it for text, never by a third
_FENCED = re.compile(r"\s*```\w{0,16}[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)


@dataclass(slots=True)
class JSONCall:
    """A call as the JSON states it: `name` as written, `arguments` decoded."""

    name: str
    arguments: dict[str, Any]
    repairs: tuple[Repair, ...]


@dataclass(slots=True)
class DraftFault:
    """An object that is no call: without a name, or with arguments that are no object."""

    name: str | None
    detail: str
    cause: Cause = Cause.MALFORMED_JSON
    value: Any = None
    """The arguments that are no object."""


def read_calls(value: Any) -> list[JSONCall | DraftFault]:
    """The calls of a value inside an envelope, in order; what is no call there is a fault of its own."""
    found: list[JSONCall | DraftFault] = []
    _read(value, found, (), _LEVELS)
    return found


def _read(value: Any, found: list[JSONCall | DraftFault], repairs: tuple[Repair, ...], levels: int) -> None:
    if isinstance(value, list) and levels:
        if len(value) == 1 and not repairs:
            repairs = (Repair("array_wrapper"),)
        for item in value:
            _read(item, found, repairs, levels - 1)
        return
    if not isinstance(value, dict):
        found.append(DraftFault(None, "the envelope holds something else than a call object"))
        return
    inner = _unwrap(value)
    if inner is not None and levels:
        key, content = inner
        _read(content, found, repairs if key == "function" else (*repairs, Repair("wrapper", f"$.{key}")), levels - 1)
        return
    found.append(_call(value, repairs))


def _unwrap(value: dict[str, Any]) -> tuple[str, Any] | None:
    """The wrapper key and its content, when the call stands one level deeper."""
    if isinstance(value.get("name"), str) and any(key in value for key in ARGUMENT_KEYS):
        return None
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return key, value[key]
    for key in _WRAPPERS:
        content = value.get(key)
        if isinstance(content, dict) and any(isinstance(content.get(name), str) for name in NAME_KEYS):
            return key, content
    return None


def _name_of(value: dict[str, Any]) -> tuple[str, str] | None:
    for key in NAME_KEYS:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return key, found.strip()
    return None


def _arguments_of(value: dict[str, Any]) -> tuple[str, Any]:
    for key in ARGUMENT_KEYS:
        if key in value:
            return key, value[key]
    return "", None


def decoded(raw: str) -> tuple[Any, tuple[Repair, ...]]:
    """The value that a text of arguments holds as a whole, in one fence perhaps, at most twice encoded; the text itself when it holds none."""
    value: Any = raw
    made: list[Repair] = []
    for _ in range(_ENCODED):
        fence = _FENCED.match(value)
        text = fence[1] if fence is not None else value
        try:
            found, repairs = load_strict(text)
        except JSONFault:
            try:
                found, repairs = load_lenient(text)
            except RepairFault:
                break
        value = found
        made += repairs
        if not isinstance(value, str):
            break
    return value, tuple(made)


def _call(value: dict[str, Any], repairs: tuple[Repair, ...]) -> JSONCall | DraftFault:
    named = _name_of(value)
    if named is None:
        return DraftFault(None, "the call object has no name")
    key, name = named
    made = list(repairs)
    if key not in _CANONICAL:
        made.append(Repair("alias_key", "", key, "name"))
    argument_key, raw = _arguments_of(value)
    if argument_key and argument_key not in _CANONICAL:
        made.append(Repair("alias_key", "", argument_key, "arguments"))
    if isinstance(raw, str):
        if not raw.strip():
            raw = None
        else:
            raw, mended = decoded(raw)
            made += (Repair("decoded_arguments"), *mended)
    if raw is None:
        made.append(Repair("null_arguments" if argument_key else "no_arguments"))
        raw = {}
    if isinstance(raw, list) and len(raw) == 1 and isinstance(raw[0], dict):
        raw = raw[0]
        made.append(Repair("array_of_one", "$"))
    if not isinstance(raw, dict):
        # text may have been meant as anything; a list or a number is readable and of the wrong type
        cause = Cause.MALFORMED_JSON if isinstance(raw, str) else Cause.SCHEMA_VIOLATION
        return DraftFault(name, "the arguments are no object", cause, raw)
    return JSONCall(name, raw, tuple(made))


def gate(value: Any, *, needs_arguments: Callable[[str], bool]) -> str:
    """What a bare value is: "call", "data" or "declaration" (P20, P24). `needs_arguments(name)`: the tool has required ones."""
    calls: list[dict[str, Any]] = []
    if not _call_objects(value, calls, _LEVELS) or not calls:
        return "data"
    for item in calls:
        named = _name_of(item)
        if named is None:
            return "data"
        key, raw = _arguments_of(item)
        if isinstance(raw, dict):
            if _is_schema(raw):
                return "declaration"
        elif isinstance(raw, str) and raw.strip():
            if not isinstance(decoded(raw)[0], dict):
                return "data"
        elif (raw is not None and not isinstance(raw, str)) or (not key and needs_arguments(named[1])):
            return "data"
    return "call"


def _call_objects(value: Any, found: list[dict[str, Any]], levels: int) -> bool:
    if isinstance(value, list) and levels:
        return all(_call_objects(item, found, levels - 1) for item in value)
    if not isinstance(value, dict):
        return False
    inner = _unwrap(value)
    if inner is not None and levels:
        return _call_objects(inner[1], found, levels - 1)
    found.append(value)
    return True


def _is_schema(value: dict[str, Any]) -> bool:
    """An object of parameters that is a JSON Schema: the echo of a declaration (P24)."""
    return value.get("type") in _OBJECT_WORDS and isinstance(value.get("properties"), dict)
