"""Compiled JSON Schemas of the records; nothing here ever reaches out to the network."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs

from tamis.wire.topics import schema_folder, topic_specs

__all__ = ["problems", "schema", "validator"]


def _refuse(uri: str) -> Any:
    raise ValueError(f"remote reference {uri} is refused")


@cache
def schema(topic: str) -> dict[str, Any]:
    """The JSON Schema of a topic's records. Raises KeyError for a topic without one."""
    name = topic_specs()[topic].schema
    if name is None:
        raise KeyError(topic)
    loaded: dict[str, Any] = json.loads((schema_folder() / name).read_text(encoding="utf-8"))
    return loaded


@cache
def validator(topic: str) -> Any:
    """The compiled schema of a topic's records."""
    return jsonschema_rs.validator_for(schema(topic), retriever=_refuse)


def problems(topic: str, value: Any) -> list[str]:
    """What is wrong with a record of `topic`; empty when it is valid."""
    return [f"{'/'.join(map(str, error.instance_path)) or '$'}: {error.message}" for error in validator(topic).iter_errors(value)]
