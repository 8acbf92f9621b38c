"""Messages whose header decides: what is shown of them, what parts them, and that all of it comes out."""

from __future__ import annotations

import pytest

from tamis.core import Content, Reasoning, Session, parse

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
ANALYSIS, FINAL = "<|channel|>analysis<|message|>", "<|channel|>final<|message|>"
NEXT = "<|end|><|start|>assistant"
JSON = '{"name": "ring_bell", "arguments": {}}'


@pytest.mark.parametrize(
    ("text", "content", "reasoning"),
    [
        (f"{FINAL}A{NEXT}{FINAL}B", "A\nB", None),
        (f"{FINAL}A\n{NEXT}{FINAL}B", "A\nB", None),
        (f"{FINAL}{NEXT}{FINAL}B", "B", None),
        (f"A{FINAL}B", "A\nB", None),
        (f"{ANALYSIS}x{NEXT}{FINAL}B", "B", "x"),
        (f"{FINAL}A{NEXT}{ANALYSIS}x{NEXT}{FINAL}B", "A\nB", "x"),
        (f"{ANALYSIS}x{NEXT}{ANALYSIS}y{NEXT}{FINAL}B", "B", "x\ny"),
        (f"<think>x{FINAL}y<|end|>z</think>B", "B", "xyz"),
        (f"{ANALYSIS}x<|end|>B<|end|>C", "BC", "x"),
        (f"{FINAL}A <b> to=c 5 < 6 <", "A <b> to=c 5 < 6 <", None),
        (f"{FINAL}A t", "A t", None),
        (f"{FINAL}A <|start|> B", "A <|start|> B", None),
    ],
)
def test_messages_to_the_user_are_parted_and_whole(text: str, content: str, reasoning: str | None) -> None:
    turn = parse(text, [BELL])
    assert (turn.content, turn.reasoning, turn.calls) == (content, reasoning, [])


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (f"{ANALYSIS}x<|end|>{JSON}", "bare_json"),
        (f"{FINAL}{JSON}", "bare_json"),
        (f"<think>x{FINAL}{JSON}\n", "bare_json"),
        (f"x</think>{JSON}", "bare_json"),
        (f"x <think>{JSON}\n", "bare_json"),
        (f"x{FINAL}ring_bell\n{{}}", "glm4_name_json"),
        (f"{ANALYSIS}x<|end|>ring_bell\n{{}}", "glm4_name_json"),
    ],
)
def test_behind_a_header_or_a_thought_a_line_begins(text: str, format: str) -> None:
    assert [call.format for call in parse(text, [BELL]).calls] == [format]


def test_a_message_comes_out_as_it_arrives() -> None:
    text = f"{ANALYSIS}a <b> to c <|d{NEXT}{FINAL}a <b> to=c <d e"
    for size in (1, 3, len(text)):
        session = Session([BELL])
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
        assert "".join(event.text for event in events if isinstance(event, Reasoning)) == "a <b> to c <|d"
        assert "".join(event.text for event in events if isinstance(event, Content)) == "a <b> to=c <d e"
