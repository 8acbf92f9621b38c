"""JSON of records, read and written: orjson's speed, without its losses on big integers and lone surrogates."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

__all__ = ["dumps", "exact", "loads"]

_LONE = re.compile("[\ud800-\udfff]")
_BIG = re.compile(rb"\d{19}")  # 2^63 has 19 digits: what is longer orjson reads as a float


def exact(data: bytes) -> bool:
    """Whether orjson reads `data` without loss, if it reads it at all."""
    return _BIG.search(data) is None


def loads(data: bytes) -> Any:
    """A JSON value with every integer exact and halves of surrogate pairs kept (a gateway may cut between them). Raises ValueError."""
    if exact(data):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            if b"\\u" not in data:
                raise
    try:
        return json.loads(data.decode(), parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def dumps(value: Any) -> bytes:
    """Compact UTF-8 JSON, keys in the order given; the same value always makes the same bytes."""
    try:
        return orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        # an integer beyond 64 bits, a value nested deeper than orjson dumps, or half of a surrogate pair
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if _LONE.search(text) is not None:
            # halves that meet in one text are a character again; one alone has no UTF-8
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text.encode()
