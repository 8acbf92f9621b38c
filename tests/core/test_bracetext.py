"""Fields between brackets as the brace formats write them: bare keys, strings between tokens, texts that the schema types (P73)."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core.bracetext import BraceFault, read_fields
from tamis.core.drafts import Element

TOKEN = '<|"|>'


def seen(element: Element) -> Any:
    """A leaf as (text, mark, kind), a container as its kind and its children by key."""
    if element.children is None:
        return element.text, element.mark, element.kind
    return element.kind, [(child.key, seen(child)) for child in element.children]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("{}", []),
        ("( )", []),
        ("{a:1}", [("a", ("1", None, "bare"))]),
        ("(a=1)", [("a", ("1", None, "bare"))]),
        ("{ a : 1 , b : two words }", [("a", ("1", None, "bare")), ("b", ("two words", None, "bare"))]),
        ("{a:1,}", [("a", ("1", None, "bare"))]),
        (f"{{a:{TOKEN}x, }}y{TOKEN}}}", [("a", ("x, }y", True, ""))]),
        (f"{{a:{TOKEN}{TOKEN}}}", [("a", ("", True, ""))]),
        ('{"a b": "x\\n\\"y"}', [("a b", ('x\n"y', True, ""))]),
        ('{"a\\tb":"line\nbreak"}', [("a\tb", ("line\nbreak", True, ""))]),
        ('{a:"a\\tb\nc"}', [("a", ("a\tb\nc", True, ""))]),
        ('{a:"no \\x escape"}', [("a", ("no \\x escape", True, ""))]),
        ('{a:"open}', [("a", ('"open', None, "bare"))]),
        ("{a:[]}", [("a", ("list", []))]),
        ("{a:[1, 2]}", [("a", ("list", [("", ("1", None, "bare")), ("", ("2", None, "bare"))]))]),
        ("{a:{b:1},c:(d:2)}", [("a", ("dict", [("b", ("1", None, "bare"))])), ("c", ("dict", [("d", ("2", None, "bare"))]))]),
        ("{a:[{b:1}]}", [("a", ("list", [("", ("dict", [("b", ("1", None, "bare"))]))]))]),
    ],
)
def test_fields_are_read_in_their_order(text: str, fields: Any) -> None:
    assert seen(read_fields(text, TOKEN, True)) == ("dict", fields)


def test_a_string_between_tokens_carries_the_mark_of_the_format() -> None:
    assert seen(read_fields("{a:<escape>3<escape>}", "<escape>", None)) == ("dict", [("a", ("3", None, ""))])


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("{a}", "key is missing"),
        ("{:1}", "key is missing"),
        ("{,a:1}", "key is missing"),
        ("{" + "k" * 161 + ":1}", "key is missing"),
        ("{a:}", "value is missing"),
        ("{a: ", "value is missing"),
        ("{a:,b:1}", "value is missing"),
        ("{a:[1,,2]}", "value is missing"),
        (f"{{a:{TOKEN}x}}", "does not end"),
        (f"{{a:{TOKEN}x{TOKEN} y}}", "comma nor a closer"),
        ('{a:"x" "y"}', "comma nor a closer"),
        ("{a:1", "comma nor a closer"),
        ("{a:[1}]", "comma nor a closer"),
        ("{a:{b:1}c:2}", "comma nor a closer"),
        (f"{{a:{TOKEN}x{TOKEN}", "comma nor a closer"),
    ],
)
def test_what_has_no_reading_says_what_is_missing(text: str, detail: str) -> None:
    with pytest.raises(BraceFault, match=detail):
        read_fields(text, TOKEN, True)


def test_the_longest_key_is_a_name_of_128_with_room_to_spare() -> None:
    assert seen(read_fields("{" + "k" * 160 + ":1}", TOKEN, True)) == ("dict", [("k" * 160, ("1", None, "bare"))])


def test_depth_is_no_danger() -> None:
    element = read_fields("{a:" * 50_000 + "1" + "}" * 50_000, TOKEN, True)
    for _ in range(50_000):
        assert element.children is not None
        element = element.children[0]
    assert element.text == "1"
