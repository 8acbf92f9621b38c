"""What has to come out, computed from the input as it lies in the log, by `tamis.core` alone: no worker, no state, no batches.

Where the result depends on when something came (the version of a catalogue, results that a response had seen), every possible reading is
computed; the verdict asks for one of them, whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from crash.traffic import partition_of
from tamis.core import Content, End, Event, HallucinatedResult, Reasoning, Session
from tamis.core.conversation.calls import Published
from tamis.core.conversation.fabrications import Fabrications
from tamis.core.events import Reclassified, Rejection, ToolCall, TurnEnd
from tamis.wire.codec import dumps
from tamis.wire.messages import published, refusal_record, result_record
from tamis.wire.records import About, Record, event_record
from tamis.wire.results import read_result

__all__ = ["Identity", "Logged", "Reading", "expected"]

Identity = tuple[str, str]
"""Topic and `ce_id`."""
Place = tuple[str, str]
"""Session and response."""


@dataclass(frozen=True, slots=True)
class Logged:
    """One record as the log has it."""

    topic: str
    partition: int
    offset: int
    time_ms: int
    key: str
    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(slots=True)
class Reading:
    """One way in which a response may be read: its records by id, and its texts by (choice, kind)."""

    records: dict[Identity, Record] = field(default_factory=dict)
    texts: dict[tuple[int, str], str] = field(default_factory=dict)
    calls: list[Published] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Expect a record."""
        self.records[str(record.topic), dict(record.headers)["ce_id"].decode()] = record


class _Choice:
    """One choice under one reading."""

    def __init__(self, reading: Reading, about: About, session: Session) -> None:
        self.reading, self.about, self.session = reading, about, session
        self.chunks = 0
        self.seq: int | None = None
        self.open = True

    def take(self, events: Iterable[Event], fabrications: Fabrications) -> None:
        for event in events:
            if isinstance(event, Content | Reasoning):
                place = self.about.choice, "content" if isinstance(event, Content) else "reasoning"
                self.reading.texts[place] = self.reading.texts.get(place, "") + event.text
                continue
            advice = fabrications.observe(self.about.response_id, self.about.time_ms) if isinstance(event, HallucinatedResult) else None
            self.reading.add(event_record(event, self.about, advice=advice, chunks=self.chunks))
            if isinstance(event, ToolCall):
                self.reading.calls.append(published(event, self.about))
            elif isinstance(event, Rejection):
                self.reading.add(refusal_record(event, self.about))
            elif isinstance(event, TurnEnd):
                self.open = False
            else:
                assert isinstance(event, HallucinatedResult | Reclassified) or event.__class__.__name__ == "FormatCandidate"


class _Response:
    """One response under all its readings."""

    def __init__(self, session_id: str, start: dict[str, Any], options: list[dict[str, Any]], partition: int) -> None:
        self.session_id, self.start, self.options, self.partition = session_id, start, options, partition
        self.readings = [Reading() for _ in options]
        self.choices: dict[int, list[_Choice]] = {}
        self.over = False

    def apply(self, body: dict[str, Any], offset: int, time_ms: int, fabrications: Fabrications) -> None:
        if self.over:
            return
        kind, choice = body["kind"], body.get("choice")
        targets = [choice or 0] if kind == "delta" else [choice] if choice is not None else list(self.choices) or [0]
        for index in targets:
            for item in self._opened(index, offset, time_ms):
                seq = body.get("seq")
                if not item.open or (seq is not None and item.seq is not None and seq <= item.seq):
                    continue
                item.seq = item.seq if seq is None else seq
                item.about.last_offset, item.about.time_ms = offset, time_ms
                for events in _fed(item, body):
                    item.take(events, fabrications)
        self.over = kind in ("end", "abort")

    def _opened(self, index: int, offset: int, time_ms: int) -> list[_Choice]:
        if index not in self.choices:
            said, made = self.start, []
            for reading, option in zip(self.readings, self.options, strict=True):
                about = About(self.session_id, said["response_id"], index, said.get("turn"), said.get("provider"), said.get("model"),
                              said.get("catalog"), self.partition, offset, offset, time_ms)  # fmt: skip
                session = Session(option["tools"] or None, session_id=self.session_id, response_id=said["response_id"], choice=index,
                                  turn=said.get("turn"), policy=said.get("policy"), history=option["history"])  # fmt: skip
                made.append(_Choice(reading, about, session))
            self.choices[index] = made
        return self.choices[index]

    def idle(self, fabrications: Fabrications) -> None:
        """Nothing came any more."""
        for items in self.choices.values():
            for item in items:
                if item.open:
                    item.take(item.session.close(End.IDLE), fabrications)


def _fed(item: _Choice, body: dict[str, Any]) -> Iterable[list[Event]]:
    session, kind = item.session, body["kind"]
    if kind == "abort":
        yield session.close(End.ABORTED)
    elif kind == "end":
        yield session.finish(body.get("finish_reason"))
    else:
        said = [name for name in ("reasoning", "text") if name in body]
        for name in said:
            item.chunks += 1
            yield (session.receive if name == "text" else session.receive_reasoning)(body[name])
        for entry in body.get("tool_calls", ()):
            item.chunks += 1
            yield session.receive_delta(entry)


def expected(raw: list[Logged], results: list[Logged], catalogs: list[Logged]) -> tuple[dict[Place, list[Reading]], set[tuple[int, int]]]:
    """The possible readings of every response, and partition and offset of each input record that is no chunk."""
    versions: dict[str, list[Any]] = {}
    for record in catalogs:
        tools = json.loads(record.value)["tools"]
        if tools not in versions.setdefault(record.key, []):
            versions[record.key].append(tools)
    sessions: dict[str, list[Logged]] = {}
    broken: set[tuple[int, int]] = set()
    for record in sorted(raw, key=lambda item: (item.partition, item.offset)):
        if record.value[:1] != b"{":
            broken.add((record.partition, record.offset))
        else:
            sessions.setdefault(record.key, []).append(record)
    answers: dict[str, dict[tuple[str, int, str], Logged]] = {}
    for record in sorted(results, key=lambda item: (item.partition, item.offset)):
        body = json.loads(record.value)
        # the first answer to a call counts
        answers.setdefault(record.key, {}).setdefault((body["response_id"], body["choice"], body["call_id"]), record)
    made: dict[Place, list[Reading]] = {}
    for key, records in sessions.items():
        for name, readings in _session(key, records, answers.get(key, {}), versions).items():
            made[key, name] = readings
    return made, broken


def _session(
    key: str, records: list[Logged], answers: dict[tuple[str, int, str], Logged], versions: dict[str, list[Any]]
) -> dict[str, list[Reading]]:  # fmt: skip
    responses: dict[str, _Response] = {}
    fabrications = Fabrications()
    for record in records:
        body = json.loads(record.value)
        name = body["response_id"]
        if body["kind"] == "start":
            responses.setdefault(name, _Response(key, body, _options(body, responses, answers, versions), partition_of(key)))
        else:
            responses[name].apply(body, record.offset, record.time_ms, fabrications)
    for response in responses.values():
        if not response.over:
            response.idle(fabrications)
        for reading in response.readings:
            for call in reading.calls:
                found = answers.get((call.response_id, call.choice, call.id))
                if found is not None:
                    reading.add(result_record(call, read_result(found.value), key, partition_of(key), found.time_ms, "/tamis"))
    return {name: response.readings for name, response in responses.items()}


def _options(
    start: dict[str, Any], before: dict[str, _Response], answers: dict[tuple[str, int, str], Logged], versions: dict[str, list[Any]]
) -> list[dict[str, Any]]:  # fmt: skip
    """What a response may have been read with: each version of its catalogue, each history of results that it may have seen."""
    if start.get("catalog") and not start.get("tools"):
        return [{"tools": tools, "history": []} for tools in versions.get(start["catalog"], [])]
    histories: list[list[dict[str, Any]]] = [[]]
    if start.get("policy"):
        calls = {(call.response_id, call.choice, call.id): call for item in before.values() for call in item.readings[0].calls}
        for place, record in answers.items():
            if place in calls:
                value = json.loads(record.value)["result"]
                content = value if isinstance(value, str) else dumps(value).decode()
                message = {"role": "tool", "tool_call_id": place[2], "name": calls[place].name, "content": content}
                histories.append([*histories[-1], message])
    return [{"tools": start.get("tools"), "history": history} for history in histories]
