"""The three coercers that ship, with their catalogue, through the whole parser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import tamis
from tamis.core.coercion import examples
from tamis.core.coercion.registry import registry

WIDGETS = {"role": "tool", "tool_call_id": "c1", "name": "widget_list",
           "content": '{"widgets": [{"id": 21, "title": "Revenue"}, {"id": 22, "title": "Churn"}]}'}  # fmt: skip
BLOCK = '<result>\n<tool_name>widget_create</tool_name>\n<stdout>{"id": "w9", "name": "Uptime"}</stdout>\n</result>'
MADE = {"role": "user", "content": f"<function_results>\n{BLOCK}\n</function_results>"}
SPACES = [{"role": "assistant", "tool_calls": [{"id": "c2", "function": {"name": "workspace_create", "arguments": "{}"}}]},
          {"role": "tool", "tool_call_id": "c2", "content": '{"id": 3, "name": "Ops"}'}]  # fmt: skip


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    examples.register()
    examples.register()  # twice is once
    yield
    for tool in examples.CATALOG:
        registry.remove(tool["name"])


def arguments(tool: str, emitted: dict[str, Any], history: list[dict[str, Any]] | None = None) -> Any:
    text = json.dumps({"name": tool, "arguments": emitted})
    turn = tamis.parse(f"<tool_call>{text}</tool_call>", examples.CATALOG, history=history or [])
    return turn.calls[0].arguments if turn.calls else turn.rejections[0].cause


@pytest.mark.parametrize(
    ("emitted", "made"),
    [
        ({"type": "markdown", "text": "# Hello\nyou"}, {"name": "Hello", "spec": {"kind": "markdown", "props": {"text": "# Hello\nyou"}}}),
        ({"kind": "Chart", "series": [1]}, {"name": "chart widget", "spec": {"kind": "chart", "props": {"series": [1]}}}),
        ({"title": "Mine", "kind": "table"}, {"name": "Mine", "spec": {"kind": "table"}}),
        ({"kind": "table", "props": {"n": 3}, "h": 4}, {"name": "table widget", "spec": {"kind": "table", "props": {"n": 3, "h": 4}}}),
        ({"name": "hello", "spec": {"kind": "markdown"}}, {"name": "hello", "spec": {"kind": "markdown"}}),
        ({"spec": {"kind": "markdown", "props": {"body": "Hi"}}}, {"name": "Hi", "spec": {"kind": "markdown", "props": {"body": "Hi"}}}),
        ({"text": "no kind"}, "schema_violation"),
        ({"kind": "hologram"}, "schema_violation"),
    ],
)
def test_widget_create(emitted: dict[str, Any], made: Any) -> None:
    assert arguments("widget_create", emitted) == made


@pytest.mark.parametrize(
    ("emitted", "made"),
    [
        ({"name": "Ops", "widgets": ["Churn", "revenue"]}, {"name": "Ops", "widget_ids": [22, 21]}),
        ({"name": "Ops", "widgets": [{"title": "Churn"}, {"id": 21}, "Uptime"]}, {"name": "Ops", "widget_ids": [22, 21, "w9"]}),
        ({"name": "Ops", "widget_ids": ["22"]}, {"name": "Ops", "widget_ids": [22]}),
        ({"name": "Ops"}, {"name": "Ops", "widget_ids": [22, 21, "w9"]}),
        ({"name": "Ops", "widgets": "all"}, {"name": "Ops", "widget_ids": [22, 21, "w9"]}),
        ({"name": "Ops", "widgets": ["Nobody"]}, "schema_violation"),
    ],
)
def test_workspace_create(emitted: dict[str, Any], made: Any) -> None:
    assert arguments("workspace_create", emitted, [WIDGETS, MADE]) == made


def test_workspace_create_without_any_result_is_refused() -> None:
    assert arguments("workspace_create", {"name": "Ops"}) == "schema_violation"
    assert arguments("workspace_create", {"name": "Ops", "widget_ids": [5]}) == {"name": "Ops", "widget_ids": [5]}


@pytest.mark.parametrize(
    ("emitted", "made"),
    [
        ({"workspace": "ops"}, {"workspace_id": 3}),
        ({"workspace": {"id": 3}}, {"workspace_id": 3}),
        ({"name": "Ops"}, {"workspace_id": 3}),
        ({}, {"workspace_id": 3}),
        ({"workspace_id": 8}, {"workspace_id": 8}),
        ({"workspace": "Nobody's"}, "schema_violation"),
    ],
)
def test_workspace_apply(emitted: dict[str, Any], made: Any) -> None:
    assert arguments("workspace_apply", emitted, SPACES) == made


def test_without_registration_none_of_them_is_on() -> None:
    for tool in examples.CATALOG:
        registry.remove(tool["name"])
    assert arguments("widget_create", {"type": "markdown", "text": "Hi"}) == "schema_violation"
