"""Saved turns in the shapes that people keep them in, and what became of them together."""

from __future__ import annotations

import json

import pytest

from tamis.core.history import HistoryError, breakdown, saved_turns

TIDE = {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}
CALL = '<tool_call>{"name": "get_tide", "arguments": {"port": "Brest"}}</tool_call>'


def lines(*values: object) -> list[str]:
    return [json.dumps(value) for value in values]


def test_every_shape_gives_its_texts() -> None:
    chat = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "one"}, {"role": "tool", "content": "no"}]
    parts = {"role": "assistant", "content": [{"type": "text", "text": "two"}, {"type": "image"}, {"type": "text", "text": "!"}]}
    found = saved_turns(["", *lines("plain", {"text": "case"}, {"completion": "done"}, {"messages": chat}, [*chat, parts])], [TIDE])
    assert [item.text for item in found] == ["plain", "case", "done", "one", "one", "two!"]


def test_a_line_names_its_own_tools_and_reason() -> None:
    (item,) = saved_turns(lines({"text": "x", "tools": [TIDE], "finish_reason": "length", "model": "m"}))
    assert (item.tools, item.finish_reason, item.model) == ([TIDE], "length", "m")


@pytest.mark.parametrize("bad", ["{", "5", json.dumps({"role": "user"}), json.dumps({"messages": [{"role": "user", "content": "hi"}]})])
def test_a_line_without_model_text_is_named(bad: str) -> None:
    with pytest.raises(HistoryError, match="line 2"):
        list(saved_turns([*lines("fine"), bad]))


def test_the_breakdown_counts_what_became_of_them() -> None:
    cut = {"text": CALL[:-30], "finish_reason": "length"}
    texts = lines(CALL, CALL.replace('"', "'"), "Just text.", cut, CALL.replace("get_tide", "nope"), CALL + "<tool_response>x</tool_response>")
    total = breakdown(saved_turns(texts, [TIDE]))
    assert (total.turns, total.calls, total.hallucinated_results) == (6, 3, 1)
    assert dict(total.diagnoses) == {"recovered": 2, "recovered_with_repair": 1, "prose_only": 1, "truncated": 1, "rejected": 1}
    assert dict(total.causes) == {"truncated": 1, "unknown_tool": 1}
    assert dict(total.formats) == {"xml_sentinel": 3}
    assert dict(total.repairs) == {"single_quotes": 1}
