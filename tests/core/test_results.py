"""Results that a model made up: what is said about them, and which text was taken out."""

from __future__ import annotations

import hashlib

import pytest

from tamis.core import HallucinatedResult, Session

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
ACTION = "Action: ring_bell\nAction Input: {}\n"
HEADER = "<|start|>functions.ring_bell to=assistant<|channel|>commentary<|message|>"


def found(text: str, size: int) -> list[HallucinatedResult]:
    session = Session([BELL])
    events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
    return [event for event in (*events, *session.finish("stop")) if isinstance(event, HallucinatedResult)]


@pytest.mark.parametrize(
    ("before", "inside", "behind", "markup", "tool", "call_id"),
    [
        ("<tool_response>", "ok", "</tool_response>so", "tool_response", None, None),
        ("<tool_response>", "ok", "</tool_response  >so", "tool_response", None, None),
        ("<tool_response>", "cut", "", "tool_response", None, None),
        ("<tool_response>", "cut </tool_resp", "", "tool_response", None, None),
        ("<tool_response>", "", "</tool_response>", "tool_response", None, None),
        ("<tool_response/>", "", "so", "tool_response", None, None),
        ('<tool_response name="a" id="7">', "<name>b</name><id>8</id>", "</tool_response>", "tool_response", "a", "7"),
        ('<tool_response tool_call_id="7">', '{"call_id": "8"}', "</tool_response>", "tool_response", None, "7"),
        ("<tool_response>", "<name>a</name><id>7</id>", "</tool_response>", "tool_response", "a", "7"),
        ("<tool_response>", '{"tool_name": "a", "tool_use_id": "7"}', "</tool_response>", "tool_response", "a", "7"),
        ("<tool_response>", "a<tool_response>b</tool_response>c", "</tool_response>d", "tool_response", None, None),
        ("<tool_response>", 'a<tool_response n="1">b</tool_response>c', "</tool_response>d", "tool_response", None, None),
        ("<tool_response>", "a<tool_response n='1'/>b", "</tool_response>c", "tool_response", None, None),
        ("<tool_response>", "a</tool_result></", "</tool_response>b", "tool_response", None, None),
        ("<a:function_results>", "ok", "</b:function_results>so", "function_results", None, None),
        ("<|tool_response>", "response:a{ok}", "<tool_response|>so", "tool_response", "a", None),
        ("<|observation|>", "ok", "<|assistant|>so", "observation", None, None),
        ("[TOOL_RESULTS]", "ok", "[/TOOL_RESULTS]so", "tool_results", None, None),
        ("✿RESULT✿", ": ok\n", "✿RETURN✿: so", "flower_result", None, None),
        ("```tool_output", "\nok\n", "```\nso", "tool_output_fence", None, None),
        (f"{ACTION}Observation:", " ok", "\nThought: so", "observation_label", None, None),
        (HEADER, "ok", "<|end|>", "function_message", "ring_bell", None),
    ],
)
def test_a_result_is_measured_and_hashed(before: str, inside: str, behind: str, markup: str, tool: str | None, call_id: str | None) -> None:
    text = before + inside + behind
    for size in (1, 3, len(text)):
        (event,) = found(text, size)
        assert (event.markup, event.claims_tool, event.claims_call_id, event.length) == (markup, tool, call_id, len(inside))
        assert event.sha256 == hashlib.sha256(inside.encode()).hexdigest()


@pytest.mark.parametrize("text", ["<tool_response>", "<tool_response> \n", "✿RESULT✿: ", "✿RESULT✿：", "<|observation|>\n", f"{ACTION}Observation:"])
def test_a_mark_with_nothing_behind_it_is_the_stop_word(text: str) -> None:
    for size in (1, len(text)):
        assert found(text, size) == []


@pytest.mark.parametrize(("size", "tool"), [(4096 - 7, "a"), (4096 - 6, None)])
def test_claims_are_looked_for_at_its_head(size: int, tool: str | None) -> None:
    text = "<tool_response>" + "x" * size + "<name>a</name></tool_response>"
    assert [(event.claims_tool, event.length) for event in found(text, len(text))] == [(tool, size + 14)]
    assert [(event.claims_tool, event.length) for event in found(text, 7)] == [(tool, size + 14)]


def test_a_closer_with_too_much_room_is_none_whatever_the_cut() -> None:
    text = "<tool_response>ok</tool_response" + " " * 600 + ">so"
    assert [found(text, size)[0].length for size in (1, 7, len(text))] == [len(text) - 15] * 3
