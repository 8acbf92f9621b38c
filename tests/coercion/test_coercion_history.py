"""Earlier results: both shapes, how many are kept, and the way from a name to an id."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tamis
from tamis.core.coercion.crossturn import id_of
from tamis.core.coercion.history import KEPT, KEPT_BYTES, Result, recent, results


def said(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": "c1", "name": "disk_list", "content": content, **more}


def test_results_of_native_calls_are_known_by_name_or_by_the_calls_id() -> None:
    history = [
        {"role": "user", "content": "please"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c7", "function": {"name": "disk_list", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c7", "content": [{"type": "text", "text": '[{"id"'}, {"type": "text", "text": ": 1}]"}]},
        {"role": "tool", "tool_call_id": "c8", "name": "ping", "content": "pong"},
    ]
    assert results(history) == [Result("disk_list", "c7", [{"id": 1}]), Result("ping", "c8", "pong")]


@pytest.mark.parametrize(
    "block",
    [
        "<function_results>\n<result>\n<tool_name>disk_list</tool_name>\n<call_id>lenient_4_0</call_id>\n"
        '<output>[{"id": 1}]</output>\n</result>\n</function_results>',
        '<function_results><result name="disk_list" id="lenient_4_0">[{"id": 1}]</result></function_results>',
        '<function_results name="disk_list" id="lenient_4_0">\n[{"id": 1}]\n</function_results>',
        '<function_results>\n<name>disk_list</name>\n<id>lenient_4_0</id>\n[{"id": 1}]\n</function_results>',
    ],
)
def test_results_of_calls_from_text_stand_in_blocks(block: str) -> None:
    assert results([{"role": "user", "content": f"Here:\n{block}"}]) == [Result("disk_list", "lenient_4_0", [{"id": 1}])]


def test_other_text_of_anybody_is_no_result() -> None:
    text = '[{"id": 3, "name": "Main"}]'
    history: list[Any] = [*({"role": role, "content": text} for role in ("user", "assistant", "system")), "junk", None, {"role": "tool"}]
    assert results(history) == []
    assert recent(history) == []


def test_the_last_fifty_results_are_kept_and_at_most_64_kb() -> None:
    many = [said(str(number)) for number in range(KEPT + 9)]
    assert [item["content"] for item in recent(many)] == [str(number) for number in range(9, KEPT + 9)]
    large = [said("x" * 30_000, name=f"n{number}") for number in range(5)]
    kept = recent(large)
    assert [item["name"] for item in kept] == ["n3", "n4"]
    assert len(json.dumps(kept)) <= KEPT_BYTES
    assert recent([said("x" * KEPT_BYTES)]) == []
    assert recent(recent(many)) == recent(many)


def test_what_names_a_tool_is_kept_with_its_result_and_nothing_else() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "disk_list", "arguments": "x" * 99_999}}
    result = {"role": "tool", "tool_call_id": "c1", "content": "[]"}
    kept = recent([{"role": "assistant", "content": "y" * 99_999, "tool_calls": [call]}, {**result, "extra": "z"}])
    assert kept == [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "disk_list"}}]}, result]
    assert results(kept) == [Result("disk_list", "c1", [])]


ROWS = '[{"id": 3, "name": "Main"}, {"id": 7, "title": "Spare"}]'


@pytest.mark.parametrize(
    ("name", "key", "history", "found"),
    [
        ("main", "disk_id", [said(ROWS)], 3),
        ("Spare", "disk_id", [said(ROWS)], 7),
        ("Mai", "disk_id", [said(ROWS)], None),
        ("Main", "id", [said(ROWS)], None),  # nothing says of what
        ("Main", "volume_id", [said(ROWS)], None),
        ("Main", "volume_id", [said(json.dumps({"volumes": json.loads(ROWS)}), name="everything")], 3),
        ("Main", "disk_id", [said('[{"disk_id": 5, "id": 1, "name": "Main"}]')], 5),
        ("Main", "disk_id", [said('[{"id": "abc", "name": "Main"}]')], None),
        ("Main", "disk_id", [said('[{"id": 1, "name": "Main"}, {"id": 2, "name": "MAIN"}]')], None),
        ("Main", "disk_id", [said(ROWS), said('[{"id": 9, "name": "Main"}]')], 9),
        ("Main", "disk_id", [said(ROWS), said("not json"), said("[]")], 3),
    ],
)
def test_from_a_name_to_an_id(name: str, key: str, history: list[Any], found: int | None) -> None:
    assert id_of(name, key, history) == found


def test_a_session_takes_a_history_and_a_snapshot_needs_it_again() -> None:
    tool = {"name": "mount", "parameters": {"type": "object", "properties": {"disk_id": {"type": "integer"}}, "required": ["disk_id"]}}
    text = '<tool_call>{"name": "mount", "arguments": {"disk_id": "main"}}</tool_call>'
    keywords: dict[str, Any] = {"history": [said(ROWS)], "policy": {"coercion_rules": {"mount": ["name_to_id"]}}}
    session = tamis.Session([tool], **keywords)
    session.receive(text[:20])
    session = tamis.Session.restore(session.snapshot(), [tool], **keywords)
    calls = [item for item in session.receive(text[20:]) if isinstance(item, tamis.ToolCall)]
    assert [call.arguments for call in calls] == [{"disk_id": 3}]
    assert tamis.parse(text, [tool], policy=keywords["policy"]).calls == []
    assert tamis.parse(text, [tool], history=keywords["history"]).calls == []
