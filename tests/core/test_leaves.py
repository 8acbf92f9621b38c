"""JSON, names, values and schemas: the small parts, each by its rule."""

from __future__ import annotations

import contextlib
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.core.calljson import DraftFault, gate, read_calls
from tamis.core.catalog import Catalog
from tamis.core.declare import read_tools
from tamis.core.errors import CatalogError
from tamis.core.jsonrepair import RepairFault, load_lenient, peek_name
from tamis.core.jsontext import JSONFault, depth, equal, load_strict
from tamis.core.names import NameTable
from tamis.core.validate import check
from tamis.core.values import type_raw

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def catalog(**properties: Any) -> Catalog:
    required = properties.pop("required", [])
    extra = properties.pop("additionalProperties", True)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": extra}
    return Catalog.of([{"name": "f", "parameters": schema}])


@given(JSON)
def test_valid_json_is_read_as_it_is_and_needs_no_repair(value: Any) -> None:
    text = json.dumps(value)
    strict, repairs = load_strict(text)
    assert equal(strict, json.loads(text))
    assert repairs == ()
    lenient = load_lenient(text)
    assert equal(lenient.value, json.loads(text))
    assert lenient.repairs == ()


@given(st.text(alphabet="{}[]\"'`“”,:/*#\\ntrue019-.\u200b：，abN ", max_size=40))
def test_no_text_makes_the_lenient_reader_raise_anything_but_its_fault(text: str) -> None:
    peek_name(text)
    with contextlib.suppress(RepairFault):
        load_lenient(text)


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("{'a': 'b'}", {"a": "b"}, "single_quotes"),
        ('{"a": True, "b": None}', {"a": True, "b": None}, "python_literal"),
        ("{a: 1}", {"a": 1}, "bare_key"),
        ('{"a": [1, 2,],}', {"a": [1, 2]}, "trailing_comma"),
        ('{"a": 1 "b": 2}', None, None),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}, "missing_comma"),
        ('{"a": 1 // note\n}', {"a": 1}, "comment"),
        ('{"a"：1，"b": 2}', {"a": 1, "b": 2}, "fullwidth_punctuation"),
        ('{"a": "x\ny"}', {"a": "x\ny"}, "raw_newline"),
        ('{"a": "\\d+"}', {"a": "\\d+"}, "invalid_escape"),
        ('{{"a": {{"b": 1}}}}', {"a": {"b": 1}}, "double_braces"),
        ('{“a”: “b ‘c’”}', {"a": "b ‘c’"}, "smart_quotes"),
        ('{"a": """x "y" z"""}', {"a": 'x "y" z'}, "triple_quotes"),
        ('{\u200b"a":\u00a01}', {"a": 1}, "blank_characters"),
        ('{"a": "she said “go”"}', {"a": "she said “go”"}, ""),
    ],
)
def test_each_repair_mends_structure_and_is_named(text: str, value: Any, rule: str | None) -> None:
    if rule is None:
        # after a number nothing says where the next key begins but its quote: that is a missing comma too
        assert load_lenient(text).value == {"a": 1, "b": 2}
        return
    reading = load_lenient(text)
    assert reading.value == value
    assert [item.rule for item in reading.repairs] == ([rule] if rule else [])


@pytest.mark.parametrize("text", ['{"a": }', '{"a" : , ] "b" 3}', '{"a": Bergen}', '{"a": "b', '{"a": 1', '[1 2]', '{"a": "x"y"}', '{"a": 1} x', ""])
def test_what_has_no_reading_is_a_fault(text: str) -> None:
    with pytest.raises(RepairFault):
        load_lenient(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": 1, "a": 2}', "duplicate_key"),
        ("[NaN]", "number"),
        ("[1e999]", "number"),
        ("[" * 100_000, "depth"),
        ("{", "syntax"),
        ("9" * 5000, "number"),
    ],
)
def test_strict_json_names_what_a_plain_reader_would_let_through(text: str, kind: str) -> None:
    with pytest.raises(JSONFault) as caught:
        load_strict(text)
    assert caught.value.kind == kind


def test_equal_duplicates_big_integers_and_lone_surrogates() -> None:
    assert load_strict('{"a": 1, "a": 1}') == ({"a": 1}, ())
    assert load_strict(str(2**80))[0] == 2**80
    value, repairs = load_strict('"\\ud83d x \\ud83d\\ude80"')
    assert value == "\ufffd x 🚀"
    assert [item.rule for item in repairs] == ["lone_surrogate"]


def test_depth_is_iterative() -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert depth(deep) == 50_000
    assert depth({"a": []}) == 2
    assert depth("x") == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"name": "f", "arguments": {"x": "un', "f"),
        ('{"arguments": {"name": "inner"}, "na', None),
        ('{"name": "f', None),
        ('[{"name": "f", "arguments": {', "f"),
        ('{"function": {"name": "f", "arguments": {', "f"),
        ('{"tool_name": "f", x y', "f"),
    ],
)
def test_the_name_of_a_cut_call_counts_only_when_it_was_complete(text: str, name: str | None) -> None:
    assert peek_name(text) == name


def test_calls_of_a_value_with_aliases_wrappers_and_encoded_arguments() -> None:
    calls = read_calls({"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}, {"name": "g", "input": None}]})
    assert [(item.name, item.arguments) for item in calls if not isinstance(item, DraftFault)] == [("f", {"a": 1}), ("g", {})]
    assert {item.rule for item in calls[0].repairs} == {"wrapper", "decoded_arguments"}  # type: ignore[union-attr]
    assert isinstance(read_calls({"arguments": {}})[0], DraftFault)
    assert isinstance(read_calls({"name": "f", "arguments": [1]})[0], DraftFault)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ({"name": "f", "arguments": {}}, "call"),
        ({"name": "Oslo", "country": "Norway"}, "data"),
        ({"name": "f", "parameters": {"type": "object", "properties": {}}}, "declaration"),
        ({"name": "f", "parameters": {"type": "dict", "properties": {}}}, "declaration"),
        ({"name": "f", "arguments": {"type": "dict"}}, "call"),
        ({"name": "f", "arguments": "no object"}, "data"),
        ([{"name": "f", "arguments": {}}, 3], "data"),
        ([], "data"),
    ],
)
def test_the_gate_tells_calls_from_data(value: Any, verdict: str) -> None:
    assert gate(value, needs_arguments=lambda name: True) == verdict


@pytest.mark.parametrize(
    ("emitted", "name", "candidates"),
    [
        ("fs.read", "fs.read", ()),
        ("functions.get_tide", "get_tide", ()),
        ("functions.get_tide:0", "get_tide", ()),
        ("functions_get_tide_3", "get_tide", ()),
        ("Get-Tide", "get_tide", ()),
        ("get_tide.get_tide", "get_tide", ()),
        ("read", None, ("fs.read", "git.read")),
        ("gh.get_tide", "get_tide", ()),
        ("get_moon", None, ()),
    ],
)
def test_names(emitted: str, name: str | None, candidates: tuple[str, ...]) -> None:
    match = NameTable(["get_tide", "fs.read", "git.read"], ["gh"]).resolve(emitted)
    assert (match.name, match.candidates) == (name, candidates)


def test_two_tools_of_one_folded_name_are_ambiguous() -> None:
    assert NameTable(["get_tide", "getTide"]).resolve("get-tide").candidates == ("getTide", "get_tide")


def test_declarations_of_all_hosts() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    specs = read_tools(
        [
            {"type": "function", "function": {"name": "a", "parameters": schema}},
            {"name": "b", "input_schema": schema},
            {"name": "c", "inputSchema": schema, "annotations": {"destructiveHint": True}},
            {"functionDeclarations": [{"name": "d", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}]},
            {"name": "e", "parameters": {"type": "dict", "properties": {"a": {"type": "any"}}}},
        ]
    )
    assert [spec.name for spec in specs] == ["a", "b", "c", "d", "e"]
    assert specs[3].schema == schema
    assert specs[2].destructive is True
    assert specs[4].schema == {"type": "object", "properties": {"a": {}}}


@pytest.mark.parametrize(
    "tools",
    [
        [{"description": "nameless"}],
        ["f"],
        {"name": "f"},
        [{"name": "f", "parameters": []}],
        [{"name": "f", "parameters": {"type": "object"}}, {"name": "f", "parameters": {"type": "object", "properties": {"a": {}}}}],
        [{"name": "f", "parameters": {"$ref": "http://127.0.0.1:1/schema.json"}}],
        [{"name": "f", "parameters": {"type": 3}}],
    ],
)
def test_a_bad_declaration_is_an_error_that_says_which(tools: Any) -> None:
    with pytest.raises(CatalogError, match=r"tool"):
        Catalog.of(tools)


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("07001", {"type": "string"}, "07001"),
        ("null", {"type": "string"}, "null"),
        ("null", {"type": ["string", "null"]}, None),
        (" 3 ", {"type": "integer"}, 3),
        ("TRUE", {"type": "boolean"}, True),
        ("2.5", {"type": "number"}, 2.5),
        ("[1, 2]", {"type": "array"}, [1, 2]),
        ("{'a': True}", {"type": "object"}, {"a": True}),
        ("word", {"type": "integer"}, "word"),
        ("12345678901234567890123", {"type": "integer"}, 12345678901234567890123),
        ("3", {"anyOf": [{"type": "string"}, {"type": "integer"}]}, 3),
        ("3", None, 3),
        ("true", None, "true"),
        ("word", None, "word"),
    ],
)
def test_raw_values_are_typed_by_the_schema(text: str, schema: Any, value: Any) -> None:
    typed = type_raw(text, schema)
    assert (typed, type(typed)) == (value, type(value))


def test_a_mark_in_the_markup_goes_before_the_schema() -> None:
    assert type_raw("3", {"type": "integer"}, mark=True) == "3"
    assert type_raw('["a"]', {"type": "string"}, mark=False) == ["a"]


def test_the_schema_gate_names_the_path_the_types_and_the_rule_that_nearly_fired_never_a_value() -> None:
    tool = catalog(a={"const": 7}, b={"type": "integer"}, required=["a", "b"]).tool("f")
    assert check(tool, {"a": 7, "b": 1}) is None
    missing = check(tool, {"a": 7})
    assert missing is not None
    assert (missing.path, missing.rule) == ("$", "")
    assert "'b' is missing" in missing.detail
    wrong = check(tool, {"a": 7, "b": "secret"}, {"$.b": "text_to_number", "$.a": "enum_spelling"})
    assert wrong is not None
    assert (wrong.path, wrong.rule) == ("$.b", "text_to_number")
    assert "string" in wrong.detail
    assert "integer" in wrong.detail
    assert "text_to_number" in wrong.detail
    assert "secret" not in wrong.detail


def test_the_schema_gate_names_a_key_that_a_closed_schema_forbids() -> None:
    found = check(catalog(a={"type": "integer"}, additionalProperties=False).tool("f"), {"a": 1, "colour": "secret"})
    assert found is not None
    assert "colour" in found.detail
    assert "secret" not in found.detail


def test_suggestions_are_the_nearest_names_even_for_a_huge_one() -> None:
    names = Catalog.of([{"name": name} for name in ("get_tide", "get_moon", "set_lamp", "open_file")])
    assert names.suggest("get_tides")[0] == "get_tide"
    assert len(names.suggest("x" * 1_000_000)) == 3
    assert not math.isnan(len(names.suggest("")))
