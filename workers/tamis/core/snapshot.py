"""Snapshots as bytes: one version byte, then JSON. Text keeps lone surrogates, which JSON escapes."""

from __future__ import annotations

import json
from typing import Any

from tamis.core.errors import SnapshotError

__all__ = ["VERSION", "dump", "load"]

VERSION = 3
"""Raised when the fields change; `load` refuses what it cannot read."""


def dump(state: dict[str, Any]) -> bytes:
    """The bytes of a state made of JSON values."""
    return bytes([VERSION]) + json.dumps(state, separators=(",", ":")).encode("ascii")


def load(data: bytes) -> dict[str, Any]:
    """The state in `data`. Raises `SnapshotError` for anything else."""
    if not isinstance(data, bytes | bytearray) or not data:
        raise SnapshotError("a snapshot is the bytes that Session.snapshot() returned")
    if data[0] != VERSION:
        raise SnapshotError(f"this snapshot has version {data[0]}; this build reads version {VERSION}")
    try:
        state = json.loads(bytes(data[1:]))
    except ValueError:
        raise SnapshotError("the snapshot is damaged: it is no JSON behind its version byte") from None
    if not isinstance(state, dict) or "reader" not in state:
        raise SnapshotError("the snapshot is damaged: fields are missing")
    return state
