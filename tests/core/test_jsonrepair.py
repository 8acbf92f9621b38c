"""The second reading of JSON-like text: each repair by its name, each fault with its reason and the tool's name."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core.jsonrepair import RepairFault, load_lenient, peek_name
from tamis.core.jsontext import equal


@pytest.mark.parametrize(
    ("text", "value", "rules"),
    [
        ("{'a': true, 'b': false, 'c': null}", {"a": True, "b": False, "c": None}, ["single_quotes"]),
        ("{'a': True, 'b': False, 'c': None}", {"a": True, "b": False, "c": None}, ["single_quotes", "python_literal"]),
        ("[1, -2, 0, 2.5, -0.5, 1e3, 2E-1,]", [1, -2, 0, 2.5, -0.5, 1000.0, 0.2], ["trailing_comma"]),
        ("[12345678901234567890123,]", [12345678901234567890123], ["trailing_comma"]),
        ("{}", {}, []),
        (" [ ] ", [], []),
        ("{_a: 1, $b: 2, c-d.e: 3}", {"_a": 1, "$b": 2, "c-d.e": 3}, ["bare_key"]),
        ('{"a": 1 "b": [2 [3] {"c": 4}]}', {"a": 1, "b": [2, [3], {"c": 4}]}, ["missing_comma"]),
        ('["x" "y"]', ["x", "y"], ["missing_comma"]),
        ('{"a": "x" {b: 1}}', None, []),
        ('{{"a": 1}}', {"a": 1}, ["double_braces"]),
        ('[{{"a": 1} }]', [{"a": 1}], ["double_braces"]),
        ('{"a": 1,}', {"a": 1}, ["trailing_comma"]),
        ('{"a"：1，"b"：2}', {"a": 1, "b": 2}, ["fullwidth_punctuation"]),
        ('{"a": 1, "a": 1}', {"a": 1}, []),
        ("{// one\n\"a\": /* two\n */ 1, # three\n'b': 2 // four", None, []),
        ("{// one\n\"a\": /* two\n */ 1, # three\n'b': 2} // four", {"a": 1, "b": 2}, ["comment", "single_quotes"]),
        ("{\u00a0 \"a\": 1}", {"a": 1}, ["blank_characters"]),
        ("{\u200b\"a\": 1}", {"a": 1}, ["blank_characters"]),
        ('{<br>"a":<br />1<br/>}', {"a": 1}, ["blank_characters"]),
        ("{\f\"a\":\v1}", {"a": 1}, []),
        ("'word'", "word", ["single_quotes"]),
        ("7", 7, []),
    ],
)
def test_repairs_are_named_once_in_the_order_of_need(text: str, value: Any, rules: list[str]) -> None:
    if value is None:
        with pytest.raises(RepairFault):
            load_lenient(text)
        return
    reading = load_lenient(text)
    assert equal(reading.value, value)
    assert repr(reading.value) == repr(value)
    assert [repair.rule for repair in reading.repairs] == rules


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "the text ends where a value is due"),
        (" ", "the text ends where a value is due"),
        ('{"a": }', "a value is missing"),
        ("[, 1]", "a value is missing"),
        ('{"a": Bergen}', "a word stands where a value is due"),
        ("[01]", "a word stands where a value is due"),
        ("[1.]", "a word stands where a value is due"),
        ("[" + "9" * 5000 + ",]", "a number has too many digits"),
        ("[1e999]", "a number is too large for any reader"),
        ("[-1e999]", "a number is too large for any reader"),
        ('{"a": "b', "the text ends inside a string"),
        ('{"a": 1', "the text ends inside a value"),
        ('{"a"', "the text ends inside a value"),
        ("[", "the text ends inside a value"),
        ("[1 2]", "neither a comma nor a closer follows a value"),
        ('{"a": 1]', "neither a comma nor a closer follows a value"),
        ('{"a" 1}', "a colon is missing"),
        ('{"a"}', "a colon is missing"),
        ("{1: 2}", "a key is missing"),
        ("{: 2}", "a key is missing"),
        ('{{{"a": 1}}}', "a key is missing"),
        ('{"a": 1, {"b": 2}}', "a key is missing"),
        ('{{"a": 1}', "doubled braces are not closed twice"),
        ('{{"a": 1}]', "doubled braces are not closed twice"),
        ('{"a": 1, "a": 2}', "a key stands twice with different values"),
        ('{"a": 1, "a": true}', "a key stands twice with different values"),
        ('{"a": 1} x', "something stands behind the value"),
        ("[1, 2]]", "something stands behind the value"),
    ],
)
def test_what_has_not_one_reading_is_a_fault_that_says_why(text: str, detail: str) -> None:
    with pytest.raises(RepairFault) as caught:
        load_lenient(text)
    assert str(caught.value) == detail


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"name": "f"}', "f"),
        ('{"tool": "f", "action": "g"}', "f"),
        ('{"name": "", "tool": "f", x', "f"),
        ('{"name": 3, "tool": "f", x', "f"),
        ('{"function": {"name": "f"}, "x', "f"),
        ('{"function": {"name": 3}, "x', None),
        ('{"function": {"name": "f", "x', "f"),
        ('{"function_call": {"name": "f", "arguments": {"name": "g', "f"),
        ('{"command": {"name": "f', None),
        ('{"tool_calls": [{"name": "f", "arguments": {', "f"),
        ('{"tool_calls": [{"function": {"name": "f", "arguments": {', "f"),
        ('{"name": "f", "function": {"name": "g", "x', "f"),
        ('{"actions": [', None),
        ('{"input": {"name": "f", "x', None),
        ('[[{"name": "f", "x', "f"),
        ("[", None),
        ("[1, 2", None),
        ("", None),
        ('"f"', None),
    ],
)
def test_the_name_of_what_is_cut_or_broken(text: str, name: str | None) -> None:
    assert peek_name(text) == name
