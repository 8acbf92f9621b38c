"""The topics, read from `schemas/topics.yaml`: the file is the contract, this module only serves it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import yaml

__all__ = ["CHANGELOG", "Topic", "TopicSpec", "schema_folder", "topic_specs"]

CHANGELOG = "tamis-sessions-changelog"
"""Entry of the changelog in topics.yaml; the real name begins with the application id."""


class Topic(StrEnum):
    """Logical names of the public topics; a configured prefix comes in front of them on the broker."""

    RAW_STREAM = "raw-stream"
    TOOL_RESULTS = "tool-results"
    TOOL_CATALOG = "tool-catalog"
    TOOL_CALLS = "tool-calls"
    REJECTIONS = "rejections"
    HALLUCINATIONS = "hallucinations"
    CONTENT = "content"
    TURNS = "turns"
    TOOL_MESSAGES = "tool-messages"
    FORMAT_CANDIDATES = "format-candidates"
    DLQ = "raw-stream.dlq"


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """One topic as it must be on the broker. `partitions` None: as many as the setting says for session topics."""

    name: str
    partitions: int | None
    config: dict[str, str]
    ce_type: str | None
    schema: str | None

    def count(self, session_partitions: int) -> int:
        """How many partitions this topic must have."""
        return session_partitions if self.partitions is None else self.partitions


def schema_folder() -> Path:
    """Where the schemas are: inside an installed package, or beside `workers/` in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "schemas", package.parent.parent / "schemas"):
        if (folder / "topics.yaml").is_file():
            return folder
    raise FileNotFoundError("schemas/topics.yaml is missing: the installation is damaged, install tamis again")


@cache
def topic_specs() -> dict[str, TopicSpec]:
    """All topics by logical name, the changelog among them."""
    read: dict[str, Any] = yaml.safe_load((schema_folder() / "topics.yaml").read_text(encoding="utf-8"))
    found: dict[str, TopicSpec] = {}
    for name, entry in read["topics"].items():
        config = {"cleanup.policy": entry["cleanup"], "message.timestamp.type": entry["timestamp_type"],
                  "max.message.bytes": str(entry["max_message_bytes"])}  # fmt: skip
        if entry["retention_ms"] is not None:
            config["retention.ms"] = str(entry["retention_ms"])
        config.update({key: str(value) for key, value in (entry.get("config") or {}).items()})
        partitions = None if entry["partitions"] == "session" else int(entry["partitions"])
        found[name] = TopicSpec(name, partitions, config, entry["ce_type"], entry["schema"])
    return found
