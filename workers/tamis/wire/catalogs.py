"""One record of `tool-catalog`: the tools of one catalogue id."""

from __future__ import annotations

from typing import Any

from tamis.wire.codec import loads
from tamis.wire.frames import FrameError, Reason

__all__ = ["read_catalog", "read_catalog_id"]

_MAX_ID = 256  # bytes, as of every key


def read_catalog_id(key: bytes | None) -> str:
    """The catalogue id of a record's key. Raises `FrameError`."""
    if not key:
        raise FrameError(Reason.NO_KEY, "the record has no key; the key is the catalogue id")
    if len(key) > _MAX_ID:
        raise FrameError(Reason.BAD_KEY, f"the key must have 1 to {_MAX_ID} bytes")
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise FrameError(Reason.BAD_KEY, "the key is no UTF-8") from None


def read_catalog(value: bytes) -> dict[str, Any]:
    """What a record declares: tools, namespaces, aliases, policy. Raises `FrameError`; whether the tools can be used is not looked at here."""
    try:
        body = loads(value)
    except ValueError:
        raise FrameError(Reason.NOT_JSON, "the value is no JSON") from None
    if not isinstance(body, dict) or body.get("v") != 1:
        raise FrameError(Reason.BAD_FIELD, "the value must be a JSON object with field 'v' equal to 1")
    tools = body.get("tools")
    if not isinstance(tools, list) or not tools:
        raise FrameError(Reason.BAD_TOOLS, "field 'tools' must be a list with at least one declaration; a tombstone removes a catalogue")
    found: dict[str, Any] = {"tools": tools}
    namespaces, aliases, policy = body.get("namespaces"), body.get("aliases"), body.get("policy")
    if namespaces:
        if not isinstance(namespaces, list) or not all(isinstance(item, str) for item in namespaces):
            raise FrameError(Reason.BAD_FIELD, "field 'namespaces' must be a list of strings")
        found["namespaces"] = namespaces
    if aliases:
        if not isinstance(aliases, dict) or not all(isinstance(item, str) for item in aliases.values()):
            raise FrameError(Reason.BAD_FIELD, "field 'aliases' must map other names to declared ones")
        found["aliases"] = aliases
    if policy:
        if not isinstance(policy, dict):
            raise FrameError(Reason.BAD_FIELD, "field 'policy' must be an object")
        found["policy"] = policy
    return found
