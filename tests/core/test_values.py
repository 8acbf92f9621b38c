"""Types for values that came as text: what the schema allows, a mark says, or the text itself shows (P79-P86)."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core.drafts import Element
from tamis.core.values import kinds, resolve_ref, type_element, type_raw

ALL = {"null", "integer", "number", "boolean", "object", "array", "string"}
ROOT = {
    "$defs": {
        "port": {"type": "string"},
        "a/b": {"~": {"type": "integer"}},
        "again": {"$ref": "#/$defs/port"},
        "every": {"allOf": [{"$ref": "#/$defs/every"}, {"type": "integer"}]},
        "either": {"anyOf": [{"$ref": "#/$defs/either"}, {"type": "null"}]},
        "flat": "text",
    },
    "chain": [None],
}
CHAIN = {"$defs": {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(20)} | {"d20": {"type": "null"}}}


def leaf(key: str, text: str, mark: bool | None = None, kind: str = "") -> Element:
    return Element(key, text, None, mark, kind)


def held(kind: str, *children: Element, key: str = "") -> Element:
    return Element(key, "", list(children), None, kind)


def nested(schema: Any, times: int) -> Any:
    for _ in range(times):
        schema = {"anyOf": [schema]}
    return schema


def every(schema: Any, times: int) -> Any:
    for _ in range(times):
        schema = {"allOf": [schema]}
    return schema


def exact(value: Any) -> Any:
    """A value with its types, so that 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return [exact(item) for item in value] if isinstance(value, list) else (type(value), value)


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "string"}, {"string"}),
        ({"type": ["string", "null", 3]}, {"string", "null"}),
        ({"enum": [1, 2.5, "a", None, True, [], {}]}, ALL),
        ({"enum": [True]}, {"boolean"}),
        ({"enum": "a"}, None),
        ({"type": "string", "enum": [1]}, {"string"}),
        ({"const": None}, {"null"}),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"string", "integer"}),
        ({"oneOf": [{"type": "string"}, {"const": 3}]}, {"string", "integer"}),
        ({"anyOf": [{"type": "string"}, {}]}, ALL),
        ({"type": ["string", "null"], "anyOf": [{"type": "string"}, {"type": "integer"}]}, {"string"}),
        ({"anyOf": {"type": "string"}}, None),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "integer"]}, {"minimum": 3}]}, {"null"}),
        ({"allOf": [{"minimum": 3}]}, None),
        ({"allOf": {"type": "string"}}, None),
        ({"allOf": []}, None),
        ({"type": "string", "nullable": True}, {"string", "null"}),
        ({"type": "string", "nullable": False}, {"string"}),
        ({"type": "string", "nullable": "yes"}, {"string"}),
        ({"nullable": True}, None),
        ({"properties": {}}, {"object"}),
        ({"items": {}}, {"array"}),
        ({"properties": {}, "items": {}}, {"object"}),
        ({"type": "string", "properties": {}}, {"string"}),
        ({"type": ["null"], "items": {}}, {"null"}),
        ({"description": "anything"}, None),
        ({"$ref": "#/$defs/port"}, {"string"}),
        ({"$ref": "#/$defs/every"}, {"integer"}),
        ({"$ref": "#/$defs/either"}, ALL),
        (nested({"type": "null"}, 15), {"null"}),
        (nested({"type": "null"}, 16), ALL),  # so deep nobody looks: any type may stand there
        (every({"type": "null"}, 15), {"null"}),
        (every({"type": "null"}, 16), None),
        (True, None),
        (None, None),
    ],
)
def test_the_types_that_a_schema_allows(schema: Any, found: set[str] | None) -> None:
    assert kinds(schema, ROOT) == found


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("#/$defs/port", {"type": "string"}),
        ("#/$defs/again", {"type": "string"}),
        ("#/$defs/a~1b/~0", {"type": "integer"}),
        ("#/$defs/none", None),
        ("#/$defs/none/deeper", None),
        ("#/$defs/flat/deeper", None),
        ("#/chain/0", None),
    ],
)
def test_a_local_reference_is_followed(ref: str, found: Any) -> None:
    assert resolve_ref({"$ref": ref}, ROOT) == found


@pytest.mark.parametrize("schema", [{"$ref": "other.json"}, {"$ref": 3}, {"$ref": "#port"}, {"type": "string"}, None, True])
def test_what_is_no_local_reference_stays(schema: Any) -> None:
    assert resolve_ref(schema, ROOT) == schema


def test_a_chain_of_references_is_followed_sixteen_times() -> None:
    assert resolve_ref({"$ref": "#/$defs/d5"}, CHAIN) == {"type": "null"}
    assert resolve_ref({"$ref": "#/$defs/d4"}, CHAIN) == {"$ref": "#/$defs/d20"}


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("null", ["integer", "null"], None),
        ("null", ["integer"], "null"),
        ("Null", ["null"], "Null"),
        ("2.0", ["integer"], 2.0),
        ("2.5", ["integer"], "2.5"),
        ("-3", ["number"], -3),
        ("+3", ["integer"], 3),
        (".5", ["number"], 0.5),
        ("1e3", ["integer"], 1000.0),
        ("1e400", ["number"], "1e400"),
        ("-1e400", ["number"], "-1e400"),
        ("9" * 4300, ["integer"], int("9" * 4300)),
        ("9" * 4301, ["integer"], "9" * 4301),
        ("3x", ["integer"], "3x"),
        ("3", ["boolean"], "3"),
        ("3.5", ["null"], "3.5"),
        ("0", ["string", "integer"], 0),
        ("-0", ["string", "integer"], 0),
        ("10", ["string", "integer"], 10),
        ("007", ["string", "integer"], "007"),
        ("-007", ["string", "integer"], "-007"),
        ("07", ["string", "integer"], "07"),
        ("007", ["integer"], 7),
        ("00.5", ["number"], 0.5),
        ("00.5", ["string", "number"], "00.5"),
        ("-0.5", ["string", "number"], -0.5),
        ("5.50", ["string", "number"], 5.5),
        ("true", ["integer"], "true"),
        ("False", ["boolean"], False),
        ("true", ["boolean"], True),
        ("yes", ["boolean"], "yes"),
        ("[1]", ["object"], "[1]"),
        ('{"a": 1}', ["array"], '{"a": 1}'),
        ('{"a": 1}', ["array", "object"], {"a": 1}),
        (" [1, 2] ", ["array", "string"], [1, 2]),
        ('"3"', ["integer"], 3),
        ('"[1]"', ["array"], [1]),
        ('" 3 "', ["integer"], 3),
        ('"3"', ["integer", "string"], '"3"'),
        ('"3', ["integer"], '"3'),
        ("a3a", ["integer"], "a3a"),
    ],
)
def test_a_text_takes_the_first_allowed_type_that_it_fits(text: str, types: list[str], value: Any) -> None:
    assert exact(type_raw(text, {"type": types})) == exact(value)


@pytest.mark.parametrize(
    ("text", "schema", "mark", "value"),
    [
        ("3", None, True, "3"),
        ("3", {"type": "integer"}, True, "3"),
        ("true", None, None, "true"),
        ("true", None, False, True),
        (" null ", None, False, None),
        ("word", None, False, "word"),
        (" word ", None, None, " word "),
        (" -3 ", None, None, -3),
        ("-x", None, None, "-x"),
        (' "a" ', None, None, ' "a" '),
        (' "a" ', None, False, "a"),
        (" [1] ", {}, None, [1]),
        ("3", {"type": "string"}, None, "3"),
        ("3", {"type": "string"}, False, 3),
        (" x ", {"type": ["string", "null"]}, None, " x "),
        ("a\ud800b", {"type": "string"}, None, "a\ufffdb"),
    ],
)
def test_without_a_schema_the_text_decides_and_a_mark_goes_before_both(text: str, schema: Any, mark: bool | None, value: Any) -> None:
    assert exact(type_raw(text, schema, mark=mark)) == exact(value)


def test_the_schema_of_a_text_may_be_a_reference() -> None:
    assert type_raw("3", {"$ref": "#/$defs/port"}, root=ROOT) == "3"
    assert type_raw("3", {"$ref": "#/$defs/a~1b/~0"}, root=ROOT) == 3
    assert type_raw("3", {"$ref": "#/$defs/port"}) == 3


@pytest.mark.parametrize(
    ("element", "schema", "value"),
    [
        (leaf("", " "), {"type": ["array", "object"]}, []),
        (leaf("", ""), {"type": ["object", "null"]}, {}),
        (leaf("", ""), {"type": "integer"}, ""),
        (leaf("", ""), {"type": ["array", "string"]}, ""),
        (leaf("", "", True), {"type": "array"}, ""),
        (leaf("", ""), None, ""),
        (leaf("", "x"), {"type": "array"}, "x"),
        (leaf("", "x"), {"type": "object"}, "x"),
        (leaf("", "3", True), {"type": "integer"}, "3"),
        (leaf("", "true", None, "bare"), None, True),
        (leaf("", "true", None, "bare"), {"type": "string"}, "true"),
        (leaf("", "true"), None, "true"),
        (leaf("", "3"), {"$ref": "#/$defs/port"}, "3"),
        (held("list", leaf("a", "1"), leaf("b", "2")), None, [1, 2]),
        (held("list", leaf("", "1")), {"items": {"type": "string"}}, ["1"]),
        (held("list", leaf("", "1")), True, [1]),
        (held("dict", leaf("item", "1")), {"type": "array"}, {"item": 1}),
        (held("", leaf("item", "1"), leaf("item", "2")), None, [1, 2]),
        (held("", leaf("item", "1"), leaf("", "2")), {"type": ["array", "null"]}, [1, 2]),
        (held("", leaf("item", "1")), {"type": "object"}, {"item": 1}),
        (held("", leaf("item", "1"), leaf("b", "2")), None, {"item": 1, "b": 2}),
        (held("", leaf("a", "1"), leaf("b", "2")), {"type": "array"}, {"a": 1, "b": 2}),
        (held(""), {"type": "object"}, {}),
        (held("dict", leaf("a", "1")), {"properties": {"a": {"type": "string"}}}, {"a": "1"}),
        (held("dict", leaf("a", "1")), {"properties": "none"}, {"a": 1}),
        (held("dict", leaf("a", "1"), leaf("b", "2"), leaf("a", "3")), None, {"a": [1, 3], "b": 2}),
        (held("dict", leaf("a", "1"), leaf("a", "3")), {"properties": {"a": {"items": {"type": "string"}}}}, {"a": ["1", "3"]}),
        (held("dict", leaf("a", "1"), leaf("a", "3")), {"properties": {"a": True}}, {"a": [1, 3]}),
        (held("dict", held("dict", leaf("b", "1"), key="a")), {"properties": {"a": {"properties": {"b": {"type": "string"}}}}}, {"a": {"b": "1"}}),
    ],
)
def test_a_container_is_what_its_type_its_children_or_the_schema_say(element: Element, schema: Any, value: Any) -> None:
    assert exact(type_element(element, schema, ROOT)) == exact(value)


@pytest.mark.parametrize(("kind", "key"), [("list", ""), ("dict", "a")])
def test_a_container_nested_too_deep_is_an_error_and_never_a_value(kind: str, key: str) -> None:
    def chain(levels: int) -> Element:
        element = leaf(key, "1")
        for _ in range(levels):
            element = held(kind, element, key=key)
        return element

    value = type_element(chain(256), None, {})
    for _ in range(256):
        value = value[key] if key else value[0]
    assert value == 1
    with pytest.raises(ValueError, match="deeper than 256"):
        type_element(chain(257), None, {})
    assert type_element(held("dict", chain(255), chain(255)), None, {})  # the same name twice, which makes a list
    with pytest.raises(ValueError, match="deeper than 256"):
        type_element(held("dict", chain(256), chain(256)), None, {})
