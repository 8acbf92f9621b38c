"""Where a JSON-like value ends in arriving text, and at which character no reading is left; the same for every cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.core.bodies.json_span import Span, json_span
from tamis.core.source import Source, Steps

LONG = 4096  # characters of the longest comment


def driven(make: Callable[[Source], Steps[Span]], text: str, size: int, *, at_once: bool = False) -> tuple[Span, str]:
    """The span at the beginning of `text`, fed in pieces of `size`, and all that it left. `at_once`: before the text is said to end."""
    source = Source()
    steps = make(source)
    for at in range(0, len(text), size):
        source.feed(text[at : at + size])
        try:
            next(steps)
        except StopIteration as done:
            return done.value, source.rest() + text[at + size :]
    assert not at_once, "it waits for more text than it needs"
    source.ended = True
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value, source.rest()


def check(text: str, state: str, used: str, surplus: str = "") -> None:
    """`used` is what the span holds; a surplus closer is left out of it."""
    for size in (len(text), 1, 2, 3, 5) if len(text) < 1000 else (len(text), 700):
        span, rest = driven(json_span, text, size, at_once=state == "whole")
        assert (span.state, span.text, span.surplus) == (state, used, surplus)
        assert len(used) + len(surplus) + len(rest) == len(text)
        assert text.endswith(rest)


@pytest.mark.parametrize(
    "value",
    [
        "{}",
        "[]",
        '{"a": 1, "b": [true, {"c": null}]}',
        '{"a": "}]{["}',
        '{"a": "\\"}", "b": "\\\\"}',
        "{'a': \"it's\", 'b': '}\"'}",
        "{“a”: “}”, “b”: ‘]’}",
        "{`a`: `}`}",
        '{"a": ""}',
        '{"a": "", "b": ""}',
        "{'a': ''}",
        '{"a": """ } "quoted" ""  ] """}',
        "{'a': '''}''', \"b\": ```}```}",
        '{"a": """}\\"""}"""}',
        '{"a": """b"\\""""}',
        '{"a"：“}”，"b"："}"}',
        '["x" "}"]',
        '[["x"] "}"]',
        '[{} "}"]',
        '[("}")]',
        "{it's: 1, o'clock: 2}",
        "{a: b'c, d: 'e}'}",
        '{"a": 1/2, b\\c: 3, d: e>f}',
        '{"a": [1, 2], // }\n"b": 1}',
        '{# }\n"a": 1}',
        '{"a": 1 /* } */, "b": /**/ 2 /*/ } */}',
        "{//\n}",
        '{"a": "x" /* y */}',
        '{"a":<br>"x"<br/>,<br />"b": 1}',
        '{"a": "x"\u00a0\u200b\f\v\r\n\t }',
        '{"a": "x"; "b": 1}',
    ],
    ids=lambda value: value[:24],
)
def test_a_value_ends_where_its_brackets_do(value: str) -> None:
    check(value, "whole", value)
    check(value + "} behind", "whole", value)
    for at in range(1, len(value), max(1, len(value) // 40)):
        span, rest = driven(json_span, value[:at], 2)
        assert span.state in ("cut", "broken")
        assert span.text + rest == value[:at]


@pytest.mark.parametrize(
    ("text", "used", "surplus"),
    [('{"a": [1]]}', '{"a": [1]}', "]"), ('{"a": 1], "b": "}"}', '{"a": 1, "b": "}"}', "]"), ('[1}, "]"]', '[1, "]"]', "}")],
)
def test_one_surplus_closer_is_left_out(text: str, used: str, surplus: str) -> None:
    check(text, "whole", used, surplus)


@pytest.mark.parametrize(
    ("used", "rest"),
    [
        ('{"a": "b" ', 'c"}'),
        ('{"a": "b" ', '.}'),
        ("{'a': 'b' ", "c'}"),
        ('{"a": 1, ', "<tool_call>"),
        ('{"a": ', "<b>x"),
        ('{"a": 1', "<"),
        ('{"a": 1', "<br"),
        ("{", '\\"a\\": 1}'),
        ('{"a": ', "\\x}"),
        ("[", "\\]"),
        ("[1, ", "\\]"),
        ('{"a": x"', 'y", b: 2}'),
    ],
    ids=lambda text: text[:16],
)
def test_it_breaks_at_the_first_character_that_no_reading_mends(used: str, rest: str) -> None:
    check(used + rest, "broken", used)


@pytest.mark.parametrize(("begin", "end"), [("//", "\n"), ("#", "\n"), ("/*", "*/")])
def test_a_comment_longer_than_its_bound_is_none(begin: str, end: str) -> None:
    fill = "c" * (LONG - len(begin + end))
    check("{" + begin + fill + end + "}", "whole", "{" + begin + fill + end + "}")
    for text in ("{" + begin + fill + "c" + end + "}", "{" + begin + fill + end[:-1] + "c", "{" + begin + fill + "cc"):
        check(text, "broken", "{")
    check("{" + begin + fill, "cut", "{" + begin + fill)


def test_a_second_surplus_closer_breaks_it() -> None:
    for size in (1, 2, 20):
        span, rest = driven(json_span, '{"a": 1], "b": 2] }', size)
        assert (span.state, span.text, rest) == ("broken", '{"a": 1, "b": 2', "] }")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "b', '{"a": "b\\', '{"a": """b"', '{"a": """b""', '{"a": ""', '{"a": "', "{'a': ''", "{“a",
        '{"a": 1 /', '{"a": 1 // c', '{"a": 1 /* c *', "[1, ", "{", '{"a": [1}',
    ],
)
def test_text_that_ends_inside_is_cut_and_all_used_up(text: str) -> None:
    for size in (1, 2, 3, len(text)):
        span, rest = driven(json_span, text, size)
        assert (span.state, rest) == ("cut", "")
        assert span.text == text.replace("}", "")


def test_nothing_behind_the_value_is_waited_for() -> None:
    source = Source()
    source.feed('see {"a": ""}')
    source.pos = 4
    with pytest.raises(StopIteration) as done:
        next(json_span(source))
    assert done.value.value.text == '{"a": ""}'
