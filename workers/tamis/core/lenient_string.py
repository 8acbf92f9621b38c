"""One string of JSON-like text: the delimiters that models use, escapes decoded exactly once (P57, P60)."""

from __future__ import annotations

import re

__all__ = ["DELIMITERS", "StringFault", "read_string"]

DELIMITERS = frozenset("\"'`“‘")
_RULES = {'"': "", "'": "single_quotes", "`": "backtick_quotes", "“": "smart_quotes", "‘": "smart_quotes"}
_CLOSE = {"“": "”", "‘": "’"}
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_PYTHON = {"'": "'", "a": "\a", "v": "\v", "0": "\0", "\n": ""}
_HEX = {"u": 4, "x": 2, "U": 8}
_CONTROL = re.compile(r"[\x00-\x1f]")
_LONE = re.compile("[\ud800-\udfff]")


class StringFault(ValueError):
    """The string does not end, or holds an escape that no reader can decode."""


def read_string(text: str, pos: int, *, python: bool = False) -> tuple[str, int, list[str]]:
    """(value, index behind the string, repair rules used) of the string that begins at `pos`; `python` allows Python's escapes in any quotes."""
    opener = text[pos]
    rules = [_RULES[opener]] if _RULES[opener] else []
    closer = _CLOSE.get(opener, opener)
    if opener in "\"'`" and text.startswith(opener * 3, pos):
        closer, rules = opener * 3, ["triple_quotes"]
    pos += len(closer)
    pattern = re.compile(rf"{re.escape(closer)}|\\")
    python = python or opener != '"' or len(closer) == 3
    parts: list[str] = []
    while True:
        found = pattern.search(text, pos)
        if found is None:
            raise StringFault("the text ends inside a string")
        piece = text[pos : found.start()]
        parts.append(piece)
        pos = found.end()
        if found[0] != "\\":
            break
        value, pos, valid = _escape(text, pos, python)
        if not valid:
            rules.append("invalid_escape")
        parts.append(value)
    value = "".join(parts)
    if len(closer) == 1 and any(_CONTROL.search(part) for part in parts[::2]):
        rules.append("raw_newline")
    if _LONE.search(value) is not None:
        # two escapes of one pair were decoded one by one: join them; what stays alone is no character
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if "\ufffd" in value:
            rules.append("lone_surrogate")
    return value, pos, rules


def _escape(text: str, pos: int, python: bool) -> tuple[str, int, bool]:
    """What the escape behind a backslash stands for; an unknown one keeps its backslash."""
    char = text[pos : pos + 1]
    if char in _SIMPLE:
        return _SIMPLE[char], pos + 1, True
    if python and char in _PYTHON:
        return _PYTHON[char], pos + 1, True
    size = _HEX.get(char, 0) if char == "u" or python else 0
    digits = text[pos + 1 : pos + 1 + size]
    if size and len(digits) == size and all(digit in "0123456789abcdefABCDEF" for digit in digits):
        code = int(digits, 16)
        if code <= 0x10FFFF:
            return chr(code), pos + 1 + size, True
    if not char:
        raise StringFault("the text ends inside a string")
    return "\\" + char if char not in "“”‘’'`" else char, pos + 1, False
