"""Coercers of a host: their order, what they may not do, and where they come from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import tamis
from tamis import coercers
from tamis.core.coercion.registry import Registry, registry
from tamis.core.errors import UsageError
from tamis.metrics import Metrics

LAMP = {"name": "set_lamp", "parameters": {"type": "object", "properties": {"level": {"type": "integer"}, "mood": {"type": "string"}},
                                           "required": ["level"], "additionalProperties": False}}  # fmt: skip


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    before = registry.tools
    yield
    for tool in registry.tools:
        if tool not in before:
            registry.remove(tool)


def call(arguments: Any, **keywords: Any) -> tamis.Turn:
    return tamis.parse(f"<tool_call>{json.dumps({'name': 'set_lamp', 'arguments': arguments})}</tool_call>", [LAMP], **keywords)


def test_the_hosts_coercer_comes_first_and_the_schemas_rules_after_it() -> None:
    @tamis.coercer("set_lamp")
    def brightness(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
        assert "brightness" in arguments  # it sees what was emitted
        return {"level": arguments["brightness"]}

    (made,) = call({"brightness": "7"}).calls
    assert made.arguments == {"level": 7}
    assert [(item.rule, item.path) for item in made.repairs] == [("coercer", "$.brightness"), ("coercer", "$.level"), ("text_to_number", "$.level")]
    assert all(item.before is None and item.after is None for item in made.repairs[:2])


def test_under_registered_it_is_the_only_one_and_under_off_and_strict_there_is_none() -> None:
    tamis.coercer("set_lamp")(lambda arguments, history: {"level": 3})
    assert call({}, policy={"coercion": "registered"}).calls[0].arguments == {"level": 3}
    assert call({"level": "3"}, policy={"coercion": "registered"}).calls[0].arguments == {"level": 3}
    assert call({}, policy={"coercion": "off"}).calls == []
    assert call({}, policy={"mode": "strict"}).calls == []
    assert call({}, policy={"schema_gate": "flag", "coercion": "off"}).calls[0].arguments == {}


@pytest.mark.parametrize(
    "bad",
    [lambda a, h: 1 / 0, lambda a, h: None, lambda a, h: [a], lambda a, h: {"level": {1}}, lambda a, h: {"level": float("nan")}, lambda a: a],
)
def test_one_that_raises_or_returns_no_arguments_leaves_them_and_is_counted(bad: Any) -> None:
    tamis.coercer("set_lamp")(bad)
    (made,) = call({"level": "7"}).calls
    assert made.arguments == {"level": 7}
    (failed, _) = made.repairs
    assert (failed.rule, failed.path, failed.before, failed.after) == ("coercer_failed", "$", None, None)
    metrics = Metrics()
    metrics.observe(made, "vllm", "m")
    assert metrics.registry.get_sample_value("tamis_coercer_failures_total", {"provider": "vllm", "model": "m"}) == 1
    assert call({"level": "bright"}).rejections[0].detail.endswith("the tool's own coercer failed")


def test_one_that_writes_into_what_it_gets_changes_nothing_by_it() -> None:
    def vandal(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
        arguments.clear()
        history.clear()
        raise ValueError

    seen = []
    tamis.coercer("set_lamp")(vandal)
    history = [{"role": "tool", "tool_call_id": "c", "name": "lamp_list", "content": "[1]"}]
    assert call({"level": 1}, history=history).calls[0].arguments == {"level": 1}
    registry.remove("set_lamp")
    tamis.coercer("set_lamp")(lambda arguments, given: seen.append(given) or arguments)
    call({"level": 1}, history=history)
    assert seen == [history]


def test_what_it_makes_counts_only_if_it_fits_in_the_end() -> None:
    tamis.coercer("set_lamp")(lambda arguments, history: {"colour": "red"})
    (made,) = call({"level": "7"}).calls
    assert made.arguments == {"level": 7}
    assert [item.rule for item in made.repairs] == ["text_to_number"]
    assert call({"level": "bright"}).rejections[0].cause == "schema_violation"


def test_one_function_a_tool() -> None:
    made = Registry()

    def first(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
        return arguments

    def second(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
        return arguments

    made.add("f", first)
    made.add("f", first)  # loaded again
    with pytest.raises(UsageError, match="already"):
        made.add("f", second)
    made.remove("f")
    made.add("f", second)
    assert made.tools == ("f",)
    with pytest.raises(UsageError):
        made.add("g", 5)  # type: ignore[arg-type]


def test_packages_offer_theirs_by_entry_point() -> None:
    made = Registry()
    points = [EntryPoint("workspace_apply", "tamis.core.coercion.examples:workspace_apply", coercers.GROUP)]
    assert coercers.load(made, points) == ("workspace_apply",)
    history = [{"role": "tool", "content": '{"workspaces": [{"id": 3}]}'}]
    assert made.apply("workspace_apply", {"workspace": {"id": 3}}, history)[0] == {"workspace_id": 3}
    with pytest.raises(UsageError, match="lamps"):
        coercers.load(made, [EntryPoint("lamps", "no_such_module_here:f", coercers.GROUP)])
    assert coercers.load(Registry()) == ()  # this package offers none by itself
