"""Steps by pattern: what matches, what waits, and where the window ends."""

from __future__ import annotations

import pytest

from tamis.core.bodies.tokens import decide, peek, take
from tamis.core.source import Source


@pytest.mark.parametrize(
    ("text", "ended", "expected"),
    [
        ("xaa", False, True),
        ("xaa", True, None),
        ("xaaa", False, True),
        ("xaaaa", False, None),
        ("xaaa;", False, "aaa;"),
        ("xaaa;", True, "aaa;"),
        ("xaaaa;", False, None),
        ("xb", False, None),
        ("x", False, True),
        ("x", True, None),
    ],
)
def test_a_window_of_four_decides(text: str, ended: bool, expected: object) -> None:
    found = decide("a{1,9};", text, 1, ended, 4)
    assert (found if found is None or found is True else found[0]) == expected


def test_behind_the_window_nothing_is_seen() -> None:
    for ended in (False, True):
        assert decide("a+(?=;)", "aaaa;", 0, ended, 4) is None
    full = "a" * (511) + ";"
    assert decide("a+;", full, 0, False)[0] == full
    assert decide("a+;", "a" + full, 0, False) is None


def test_peek_waits_and_uses_nothing_up_take_does() -> None:
    for step, left in ((peek, "ab;c"), (take, "c")):
        source = Source()
        steps = step(source, "ab;")
        source.feed("a")
        assert next(steps) is None
        source.feed("b;c")
        with pytest.raises(StopIteration) as stop:
            next(steps)
        assert (stop.value.value[0], source.rest()) == ("ab;", left)
        source = Source()
        source.feed("abc")
        with pytest.raises(StopIteration) as stop:
            next(step(source, "ab;"))
        assert (stop.value.value, source.rest()) == (None, "abc")
