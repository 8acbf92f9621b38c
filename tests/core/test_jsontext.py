"""Exact JSON: what a plain reader lets through is a fault with a kind and a text that says which."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core.jsontext import JSONFault, depth, equal, load_strict


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ("1", 1, False),
        ([], [], True),
        ([1, [2, {}]], [1, [2, {}]], True),
        ([1], [1, 2], False),
        ([1, 2], [2, 1], False),
        ([[1]], [[True]], False),
        ([], {}, False),
        ([], "", False),
        ({}, None, False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ({"a": {"b": [1]}}, {"a": {"b": [1, 1]}}, False),
    ],
)
def test_equality_counts_types_and_order(one: Any, other: Any, same: bool) -> None:
    assert equal(one, other) is same
    assert equal(other, one) is same


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ('{"a": 1, "a": 2}', "duplicate_key", "a key stands twice"),
        ('{"a": 1, "b": 2, "a": true}', "duplicate_key", "a key stands twice"),
        ("[NaN]", "number", "NaN is no JSON number"),
        ("-Infinity", "number", "-Infinity is no JSON number"),
        ("[-1e999]", "number", "too large"),
        ("9" * 5000, "number", "too many digits"),
        ("[" * 100_000, "depth", "too deep"),
        ("{", "syntax", "no exact JSON"),
        ("1 2", "syntax", "no exact JSON"),
        ("", "syntax", "no exact JSON"),
    ],
)
def test_a_fault_has_its_kind_and_says_what_is_wrong(text: str, kind: str, words: str) -> None:
    with pytest.raises(JSONFault, match=words) as caught:
        load_strict(text)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("text", "value", "mended"),
    [
        ('{"a": [1.5, "é🚀", null], "b": {"ä": "x"}}', {"a": [1.5, "é🚀", None], "b": {"ä": "x"}}, False),
        ('{"a": 1, "b": 2, "a": 1}', {"a": 1, "b": 2}, False),
        ('"\\ud83d\\ude80"', "🚀", False),
        ('"\\ud83d"', "\ufffd", True),
        ('["é", {"k": "\\ude80 x"}, 1, true, null]', ["é", {"k": "\ufffd x"}, 1, True, None], True),
        ('{"\\ud83d": 2.5}', {"\ufffd": 2.5}, True),
        ('{"k": "\udbff"}', {"k": "\ufffd"}, True),
    ],
)
def test_a_lone_surrogate_is_replaced_wherever_it_stands_and_noted_once(text: str, value: Any, mended: bool) -> None:
    found, repairs = load_strict(text)
    assert equal(found, value)
    assert [repair.rule for repair in repairs] == ["lone_surrogate"] * mended


@pytest.mark.parametrize(("value", "levels"), [("x", 0), (None, 0), ([], 1), ({}, 1), ([1, {"a": 2}, [3]], 2), ({"a": {"b": []}, "c": 1}, 3)])
def test_depth_counts_containers(value: Any, levels: int) -> None:
    assert depth(value) == levels
