"""Python calls with keyword arguments: literals are read as Python would, anything else is refused, nothing is ever run (P74, P75)."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core.events import Cause
from tamis.core.pyliteral import PyFault, read_py_call

DIGITS = "9" * 4300


def value_of(written: str) -> Any:
    return read_py_call(f"f(a={written})").arguments["a"]


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("f()", "f", {}),
        (" get.port_2 ( a=1, )", "get.port_2", {"a": 1}),
        ("f.call(a=1)", "f", {"a": 1}),
        ("print(f(a=1))", "f", {"a": 1}),
        ("print( g.f(a=1) )", "g.f", {"a": 1}),
        ("print(a=1)", "print", {"a": 1}),
        ("f(class='x', über=2, with-dash=3)", "f", {"class": "x", "über": 2, "with-dash": 3}),
        ("f(a=1, a=1)", "f", {"a": 1}),
        ("f(a={'b':1,'c':[2,3]},d=4)", "f", {"a": {"b": 1, "c": [2, 3]}, "d": 4}),
        ("f(a=1, # first\n  b=2 # last\n)", "f", {"a": 1, "b": 2}),
    ],
)
def test_a_call(text: str, name: str, arguments: Any) -> None:
    call = read_py_call(text)
    assert (call.name, call.arguments, call.repairs) == (name, arguments, ())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3), ("-3", -3), ("+3", 3), ("- 3", -3), ("-\n3", -3), ("007", 7), ("1_000", 1000), ("0xFf", 255), ("-0X10", -16),
        ("1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("1_0.2_5", 10.25), ("1e3", 1000.0), ("2.E-1", 0.2), (DIGITS, int(DIGITS)),
        ("True", True), ("False", False), ("None", None), ("true", True), ("false", False), ("null", None),
        ('"\\x41\\\'"', "A'"),
        ("'a'", "a"), ('"it\'s"', "it's"), ("'''a 'b'\nc'''", "a 'b'\nc"), ("'a\\n\\x41'", "a\nA"), ("'a' \"b\" 'c\\n'", "abc\n"),
        ("r'\\d\\''", "\\d\\'"), ("R'''a'b\\n'''", "a'b\\n"), ("b'x\\n'", "x\n"), ("u'x'", "x"), ("Rb'\\d'", "\\d"), ("r'\\n' '\\n'", "\\n\n"),
        ("[]", []), ("[1, 'a',]", [1, "a"]), ("()", []), ("(1)", 1), ("(1,)", [1]), ("(1, 2)", [1, 2]), ("[1,]", [1]), ("[(1), [2]]", [1, [2]]),
        ("{}", {}), ("{'a': {'b': [1]}, }", {"a": {"b": [1]}}), ("{1: 2, None: 3, 1.5: 4}", {"1": 2, "None": 3, "1.5": 4}),
    ],
)  # fmt: skip
def test_a_literal(written: str, value: Any) -> None:
    assert repr(value_of(written)) == repr(value)


@pytest.mark.parametrize(
    ("text", "cause", "detail", "name"),
    [
        ("f(1)", "unresolved_value", "no keyword", "f"),
        ("log(f(a=1))", "unresolved_value", "no keyword", "log"),
        ("f(a==1)", "unresolved_value", "no keyword", "f"),
        ("f(a=1,, b=2)", "unresolved_value", "no keyword", "f"),
        ("f(a=b)", "unresolved_value", "'b' is no literal", "f"),
        ("f(a=True())", "unresolved_value", "'True' is no literal", "f"),
        ("f(a=Truex)", "unresolved_value", "'Truex' is no literal", "f"),
        ("f(a=f'x')", "unresolved_value", "'f' is no literal", "f"),
        ("f(a=b)(c)", "unresolved_value", "'b' is no literal", "f"),
        ("f(a=r)", "unresolved_value", "'r' is no literal", "f"),
        ("f(a=1+2)", "unresolved_value", "an expression", "f"),
        ("f(a='x'.upper())", "unresolved_value", "an expression", "f"),
        ("f(a={'x', 1})", "unresolved_value", "an expression", "f"),
        ("f(a={[1]: 2}", "malformed_markup", "a key is no scalar", "f"),
        ("f(a={1 2})", "malformed_markup", "':' is missing", "f"),
        ("f(a=1e400)", "unresolved_value", "larger than any", "f"),
        ("f(a=9" + DIGITS + ")", "malformed_markup", "too many digits", "f"),
        ("f(a=1x)", "malformed_markup", "a value is missing", "f"),
        ("f(a=1.2.)", "malformed_markup", "neither a comma nor a bracket", "f"),
        ("f(a=)", "malformed_markup", "a value is missing", "f"),
        ("f(a=1 b=2)", "malformed_markup", "neither a comma nor a bracket", "f"),
        ("f(a=[1 2])", "malformed_markup", "neither a comma nor a bracket", "f"),
        ("f(a=1)x", "malformed_markup", "something stands behind", "f"),
        ("f(a='x", "malformed_markup", "inside a string", "f"),
        ("f(a=r'x\\')", "malformed_markup", "does not end", "f"),
        ("f(a=1, a=2)", "malformed_markup", "keyword 'a' stands twice", "f"),
        ("print(f(a=1) 2)", "malformed_markup", r"'\)' is missing", "f"),
        ("print(f(a=b))", "unresolved_value", "no literal", "f"),
        ("x = 1", "malformed_markup", "no call", None),
    ],
)
def test_what_is_no_call_of_literals_says_why_and_of_which_tool(text: str, cause: str, detail: str, name: str | None) -> None:
    with pytest.raises(PyFault, match=detail) as caught:
        read_py_call(text)
    assert (caught.value.cause, caught.value.name) == (Cause(cause), name)


@pytest.mark.parametrize(
    ("text", "value", "rules"),
    [
        ("f(a='it's')", "it's", ["inner_quotes"]),
        ("f(a='it's \\'so\\'', b=2)", "it's 'so'", ["inner_quotes"]),
        ("f(a='it's \\\\', b=2)", "it's \\", ["inner_quotes"]),
        ("f(a='a\\\\'b')", "a\\'b", ["inner_quotes"]),
        ("f(a='nul \0, it's')", "nul \0, it's", ["inner_quotes", "raw_newline"]),
        ('f(a="say "hi" there", b=2)', 'say "hi" there', ["inner_quotes"]),
        ("f(a=“x”)", "x", ["smart_quotes"]),
        ("f(a='\\d')", "\\d", ["invalid_escape"]),
        ("f(a='x\ny')", "x\ny", ["raw_newline"]),
        ("f(a='''x\ny''')", "x\ny", []),
    ],
)
def test_a_repair_is_named(text: str, value: str, rules: list[str]) -> None:
    call = read_py_call(text)
    assert call.arguments["a"] == value
    assert [item.rule for item in call.repairs] == rules


@pytest.mark.parametrize(
    "text",
    [
        "f(a='it's', b='x')",  # the string may end before b, or behind x
        "f(a='it's', b='that's')",  # both strings are broken: no single closing mends that, and to swallow b would be a guess
        "f(a='p', b='it's')",
        "f(a='''it's', b=1)",  # bare quotes are no fault in it: its end is what is missing
        "f(a='x'y)",
        "f(a=')",
    ],
)
def test_bare_quotes_with_more_or_less_than_one_reading_are_refused(text: str) -> None:
    with pytest.raises(PyFault) as caught:
        read_py_call(text)
    assert caught.value.cause is Cause.MALFORMED_MARKUP


def test_a_repair_is_looked_for_in_short_calls_and_at_few_places() -> None:
    short, rest = "f(a='it's", "')"
    padding = "x" * (16 * 1024 - len(short + rest))
    assert read_py_call(short + padding + rest).arguments == {"a": "it's" + padding}
    with pytest.raises(PyFault):
        read_py_call(short + "x" + padding + rest)
    places = ["'it's'"] * 16
    assert read_py_call(f"f(a={', '.join(places)})").arguments == {"a": ", ".join(places)[1:-1]}
    with pytest.raises(PyFault):
        read_py_call(f"f(a={', '.join([*places, places[0]])})")


def test_only_the_last_two_strings_before_the_fault_are_looked_at() -> None:
    assert read_py_call("f(a=['p', {'r' s'], b=1)").arguments == {"a": ["p', {'r' s"], "b": 1}
    with pytest.raises(PyFault, match="':' is missing"):
        read_py_call("f(a='p', b={'q': 1, 'r' s}, c='t')")  # the first could end behind the fault, which would be the only reading


def test_a_sound_string_before_the_broken_one_leaves_one_reading() -> None:
    assert read_py_call("f(a=['p'], b='it's')").arguments == {"a": ["p"], "b": "it's"}
    assert read_py_call("f(a={'k': 3}, b='it's')").arguments == {"a": {"k": 3}, "b": "it's"}
