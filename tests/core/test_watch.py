"""Format E: unknown openers are told by their marks alone, whatever the cut, and change nothing."""

from __future__ import annotations

import pytest

from tamis.core import FormatCandidate, Session, collect

TIDE = {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}
SECRET = "hunter2"


def read(text: str, size: int) -> list[object]:
    session = Session([TIDE])
    events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
    return [*events, *session.finish("stop")]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('Sure.<new_call>{"name": "get_tide", "arguments": {"port": "hunter2"}}</new_call> ok', '<new_call>{"":"","":{"":""}}</new_call>'),
        ('<|call_tool|>get_tide{"port": "hunter2"}<|end_tool|>', '<|call_tool|>{"":""}<|end_tool|>'),
        ('<run key="hunter2">\nget_tide(port="hunter2")\n</run>', '<run>(="")</run>'),
        ('Now [CALL]{"tool": "hunter2"}', '[CALL]{"":""}'),
    ],
)
def test_an_unknown_opener_is_told_by_its_marks(text: str, shape: str) -> None:
    for size in (1, 2, 3, 7, len(text)):
        events = read(text, size)
        found = [event for event in events if isinstance(event, FormatCandidate)]
        assert [item.shape for item in found] == [shape]
        assert SECRET not in repr(found)
        turn = collect(events)  # type: ignore[arg-type]
        assert (turn.content, turn.calls, turn.rejections) == (text, [], [])


@pytest.mark.parametrize(
    "text",
    [
        "<|foo|> is no token of ours.",
        '<b>{"k": 3}</b> and {"name": "x"} in a line',
        "[see]{x} List<String>",
        "<section>\nSome text about get_tide (it is a tool).\n</section>",
        '`<new_call>{"name": "x"}`',
    ],
)
def test_plain_text_is_none(text: str) -> None:
    for size in (1, 3, len(text)):
        assert [event for event in read(text, size) if isinstance(event, FormatCandidate)] == []


def test_the_place_is_counted_in_content() -> None:
    text = 'Ten chars.<|weird|>get_tide{"port": "x"} and so on, ' + "word " * 60
    for size in (1, 5, len(text)):
        (found,) = [event for event in read(text, size) if isinstance(event, FormatCandidate)]
        assert (found.content_offset, found.ordinal) == (10, 0)
