"""Text that passes through unread comes out as it arrives, and every character of it."""

from __future__ import annotations

import pytest

from tamis.core import Content, Reasoning, Session, parse

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
HELD = "So, hm.\n"  # visible text before it: nothing here is the whole message


def early(text: str, size: int) -> str:
    """What is given out before the end is known."""
    session = Session([BELL])
    events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
    return "".join(event.text for event in events if isinstance(event, Content | Reasoning))


@pytest.mark.parametrize(
    "text",
    [
        "> a <b> c `d",
        "> a\n> b",
        "<tools>\na < b </tool c",
        "<tools>\na </tools> b",
        "```\na <b> c\n`d\n``e",
        "````\na\n```\nb",
        "~~~\na\n~~b",
        "a `b <c> d\ne",
        "a ``b` c ``` d",
        "a `b` c",
        'a "<tool_call> b\nc "d" e',
        'a "<tool_call>" b',
        "analysisThe a assistant b",
    ],
)
def test_it_comes_out_as_it_arrives(text: str) -> None:
    text = text if text.startswith("analysis") else HELD + text
    shown = text.removeprefix("analysis")
    for size in (1, 3, len(text)):
        assert early(text, size) == shown


@pytest.mark.parametrize(
    "text",
    ['a "<tool_call>\n', 'a "<tool_call> b\n\n', "a `b\n", "a `b\n\n", "> a\n", "<tools>\n</too", "```\na\n``", "```\na\n```", "~~~\n~~", "a `b``"],
)
def test_nothing_of_it_is_lost_at_the_end(text: str) -> None:
    assert parse(HELD + text, [BELL]).content == HELD + text


@pytest.mark.parametrize("quoted", ["> a ", "```\na ", "<tools>\na ", "b `a "])
def test_a_thought_around_it_ends_it_at_once(quoted: str) -> None:
    text = f"<think>\n{quoted}</think>no, it rang"
    for size in (1, len(text)):
        assert early(text, size) == f"\n{quoted}no, it rang"


def test_a_phrase_that_opens_or_closes_a_thought_is_not_waited_behind() -> None:
    text = "Here is my thought process: it rings. Here is my response: it rang"
    for size in (1, len(text)):
        assert early(text, size) == " it rings.  it rang"
