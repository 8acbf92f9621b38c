"""The source paper's generator: a stream of (kind, payload) pairs in, the same stream with clean content and recovered calls out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from tamis.core.errors import UsageError
from tamis.core.events import Content, Event, HallucinatedResult, Reasoning, Rejection, ToolCall
from tamis.core.session import Session

__all__ = ["wrap", "wrap_sync"]

Pair = tuple[str, Any]


def _delta(call: ToolCall) -> str:
    function = {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}
    delta = {"index": call.call_index, "id": call.id, "type": "function", "function": function, "format": call.format}
    return json.dumps([delta], ensure_ascii=False)


def _rejection(event: Rejection) -> str:
    return json.dumps(
        {"cause": str(event.cause), "name": event.name, "detail": event.detail, "feedback": event.feedback, "retryable": event.retryable,
         "suggestions": event.suggestions},
        ensure_ascii=False,
    )  # fmt: skip


def _pairs(events: list[Event]) -> Iterator[Pair]:
    for event in events:
        if isinstance(event, Content):
            yield "content", event.text
        elif isinstance(event, Reasoning):
            yield "reasoning", event.text
        elif isinstance(event, ToolCall):
            if event.format != "native":  # a native delta has left already, unchanged
                yield "tool_call_delta", _delta(event)
        elif isinstance(event, Rejection):
            yield "rejection", _rejection(event)
        elif isinstance(event, HallucinatedResult):
            yield "hallucinated_results_detected", json.dumps({"count": event.count})


class _Wrapper:
    """One pair in, the pairs that leave for it out."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def take(self, pair: Pair) -> Iterator[Pair]:
        try:
            kind, payload = pair
        except (TypeError, ValueError):
            raise UsageError("the stream must yield (kind, payload) pairs") from None
        session = self.session
        if kind == "content":
            yield from _pairs(session.receive(payload))
        elif kind == "tool_call_delta":
            yield kind, payload
            yield from self._native(payload)
        elif kind == "finish":
            if not session.ended:
                yield from _pairs(session.finish(payload))
            yield kind, payload
        else:
            yield kind, payload

    def _native(self, payload: Any) -> Iterator[Pair]:
        try:
            entries = json.loads(payload) if isinstance(payload, str) else payload
        except ValueError:
            return  # not ours to judge: it has left unchanged
        for entry in entries if isinstance(entries, list) else [entries]:
            if isinstance(entry, dict):
                yield from _pairs(self.session.receive_delta(entry))

    def rest(self) -> Iterator[Pair]:
        """The stream ran out without a finish: nothing is completed by that."""
        if not self.session.ended:
            yield from _pairs(self.session.finish("aborted"))


async def wrap(stream: AsyncIterable[Pair], tools: Iterable[dict[str, Any]] | None = None, **keywords: Any) -> AsyncIterator[Pair]:
    """Clean a stream of ("content", str), ("tool_call_delta", json) and ("finish", reason) pairs; anything else passes untouched.

    Yields ("content", str), ("reasoning", str), ("tool_call_delta", json list), ("hallucinated_results_detected", json) and
    ("rejection", json). Keywords as for `Session`.
    """
    wrapper = _Wrapper(Session(tools, **keywords))
    async for pair in stream:
        for out in wrapper.take(pair):
            yield out
    for out in wrapper.rest():
        yield out


def wrap_sync(stream: Iterable[Pair], tools: Iterable[dict[str, Any]] | None = None, **keywords: Any) -> Iterator[Pair]:
    """`wrap` for plain iterators."""
    wrapper = _Wrapper(Session(tools, **keywords))
    for pair in stream:
        yield from wrapper.take(pair)
    yield from wrapper.rest()
