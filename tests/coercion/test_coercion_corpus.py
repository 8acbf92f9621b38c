"""The labelled corpus: what the safe rules map, what they leave, and what the optional ones add (resolver.md, its §6)."""

from __future__ import annotations

import json

import pytest

from coercion_scoring import ALL_OPTIONAL, corpus, emit, score
from tamis.core.cases import same
from tamis.core.coercion.rules import OPTIONAL, SAFE

RIGHT = 0.995  # the goal; the other half of the corpus is tried elsewhere


def test_the_safe_rules_change_no_meaning_and_map_nearly_all() -> None:
    found = score(corpus())
    assert found.wrong == []
    assert found.right / found.total >= RIGHT, found.refused


def test_every_kind_of_row_is_held() -> None:
    assert score(corpus()).kinds.keys() == {row["kind"] for row in corpus()}


def test_the_optional_rules_do_what_they_are_for() -> None:
    rows = [row for row in corpus() if "expect_optin" in row]
    found = score(rows, optional=True)
    assert (found.wrong, found.refused) == ([], [])
    assert found.right == len(rows) > 50


def test_every_optional_rule_all_at_once_is_worse_which_is_why_each_is_named_by_tool() -> None:
    assert 0 < len(score(corpus(), optional=True).wrong) <= 26  # 26: what the study found with all of them on


@pytest.mark.parametrize("mode", ["off", "registered"])
def test_without_the_schema_rules_nothing_is_mended(mode: str) -> None:
    rows = [row for row in corpus() if row["kind"] in ("key_alias", "number_from_string", "single_for_array", "null_optional", "extra_commentary")]
    for row in rows:
        turn = emit(row, policy={"coercion": mode})
        assert all(same(call.arguments, row["emitted"]) for call in turn.calls)
        assert all(item.cause == "schema_violation" for item in turn.rejections)


def test_every_repair_has_a_known_rule_and_a_path() -> None:
    envelope = {"no_arguments", "null_arguments", "array_of_one", "python_literal", "single_quotes"}
    for row in corpus():
        for call in emit(row).calls:
            for item in call.repairs:
                assert item.rule in SAFE or item.rule in envelope, item
                assert item.path.startswith("$") or item.rule in envelope | {"decoded_arguments"}, item


def test_a_refusal_says_where_of_what_type_and_which_rule_nearly_fired_and_no_value() -> None:
    seen = set()
    for row in corpus():
        for item in emit(row).rejections:
            if item.cause != "schema_violation":
                continue
            seen |= {rule for rule in (*SAFE, *OPTIONAL) if rule in item.detail.split()}
            if isinstance(row["emitted"], dict):
                values = [value for value in row["emitted"].values() if isinstance(value, str) and len(value) > 6]
                assert not any(value in item.detail for value in values), item.detail
    safe = {"text_to_number", "enum_spelling", "key_by_word", "array_of_one", "null_dropped"}
    assert safe | {"loose_bool", "split_strings", "free_alias", "open_object"} <= seen


@pytest.mark.parametrize("rule", ALL_OPTIONAL)
def test_each_optional_rule_has_its_own_switch(rule: str) -> None:
    """With all but one on, its rows are left; with it alone on, some are mapped."""
    schemas = {
        "loose_bool": ({"b": {"type": "boolean"}}, {"b": "yes"}, {"b": True}),
        "float_to_string": ({"s": {"type": "string"}}, {"s": 0.25}, {"s": "0.25"}),
        "enum_near_miss": ({"e": {"enum": ["delete", "update"]}}, {"e": "dlete"}, {"e": "delete"}),
        "split_strings": ({"l": {"type": "array", "items": {"type": "string"}}}, {"l": "a, b"}, {"l": ["a", "b"]}),
        "free_alias": ({"device": {"type": "string"}}, {"lamp": "x"}, {"device": "x"}),
        "to_text": ({"s": {"type": "string"}}, {"s": {"a": 1}}, {"s": '{"a": 1}'}),
        "open_object": ({"props": {"type": "object"}}, {"x": 1, "y": 2}, {"props": {"x": 1, "y": 2}}),
        "guessed_nesting": ({"o": {"type": "object", "properties": {"text": {"type": "string"}}}}, {"o": "hi"}, {"o": {"text": "hi"}}),
        "schema_echo": ({"c": {"type": "string"}}, {"type": "object", "properties": {"c": "x"}}, {"c": "x"}),
        "bare_value": ({"c": {"type": "string"}}, "Oslo", {"c": "Oslo"}),
        "name_to_id": ({"disk_id": {"type": "integer"}}, {"disk_id": "main"}, {"disk_id": 4}),
    }
    properties, emitted, expect = schemas[rule]
    history = [{"role": "tool", "tool_call_id": "c", "name": "disk_list", "content": json.dumps([{"id": 4, "name": "Main"}])}]
    row = {"tool": "f", "emitted": emitted, "history": history,
           "schema": {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}}  # fmt: skip
    others = [name for name in ALL_OPTIONAL if name != rule]
    assert emit(row, policy={"coercion_rules": {"f": others}}).calls == []
    for rules in ({"f": [rule]}, {f"f.{next(iter(properties))}": [rule]}):
        if rule == "schema_echo" and "f" not in rules:
            continue  # it is about all keys at once
        (call,) = emit(row, policy={"coercion_rules": rules}).calls
        assert call.arguments == expect
        assert rule in [item.rule for item in call.repairs]
    assert emit(row, policy={"coercion_rules": {"g": [rule], "f.other": [rule]}}).calls == []
