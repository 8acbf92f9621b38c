"""An argument nested too deep is refused whatever carries it, also where a text inside hides how deep it is (P116)."""

from __future__ import annotations

import json

import pytest

from tamis.core import Limits, parse

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "array"}}}}]
ENCODED = "&#91;", "&#93;"
CARRIERS = {
    "json": '<tool_call>{"name": "f", "arguments": {"x": VALUE}}</tool_call>',
    "list": '<tool_call>[{"name": "f", "arguments": {"x": VALUE}}]</tool_call>',
    "wrapper": '<tool_call>{"function_call": {"name": "f", "arguments": {"x": VALUE}}}</tool_call>',
    "bare": '{"name": "f", "arguments": {"x": VALUE}}',
    "head": '[TOOL_CALLS]f{"x": VALUE}',
    "tag": "<function=f><parameter=x>VALUE</parameter></function>",
    "whole in a tag": '<function=f><parameter=arguments>{"x": VALUE}</parameter></function>',
    "entities": "<tool_call>{&quot;name&quot;: &quot;f&quot;, &quot;arguments&quot;: {&quot;x&quot;: ENTITIES}}</tool_call>",
}
TEXTS = {
    "encoded": '<tool_call>{"name": "f", "arguments": TEXT}</tool_call>',
    "bare encoded": '{"name": "f", "arguments": TEXT}',
    "head encoded": "[TOOL_CALLS]f[ARGS]TEXT",
}


def told(template: str, levels: int, limits: Limits) -> tuple[int, list[str]]:
    value = "[" * levels + "]" * levels
    text = template.replace("VALUE", value).replace("ENTITIES", ENCODED[0] * levels + ENCODED[1] * levels)
    turn = parse(text.replace("TEXT", json.dumps('{"x": ' + value + "}")), tools=TOOLS, policy={"limits": {"nesting": limits.nesting}})
    assert turn.content.strip() == ""
    return len(turn.calls), [f"{item.name}: {item.detail}" for item in turn.rejections]


@pytest.mark.parametrize("carrier", [*CARRIERS, *TEXTS])
def test_the_limit_is_exact_and_far_beyond_it_nothing_breaks(carrier: str) -> None:
    template = (CARRIERS | TEXTS)[carrier]
    refused = (0, ["f: an argument is nested deeper than 64 levels"])
    assert told(template, 64, Limits()) == (1, [])
    assert told(template, 65, Limits()) == refused
    assert told(template, 3_000, Limits()) == refused
    assert told(template, 6, Limits(nesting=5)) == (0, ["f: an argument is nested deeper than 5 levels"])
