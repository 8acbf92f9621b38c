"""Calls of a decoded value: shapes, the order of keys that count, encoded arguments, and what is data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tamis.core.calljson import DraftFault, JSONCall, decoded, gate, read_calls
from tamis.core.events import Cause

CALL = {"name": "f", "arguments": {"a": 1}}


def told(item: JSONCall | DraftFault) -> tuple[Any, ...]:
    if isinstance(item, DraftFault):
        return item.cause, item.name, item.detail
    return item.name, item.arguments, [f"{repair.rule}{repair.path}" for repair in item.repairs]


NAMELESS = (Cause.MALFORMED_JSON, None, "the call object has no name")
NO_OBJECT = (Cause.MALFORMED_JSON, None, "the envelope holds something else than a call object")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (CALL, [("f", {"a": 1}, [])]),
        ({"name": " f ", "parameters": {}}, [("f", {}, [])]),
        ({"tool": "f", "arguments": {}}, [("f", {}, ["alias_key"])]),
        ({"name": " ", "action": "f", "input": {}}, [("f", {}, ["alias_key", "alias_key"])]),
        ({"name": "f", "args": {"x": 1}, "arguments": {"y": 2}}, [("f", {"y": 2}, [])]),
        # lists and wrappers, three levels and no more
        ([CALL], [("f", {"a": 1}, ["array_wrapper"])]),
        ([[[CALL]]], [("f", {"a": 1}, ["array_wrapper"])]),
        ([[[[CALL]]]], [NO_OBJECT]),
        ([CALL, 3, CALL], [("f", {"a": 1}, []), NO_OBJECT, ("f", {"a": 1}, [])]),
        ([], []),
        ({"function": CALL}, [("f", {"a": 1}, [])]),
        ({"command": CALL}, [("f", {"a": 1}, ["wrapper$.command"])]),
        ({"function_call": {"tool_name": "f", "args": {}}}, [("f", {}, ["wrapper$.function_call", "alias_key", "alias_key"])]),
        ({"actions": [CALL]}, [("f", {"a": 1}, ["wrapper$.actions"])]),
        ({"tool_calls": [{"function": CALL}, CALL]}, [("f", {"a": 1}, ["wrapper$.tool_calls"])] * 2),
        ({"tool_calls": [{"tool_calls": [CALL]}]}, [NO_OBJECT]),
        ([[[{"function": CALL}]]], [NAMELESS]),
        ({"name": "reply", "tool_calls": [CALL]}, [("f", {"a": 1}, ["wrapper$.tool_calls"])]),
        ({"arguments": {}, "tool_calls": [CALL]}, [("f", {"a": 1}, ["wrapper$.tool_calls"])]),
        (CALL | {"tool_calls": [{"name": "g"}]}, [("f", {"a": 1}, [])]),
        ({"command": {"x": "y"}}, [NAMELESS]),
        ({"command": "f"}, [NAMELESS]),
        # arguments: none, null, blank, encoded
        ({"name": "f"}, [("f", {}, ["no_arguments"])]),
        ({"name": "f", "arguments": None}, [("f", {}, ["null_arguments"])]),
        ({"name": "f", "arguments": " "}, [("f", {}, ["null_arguments"])]),
        ({"name": "f", "args": None}, [("f", {}, ["alias_key", "null_arguments"])]),
        ({"name": "f", "arguments": "null"}, [("f", {}, ["decoded_arguments", "null_arguments"])]),
        ({"name": "f", "arguments": '{"a": 1}'}, [("f", {"a": 1}, ["decoded_arguments"])]),
        ({"name": "f", "arguments": "{'a': 1}"}, [("f", {"a": 1}, ["decoded_arguments", "single_quotes"])]),
        ({"name": "f", "arguments": [{"a": 1}]}, [("f", {"a": 1}, ["array_of_one$"])]),
        ({"name": "f", "arguments": [{}, {}]}, [(Cause.SCHEMA_VIOLATION, "f", "the arguments are no object")]),
        ({"name": "f", "arguments": [1]}, [(Cause.SCHEMA_VIOLATION, "f", "the arguments are no object")]),
        ({"name": "f", "arguments": 1}, [(Cause.SCHEMA_VIOLATION, "f", "the arguments are no object")]),
        ({"name": "f", "arguments": "some words"}, [(Cause.MALFORMED_JSON, "f", "the arguments are no object")]),
        ({"arguments": {}}, [NAMELESS]),
        ("f", [NO_OBJECT]),
    ],
)
def test_the_calls_of_an_envelope(value: Any, expected: list[Any]) -> None:
    assert [told(item) for item in read_calls(value)] == expected


def test_a_fault_keeps_the_arguments_that_are_no_object() -> None:
    (fault,) = read_calls({"name": "f", "arguments": [1, 2]})
    assert isinstance(fault, DraftFault)
    assert fault.value == [1, 2]


def test_an_alias_is_noted_with_both_keys() -> None:
    (call,) = read_calls({"tool": "f", "args": {}})
    assert isinstance(call, JSONCall)
    assert [(repair.before, repair.after) for repair in call.repairs] == [("tool", "name"), ("args", "arguments")]


@pytest.mark.parametrize(
    ("raw", "value", "rules"),
    [
        ('{"a": 1}', {"a": 1}, []),
        (json.dumps('{"a": 1}'), {"a": 1}, []),
        (json.dumps(json.dumps('{"a": 1}')), '{"a": 1}', []),
        (json.dumps("{'a': 1}"), {"a": 1}, ["single_quotes"]),
        ('```json\n{"a": 1}\n```', {"a": 1}, []),
        ("word", "word", []),
        ('"word"', "word", []),
    ],
)
def test_arguments_are_decoded_at_most_twice(raw: str, value: Any, rules: list[str]) -> None:
    found, repairs = decoded(raw)
    assert found == value
    assert [repair.rule for repair in repairs] == rules


@pytest.mark.parametrize(
    ("value", "lax", "strict"),
    [
        (CALL, "call", "call"),
        ({"name": "f"}, "call", "data"),
        ({"name": "f", "arguments": None}, "call", "call"),
        ({"name": "f", "arguments": ""}, "call", "call"),
        ({"name": "f", "arguments": '{"a": 1}'}, "call", "call"),
        ({"name": "f", "arguments": "words"}, "data", "data"),
        ({"name": "f", "arguments": "[1]"}, "data", "data"),
        ({"name": "f", "arguments": 3}, "data", "data"),
        ({"name": "f", "arguments": []}, "data", "data"),
        ({"arguments": {}}, "data", "data"),
        ([CALL, {"arguments": {}}], "data", "data"),
        ([CALL, CALL], "call", "call"),
        ([[[CALL]]], "call", "call"),
        ([[[[CALL]]]], "data", "data"),
        ([CALL, 3], "data", "data"),
        ([], "data", "data"),
        ("f", "data", "data"),
        ({"tool_calls": [{"function": CALL}]}, "call", "call"),
        ({"tool_calls": [{"tool_calls": [CALL]}]}, "data", "data"),
        ({"tool_calls": []}, "data", "data"),
        ({"name": "f", "parameters": {"type": "object", "properties": {}}}, "declaration", "declaration"),
        ({"name": "f", "parameters": {"type": "object", "properties": 3}}, "call", "call"),
        ({"name": "f", "parameters": {"type": "boat", "properties": {}}}, "call", "call"),
        ([CALL, {"name": "f", "parameters": {"type": "OBJECT", "properties": {}}}], "declaration", "declaration"),
    ],
)
def test_a_bare_value_is_a_call_data_or_a_declaration(value: Any, lax: str, strict: str) -> None:
    """`strict`: the tool has required arguments."""
    assert gate(value, needs_arguments=lambda name: False) == lax
    assert gate(value, needs_arguments=lambda name: name == "f") == strict
