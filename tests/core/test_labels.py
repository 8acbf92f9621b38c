"""Words that open a call at a line start: how long they wait, what a policy says, and the dialect and repairs that are told."""

from __future__ import annotations

import pytest

from tamis.core import Content, Session, parse
from tamis.core.turn import Turn, collect

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
LOG = {"name": "log_catch", "parameters": {"type": "object", "properties": {"species": {"type": "string"}}}}
TOOLS = [BELL, LOG]
REACT = 'Action: ring_bell\nAction Input: {"times": 2}'
TRIGGERED = "<function_call><tool>ring_bell</tool></function_call>"
SMOL = '{"name": "ring_bell", "arguments": {"times": 2}}'
COMMAND_R = '{"tool_name": "ring_bell", "parameters": {"times": 2}}'


def turn_of(text: str, size: int) -> Turn:
    session = Session(TOOLS)
    events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
    return collect([*events, *session.finish("stop")])


@pytest.mark.parametrize(("size", "thought"), [(4096, True), (4097, False)])
def test_a_labelled_thought_is_held_so_long(size: int, thought: bool) -> None:
    said = "x" * (size - 2)  # besides its blank and its line break
    for step in (1, 7, 5000):
        turn = turn_of(f"Thought: {said}\n{REACT}", step)
        assert (turn.reasoning, turn.content, len(turn.calls)) == (said if thought else None, "" if thought else f"Thought: {said}\n", 1)


@pytest.mark.parametrize(("size", "dropped"), [(1024, True), (1025, False)])
def test_behind_a_trigger_word_its_call_comes_soon(size: int, dropped: bool) -> None:
    said = "x" * (size - len("<function_call><tool>"))
    for step in (1, 7, 5000):
        turn = turn_of(f"FC_USE\n{said}{TRIGGERED}", step)
        assert (turn.content, len(turn.calls)) == (said if dropped else f"FC_USE\n{said}", 1)


@pytest.mark.parametrize(
    "text",
    [
        "Thought: so\nFinal Answer: 4",
        "Thought: so\n  Observation: 4",
        "Thought: so\nAction: sing\nAction Input:",
        "Thought: so\nAction: sing so",
        "Thought: " + "x" * 4096,
        "FC_USE x",
        "FC_USE\n" + "x" * 1024,
        "json\nso",
        "ring_bell so",
        "Action: sing\nso",
        "Action: so, it",
    ],
)
def test_what_is_none_comes_out_at_once(text: str) -> None:
    for size in (1, len(text)):
        session = Session(TOOLS)
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
        assert "".join(event.text for event in events if isinstance(event, Content)) == text


@pytest.mark.parametrize(
    ("text", "format", "repairs"),
    [
        (REACT, "react", []),
        (f"Thought: so\n{REACT}", "react", []),
        (f"Action: {SMOL}", "smolagents_action", []),
        (f"Action: [{SMOL}]", "smolagents_action", []),
        (f"Action:\n```json\n{SMOL}\n```", "react", []),
        (f"Action:\n```json\n{COMMAND_R}\n```", "command_r_action", ["alias_key"]),
        (f"Action:\n```json\n[{COMMAND_R}]\n```", "command_r_action", ["alias_key"]),
        ('Action: {"action": "log_catch", "action_input": "cod"}', "smolagents_action", ["plain_body"]),
        ('ring_bell\n{"times": 2}', "glm4_name_json", []),
        ('ring_bell:0<|tool_call_argument_begin|>{"times": 2}', "kimi_special", []),
        (f"json\n{SMOL}", "bare_json", []),
        (f'json\n{SMOL.replace("arguments", "parameters")}', "llama3_json", []),
        (f"json\n[{SMOL}]", "bare_json", []),
    ],
)
def test_a_call_says_what_it_was(text: str, format: str, repairs: list[str]) -> None:
    (call,) = parse(text, TOOLS).calls
    assert (call.format, [item.rule for item in call.repairs]) == (format, repairs)
    turn = parse(text, TOOLS, policy={"dialects": {"deny": [format, "bare_json"]}})
    assert [call.format for call in turn.calls] == []
    assert turn.content == text


@pytest.mark.parametrize(
    ("text", "format", "cause"),
    [
        ("Action: ring_bell\nAction In", "react", "truncated"),
        ('Action: ring_bell\nAction Input: {"times": ', "react", "truncated"),
        ('Action: {"name": "ring_bell", "arguments": {"ti', "smolagents_action", "truncated"),
        ('Action: {"name": "ring_bell", "arguments": {"times": x y}}', "smolagents_action", "malformed_json"),
        ('Action:\n```json\n{"tool_name": "ring_bell", "parameters": {"times": x y}}\n```', "command_r_action", "malformed_json"),
        ('ring_bell\n{"times": x y}', "glm4_name_json", "malformed_json"),
        ('ring_bell\n{"times": ', "glm4_name_json", "truncated"),
    ],
)
def test_so_does_a_refusal(text: str, format: str, cause: str) -> None:
    (refused,) = parse(text, TOOLS, finish_reason="length").rejections
    assert (refused.format, refused.cause, refused.name) == (format, cause, "ring_bell")
