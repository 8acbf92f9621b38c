"""Fences and inline code: bounds, how soon they are decided, and what a policy says about them; what they hold is shown by cases."""

from __future__ import annotations

import pytest

from tamis.core import Content, Session, parse

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
JSON = '{"name": "ring_bell", "arguments": {}}'
CALL = f"<tool_call>{JSON}</tool_call>"


@pytest.mark.parametrize(("size", "calls"), [(64, 1), (65, 0)])
def test_an_info_line_is_short(size: int, calls: int) -> None:
    text = f"```{'x' * size}\n{CALL}\n```"
    turn = parse(text, [BELL])
    assert (len(turn.calls), turn.content) == (calls, "" if calls else text)


@pytest.mark.parametrize(
    ("inside", "calls"),
    [
        ("x" * 256, 0),
        ("x" * 257, 1),
        ("x" * 127 + "\n" + "x" * 128, 0),
        ("x" * 128 + "\n" + "x" * 128, 1),
        ("x``" + "x" * 253, 0),
        ("x``" + "x" * 254, 1),
        ("</tool_call>" + "x" * 244, 0),
        ("</tool_call>" + "x" * 245, 1),
        ("<tool_call>" + "x" * 300, 0),
        ("<tool_response>" + "x" * 300, 0),
    ],
)
def test_a_backtick_that_no_other_closes_soon_is_alone(inside: str, calls: int) -> None:
    for size in (1, 500):
        text = f"`{inside}{CALL}` so"
        session = Session([BELL])
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])] + session.finish("stop")
        assert sum(event.__class__.__name__ == "ToolCall" for event in events) == calls


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("So, hm.\n```x` y", "So, hm.\n```x` y"),
        ("So, hm.\n```" + "x" * 65, "So, hm.\n```" + "x" * 65),
        ("```json\n[1]\n```\nso ", "```json\n[1]\n```\nso "),
        ("`ls\n-l` so ", "`ls\n-l` so "),
        ("Write `<tool_call>\n-l` so ", "Write `<tool_call>\n-l` so "),
        ("Write `<tool_call> (\n\n", "Write `<tool_call> (\n\n"),
        ("`ls\n\nso ", "`ls\n\nso "),
    ],
)
def test_they_are_decided_as_soon_as_they_can_be(text: str, shown: str) -> None:
    for size in (1, len(text)):
        session = Session([BELL])
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
        assert "".join(event.text for event in events if isinstance(event, Content)) == shown


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        (f"```json\n{JSON}\n```", "json_fence"),
        ("```\n<ring_bell>\n<times>2</times>\n</ring_bell>\n```", "cline_xml"),
        ("```tool_code\nring_bell()\n```", "gemma3_tool_code"),
        ("```tool\nTOOL_NAME: ring_bell\n```", "continue_tool_block"),
    ],
)
def test_a_policy_denies_them(text: str, denied: str) -> None:
    assert [call.format for call in parse(text, [BELL]).calls] == [denied]
    # the words of such a fence may also be read as what they are without it
    turn = parse(text, [BELL], policy={"dialects": {"deny": [denied, "pythonic_list"]}})
    assert (turn.calls, turn.content) == ([], text)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("```\n<ring_bell>\n<times>2</times>\n</ring_bell>\n```", "cline_xml"),
        ("```tool_code\nring_bell()\n```", "gemma3_tool_code"),
        ("```tool\nTOOL_NAME: ring_bell\n```", "continue_tool_block"),
    ],
)
def test_a_policy_may_allow_them_alone(text: str, allowed: str) -> None:
    assert [call.format for call in parse(text, [BELL], policy={"dialects": [allowed]}).calls] == [allowed]


def test_each_call_in_a_fence_names_its_own_dialect() -> None:
    other = 'functions.ring_bell:0<|tool_call_argument_begin|>{"times": 2}'
    for first, second in ((CALL, other), (other, CALL)):
        formats = ["xml_sentinel", "kimi_special"] if first == CALL else ["kimi_special", "xml_sentinel"]
        assert [call.format for call in parse(f"```\n{first}\n{second}\n```", [BELL]).calls] == formats
