"""The cursor and its waits: what was used up, what is kept, and that no cut of a blank or a marker shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tamis.core.dialects import lexicon
from tamis.core.source import Source, Steps, fill, may_be_break, next_marker, skip_blank, take_blank


def fed(text: str, ended: bool = False) -> Source:
    source = Source()
    source.feed(text)
    source.ended = ended
    return source


def results(step: Callable[[Source], Steps[Any]], text: str) -> Iterator[tuple[Any, int, str]]:
    """What a step gives for every cut of a text that has ended, how much it used up by then, and what is left."""
    for size in range(1, len(text) + 1):
        source = Source()
        waiting = step(source)
        for at in range(0, len(text) + size, size):
            if at < len(text):
                source.feed(text[at : at + size])
            else:
                source.ended = True
            try:
                assert next(waiting) is None
            except StopIteration as stop:
                yield stop.value, source.offset, text[source.offset :]
                break


def test_feeding_forgets_what_was_used_up_and_counts_it() -> None:
    source = fed("abc")
    source.pos = 2
    source.feed("de")
    assert (source.text, source.pos, source.offset, source.rest()) == ("cde", 0, 2, "cde")
    source.pos = 3
    source.feed("f")
    assert (source.text, source.pos, source.offset) == ("f", 0, 5)
    source.pos = 1
    source.unread("ef")
    assert (source.text, source.pos, source.offset) == ("ef", 0, 4)


def test_unread_text_stands_before_what_is_left() -> None:
    source = fed("abcd")
    source.pos = 3
    source.unread("bc")
    assert (source.rest(), source.offset) == ("bcd", 1)


def test_a_restored_source_goes_on_counting() -> None:
    source = fed("abc")
    source.pos = 1
    source.rebase(40)
    assert source.offset == 40
    source.pos = 3
    assert source.offset == 42


def test_recording_gives_what_was_used_up_since() -> None:
    source = fed("abcdef")
    source.pos = 1
    assert source.recorded() == "bcdef"  # nothing is recorded: what is not used up
    source.record()
    source.pos = 3
    assert source.recorded() == "bcdef"
    assert source.take() == "bc"
    source.feed("gh")
    assert source.recorded() == "defgh"
    source.pos = 4
    assert source.take() == "defg"
    assert source.take() == ""
    source.forget()
    source.feed("i")
    assert source.recorded() == "hi"


def test_filling_waits_for_a_character_or_the_end() -> None:
    assert next(fill(fed(""))) is None
    assert [value for value, _, _ in results(fill, "a")] == [True]
    with pytest.raises(StopIteration) as stopped:
        next(fill(fed("", ended=True)))
    assert stopped.value.value is False


@pytest.mark.parametrize("mark", ["<br>", "<br/>", "<br >", "<br />"])
def test_a_line_break_of_markup_is_a_blank_wherever_it_is_cut(mark: str) -> None:
    assert all(may_be_break(f"xy{mark}"[:end], 2) is True for end in range(3, 2 + len(mark)))
    assert may_be_break(f"xy{mark}", 2) is False
    assert set(results(skip_blank, f" {mark}\u200b{mark} {{")) == {("{", 4 + 2 * len(mark) - 1, "{")}
    assert set(results(take_blank, f" {mark} x")) == {(f" {mark} ", 2 + len(mark), "x")}


@pytest.mark.parametrize("text", ["<b>", "<brx", "<br//", "<br  ", "x", "< ", "<br /x", ""])
def test_anything_else_is_none(text: str) -> None:
    assert may_be_break(text, 0) is False
    if text:
        assert set(results(skip_blank, text)) == {(text[0], 0, text)}
        assert set(results(take_blank, text)) == {("", 0, text)}


def test_a_next_character_is_told_at_once() -> None:
    for text in ("  x", " <a", "<br> <invoke"):
        with pytest.raises(StopIteration):
            next(skip_blank(fed(text)))
        with pytest.raises(StopIteration):
            next(take_blank(fed(text)))
    assert next(skip_blank(fed("  <br"))) is None
    assert next(take_blank(fed("  "))) is None


def test_blanks_up_to_the_end() -> None:
    assert set(results(skip_blank, " \n\ufeff")) == {("", 3, "")}
    assert set(results(take_blank, " \n\ufeff")) == {(" \n\ufeff", 3, "")}
    assert set(results(skip_blank, " <br")) == {("<", 1, "<br")}  # the text ends: it was none


def test_the_marker_at_a_place_is_waited_for_and_not_used_up() -> None:
    for value, offset, _ in results(lambda source: next_marker(source, lexicon()), "<tool_call>"):
        assert (value.word, value.end, offset) == ("tool_call", 11, 0)
    for text in ("<tool_c", "<tool_call", "x", "<nothing_known>"):
        assert {value for value, _, _ in results(lambda source: next_marker(source, lexicon()), text)} == {None}
    assert next(next_marker(fed(""), lexicon())) is None
    assert next(next_marker(fed("<tool_c"), lexicon())) is None
    with pytest.raises(StopIteration) as stopped:
        next(next_marker(fed("", ended=True), lexicon()))
    assert stopped.value.value is None
