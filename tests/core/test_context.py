"""Getting over a body that cannot be read, what stands behind a block, and how much may be read anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.reading import context_of
from tamis.core.bodies.context import cut_or_closed, message_ends, skip_broken
from tamis.core.dialects import lexicon
from tamis.core.source import Source, Steps

FREE = 64 * 1024  # characters that may be read anew whatever the text's length


def driven(steps: Callable[[Source], Steps[Any]], text: str) -> tuple[Any, str]:
    """What the steps give and what they leave of `text`: the same whole and character by character."""
    found = []
    for size in (len(text) or 1, 1):
        source, left, result = Source(), [text[at : at + size] for at in range(0, len(text), size)], None
        running = steps(source)
        try:
            while left:
                source.feed(left.pop(0))
                next(running)
            source.ended = True
            while True:
                next(running)
        except StopIteration as done:
            result = done.value
        found.append((result, source.rest() + "".join(left)))
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('oken"}</tool_call> Hi', " Hi"),
        ("x</tool_response>y</parameter>z</tool_call>Hi", "Hi"),
        ("x <tool_call>{", "<tool_call>{"),
        ("x<tool_response>y", "<tool_response>y"),
        ("x<|im_end|>", "<|im_end|>"),
        ("x < y <b> </toolx> <|z|> [TOOL [/ </tool_call>Hi", "Hi"),
        ("x </think> y</tool_call>Hi", "Hi"),
        ("x<</tool_call>Hi", "Hi"),
        ("x < y", ""),
        ("x </tool_ca", ""),
        ("", ""),
    ],
)
def test_a_broken_body_ends_behind_its_closer_or_in_front_of_an_opener(text: str, rest: str) -> None:
    assert driven(lambda source: skip_broken(source, context_of(), ""), text) == (None, rest)


def test_in_a_thought_its_end_ends_the_body_and_is_not_used_up() -> None:
    assert driven(lambda source: skip_broken(source, context_of(in_thought=True), ""), "x</think>y</tool_call>")[1] == "</think>y</tool_call>"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('x, {"id": 3', '{"id": 3'),
        ('x, {"idle": 3} </tool_call>{"id": 3', '{"id": 3'),
        ('x</tool_call>, {"id":', ', {"id":'),
        ('x, <tool_call>{"id":', '<tool_call>{"id":'),
        ('x, {"i', ""),
        ("x" * 600 + '{"id":' + "y" * 600 + "</tool_call>", '{"id":' + "y" * 600 + "</tool_call>"),
        ("x{" * 600 + '{"id":', '{"id":'),
    ],
)
def test_a_sibling_goes_on_inside_the_envelope(text: str, rest: str) -> None:
    assert driven(lambda source: skip_broken(source, context_of(), "", sibling=r'\{"id":'), text) == (None, rest)


@pytest.mark.parametrize(
    ("read", "rest"),
    [('{"a": "</tool_call>{"b": "<tool_call>', '{"b": "<tool_call>Hi'), ('{</tool_call>', "Hi"), ('{"a": ', "")],
)
def test_a_closer_among_what_was_read_ends_the_body_there(read: str, rest: str) -> None:
    def steps(source: Source) -> Steps[None]:
        source.pos = len(read)
        yield from skip_broken(source, context, read)

    context = context_of()
    source = Source()
    source.feed(read + "Hi")
    source.ended = True
    list(steps(source))
    assert source.rest() == rest
    assert context.reread == max(len(rest) - 2, 0)


@pytest.mark.parametrize(
    ("read", "cut", "rest"),
    [
        ('{"a": "b', True, ""),
        ('{"a": "b</tool_call>', False, ""),
        ('{"a": "b</tool_call> \n', False, " \n"),
        ('{"a": "b</tool_call> <tool_call>{', False, " <tool_call>{"),
        ('{"a": "b</tool_call>[TOOL_CALLS]', False, "[TOOL_CALLS]"),
        ('{"a": "b</tool_call> and so on', True, ""),
        ('{"a": "b</tool_call>x', True, ""),
    ],
)
def test_at_the_end_a_closer_inside_an_open_string_counts_if_markup_or_nothing_follows(read: str, cut: bool, rest: str) -> None:
    context, source = context_of(), Source()
    source.feed(read)
    source.pos = len(read)
    assert cut_or_closed(source, context, read) is cut
    assert source.rest() == rest
    assert context.reread == len(rest)


def test_reading_anew_is_bounded_by_the_length_of_the_text() -> None:
    context, source = context_of(), Source()
    source.feed("x" * 100)
    source.pos = 100
    assert context.may_reread(source, FREE)
    assert context.may_reread(source, 400)
    assert not context.may_reread(source, 1)
    assert context.reread == FREE + 400
    read = '{"a": "</tool_call>'
    source.feed(read)
    source.pos = len(read)
    context.reread += 4 * len(read)
    assert not cut_or_closed(source, context, read)  # nothing is left to be read anew
    assert cut_or_closed(source, context, read + "<")
    source.ended = True
    list(skip_broken(source, context, read + "<"))
    assert source.rest() == ""


@pytest.mark.parametrize(
    ("text", "char", "rest"),
    [
        ("", "", ""),
        (" \n\u200b<br>", "", ""),
        (" <|im_end|>\n<|eot_id|> ", "", ""),
        (" <|call|>", "", ""),
        (" <tool_response>x", "", "<tool_response>x"),
        (" <think>x", "", "<think>x"),
        (" x", "x", " x"),
        (" <|im_end|> x", "x", " <|im_end|> x"),
        (" </think>", "<", " </think>"),
        (" <tool_call>", "<", " <tool_call>"),
        (" <b>", "<", " <b>"),
        (" <|im_e", "<", " <|im_e"),
    ],
)
def test_what_ends_a_message(text: str, char: str, rest: str) -> None:
    assert driven(lambda source: message_ends(source, context_of()), text) == (char, rest)


def test_the_end_of_the_thought_around_it_ends_a_message_too() -> None:
    assert driven(lambda source: message_ends(source, context_of(in_thought=True)), " </think>x") == ("", "</think>x")


def test_what_ends_a_body() -> None:
    source = Source()
    source.feed("</tool_call></think></answer>")
    marks = []
    while source.pos < len(source.text):
        marker = lexicon().at(source.text, source.pos, True)
        assert marker is not None
        assert marker is not True
        marks.append(marker)
        source.pos = marker.end
    assert [context_of().ends(marker) for marker in marks] == [True, False, False]
    assert [context_of(in_thought=True).ends(marker) for marker in marks] == [True, True, False]
