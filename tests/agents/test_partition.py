"""What records do to a partition: no broker, the records as a consumer would hand them over."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from harness import CALL, TOOLS, response
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.agents.changelog import Rows, partition_of
from tamis.agents.partition import Partition
from tamis.agents.sessions import Surroundings
from tamis.core.errors import SnapshotError
from tamis.wire.records import Record


@dataclass
class Raw:
    """The parts of a consumed record that are used."""

    offset: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]] = field(default_factory=list)
    timestamp: int = 1_700_000_000_000


def raws(*values: Any, key: bytes | None = b"s", start: int = 0, headers: Any = ()) -> list[Raw]:
    data = [value if isinstance(value, bytes | None) else json.dumps(value).encode() for value in values]
    return [Raw(start + at, key, value, list(headers)) for at, value in enumerate(data)]


def made(out: list[tuple[bytes, Record]], topic: str) -> list[Any]:
    return [json.loads(record.value) for _, record in out if record.topic == topic]


def partition(**options: Any) -> Partition:
    return Partition(0, 1, Surroundings(**options))


def restored(part: Partition) -> Partition:
    """The partition as another worker reads it back."""
    again = Partition(part.number, part.partitions, part.around, part.next)
    again.shelf.load({row.key: row.value for row in part.shelf.everything() if row.value is not None})
    return again


def test_a_response_gives_its_calls_before_its_end() -> None:
    part = partition()
    records = raws(*response("r", CALL))
    early = part.work(records[:-1])
    assert [item["name"] for item in made(early, "tool-calls")] == ["get_tide"]
    assert made(early, "turns") == []
    assert made(part.work(records[-1:]), "turns")[0]["end"] == "finished"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 29), max_size=6))
def test_a_restored_partition_goes_on_as_if_nothing_had_happened(cuts: list[int]) -> None:
    records = raws(*response("r", CALL + "and <think>more</think>\n" + CALL))
    whole = partition().work(records)
    part, out, last = partition(), [], 0
    for cut in [*sorted(set(cuts)), len(records)]:
        if records[last:cut]:
            out += part.work(records[last:cut])
        part, last = restored(part), cut
        assert part.work(records[:cut]) == [], "records at or before the snapshot are replays"
    for topic in ("tool-calls", "turns"):
        assert [item.value for _, item in out if item.topic == topic] == [item.value for _, item in whole if item.topic == topic]
    for kind in ("content", "reasoning"):
        texts = [[item["text"] for item in made(source, "content") if item["kind"] == kind] for source in (out, whole)]
        assert "".join(texts[0]) == "".join(texts[1])


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Raw(0, None, b"{}"), "no_key"),
        (Raw(0, b"", b"{}"), "bad_key"),
        (Raw(0, b"x" * 257, b"{}"), "bad_key"),
        (Raw(0, b"\xff", b"{}"), "bad_key"),
        (Raw(0, b"s", None), "no_value"),
        (Raw(0, b"s", b"nope"), "not_json"),
        (Raw(0, b"s", b"[1]"), "not_a_chunk"),
        (Raw(0, b"s", b'{"kind": "shout"}'), "not_a_chunk"),
        (Raw(0, b"s", b'{"kind": "delta", "text": 5}'), "bad_field"),
        (Raw(0, b"s", b'{"kind": "start", "tools": [{}]}'), "bad_tools"),
        (Raw(0, b"s", b"{}", [("x-wire", b"morse")]), "unknown_wire"),
    ],
)
def test_what_is_no_chunk_goes_to_the_dead_letters_verbatim(record: Raw, reason: str) -> None:
    ((key, dead),) = partition().work([record])
    assert key == record.key
    assert dead.topic == "raw-stream.dlq"
    assert dead.value == record.value
    headers = dict(dead.headers)
    assert headers["tamis.reason"] == reason.encode()
    assert headers["__streams.errors.offset"] == b"0"


def test_a_dead_record_ends_the_responses_of_its_session_and_of_no_other() -> None:
    part = partition()
    part.work([*raws(*response("r", CALL, end=False)), *raws(*response("r", CALL, end=False), key=b"t", start=40)])
    out = part.work(raws(b"broken", start=90))
    (turn,) = made(out, "turns")
    assert (turn["session_id"], turn["end"]) == ("s", "incomplete")
    assert part.sessions[b"t"].responses


def test_late_double_and_missing_records() -> None:
    seen: list[tuple[str, ...]] = []
    part = partition(observe=lambda *event: seen.append(event) if event[0] == "duplicate" else None)
    records = response("r", CALL)
    doubled = [*records[:6], records[5], *records[6:]]
    out = part.work(raws(*doubled))
    assert made(out, "turns")[0]["end"] == "finished"
    assert part.work(raws({"v": 1, "kind": "delta", "response_id": "r", "seq": 90, "text": "late"}, start=90)) == []
    assert seen == [("duplicate", "seq"), ("duplicate", "late")]
    holed = [item for item in response("q", CALL) if item.get("seq") != 9]
    out = part.work(raws(*holed, start=100))
    assert made(out, "turns")[0]["end"] == "incomplete"
    assert "sequence_gap" in [item["cause"] for item in made(out, "rejections")]
    assert made(out, "tool-calls") == []


def test_which_response_is_meant_when_none_is_named() -> None:
    part = partition()
    part.work(raws({"v": 1, "kind": "delta", "text": "a"}, {"v": 1, "kind": "delta", "text": "b"}))
    assert list(part.sessions[b"s"].responses) == ["auto-0-0"]
    out = part.work(raws({"v": 1, "kind": "delta", "response_id": "x", "text": "c"}, {"v": 1, "kind": "delta", "text": "d"}, start=2))
    assert [record.topic for _, record in out if record.topic == "raw-stream.dlq"] == ["raw-stream.dlq"]


def test_headers_win_over_the_body() -> None:
    headers = [("x-provider", b"groq"), ("x-response-id", b"mine"), ("traceparent", b"00-1-2-01")]
    out = partition().work(raws(*response("r", CALL), headers=headers))
    (call,) = made(out, "tool-calls")
    assert (call["provider"], call["response_id"]) == ("groq", "mine")
    record = next(record for _, record in out if record.topic == "tool-calls")
    assert dict(record.headers)["traceparent"] == b"00-1-2-01"


def test_aborted_and_failed_responses_complete_nothing() -> None:
    cut = CALL[:-30]
    for last, end in (({"v": 1, "kind": "abort", "response_id": "r"}, "aborted"), ({"error": {"type": "overloaded"}, "id": "r"}, "error")):
        out = partition().work(raws(*response("r", cut, end=False), last))
        assert made(out, "turns")[0]["end"] == end
        assert made(out, "tool-calls") == []
        assert "truncated" in [item["cause"] for item in made(out, "rejections")]


def test_idle_is_decided_first_and_ended_from_the_decision() -> None:
    part = partition()
    part.work(raws(*response("r", CALL[:20], end=False)))
    assert part.idle(0.0)
    assert not part.idle(0.0), "decided once"
    again = restored(part).sessions[b"s"]
    texts = []
    for state in (part.sessions[b"s"], again):
        out: list[Record] = []
        state.end_doomed(out)
        texts.append([record.value for record in out])
    assert texts[0] == texts[1]
    assert json.loads(texts[0][-1])["end"] == "idle"


def test_a_row_larger_than_a_record_is_split_and_joined_and_half_of_it_is_none() -> None:
    import random

    row = random.Random(5).randbytes(2_500_000)
    writer = Rows(3)
    records = writer.write(b"key", row)
    rows = {row.key: row.value for row in records if row.value is not None}
    assert len(records) == 4
    assert max(len(value) for value in rows.values()) < 1_000_000
    assert Rows(3).read(b"key", rows[b"key"], rows) == row
    assert partition_of(rows[b"key"]) == 3
    half = {**rows, **{item.key: item.value for item in writer.write(b"key", row[::-1])[:-1] if item.value is not None}}  # died before the next index
    assert Rows(3).read(b"key", half[b"key"], half) == row, "the last whole row stays readable"
    assert {item.key for item in writer.bury(b"key")} >= set(half)
    del rows[records[1][0]]
    with pytest.raises(SnapshotError, match="missing"):
        Rows(3).read(b"key", rows[b"key"], rows)
    short = writer.write(b"key", b"short")[0][1]
    assert short is not None
    assert Rows(3).read(b"key", short, {}) == b"short"


def test_rows_of_another_version_are_refused_by_name() -> None:
    with pytest.raises(SnapshotError, match="version"):
        partition().shelf.load({b"s": b"\0\0\0\xfe\x00"})


def test_a_call_too_long_for_a_record_is_refused_and_its_turn_does_not_list_it() -> None:
    text = '<invoke name="get_tide"><parameter name="port">' + "\x01" * 200_000 + "</parameter></invoke>" + CALL
    out = partition().work(raws(*response("r", text, size=50_000)))
    assert [item["cause"] for item in made(out, "rejections")] == ["limit_exceeded"]
    (turn,) = made(out, "turns")
    assert turn["calls"] == [item["id"] for item in made(out, "tool-calls")]
    assert len(turn["calls"]) == 1
    assert turn["end"] == "finished"


def test_tools_win_over_a_catalog_id_and_an_id_alone_refuses_every_call() -> None:
    both = partition().work(raws(*response("r", CALL, catalog="c")))
    assert made(both, "tool-calls")[0]["gated"] is True
    alone = [{key: value for key, value in item.items() if key != "tools"} for item in response("r", CALL, catalog="c")]
    part = partition()
    assert part.work(raws(*alone)) == [], "it waits for the catalogue"
    out = part.resume(seconds=0)
    assert [item["cause"] for item in made(out, "rejections")] == ["catalog_unavailable"]
    assert TOOLS
