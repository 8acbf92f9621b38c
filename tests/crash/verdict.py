"""Output records against what had to come: missing, wrong, unexpected, and how many came more than once."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from crash.oracle import Identity, Logged, Place, Reading

__all__ = ["Verdict", "judge"]

_DLQ = "raw-stream.dlq"


@dataclass(slots=True)
class Verdict:
    """Counts by identity; `duplicates` counts records. `reasons` tell of each fault."""

    expected: int = 0
    missing: int = 0
    wrong: int = 0
    unexpected: int = 0
    duplicates: int = 0
    reasons: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every record came, as it had to."""
        return not (self.missing or self.wrong or self.unexpected)

    def __str__(self) -> str:
        return (f"{self.expected} expected, {self.missing} missing, {self.wrong} wrong, {self.unexpected} unexpected, "
                f"{self.duplicates} duplicates")  # fmt: skip

    def add(self, other: Verdict) -> None:
        """Sum up."""
        for name in ("expected", "missing", "wrong", "unexpected", "duplicates"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def tell(self, kind: str, what: str) -> None:
        """One fault."""
        setattr(self, kind, getattr(self, kind) + 1)
        self.reasons.append(f"{kind}: {what}")


@dataclass(slots=True)
class _Seen:
    """What came of one response."""

    records: dict[Identity, Logged] = field(default_factory=dict)
    texts: dict[tuple[int, str], list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))


def judge(outputs: list[Logged], readings: dict[Place, list[Reading]], broken: set[tuple[int, int]]) -> Verdict:
    """The verdict on one run; `outputs` in the order of each partition's log."""
    verdict = Verdict()
    seen: dict[Place, _Seen] = defaultdict(_Seen)
    letters: dict[tuple[int, int], bytes] = {}
    last: dict[Any, int] = {}
    for record in outputs:
        if record.topic == _DLQ:
            _letter(record, letters, broken, verdict)
            continue
        value = json.loads(record.value)
        found = seen[value["session_id"], value["response_id"]]
        ce_id = dict(record.headers)["ce_id"].decode()
        if record.topic == "content" and value["kind"] != "reclassify":
            pieces = found.texts[value["choice"], value["kind"]]
            verdict.duplicates += any(value["offset"] < at + len(text) for at, text in pieces)  # a replay may cut a text elsewhere
            pieces.append((value["offset"], value["text"]))
            continue
        first = found.records.get((record.topic, ce_id))
        if first is not None:
            verdict.duplicates += 1
            if (first.value, first.headers) != (record.value, record.headers):
                verdict.tell("wrong", f"{_name(record, value)} came twice, differently: {_difference(first.value, record.value)}")
            continue
        found.records[record.topic, ce_id] = record
        if record.topic != "tool-messages" and "ordinal" in value:  # an answer comes whenever it was given
            line = record.topic, value["session_id"], value["response_id"], value["choice"]
            if value["ordinal"] <= last.get(line, -1):
                verdict.tell("wrong", f"{_name(record, value)} came behind ordinal {last[line]}")
            last[line] = max(last.get(line, -1), value["ordinal"])
    verdict.expected += len(broken)
    for place in sorted(broken - letters.keys()):
        verdict.tell("missing", f"dead letter of record {place}")
    for place, options in readings.items():
        _response(place, options, seen.pop(place, _Seen()), verdict)
    for place, found in seen.items():
        for record in found.records.values():
            verdict.tell("unexpected", _name(record, json.loads(record.value)))
        for stream in found.texts:
            verdict.tell("unexpected", f"text {place} {stream}")
    return verdict


def _letter(record: Logged, letters: dict[tuple[int, int], bytes], broken: set[tuple[int, int]], verdict: Verdict) -> None:
    told = dict(record.headers)
    place = int(told["__streams.errors.partition"]), int(told["__streams.errors.offset"])
    if told["__streams.errors.topic"] != b"raw-stream" or place not in broken:
        verdict.tell("unexpected", f"dead letter of {told['__streams.errors.topic'].decode()} {place}: {told['tamis.reason'].decode()}")
    elif place not in letters:
        letters[place] = record.value
    else:
        verdict.duplicates += 1
        if letters[place] != record.value:
            verdict.tell("wrong", f"dead letter of {place} came twice, differently")


def _response(place: Place, options: list[Reading], seen: _Seen, verdict: Verdict) -> None:
    """Hold what came of a response against the reading that fits it best: all of it has to be of one."""
    tried = []
    for reading in options:
        one = Verdict(expected=len(reading.records) + len(reading.texts))
        for identity, record in reading.records.items():
            got = seen.records.get(identity)
            if got is None:
                one.tell("missing", f"{identity[0]} of {place}: {(record.value or b'').decode()[:150]}")
            elif (got.value, got.headers) != (record.value, tuple(record.headers)):
                one.tell("wrong", f"{identity[0]} of {place}: {_difference(record.value or b'', got.value)}")
        for identity, got in seen.records.items():
            if identity not in reading.records:
                one.tell("unexpected", _name(got, json.loads(got.value)))
        for stream, text in reading.texts.items():
            _text(f"{place} {stream}", text, seen.texts.get(stream, []), one)
        for stream in seen.texts.keys() - reading.texts.keys():
            one.tell("unexpected", f"text {place} {stream}")
        tried.append(one)
    best = min(tried, key=lambda one: len(one.reasons))
    verdict.add(best)
    verdict.reasons += best.reasons


def _text(name: str, wanted: str, pieces: list[tuple[int, str]], verdict: Verdict) -> None:
    """A text as a consumer puts it together: of each piece what lies beyond what it has."""
    have = 0
    for at, text in pieces:
        if wanted[at : at + len(text)] != text:
            verdict.tell("wrong", f"text {name} at {at}: {text[:60]!r} instead of {wanted[at : at + len(text)][:60]!r}")
            return
        if at > have:
            verdict.tell("wrong", f"text {name}: a piece begins at {at}, behind a hole from {have} on")
            return
        have = max(have, at + len(text))
    if have < len(wanted):
        verdict.tell("missing", f"text {name} from {have} of {len(wanted)}")


def _name(record: Logged, value: dict[str, Any]) -> str:
    return f"{record.topic} {record.partition}/{record.offset} of {value['session_id']} {value['response_id']} ordinal {value.get('ordinal')}"


def _difference(one: bytes, other: bytes) -> str:
    """The first fields in which two records differ."""
    first, second = json.loads(one), json.loads(other)
    differing = [f"{key}: {str(first.get(key))[:80]} / {str(second.get(key))[:80]}" for key in first | second if first.get(key) != second.get(key)]
    return "; ".join(differing[:3]) or "headers"
