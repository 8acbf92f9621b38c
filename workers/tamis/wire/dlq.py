"""Records that are no chunk: bytes verbatim, with the error headers of KIP-1034 and no content in them."""

from __future__ import annotations

from tamis.wire.frames import FrameError

__all__ = ["dlq_headers"]

_PREFIX = "__streams.errors."


def dlq_headers(topic: str, partition: int, offset: int, error: FrameError) -> list[tuple[str, bytes]]:
    """Where the record stood and what was wrong with it; no stack trace, no content."""
    return [
        (_PREFIX + "topic", topic.encode()),
        (_PREFIX + "partition", str(partition).encode()),
        (_PREFIX + "offset", str(offset).encode()),
        (_PREFIX + "exception", type(error).__name__.encode()),
        (_PREFIX + "message", str(error).encode("utf-8", "replace")),
        ("tamis.reason", error.reason.encode()),
    ]
