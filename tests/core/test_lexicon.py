"""Markers: each is told when it is whole, never before, and what is too long to be one is text."""

from __future__ import annotations

import re

import pytest

from tamis.core.dialects import RECIPIENT, lexicon, load
from tamis.core.lexicon import LONGEST, Lexicon, Marker, Role, attributes
from tamis.core.marks import MARKS

ALL = lexicon()
OF_DIALECTS = {mark for item in load().values() for mark in (*item.openers, *item.closers, *item.parts)}
SPELLINGS = sorted({mark for mark, _, _ in MARKS} | OF_DIALECTS - {RECIPIENT})
LONGER = {"<｜DSML｜", "<|im_start|>user", "<|im_start|>assistant"}  # a longer marker begins with each of these


def small(*spellings: str) -> Lexicon:
    return Lexicon((spelling, Role.OPENER, "label") for spelling in (*spellings, "[CALL]"))


def marker(found: object) -> Marker:
    assert isinstance(found, Marker)
    return found


def test_a_marker_is_told_when_it_is_whole_and_not_before() -> None:
    for spelling in SPELLINGS:
        text = "ab" + re.sub(r"(=|:)[*]?>$", r"\1x>", spelling)
        for end in range(3, len(text)):
            longer = text[2:end].startswith(tuple(LONGER))
            assert ALL.at(text[:end], 2, False) is True, text[:end]
            assert isinstance(ALL.at(text[:end], 2, True), Marker) is longer, text[:end]
            assert isinstance(ALL.at(text[:end] + "<\n", 2, False), Marker) is longer, text[:end]
        assert (ALL.at(text, 2, False) is True) is (spelling in LONGER), spelling
        found = marker(ALL.at(text, 2, True))
        assert found == marker(ALL.at(text + "<\n", 2, False))
        assert (found.end, found.key) == (len(text), spelling)


def test_a_marker_that_begins_a_longer_one_waits_for_what_follows() -> None:
    both = small("[A]", "[A]B", "[A]C")
    assert both.at("[A]", 0, False) is True
    assert marker(both.at("[A]", 0, True)).word == "[A]"
    assert marker(both.at("[A]x", 0, False)).word == "[A]"
    assert marker(both.at("[A]B", 0, False)).word == "[A]B"
    mark = small("<｜DSML｜", "<｜DSML｜invoke>")
    assert mark.at("<｜DSML｜", 0, False) is True
    assert marker(mark.at("<｜DSML｜<", 0, False)).word == "<｜DSML｜"
    assert marker(mark.at("<｜DSML｜invoke>", 0, False)).word == "invoke"


def test_the_first_registration_of_a_spelling_counts() -> None:
    twice = Lexicon([(mark, role, role.name) for role in (Role.OPENER, Role.CLOSER) for mark in ("[A]", "<a>")])
    assert [marker(twice.at(text, 0, True)).role for text in ("[A]", "<a>")] == [Role.OPENER, Role.OPENER]


@pytest.mark.parametrize(
    ("spelling", "text", "expected"),
    [
        # (closing, attributes, self-closing, namespace)
        ("<call>", "<call>", (False, "", False, "")),
        ("<call>", '<call name="f" b>', (False, ' name="f" b', False, "")),
        ("<call>", '<callname="f">', (False, 'name="f"', False, "")),  # a lost blank before an attribute (P6)
        ("<call>", '<call name="f"/>', (False, ' name="f"', True, "")),
        ("<call>", "<call/>", (False, "", True, "")),
        ("<call>", "<x:call a>", (False, " a", False, "x")),
        ("<call>", "<𝔵𝔶:call>", (False, "", False, "𝔵𝔶")),
        ("</call>", "</call>", (True, "", False, "")),
        ("</call>", "</x:call >", (True, " ", False, "x")),
        ("<x:call>", "<x:call>", (False, "", False, "x")),
        ("<x:call>", "<call>", None),
        ("<x:call>", "<y:call>", None),
        ("<call=>", "<call=f>", (False, "f", False, "")),
        ("<call=>", "<call=>", (False, "", False, "")),
        ("<call=>", "<call= f/>", (False, " f/", False, "")),
        ("<call=>", "<call>", None),
        ("<call:*>", "<call:opensource>", (False, "opensource", False, "")),
        ("<call:*>", "<call>", None),
        ("<call>", "<call:x>", None),
        ("<call>", "<call=x>", None),
        ("<call>", "</call>", None),
        ("<call>", "<caller>", None),
        ("<call>", "<ifm|call>", None),
        ("<call>", "<｜DSML｜call>", None),
        ("<ifm|call>", "<ifm|call>", (False, "", False, "ifm")),
        ("<ifm|call>", "<call>", None),
        ("<｜DSML｜call>", "<｜DSML｜call>", (False, "", False, "DSML")),
        ("<｜DSML｜call>", "<||DSML|| call>", (False, "", False, "DSML")),
        ("<｜DSML｜call>", "<‖DSML‖call a='1'>", (False, " a='1'", False, "DSML")),
        ("</｜DSML｜call>", "</｜DSML｜call>", (True, "", False, "DSML")),
        ("<｜DSML｜call>", "<｜GCML｜call>", None),
        ("<｜DSML｜call>", "<DSML:call>", (False, "", False, "DSML")),
    ],
)
def test_spellings(spelling: str, text: str, expected: tuple[bool, str, bool, str] | None) -> None:
    found = small(spelling).at(text, 0, True)
    if expected is None:
        assert found is None
    else:
        told = marker(found)
        assert (told.closing, told.attributes, told.self_closing, told.namespace) == expected
        assert (told.role, told.label, told.end, told.key) == (Role.OPENER, "label", len(text), spelling)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("<call {}>", 200),
        ("<callname={}>", 195),  # the word that stands for a blank counts
        ("<call={}>", 200),
        ("<call:{}>", 24),
        ("<{}:call>", 24),
    ],
)
def test_each_part_of_a_marker_has_its_bound(text: str, most: int) -> None:
    some = small("<call>", "<call=>", "<call:*>")
    assert marker(some.at(text.format("x" * most), 0, False)).word == "call"
    assert some.at(text.format("x" * (most + 1)), 0, False) is None
    begun = text.split("{}", maxsplit=1)[0]
    assert some.at(begun + "x" * most, 0, False) is True
    assert some.at(begun + "x" * (most + 1), 0, False) is None


def test_no_marker_is_longer_than_was_asked_for() -> None:
    some, text = small("<call>"), 'ab<call name="f">'
    size = len(text) - 2
    assert marker(some.at(text, 2, False, size)).end == len(text)
    assert some.at(text, 2, False, size - 1) is None
    assert some.at(text[:-1], 2, False, size) is True
    assert some.at(text[:-1], 2, False, size - 1) is None  # so much may not wait: it would be too long
    assert some.at(f"ab<call {'x' * 100}", 2, False, 200) is True
    assert marker(some.at("[CALL]", 0, False, 6)).word == "[CALL]"
    assert some.at("[CALL]", 0, False, 5) is None
    assert LONGEST == 256  # content waits no longer, by contract


def test_a_pattern_finds_markers_and_what_else_is_asked_for() -> None:
    find = re.compile(small("<call>").pattern("\n", r"(?<=\{)\"", "{")).search
    for text, place in (("ab<call>", 2), ("ab<c", 2), ("ab< ", None), ("ab\n", 2), ('ab{"', 2), ("ab{x", None), ("ab", None)):
        found = find(text)
        assert (None if found is None else found.start()) == place


def test_attributes_in_any_quotes() -> None:
    text = """ a="1" b='2 3' c=“4” d=5 e.f-g = "" h i=\\"6\\" x:y="z" """
    assert attributes(text) == {"a": "1", "b": "2 3", "c": "4", "d": "5", "e.f-g": "", "i": "6", "x:y": "z"}
    assert attributes("") == attributes("lone") == attributes('"f"') == {}
