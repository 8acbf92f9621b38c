"""What holds for every object: valid values stay, twice is once, nothing is invented, nothing given is written into."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tamis
from coercion_generated import valid_objects
from coercion_scoring import ALL_OPTIONAL, corpus
from tamis.core.catalog import Catalog, Tool
from tamis.core.coercion.default import coerce
from tamis.core.coercion.rules import Rules
from tamis.core.coercion.words import letters

COUNT = 5000


def declarations() -> list[dict[str, Any]]:
    """Every tool of the corpus under a name of its own."""
    schemas = {json.dumps([row["tool"], row["schema"]], sort_keys=True): row for row in corpus()}
    return [{"name": f"{row['tool']}__{number}", "parameters": row["schema"]} for number, row in enumerate(schemas.values())]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.of(declarations())


def crossed(catalog: Catalog, count: int, seed: int) -> Iterator[tuple[Tool, dict[str, Any]]]:
    """Arguments of one tool for another, and the corpus's own: nearly all of them do not fit."""
    names = sorted(catalog.names)
    for number, (_, found) in enumerate(valid_objects(declarations(), count, seed)):
        yield catalog.tool(names[number * 7919 % len(names)]), found
    for row, tool in zip(corpus(), (tamis.core.Catalog.of([{"name": row["tool"], "parameters": row["schema"]}]) for row in corpus()), strict=True):
        if isinstance(row["emitted"], dict):
            yield tool.tool(row["tool"]), row["emitted"]


def test_valid_objects_stay_as_they_are(catalog: Catalog) -> None:
    for tool, found in valid_objects(declarations(), COUNT, seed=11):
        outcome = coerce(catalog.tool(tool["name"]), found)
        assert (outcome.fits, outcome.repairs) == (True, ())
        assert outcome.arguments is found


def test_through_the_whole_parser_too() -> None:
    for tool, found in valid_objects(declarations(), 300, seed=12):
        text = json.dumps({"name": tool["name"], "arguments": found}, ensure_ascii=False)
        (call,) = tamis.parse(f"<tool_call>{text}</tool_call>", [tool]).calls
        assert json.dumps(call.arguments, sort_keys=True) == json.dumps(found, sort_keys=True)
        assert call.repairs == ()


def test_a_valid_object_changes_only_by_the_spelling_of_undeclared_keys(catalog: Catalog) -> None:
    changed = 0
    for tool, found in valid_objects(declarations(), 1500, seed=13):
        held = catalog.tool(tool["name"])
        if held.schema.get("additionalProperties") is False:
            continue
        optional = [key for key in found if key in held.properties and key not in held.required]
        misspelt = {(key.upper().replace("_", "-") if key in optional[:1] else key): item for key, item in found.items()}
        outcome = coerce(held, misspelt)
        assert outcome.fits
        assert outcome.arguments == found
        assert {item.rule for item in outcome.repairs} <= {"key_spelling"}
        changed += misspelt != found
    assert changed > 200


@pytest.mark.parametrize("optional", [False, True])
def test_twice_is_once_and_the_given_object_is_not_written_into(catalog: Catalog, optional: bool) -> None:
    for tool, found in crossed(catalog, 1500, seed=14):
        on = Rules.of({tool.name: ALL_OPTIONAL}).switch(tool.name) if optional else None
        before = copy.deepcopy(found)
        once = coerce(tool, found, on)
        assert found == before
        if once.fits:
            again = coerce(tool, once.arguments, on)
            assert again.repairs == ()
            assert again.arguments == once.arguments
        else:
            assert once.arguments is found
            assert once.repairs == ()


def forms(value: Any) -> set[str]:
    """The ways in which one scalar may have been said: its letters, and its number where it is one."""
    text = str(value).strip()
    found = {letters(text) or text}
    try:
        found.add(f"number {float(text)}")
    except ValueError:
        pass
    return found


def said(value: Any) -> set[str]:
    """The forms of every scalar in a value; of texts also those of their parts, and of what they hold as JSON or as a Python literal."""
    if isinstance(value, dict | list):
        return set().union(*map(said, value.values() if isinstance(value, dict) else value), set())
    found = forms(value)
    if isinstance(value, str):
        found |= set().union(*(forms(part) for part in value.replace(";", ",").replace("\n", ",").split(",")))
        for read in (json.loads, ast.literal_eval):
            try:
                inner = read(value.strip())
            except (ValueError, SyntaxError):
                continue
            found |= said(inner) if inner != value else set()
    return found


def scalars(value: Any) -> Iterator[Any]:
    """Every scalar in a value."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from scalars(item)
    if not isinstance(value, dict | list):
        yield value


def test_no_value_is_invented(catalog: Catalog) -> None:
    """What is there afterwards was said before, but for a const, the one member of an enum and the default of a required key."""
    changed = 0
    for tool, found in crossed(catalog, 2500, seed=15):
        outcome = coerce(tool, found)
        changed += bool(outcome.repairs)
        filled = {item.path: item for item in outcome.repairs if item.rule in ("only_value", "boolean_to_word")}
        for path, item in filled.items():
            part = tool.properties[path.removeprefix("$.")]
            assert item.rule != "only_value" or item.after in (part.get("const"), *(part.get("enum") or ())[:1], part.get("default"))
        known = said(found)
        for key, value in outcome.arguments.items():
            if f"$.{key}" not in filled:
                assert all(forms(item) & known for item in scalars(value)), (found, outcome)
    assert changed > 300


@pytest.mark.parametrize("optional", [False, True])
def test_a_declared_valid_value_is_never_touched(catalog: Catalog, optional: bool) -> None:
    """Whatever else is mended: it stays under its key. Only an object may get keys that stood beside it (nest)."""
    kept = 0
    for tool, found in crossed(catalog, 2500, seed=16):
        on = Rules.of({tool.name: ALL_OPTIONAL}).switch(tool.name) if optional else None
        outcome = coerce(tool, found, on)
        for key, value in found.items():
            part = tool.properties.get(key)
            if part is not None and outcome.repairs and jsonschema_rs.validator_for(part).is_valid(value):
                kept += 1
                after = outcome.arguments[key]
                nested = any(item.rule in ("nest", "guessed_nesting") and item.path.startswith(f"$.{key}.") for item in outcome.repairs)
                assert after == value or (nested and {**after, **value} == after), (found, outcome)
    assert kept > 300


KEYS = ["a", "A", "b", "id", "name", "arguments", "x y", "note", ""]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
    | st.sampled_from(["null", "None", "yes", "1", "007", "[1]", '{"a": 1}', "a, b", '"[]"', "true", "1,000"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
NODE = {"$ref": "#/$defs/node"}
TREE = {
    "type": "object",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "kids": {"type": "array", "items": NODE},
                "a": {"anyOf": [{"type": "integer"}, NODE, {"type": "null"}]},
            },
        }
    },
    "properties": {
        "a": NODE,
        "b": {"type": ["integer", "null"]},
        "xy": {"type": "array", "items": {"type": "number"}},
        "name": {"type": "string"},
        "id": {"type": "integer", "enum": [1, 2]},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(["a", "A", "b", "B", "xy", "x_y", "id", "name", "title", "arguments", "thought", "node"]), JSON, max_size=6))
def test_any_object_for_a_schema_with_references_and_unions(found: dict[str, Any]) -> None:
    tool = Catalog.of([{"name": "plant_tree", "parameters": TREE}]).tool("plant_tree")
    before = copy.deepcopy(found)
    for rules in (None, Rules.of({"plant_tree": ALL_OPTIONAL}).switch("plant_tree")):
        outcome = coerce(tool, found, rules)
        assert found == before
        assert tool.validator.is_valid(outcome.arguments) is outcome.fits or outcome.conflict is not None
        if outcome.fits:
            assert coerce(tool, outcome.arguments, rules).repairs == ()


def test_alternatives_within_alternatives_cost_bounded_work() -> None:
    again = {"$ref": "#/$defs/n"}
    objects = [{"type": "object", "properties": {key: again}, "required": [key]} for key in ("k", "j")]
    node = {"anyOf": [*objects, {"type": "array", "items": again}, {"type": "integer"}]}
    tool = Catalog.of([{"name": "f", "parameters": {"type": "object", "properties": {"k": again}, "$defs": {"n": node}}}]).tool("f")
    value: Any = "x"
    for _ in range(40):
        value = {"k": value}
    assert not coerce(tool, {"k": value}).fits


def test_very_many_spellings_of_one_key_cost_linear_work() -> None:
    tool = Catalog.of([{"name": "f", "parameters": {"type": "object", "properties": {"xy": {"type": "integer"}}}}]).tool("f")
    many = {"x" + "_" * (number % 200) + "y" + "_" * (number // 200): 1 for number in range(20_000)}
    assert coerce(tool, {"xy": 1, **many}).arguments == {"xy": 1}


@pytest.mark.parametrize("loop", [{"anyOf": [{"$ref": "#/$defs/n"}]}, {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "integer"}]}, {"$ref": "#/$defs/n"}])
def test_a_schema_that_leads_to_itself_is_left_alone(loop: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"k": {"$ref": "#/$defs/n"}, "m": {"type": "integer"}}, "required": ["m"], "$defs": {"n": loop}}
    tool = Catalog.of([{"name": "f", "parameters": schema}]).tool("f")
    for found in ({"k": "x", "m": "1"}, {"k": {"k": [["x"]]}, "m": 1}, {"M": "1"}):
        outcome = coerce(tool, found)
        assert outcome.fits or outcome.arguments is found


def test_the_deepest_value_that_the_decoder_lets_through_is_no_danger() -> None:
    node: dict[str, Any] = {"type": "object", "properties": {"k": {"$ref": "#/$defs/n"}, "m": {"type": "integer"}}, "additionalProperties": False}
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"k": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}}}
    value: Any = {"m": "1"}
    for _ in range(62):
        value = {"k": value, "M": "2"}
    (made,) = tamis.parse(f"<tool_call>{json.dumps({'name': 'f', 'arguments': {'k': value}})}</tool_call>", [tool]).calls
    assert made.arguments["k"]["m"] == 2
    assert len(made.repairs) == 125  # a spelling and a number at each level, and the number at the bottom
    deeper = {"name": "f", "arguments": {"k": json.dumps({"k": json.dumps({"k": json.dumps(value)})})}}
    (refused,) = tamis.parse(f"<tool_call>{json.dumps(deeper)}</tool_call>", [tool]).rejections
    assert refused.cause == "schema_violation"
