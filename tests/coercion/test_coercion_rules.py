"""Single rules and their guards, where the corpus has few rows or none."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tamis
from tamis.core.catalog import Catalog
from tamis.core.coercion.default import Coerced, coerce

CLOSED: dict[str, Any] = {"additionalProperties": False}
REFUSED = object()


def run(properties: dict[str, Any], emitted: dict[str, Any], tool: str = "f", **more: Any) -> Coerced:
    schema = {"type": "object", "properties": properties, **more}
    return coerce(Catalog.of([{"name": tool, "parameters": schema}]).tool(tool), emitted)


TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
LIST = {"type": "array", "items": TEXT}
DATES = {"type": "array", "items": {"type": "string", "format": "date"}}
NODE = {"type": "object", "properties": {"size": WHOLE}, "required": ["size"], **CLOSED}


@pytest.mark.parametrize(
    ("properties", "required", "emitted", "expect"),
    [
        ({"n": WHOLE}, ["n"], {"n": "9223372036854775808"}, REFUSED),
        ({"n": NUMBER}, ["n"], {"n": "0.1234567890123456789"}, REFUSED),  # a float would round it
        ({"n": NUMBER}, ["n"], {"n": "-2.50"}, {"n": -2.5}),
        ({"l": {"type": "array", "items": NUMBER}}, ["l"], {"l": "1,234"}, REFUSED),  # or is it one number?
        ({"l": {"type": "array", "items": NUMBER}}, ["l"], {"l": "1, 234"}, {"l": [1, 234]}),
        ({"l": {"type": "array", "items": {"enum": ["a, b", "c"]}}}, ["l"], {"l": "a, b"}, {"l": ["a, b"]}),
        ({"l": DATES}, ["l"], {"l": "2025-03-01, 2025-03-02"}, {"l": ["2025-03-01", "2025-03-02"]}),
        ({"l": DATES}, ["l"], {"l": "2025-03-01, soon"}, REFUSED),
        ({"l": {**LIST, "minItems": 2}}, ["l"], {"l": "a"}, REFUSED),
        ({"l": LIST}, ["l"], {"l": "null"}, REFUSED),
        ({"l": LIST}, [], {"l": "None"}, {}),
        ({"o": {"type": "object"}}, ["o"], {"o": "{a: 1}"}, REFUSED),  # neither JSON nor Python
        ({"o": {"type": "object"}}, ["o"], {"o": "{'a': True}"}, {"o": {"a": True}}),
        ({"o": {"type": ["object", "null"]}}, ["o"], {"o": "null"}, {"o": None}),
        ({"o": {"anyOf": [NODE, {"type": "null"}]}}, ["o"], {"o": {"size": "3"}}, {"o": {"size": 3}}),
        ({"o": {"anyOf": [NODE, {**NODE, "properties": {"w": WHOLE}, "required": ["w"]}]}}, ["o"], {"o": {"w": "3"}}, {"o": {"w": 3}}),
        ({"l": {"type": "array", "items": NODE}}, ["l"], {"l": [{"size": "1"}, {"Size": 2, "thought": "x"}]}, {"l": [{"size": 1}, {"size": 2}]}),
        ({"e": {"enum": ["yes", "no"]}}, ["e"], {"e": True}, {"e": "yes"}),
        ({"e": {"enum": ["yes", "no", "maybe"]}}, ["e"], {"e": True}, REFUSED),
        ({"e": {"enum": ["Fast", "FAST"]}}, ["e"], {"e": "fast"}, REFUSED),
        ({"c": {"const": "search"}}, ["c"], {}, {"c": "search"}),
        ({"c": {"const": "search"}}, [], {}, {}),
        ({"d": {"type": "integer", "default": 4}}, ["d"], {"d": None}, {"d": 4}),
        ({"a": TEXT}, ["a"], {"a": "x", "extra": 0}, REFUSED),
        ({"a": TEXT}, ["a"], {"a": "x", "extra": False}, REFUSED),
        ({"a": TEXT}, ["a"], {"a": "x", "Rationale": "because"}, {"a": "x"}),
        ({"perPage": WHOLE}, [], {"perPage": 5, "per_page": 5}, {"perPage": 5}),
        ({"perPage": WHOLE}, [], {"perPage": 5, "per_page": 6}, REFUSED),
        ({"perPage": WHOLE}, [], {"perPage": 5, "per_page": None}, {"perPage": 5}),
        ({"perPage": WHOLE, "per_page": WHOLE}, [], {"PERPAGE": 5}, REFUSED),
    ],
)
def test_values_and_keys_of_a_closed_schema(properties: dict[str, Any], required: list[str], emitted: dict[str, Any], expect: Any) -> None:
    found = run(properties, emitted, required=required, **CLOSED)
    assert (found.arguments if found.fits else REFUSED) == expect


@pytest.mark.parametrize(
    ("tool", "keys", "emitted", "mapped"),
    [
        ("delete_page", ["page_id"], {"id": "a"}, True),
        ("delete_page", ["id"], {"page_id": "a"}, True),
        ("move_page_to_space", ["id"], {"space_id": "a"}, False),
        ("get_order_for_user", ["order_id"], {"user_id": "a"}, False),
        ("search_notes", ["query"], {"search_query": "a"}, True),
        ("open_link", ["url"], {"link": "a"}, True),
        ("make_folder", ["path"], {"directory": "a"}, True),
        ("make_folder", ["file_path"], {"directory": "a"}, False),
        ("rename_page", ["new_title"], {"title": "a"}, False),
        ("rename_page", ["old_title", "new_title"], {"old_title": "x", "title": "a"}, False),
        ("copy", ["source", "destination"], {"source": "x", "target": "a"}, False),
        ("hire", ["job_name"], {"job_title": "a"}, False),
        ("copy_in", ["file_name", "folder_name"], {"file_name": "x", "name": "a"}, False),
        ("send", ["to", "body"], {"to": "x", "text": "a"}, True),
        ("follow", ["name_to_follow"], {"name_to_unfollow": "a"}, False),
    ],
)
def test_a_key_by_another_word(tool: str, keys: list[str], emitted: dict[str, Any], mapped: bool) -> None:
    found = run(dict.fromkeys(keys, TEXT), emitted, tool, required=keys)
    assert found.fits is mapped


def test_a_related_optional_key_is_a_rival() -> None:
    assert not run({"path": TEXT, "file_name": TEXT}, {"file": "a"}, required=["path"]).fits


@pytest.mark.parametrize(
    ("emitted", "mapped"),
    [
        ({"arguments": {"path": "a"}}, True),
        ({"arguments": '{"path": "a"}'}, True),
        ({"name": "read_file", "arguments": {"path": "a"}}, True),
        ({"tool": "functions.readFile", "args": {"Path": "a"}}, True),
        ({"name": "delete_file", "arguments": {"path": "a"}}, False),
        ({"file": {"path": "a"}}, True),
        ({"where": {"path": "a"}}, False),
        ({"except": {"path": "a"}}, False),
        ({"arguments": {"path": "a", "dry_run": True}}, False),
    ],
)
@pytest.mark.parametrize("more", [CLOSED, {}])
def test_objects_around_all_arguments(emitted: dict[str, Any], mapped: bool, more: dict[str, Any]) -> None:
    found = run({"path": TEXT, "limit": WHOLE}, emitted, "read_file", required=["path"], **more)
    assert (found.fits, found.arguments) == ((True, {"path": "a"}) if mapped else (False, emitted))


def test_a_map_has_no_misspelt_keys() -> None:
    assert run({"name": TEXT}, {"Name": "a"}, additionalProperties=TEXT).arguments == {"Name": "a"}


def test_an_object_that_takes_any_key_keeps_what_it_holds() -> None:
    emitted = {"props": {"text": "a", "dashboard_id": 3}}
    open_object = {"type": "object", "properties": {"text": TEXT}}
    assert not run({"dashboard_id": WHOLE, "props": open_object}, emitted, required=["dashboard_id", "props"]).fits


def test_draft_4_takes_no_fraction_for_an_integer_and_others_leave_it() -> None:
    old = run({"n": WHOLE}, {"n": 5.0}, **{"$schema": "http://json-schema.org/draft-04/schema#"})
    assert (old.arguments, [item.rule for item in old.repairs]) == ({"n": 5}, ["integral_float"])
    assert run({"n": WHOLE}, {"n": 5.0}).repairs == ()


def delta(arguments: Any, name: str = "set_lamp", **policy: Any) -> list[tamis.Event]:
    tool = {"name": "set_lamp", "parameters": {"type": "object", "properties": {"level": WHOLE}, "required": ["level"], **CLOSED}}
    session = tamis.Session([tool], policy=policy)
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    events = session.receive_delta({"index": 0, "id": "call_1", "function": {"name": name, "arguments": text}})
    return [item for item in [*events, *session.finish("tool_calls")] if isinstance(item, tamis.ToolCall | tamis.Rejection)]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_lamp", {"level": "7"}),
        ("setLamp", {"level": 7}),
        ("set_lamp", '"{\\"level\\": 7}"'),
        ("set_lamp", "{'level': 7}"),
        ("set_lamp", {"level": 7, "thought": ""}),
    ],
)
def test_native_calls_are_mended_only_when_the_policy_says_so(name: str, arguments: Any) -> None:
    (refused,) = delta(arguments, name)
    assert isinstance(refused, tamis.Rejection)
    (made,) = delta(arguments, name, native="repair")
    assert isinstance(made, tamis.ToolCall)
    assert (made.name, made.arguments, made.id, made.format) == ("set_lamp", {"level": 7}, "call_1", "native")
    assert made.repairs


def test_a_sound_native_call_is_the_same_under_both() -> None:
    assert delta({"level": 7}) == delta({"level": 7}, native="repair")
    (cut,) = delta('{"level": 7', native="repair")
    assert isinstance(cut, tamis.Rejection)
    assert cut.cause == "truncated"


def test_a_refusal_is_flagged_instead_where_the_policy_says_so() -> None:
    (made,) = delta({"level": "bright"}, native="repair", schema_gate="flag")
    assert isinstance(made, tamis.ToolCall)
    assert made.arguments == {"level": "bright"}
    assert [(item.rule, item.path) for item in made.repairs] == [("schema_violation", "$.level")]


def test_text_under_a_misspelt_key_of_a_tag_format_is_typed_by_the_key_it_means() -> None:
    properties = {"zip_code": TEXT, "count": WHOLE, "version": TEXT}
    tool = {"name": "post", "parameters": {"type": "object", "properties": properties, "required": ["zip_code"]}}
    pairs = {"zipCode": "1.10", "Count": "3", "version": "1.10"}
    values = "".join(f"\n<parameter={key}>\n{value}\n</parameter>" for key, value in pairs.items())
    (made,) = tamis.parse(f"<tool_call>\n<function=post>{values}\n</function>\n</tool_call>", [tool]).calls
    assert made.arguments == {"zip_code": "1.10", "count": 3, "version": "1.10"}


@pytest.mark.parametrize(("tool", "mapped"), [("list_directory", True), ("make_folder", True), ("delete_file", False), ("read_note", False)])
def test_a_folder_is_a_path_only_for_tools_about_folders(tool: str, mapped: bool) -> None:
    assert run({"path": TEXT}, {"directory": "a"}, tool, required=["path"]).fits is mapped


def test_a_side_in_the_tools_name_is_no_word_of_its_own() -> None:
    assert not run({"task_id": TEXT}, {"parent_task_id": "a"}, "set_parent_for_task", required=["task_id"]).fits
    assert not run({"message_id": TEXT}, {"message": "hello"}, "delete_message", required=["message_id"]).fits


@pytest.mark.parametrize(
    ("emitted", "said"),
    [
        ({"mode": "quick"}, ["$.mode", "string", '"fast", "slow"', "enum_spelling"]),
        ({"mode": "fsat"}, ["$.mode", "enum_near_miss"]),
        ({"mode": "fast", "per_page": 1, "perPage": 2}, ["$.perPage", "two spellings"]),
        ({"mode": "fast", "dry_run": True}, ["'dry_run'", "dropped_key"]),
        ({"perPage": 1}, ["'mode'", "missing"]),
    ],
)
def test_what_a_refusal_says(emitted: dict[str, Any], said: list[str]) -> None:
    properties = {"mode": {"type": "string", "enum": ["fast", "slow"]}, "perPage": WHOLE}
    tool = {"name": "scan", "parameters": {"type": "object", "properties": properties, "required": ["mode"], **CLOSED}}
    (refused,) = tamis.parse(f"<tool_call>{json.dumps({'name': 'scan', 'arguments': emitted})}</tool_call>", [tool]).rejections
    assert refused.cause == "schema_violation"
    assert all(part in refused.detail and part in refused.feedback for part in said), refused.detail
