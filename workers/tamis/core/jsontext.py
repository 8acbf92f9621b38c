"""Exact JSON, without the losses of a plain `json.loads`: doubled keys, NaN and infinite numbers are faults, big integers stay exact."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from tamis.core.events import Repair

__all__ = ["JSONFault", "depth", "equal", "load_strict"]

_LONE = re.compile("[\ud800-\udfff]")


class JSONFault(ValueError):
    """The text is no exact JSON; `kind` is one of syntax, duplicate_key, number, depth."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def equal(one: object, other: object) -> bool:
    """Equality of JSON values: true is not 1. Iterative, so depth is no danger."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if isinstance(a, bool) is not isinstance(b, bool):
            return False
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            stack += ((a[key], b[key]) for key in a)
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            stack += zip(a, b, strict=True)
        elif a != b:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if key in first and not equal(first[key], value):
                raise JSONFault("duplicate_key", "a key stands twice with different values")
            first.setdefault(key, value)
    return found


def _constant(word: str) -> NoReturn:
    raise JSONFault("number", f"{word} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise JSONFault("number", "a number is too large for any reader")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def load_strict(text: str) -> tuple[Any, tuple[Repair, ...]]:
    """The value of a JSON text, and a repair when a lone surrogate had to become U+FFFD. Raises `JSONFault`."""
    try:
        value = _DECODER.decode(text)
        if _suspect(value):
            return _mended(value), (Repair("lone_surrogate"),)
    except JSONFault:
        raise
    except RecursionError:
        raise JSONFault("depth", "the value is nested too deep") from None
    except ValueError as error:  # json.JSONDecodeError, or an integer of more digits than Python converts (4300)
        kind = "syntax" if isinstance(error, json.JSONDecodeError) else "number"
        raise JSONFault(kind, "the text is no exact JSON" if kind == "syntax" else "a number has too many digits") from None
    return value, ()


def _suspect(value: object) -> bool:
    """Whether a string in the value holds a lone surrogate. Asked of the value and not of the text: a string knows whether it is ASCII."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if not item.isascii():
                try:
                    item.encode()
                except UnicodeEncodeError:
                    return True
        elif isinstance(item, dict):
            stack += item
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return False


def _mended(value: Any) -> Any:
    """The value with every lone surrogate (in keys too) replaced."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def depth(value: object) -> int:
    """How deep lists and objects are nested in a value: 0 for a scalar. Iterative."""
    deepest, level = 0, [value]
    while level:
        inner: list[object] = []
        found = False
        for item in level:
            if isinstance(item, dict):
                found = True
                inner += item.values()
            elif isinstance(item, list):
                found = True
                inner += item
        deepest += found
        level = inner
    return deepest
