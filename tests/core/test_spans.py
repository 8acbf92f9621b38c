"""Where the text of a Python call or of a brace call ends: brackets balance, strings hide them, and no cut changes it (P1, P53, P73)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.core.bodies.brace_dsl import brace_span
from tamis.core.bodies.py_call import py_span
from tamis.core.source import Source

GEMMA = '<|"|>'
Spans = Callable[[Source], Iterator[Any]]


def run(span: Spans, pieces: Sequence[str]) -> tuple[Any, str]:
    """What the span says of a text in pieces, and what it leaves unread."""
    source = Source()
    steps = span(source)
    result = None
    for piece in [*pieces, None]:
        if piece is None:
            source.ended = True
        else:
            source.feed(piece)
        try:
            if result is None:
                next(steps)
        except StopIteration as stop:
            result = stop.value
    return result, source.rest()


def cuts(text: str) -> Iterator[list[str]]:
    yield [text]
    yield list(text)
    yield ["", *(piece for char in text for piece in (char, ""))]
    for at in range(1, len(text)):
        yield [text[:at], text[at:]]


def ends_at_once(span: Spans, text: str) -> bool:
    """Whether the end is seen when its last character is there, without a look at what follows."""
    source = Source()
    source.feed(text)
    return next(span(source), "done") == "done"


def gemma(source: Source) -> Iterator[Any]:
    return brace_span(source, GEMMA)


def escapes(source: Source) -> Iterator[Any]:
    return brace_span(source, "<escape>")


@pytest.mark.parametrize(
    ("text", "state", "used"),
    [
        ("f() rest", "whole", "f()"),
        ("f(a=[1, {2: (3)}])]", "whole", "f(a=[1, {2: (3)}])"),
        ("f(a=')') x", "whole", "f(a=')')"),
        ('f(a=")\'", b=1)x', "whole", 'f(a=")\'", b=1)'),
        ("f(a='it\\'s )')x", "whole", "f(a='it\\'s )')"),
        ("f(a='\\\\', b=')')x", "whole", "f(a='\\\\', b=')')"),
        ("f(a='', b=')')x", "whole", "f(a='', b=')')"),
        ("f(a='''it's ) '' here''')x", "whole", "f(a='''it's ) '' here''')"),
        ('f(a="""a\\"""b""")x', "whole", 'f(a="""a\\"""b""")'),
        ("f(a='''b'c''')x", "whole", "f(a='''b'c''')"),
        ("f(a='' 'b)')x", "whole", "f(a='' 'b)')"),
        ("f(a=1, # it's no ) \\\n b='#)')x", "whole", "f(a=1, # it's no ) \\\n b='#)')"),
        ("f(a=1 # no )", "cut", "f(a=1 # no )"),
        ("f(a='x') \\'", "whole", "f(a='x')"),
        ("f(a='''a'\\'''')x", "whole", "f(a='''a'\\'''')"),
        ("f(a=\\)x", "whole", "f(a=\\)"),
        ("f(a=[1)x", "broken", "f(a=[1"),
        ("f(a=1]x", "broken", "f(a=1"),
        (")x", "broken", ""),
        ("f(a='x", "cut", "f(a='x"),
        ("f(a='x\\", "cut", "f(a='x\\"),
        ("f(a='''x''", "cut", "f(a='''x''"),
        ("f(a=''", "cut", "f(a=''"),
        ("f(a=1", "cut", "f(a=1"),
        ("f", "cut", "f"),
    ],
)
def test_a_python_call_ends_where_its_bracket_closes(text: str, state: str, used: str) -> None:
    for pieces in cuts(text):
        assert run(py_span, pieces) == ((state, used), text[len(used) :])
    assert ends_at_once(py_span, used) is (state == "whole")


@pytest.mark.parametrize(
    ("text", "state", "used"),
    [
        ("{} rest", "whole", "{}"),
        ("(a:[{b:1},{}])}", "whole", "(a:[{b:1},{}])"),
        (f"{{a:{GEMMA}}} \" \\ {GEMMA}}}x", "whole", f"{{a:{GEMMA}}} \" \\ {GEMMA}}}"),
        (f"{{a:{GEMMA}<|\" < {GEMMA}, b:1}}x", "whole", f"{{a:{GEMMA}<|\" < {GEMMA}, b:1}}"),
        ("{a:<|b, c:<x, d:<}x", "whole", "{a:<|b, c:<x, d:<}"),
        ('{a:"}", b: "]\\"}"}x', "whole", '{a:"}", b: "]\\"}"}'),
        ('{a:"\\\\", b:"}"}x', "whole", '{a:"\\\\", b:"}"}'),
        ('{a:"", b:"}"}x', "whole", '{a:"", b:"}"}'),
        ('{a:"x"} \\"', "whole", '{a:"x"}'),
        ('{a:5" pipe}x', "whole", '{a:5" pipe}'),
        ('{a:5", b:6"}x', "whole", '{a:5", b:6"}'),
        ('{"a}b":["}" , "]"]}x', "whole", '{"a}b":["}" , "]"]}'),
        ('{a:("}")}x', "whole", '{a:("}")}'),
        ('{a:[1]"}x', "whole", '{a:[1]"}'),
        (f'{{a:{GEMMA}x{GEMMA}"}}x', "whole", f'{{a:{GEMMA}x{GEMMA}"}}'),
        ('{a:"x""}x', "whole", '{a:"x""}'),
        ("{a:[1}x", "broken", "{a:[1"),
        ("}x", "broken", ""),
        ("{a:[]]x", "broken", "{a:[]"),
        (f"{{a:{GEMMA}x", "cut", f"{{a:{GEMMA}x"),
        (f"{{a:{GEMMA}x<|", "cut", f"{{a:{GEMMA}x<|"),
        ("{a:<|", "cut", "{a:<|"),
        ('{a:"x', "cut", '{a:"x'),
        ('{a:"x\\', "cut", '{a:"x\\'),
        ("{a:1", "cut", "{a:1"),
    ],
)
def test_a_brace_call_ends_where_its_bracket_closes(text: str, state: str, used: str) -> None:
    for pieces in cuts(text):
        assert run(gemma, pieces) == ((state, used), text[len(used) :])
    assert ends_at_once(gemma, used) is (state == "whole")


def test_the_string_token_is_the_formats_own() -> None:
    text = f"{{a:<escape>}}{GEMMA}<escape>}}x"
    for pieces in cuts(text):
        assert run(escapes, pieces) == (("whole", text[:-1]), "x")


@pytest.mark.parametrize("span", [py_span, gemma], ids=["python", "braces"])
@given(st.lists(st.sampled_from([*"()[]{}'\"\\:,a <|>#\n", "'''", GEMMA]), max_size=24))
def test_no_cut_changes_where_it_ends(span: Spans, parts: list[str]) -> None:
    text = "(" + "".join(parts)
    whole = run(span, [text])
    assert run(span, list(text)) == whole
    assert run(span, [text[at : at + 3] for at in range(0, len(text), 3)]) == whole
    assert whole[0][1] + whole[1] == text
