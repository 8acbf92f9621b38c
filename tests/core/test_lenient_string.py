"""One string: its delimiters, escapes decoded once, and what was repaired."""

from __future__ import annotations

import pytest

from tamis.core.lenient_string import StringFault, read_string


@pytest.mark.parametrize(
    ("text", "value", "rules"),
    [
        ('"plain"', "plain", []),
        ('"a\\n\\t\\r\\b\\f\\/\\\\\\"z"', 'a\n\t\r\b\f/\\"z', []),
        ("'it'", "it", ["single_quotes"]),
        ("`it`", "it", ["backtick_quotes"]),
        ("“it ‘is’”", "it ‘is’", ["smart_quotes"]),
        ("‘it’", "it", ["smart_quotes"]),
        ('"""x "y" \nz"""', 'x "y" \nz', ["triple_quotes"]),
        ("'''it's'''", "it's", ["triple_quotes"]),
        ("```a`b```", "a`b", ["triple_quotes"]),
        ('""', "", []),
        ("“““”", "““", ["smart_quotes"]),
        # a raw line break or tab is noted, one from an escape is not
        ('"a\nb"', "a\nb", ["raw_newline"]),
        ('"\\t\nb"', "\t\nb", ["raw_newline"]),
        ('"\\n"', "\n", []),
        ("'a\tb'", "a\tb", ["single_quotes", "raw_newline"]),
        # escapes that JSON has not: Python's in other quotes, else the backslash stays
        ('"\\d+"', "\\d+", ["invalid_escape"]),
        ('"\\x41"', "\\x41", ["invalid_escape"]),
        ('"\\U0001f680"', "\\U0001f680", ["invalid_escape"]),
        ('"\\a"', "\\a", ["invalid_escape"]),
        ('"\\da"', "\\da", ["invalid_escape"]),
        ("'\\da'", "\\da", ["single_quotes", "invalid_escape"]),
        ("'\\x41\\a\\v\\0\\''", "A\a\v\0'", ["single_quotes"]),
        ("'a\\\nb'", "ab", ["single_quotes"]),
        ("`\\x41`", "A", ["backtick_quotes"]),
        ('"""\\x41"""', "A", ["triple_quotes"]),
        ("'\\U0001f680'", "🚀", ["single_quotes"]),
        ("'\\U0010ffff'", "\U0010ffff", ["single_quotes"]),
        ("'\\U00110000'", "\\U00110000", ["single_quotes", "invalid_escape"]),
        ('"it\\\'s \\”"', "it's ”", ["invalid_escape", "invalid_escape"]),
        ('"\\u00e9"', "é", []),
        ('"\\u00g9"', "\\u00g9", ["invalid_escape"]),
        ('"\\u00e"', "\\u00e", ["invalid_escape"]),
        ('"\\uFEdc"', "\ufedc", []),
        # surrogates: a pair is one character, a lone one is none
        ('"\\ud83d\\ude80"', "🚀", []),
        ('"\\ud83d-"', "\ufffd-", ["lone_surrogate"]),
    ],
)
def test_a_string_is_read_to_its_closer(text: str, value: str, rules: list[str]) -> None:
    assert read_string(text, 0) == (value, len(text), rules)
    assert read_string(f"[1, {text}, 2]", 4) == (value, len(text) + 4, rules)


@pytest.mark.parametrize(("text", "value"), [('"\\x41\\a"', "A\a"), ('"it\\\'s"', "it's"), ('"a\\\nb"', "ab")])
def test_python_allows_its_escapes_in_double_quotes(text: str, value: str) -> None:
    assert read_string(text, 0, python=True) == (value, len(text), [])


@pytest.mark.parametrize("text", ['"', '"a', '"a\\', '"a\\"', "“a\"", '"""a"', '"""a""', "'\\u12"])
def test_a_string_without_its_end_is_a_fault(text: str) -> None:
    with pytest.raises(StringFault, match="the text ends inside a string"):
        read_string(text, 0)
