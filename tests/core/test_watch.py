"""Format E: unknown openers are told by their marks alone, whatever the cut, and change nothing."""

from __future__ import annotations

import pytest

from tamis.core import FormatCandidate, Session, collect
from tamis.core.cases import merged
from tamis.core.watch import WINDOW, Watch

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


def test_a_token_in_front_of_a_bracket_is_found_as_far_back_as_text_is_kept() -> None:
    for size, count in ((40, 1), (41, 0)):
        text = f'Now see: [{"x" * (size - 2)}]{{"name": "y"}} there.'
        for cut in (1, 3, len(text)):
            found = [event for event in read(text, cut) if isinstance(event, FormatCandidate)]
            assert [item.content_offset for item in found] == [9] * count


@pytest.mark.parametrize("before", ["", "Ten chars.", "Ten chars.\nMore {"])
@pytest.mark.parametrize("opener", ['<|weird|>get_tide{"port": ', '[CALL]{"name": ', '\n<run>get_tide('])
def test_a_finding_comes_out_at_the_end_of_its_window_in_every_cut_and_costs_no_text(before: str, opener: str) -> None:
    text = f"{before}{opener}" + "{},:[]" * 60
    whole = merged(read(text, len(text)))  # type: ignore[arg-type]
    for size in (1, 2, 5, 7, 150, 200):
        assert merged(read(text, size)) == whole  # type: ignore[arg-type]
    assert collect(whole).content == text
    (found,) = [event for event in whole if isinstance(event, FormatCandidate)]
    assert found.content_offset == len(before) + opener.count("\n")
    session, end = Session([TIDE]), len(before) + opener.count("\n") + WINDOW
    assert not [event for char in text[: end - 1] for event in session.receive(char) if isinstance(event, FormatCandidate)]
    assert [event for event in session.receive(text[end - 1]) if isinstance(event, FormatCandidate)] == [found]


def test_a_window_without_a_finding_costs_no_text() -> None:
    text = "See <|foo|> and <foo bar> or [foo] {'k': 1}: " + "no opener, " * 40
    for size in (1, 2, 5, 7, 150, len(text)):
        assert collect(read(text, size)).content == text  # type: ignore[arg-type]


def test_nothing_is_watched_in_a_thought() -> None:
    text = '<think>\n<|weird|>get_tide{"port": "x"} [CALL]{"name": "y"}</think>Fine.'
    for size in (1, len(text)):
        assert [event for event in read(text, size) if isinstance(event, FormatCandidate)] == []


def test_a_call_or_a_mark_ends_the_window() -> None:
    for end in ("</think>", "<think>", '\n{"name": "get_tide", "arguments": {"port": "x"}}', "`code`"):
        text = f'Ten chars.<|weird|>{end}get_tide{{"port": "x"}} ' + "word " * 60
        for size in (1, len(text)):
            assert [event for event in read(text, size) if isinstance(event, FormatCandidate)] == [], end


def test_the_window_keeps_its_first_beginning() -> None:
    watch = Watch(lambda name: name == "ring")
    assert (watch.open, watch.offset, watch.room) == (False, 0, WINDOW)
    watch.begin("<|aa|>", 7)
    watch.begin("<|bb|>", 9)
    assert (watch.open, watch.offset, watch.room) == (True, 7, WINDOW - 6)
    watch.buffer += "bell( <|cc|> ring("
    assert watch.end() == "<|cc|>("
    assert (watch.open, watch.room, watch.end()) == (False, WINDOW, None)
    watch.begin("<|aa|>", 30)
    watch.buffer += '[{ "tool_name" : "x", <tag c="d">e</tag>' + "=" * WINDOW
    assert watch.end() == ('<|aa|>[{"":"",<tag></tag>' + "=" * WINDOW)[:WINDOW]


def test_a_blank_in_the_bracket_is_seen_or_not_whatever_the_cut() -> None:
    text = 'Now [CALL]{ "name": "x"} there.'
    assert [merged(read(text, size)) == merged(read(text, len(text))) for size in (1, 2, 11)] == [True] * 3  # type: ignore[arg-type]
