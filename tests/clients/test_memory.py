"""What a consumer drops and keeps, of ids and of text."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest
import yaml

from helpers import ROOT
from tamis.clients.memory import SeenIds, SeenText, memory_for
from tamis.clients.place import Place
from tamis.clients.received import OUTPUTS, Received, decode
from tamis.wire.dlq import dlq_headers
from tamis.wire.frames import FrameError, Reason
from tamis.wire.records import About, content_record
from tamis.wire.topics import Topic


class Raw:
    """A record as the client library gives it."""

    def __init__(
        self, offset: int, value: bytes | None, headers: list[tuple[str, bytes]], key: bytes | None = b"s", topic: str = "tool-calls"
    ) -> None:
        self.offset, self.value, self.headers, self.key, self.topic = offset, value, headers, key, topic
        self.partition, self.timestamp = 0, 1_700_000_000_000


def event(number: int, offset: int = 0) -> Raw:
    return Raw(offset, b'{"n": %d}' % number, [("ce_id", b"id-%d" % number)])


def text(kind: str, offset: int, piece: str, *, response: str = "r", content_offset: int | None = None) -> Received:
    about = About("s", response, 0, None, None, None, None, 0, 0)
    made = content_record(about, kind, offset, piece, offset if content_offset is None else content_offset)
    return decode(Topic.CONTENT, Raw(0, made.value, made.headers))


def test_outputs_are_those_of_the_contract() -> None:
    entries = yaml.safe_load((ROOT / "schemas" / "topics.yaml").read_text("utf-8"))["topics"]
    assert {topic for topic in Topic if entries[topic]["direction"] == "out"} == OUTPUTS


def test_the_first_record_of_an_id_wins_and_one_without_id_is_never_dropped() -> None:
    memory = SeenIds(10)
    first, second = (decode(Topic.TOOL_CALLS, event(number)) for number in (1, 2))
    assert [memory.take(item) for item in (first, second, first, second)] == [first, second, None, None]
    foreign = decode(Topic.TOOL_CALLS, Raw(0, b"{}", []))
    assert [memory.take(foreign), memory.take(foreign)] == [foreign, foreign]


def test_ids_need_no_order() -> None:
    memory = SeenIds(100)
    numbers = random.Random(3).sample(range(50), 50)
    taken = [memory.take(decode(Topic.TOOL_MESSAGES, event(number))) for number in (*numbers, *reversed(numbers))]
    assert [item is not None for item in taken] == [True] * 50 + [False] * 50


def test_the_memory_is_bounded_and_a_copy_that_came_again_counts_as_young() -> None:
    memory = SeenIds(3)
    for number in (1, 2, 3):
        memory.take(decode(Topic.TOOL_CALLS, event(number)))
    assert memory.take(decode(Topic.TOOL_CALLS, event(1))) is None
    memory.take(decode(Topic.TOOL_CALLS, event(4)))
    assert len(memory) == 3
    assert memory.take(decode(Topic.TOOL_CALLS, event(1))) is None
    assert memory.take(decode(Topic.TOOL_CALLS, event(2))) is not None


@pytest.mark.parametrize("topic", [Topic.TOOL_CALLS, Topic.CONTENT])
def test_a_full_memory_takes_less_than_300_bytes_an_entry(topic: Topic) -> None:
    size = 1_000
    tracemalloc.start()
    memory = memory_for(topic, size)
    for number in range(2 * size):
        if topic is Topic.CONTENT:
            memory.take(text("content", 0, "piece", response=f"{number}-" + "long" * 100))
        else:
            memory.take(decode(topic, Raw(0, b"{}", [("ce_id", b"id-%d" % number + b"long" * 100)])))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(memory) == size
    assert taken < 300 * size


def test_a_dead_letter_is_known_by_its_place_not_by_an_id_that_its_input_had() -> None:
    error = FrameError(Reason.NOT_JSON, "x")

    def letter(offset: int, topic: str = "raw-stream") -> Received:
        copied = [("ce_id", b"the producer's"), ("__streams.errors.offset", b"7")]
        return decode(Topic.DLQ, Raw(0, b"\xff no chunk", [*copied, *dlq_headers(topic, 0, offset, error)]))

    memory = SeenIds(10)
    assert letter(1).value == b"\xff no chunk"
    taken = [memory.take(item) for item in (letter(1), letter(2), letter(1, "tool-results"), letter(1))]
    assert [item is not None for item in taken] == [True, True, True, False]


def test_text_is_cut_to_what_is_new() -> None:
    memory = SeenText(10)
    assert memory.take(text("content", 0, "Look")) is not None
    again = memory.take(text("content", 2, "oking."))
    assert again is not None
    assert (again.value["offset"], again.value["text"], again.value["content_offset"]) == (4, "ing.", 4)
    assert memory.take(text("content", 0, "Looking.")) is None
    thought = memory.take(text("reasoning", 0, "Hm", content_offset=8))
    assert thought is not None
    more = memory.take(text("reasoning", 1, "m, yes", content_offset=8))
    assert more is not None
    assert (more.value["text"], more.value["content_offset"]) == (", yes", 8)  # reasoning moves no place in the content


def test_a_stream_begins_where_its_first_record_says_and_a_hole_is_handed_on() -> None:
    memory = SeenText(10)
    late = text("content", 120, "end of it")
    assert memory.take(late) is late
    hole = text("content", 200, "beyond")
    assert memory.take(hole) is hole
    assert memory.take(text("content", 120, "end of it")) is None


def test_a_reclassification_is_told_once_at_its_place() -> None:
    memory = SeenText(10)
    memory.take(text("content", 0, "a thought"))
    turn = text("reclassify", 0, "", content_offset=9)
    assert memory.take(turn) is turn
    memory.take(text("content", 9, "Brest."))
    assert memory.take(turn) is None


@pytest.mark.parametrize("seed", range(50))
def test_any_cut_of_a_replay_gives_the_text_once(seed: int) -> None:
    rng = random.Random(seed)
    whole = {name: "".join(rng.choices("ab cdé🐟", k=rng.randint(1, 60))) for name in ("r1", "r2", "r3")}
    memory, got = SeenText(10), dict.fromkeys(whole, "")
    at = dict.fromkeys(whole, 0)
    while any(at[name] < len(whole[name]) for name in whole):
        name = rng.choice([name for name in whole if at[name] < len(whole[name])])
        if rng.random() < 0.3:
            at[name] = rng.randint(0, at[name])  # another worker begins again, and cuts elsewhere
        piece = whole[name][at[name] : at[name] + rng.randint(1, 9)]
        new = memory.take(text("content", at[name], piece, response=name))
        at[name] += len(piece)
        if new is not None:
            assert new.value["offset"] == len(got[name])
            got[name] += new.value["text"]
    assert got == whole


def test_records_that_others_wrote_are_handed_on_or_skipped() -> None:
    odd: Any = decode(Topic.CONTENT, Raw(0, b'{"text": 5}', []))
    assert SeenText(3).take(odd) is odd
    place = Place(Topic.TOOL_CALLS, 0, 10)
    assert place.take(Raw(0, b"\xff", [])) is None
    assert place.take(Raw(1, None, [])) is None
    assert place.take(Raw(2, b"[]", [])) is None
    assert place.done == 3  # they count as handled: one of them must not stop a partition


def test_what_was_committed_is_read_to_be_remembered_only() -> None:
    place = Place(Topic.TOOL_CALLS, live=12, remember=10)
    assert (place.start, place.done) == (2, 12)
    for offset in range(2, 12):
        assert place.take(event(offset, offset)) is None
    assert place.done == 12
    assert place.take(event(5, 12)) is None
    assert place.done == 13
    new = place.take(event(50, 13))
    assert new is not None
    assert place.done == 13  # in the hand: not handled yet
    place.handled(new)
    assert place.done == 14
    assert place.take(event(99, 13)) is None  # fetched before the position was set: it has been taken
    assert place.done == 14


def test_a_topic_that_was_made_anew_is_read_from_its_beginning() -> None:
    place = Place(Topic.TOOL_CALLS, live=1_000, remember=10)
    assert place.take(event(1, 0)) is not None
    assert place.take(event(2, 1)) is not None
