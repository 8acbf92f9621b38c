"""Recordings: which values count as accepted, how calls are matched, and what a bad line is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tamis.core import parse
from tamis.core.recordings import Outcome, RecordingError, compare, is_recording, load_recordings, outcome

WANT = [{"name": "moor", "arguments": {"port": ["Brest", "Port of Brest"], "nights": [2], "crew": ["", 4]}}]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("moor", {"port": "Brest", "nights": 2})], Outcome.RIGHT),
        ([("moor", {"port": "port of BREST.", "nights": 2.0, "crew": 4})], Outcome.RIGHT),
        ([], Outcome.NO_CALL),
        ([("moor", {"port": "Brest", "nights": 2})] * 2, Outcome.TOO_MANY),
        ([("sail", {"port": "Brest", "nights": 2})], Outcome.WRONG_NAME),
        ([("moor", {"port": "Oban", "nights": 2})], Outcome.WRONG_ARGUMENTS),
        ([("moor", {"port": "Brest"})], Outcome.WRONG_ARGUMENTS),
        ([("moor", {"port": "Brest", "nights": "2"})], Outcome.WRONG_ARGUMENTS),
        ([("moor", {"port": "Brest", "nights": True})], Outcome.WRONG_ARGUMENTS),
        ([("moor", {"port": "Brest", "nights": 2, "flag": 1})], Outcome.WRONG_ARGUMENTS),
    ],
)
def test_one_wanted_call(calls: list[tuple[str, dict[str, Any]]], expected: Outcome) -> None:
    assert compare(WANT, calls) is expected


def test_calls_are_matched_free_of_order_and_each_once() -> None:
    want = [{"name": "f", "arguments": {"a": [1, 2]}}, {"name": "f", "arguments": {"a": [1]}}]
    assert compare(want, [("f", {"a": 1}), ("f", {"a": 2})]) is Outcome.RIGHT
    assert compare(want, [("f", {"a": 2}), ("f", {"a": 2})]) is Outcome.WRONG_ARGUMENTS
    assert compare(want, [("f", {"a": 1})]) is Outcome.TOO_FEW


@pytest.mark.parametrize(
    ("accepted", "value", "right"),
    [
        ([{"kind": ["round"], "size": [3, ""]}], {"kind": "Round"}, True),
        ([{"kind": ["round"], "size": [3]}], {"kind": "round"}, False),
        ([{"kind": ["round"]}], {"kind": "round", "size": 3}, False),
        ([["a", "b"]], ["A", "B"], True),
        ([["a", "b"]], ["a"], False),
        ([[1, 2]], [1.0, 2], True),
        ([None], None, True),
        ([False], 0, False),
    ],
)
def test_values_inside_values(accepted: list[Any], value: Any, right: bool) -> None:
    assert (compare([{"name": "f", "arguments": {"a": accepted}}], [("f", {"a": value})]) is Outcome.RIGHT) is right


def test_nothing_wanted() -> None:
    assert compare([], []) is Outcome.RIGHT
    assert compare([], [("f", {})]) is Outcome.NOT_WANTED


def test_a_line_is_read_and_judged() -> None:
    row = {"model": "m", "tools": [{"name": "moor", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}],
           "text": "moor(port='Brest')", "truth": [{"name": "moor", "arguments": {"port": ["Brest"]}}], "category": "simple"}  # fmt: skip
    (found,) = load_recordings(["", json.dumps(row)])
    assert (found.model, found.finish_reason) == ("m", "stop")
    assert outcome(found, parse(found.text, found.tools)) is Outcome.RIGHT
    assert is_recording(json.dumps(row))


@pytest.mark.parametrize("line", ["{", "[1]", "5", json.dumps({"truth": [], "expect": {}}), "[" * 100_000])
def test_what_is_no_recording(line: str) -> None:
    assert not is_recording(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2"),
        ("[]", "no JSON object"),
        (json.dumps({"text": "", "tools": []}), "'truth' must be a list; it is missing"),
        (json.dumps({"text": 1, "tools": [], "truth": []}), "'text' must be a string"),
        (json.dumps({"text": "", "tools": [], "truth": [{"name": "f"}]}), "another shape"),
        (json.dumps({"text": "", "tools": [], "truth": [{"name": "f", "arguments": {"a": 1}}]}), "another shape"),
    ],
)
def test_a_bad_line_is_named(line: str, words: str) -> None:
    with pytest.raises(RecordingError, match="line 2") as caught:
        load_recordings([" ", line])
    assert words in str(caught.value)
