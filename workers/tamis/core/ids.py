"""Call ids that are a function of where a call stands, so that a replay makes the same ones."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import orjson

__all__ = ["call_digest", "call_id"]


def call_id(session: str, response: str, choice: int, index: int, turn: int | None) -> str:
    """The id of a call without a usable one of the provider's.

    `lenient_{turn}_{index}` for choice 0 of a response whose turn is known; else `call_` and 16 base32 characters (80 bits) of a
    hash over session, response, choice and index.
    """
    if turn is not None and choice == 0:
        return f"lenient_{turn}_{index}"
    key = "\x1f".join((session, response, str(choice), str(index))).encode("utf-8", "surrogatepass")
    return "call_" + base64.b32encode(hashlib.blake2b(key, digest_size=10).digest()).decode()


def call_digest(name: str, arguments: dict[str, Any]) -> tuple[str, int]:
    """What tells equal calls, a hash over name and arguments free of the order of keys; and the bytes of both as JSON.

    The hash is small because it is kept for every call of a response.
    """
    try:
        data = orjson.dumps([name, arguments], option=orjson.OPT_SORT_KEYS)
    except (TypeError, ValueError):  # a number beyond 64 bits, a lone surrogate, a depth that orjson refuses
        data = json.dumps([name, arguments], sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:24], len(data)  # sha256: processors have it built in, it is the fastest here
