"""Calls without a marker: what cases cannot say, which is the cost of hostile text and what a snapshot keeps."""

from __future__ import annotations

import time

import pytest

from tamis.core import Catalog, Session, parse
from tamis.core.pyliteral import PyFault
from tamis.core.pyloose import read_loose

TOOLS = [
    {"name": name, "parameters": {"type": "object", "properties": {"port": {"type": "string"}, "days": {"type": "integer"}}, "required": ["port"]}}
    for name in ("get_tide", "moor")
]


@pytest.mark.parametrize(
    "text",
    [
        "[get_tide(port='Brest'), moor(port='x",
        "I look it up.\n\n['get_tide(port=Saint Malo)']\n\nDone.",
        "[get_tide(port='Brest')]\n\n### Response:\n[moor(port='Oban')]",
        "Call: [get_tide(port='Brest')]",
    ],
)
def test_a_session_that_is_restored_at_every_character_reads_the_same(text: str) -> None:
    catalog = Catalog.of(TOOLS)
    plain, moved = Session(catalog), Session(catalog)
    for char in text:
        moved = Session.restore(moved.snapshot(), catalog)
        assert moved.receive(char) == plain.receive(char)
    assert moved.finish("stop") == plain.finish("stop")


def test_the_count_of_characters_survives_restoring_in_the_middle_of_a_block() -> None:
    """The budget for reading anew is a share of it: were it to shrink, a restored session would read otherwise."""
    catalog = Catalog.of(TOOLS)
    session = Session(catalog)
    for number, char in enumerate("['get_tide(port=Saint Malo', moor(", 1):
        session = Session.restore(session.snapshot(), catalog)
        session.receive(char)
        state = session._reader.freeze()
        assert state["offset"] + len(state["text"]) == number


HOSTILE = {
    "open lists": "[get_tide(", "open strings": "get_tide(port='", "wrong brackets": "get_tide(]\n", "lines with words": "get_tide(port='x') is\n",
    "brackets": "[",
    "quotes": "'get_tide(", "pairs": "['get_tide', {", "variables": "x = get_tide(port=y)\n",
    "apostrophes": "get_tide(port='It's x y\n",
    "labels": "a: [get_tide(port=1)] b ", "fences": "```\nget_tide(port='x')\n```\nwords\n", "escapes": "\"get_tide(port=\\\"x",
}  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_the_work_on_hostile_text_is_linear(piece: str) -> None:
    catalog = Catalog.of(TOOLS)

    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        begun = time.process_time()
        parse(text, catalog)
        return time.process_time() - begun

    cost(1_000)
    # eight times the text at 24 times the price would be a power of 1.5; the constant keeps a busy machine from failing short runs
    assert cost(32_000) < 24 * cost(4_000) + 0.2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(a='x')", {"a": "x"}),
        ("f({'a': 'x', 'b': 2})", {"a": "x", "b": 2}),
        ("f(a=New York, b=3)", {"a": "New York", "b": 3}),
        ("f(a=x, y and z, b=3)", {"a": "x, y and z", "b": 3}),
        ("f(a=2031-04-02 at noon)", {"a": "2031-04-02 at noon"}),
        ("f\\_g(a='p\\_q')", {"a": "p_q"}),
    ],
)
def test_a_second_reading(text: str, expected: dict[str, object]) -> None:
    assert read_loose(text, {"a": {"type": "string"}, "b": {"type": "integer"}}).arguments == expected


@pytest.mark.parametrize(
    "text",
    ["f('x', 2)", "f(a=x)", "f(a=x.y)", "f(a=x[0])", "f(a=<x>)", "f(a=g(b=1))", "f(b=many)", "f({'c': 1})", "f(a=x, a=y z)", "f(a=$5 now)", "f(*a)"],
)
def test_no_second_reading(text: str) -> None:
    with pytest.raises(PyFault):
        read_loose(text, {"a": {"type": "string"}, "b": {"type": "integer"}})
