"""Events to output records: values as the schemas say, deterministic ids, CloudEvents headers (binary mode)."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tamis.core.conversation.fabrications import Action, Advice
from tamis.core.events import Content, Event, FormatCandidate, HallucinatedResult, Reasoning, Reclassified, Rejection, ToolCall, TurnEnd
from tamis.core.feedback import error_line
from tamis.wire.codec import dumps
from tamis.wire.topics import Topic, topic_specs

__all__ = ["MAX_TIME_MS", "MAX_VALUE", "PARSER", "About", "Record", "common", "content_record", "event_record", "headers_of", "record_id"]

PARSER = "2"
"""Version of the rule set; raised when the same text may be read differently."""

MAX_TIME_MS = 253_402_300_799_999
"""The last millisecond that CloudEvents' time can say (year 9999); what a producer wrote beyond it is cut to it."""
MAX_VALUE = 1024 * 1024
"""Bytes of one output value: the topics take 1.5 MiB with key, headers and the batch's frame."""

Headers = list[tuple[str, bytes]]


@dataclass(slots=True)
class About:
    """What all records of one response share, and where the text stands that is being read."""

    session_id: str
    response_id: str
    choice: int
    turn: int | None
    provider: str | None
    model: str | None
    catalog: str | None
    partition: int
    first_offset: int
    last_offset: int = 0
    time_ms: int = 0
    traceparent: bytes | None = None
    source: str = "/tamis"


@dataclass(slots=True)
class Record:
    """One record to be written: topic, value, headers; the key is the session id."""

    topic: Topic
    value: bytes | None
    headers: Headers
    time_ms: int
    format: str | None = None


def common(about: About, content_offset: int) -> dict[str, Any]:
    """The fields that every output record has."""
    return {
        "session_id": about.session_id, "response_id": about.response_id, "choice": about.choice, "turn": about.turn,
        "content_offset": content_offset, "provider": about.provider, "model": about.model, "catalog": about.catalog,
        "time_ms": about.time_ms, "parser": PARSER,
        "source": {"partition": about.partition, "first_offset": about.first_offset, "last_offset": about.last_offset},
    }  # fmt: skip


def record_id(topic: Topic, about: About, *place: Any) -> str:
    """The id of a record (`ce_id`): the same event has the same one, whoever writes it and however often."""
    text = "\x1f".join((topic, about.session_id, about.response_id, str(about.choice), *map(str, place)))
    return base64.b32encode(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=15).digest()).decode()


def headers_of(topic: Topic, about: About, ce_id: str, label: str | None) -> Headers:
    """CloudEvents headers and those for filtering."""
    time = datetime.fromtimestamp(min(max(about.time_ms, 0), MAX_TIME_MS) / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    headers: Headers = [
        ("ce_specversion", b"1.0"),
        ("ce_id", ce_id.encode()),
        ("ce_type", str(topic_specs()[topic].ce_type).encode()),
        ("ce_source", f"{about.source}/raw-stream/{about.partition}".encode()),
        ("ce_subject", about.session_id.encode("utf-8", "replace")),
        ("ce_time", time.encode()),
        ("content-type", b"application/json"),
    ]
    for name, value in (("format", label), ("provider", about.provider), ("model", about.model)):
        if value is not None:
            headers.append((name, value[:256].encode("utf-8", "replace")))  # 256: headers are for filtering, the value has it whole
    if about.traceparent is not None:
        headers.append(("traceparent", about.traceparent))
    return headers


def content_record(about: About, kind: str, offset: int, text: str, content_offset: int) -> Record:
    """A piece of visible text or reasoning; `offset` counts characters of the same kind before it."""
    value = {"kind": kind, "offset": offset, "text": text, **common(about, content_offset)}
    ce_id = record_id(Topic.CONTENT, about, kind, offset, len(text))
    return Record(Topic.CONTENT, dumps(value), headers_of(Topic.CONTENT, about, ce_id, None), about.time_ms)


def event_record(event: Event, about: About, *, advice: Advice | None = None, chunks: int = 0, usage: Any = None, raw: bool = True) -> Record:
    """The record of any event but `Content` and `Reasoning`."""
    if isinstance(event, Content | Reasoning):
        raise TypeError("text goes through content_record")
    if isinstance(event, Reclassified):
        return content_record(about, "reclassify", 0, "", event.content_offset)
    topic, own, label = _own(event, advice, chunks, usage, raw)
    shared = {"ordinal": event.ordinal, **common(about, event.content_offset)}
    value = dumps({**own, **shared})
    if len(value) > MAX_VALUE:
        topic, own, label = _cut(topic, own, label)
        value = dumps({**own, **shared})
    return Record(topic, value, headers_of(topic, about, record_id(topic, about, event.ordinal), label), about.time_ms, label)


def _cut(topic: Topic, own: dict[str, Any], label: str | None) -> tuple[Topic, dict[str, Any], str | None]:
    """A record that no broker would take, without its longest parts: control characters take six bytes each in JSON."""
    if topic is Topic.TURNS:
        return topic, {**own, "usage": None}, label
    if topic is Topic.REJECTIONS:
        return topic, {**own, "raw": None, "available": own["available"][:100], "feedback": own["feedback"][:4000]}, label
    if topic is Topic.TOOL_CALLS:  # its arguments are bounded by the parser; what a repair changed may double them
        return topic, {**own, "repairs": [{**item, "before": None, "after": None} for item in own["repairs"]]}, label
    return topic, own, label


def _own(event: Event, advice: Advice | None, chunks: int, usage: Any, raw: bool) -> tuple[Topic, dict[str, Any], str | None]:
    if isinstance(event, ToolCall):
        repairs = [{"rule": item.rule, "path": item.path, "before": item.before, "after": item.after} for item in event.repairs]
        return Topic.TOOL_CALLS, {
            "id": event.id, "call_index": event.call_index, "name": event.name, "arguments": event.arguments,
            "emitted_name": event.emitted_name, "repairs": repairs, "gated": event.gated,
            "after_hallucination": event.after_hallucination, "format": event.format, "marker": event.marker, "rule": event.rule,
        }, event.format  # fmt: skip
    if isinstance(event, Rejection):
        return Topic.REJECTIONS, {
            "cause": str(event.cause), "emitted_name": event.name, "error": error_line(event.cause, event.detail),
            "available": list(event.available), "suggestions": list(event.suggestions), "hint": event.hint, "detail": event.detail,
            "feedback": event.feedback, "retryable": event.retryable, "raw": event.raw if raw else None, "format": event.format,
            "marker": event.marker, "rule": event.rule, "call_id": event.call_id,
        }, event.format  # fmt: skip
    if isinstance(event, HallucinatedResult):
        action, directive, total = advice or Advice(Action.SUPPRESS, None, event.count)
        return Topic.HALLUCINATIONS, {
            "count": event.count, "session_count": total, "markup": event.markup, "claims_tool": event.claims_tool,
            "claims_call_id": event.claims_call_id, "length": event.length, "sha256": event.sha256, "action": str(action),
            "directive": directive, "marker": event.marker, "rule": event.rule,
        }, None  # fmt: skip
    if isinstance(event, FormatCandidate):
        return Topic.FORMAT_CANDIDATES, {"shape": event.shape}, None
    if isinstance(event, TurnEnd):
        return Topic.TURNS, {
            "end": str(event.end), "finish_reason": event.finish_reason, "diagnosis": str(event.diagnosis), "calls": list(event.calls),
            "rejections": event.rejections, "hallucinations": event.hallucinations, "duplicates": event.duplicates,
            "content_chars": event.content_chars, "reasoning_chars": event.reasoning_chars, "chunks": chunks,
            "formats": dict(event.formats), "usage": usage,
        }, None  # fmt: skip
    raise TypeError(f"no topic takes {type(event).__name__}")
