"""Reads one Python call with keyword arguments: literals only, nothing is ever evaluated (P74, P75)."""

from __future__ import annotations

import ast
import math
import re
from typing import Any, NamedTuple

from tamis.core.events import Cause, Repair
from tamis.core.lenient_string import StringFault, read_string

__all__ = ["PyCall", "PyFault", "is_python", "read_py_call", "read_value"]

_NAME = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*\(")
_KEYWORD = re.compile(r"\s*([^\W\d][\w\-]*)\s*=(?!=)\s*")
_NUMBER = re.compile(r"[+-]?\s*(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)")
_RAW = re.compile(r"(\"{3}|'{3}|[\"'])((?:[^\\]|\\.)*?)\1", re.DOTALL)  # a backslash stays, and so does the quote behind it
_WORD = re.compile(r"[^\W\d][\w.]*")
_BLANK = re.compile(r"(?:\s|#[^\n]*(?:\n|\Z))*")
_WORDS = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
_QUOTES = "\"'“‘"
_ATTEMPTS = 16  # closing positions tried for one string with bare quotes inside: more of them are more than one reading anyway
_REPAIRABLE = 16 * 1024  # characters of a call in which bare quotes are looked for; each attempt reads the call once more


class PyCall(NamedTuple):
    """A call as it was written."""

    name: str
    arguments: dict[str, Any]
    repairs: tuple[Repair, ...]


class PyFault(ValueError):
    """The call cannot be read; `name` is the callee when it was read."""

    def __init__(self, cause: Cause, detail: str, name: str | None = None) -> None:
        super().__init__(detail)
        self.cause = cause
        self.name = name


class _Reader:
    def __init__(self, text: str, closings: dict[int, int] | None = None) -> None:
        self.text = text
        self.pos = 0
        self.closings = closings or {}  # string that begins at -> index of its closing quote, where it was looked for
        self.rules: dict[str, None] = {}
        self.strings: dict[int, int] = {}  # string that begins at -> index of the quote that closed it; its own where none did

    def blank(self) -> str:
        found = _BLANK.match(self.text, self.pos)
        self.pos = found.end() if found else self.pos
        return self.text[self.pos : self.pos + 1]

    def whole(self) -> PyCall:
        """The call that is all of the text."""
        name, arguments = self.call()
        if self.blank():
            raise PyFault(Cause.MALFORMED_MARKUP, "something stands behind the call", name)
        return PyCall(name, arguments, tuple(map(Repair, self.rules)))

    def call(self) -> tuple[str, dict[str, Any]]:
        head = _NAME.match(self.text, self.pos)
        if head is None:
            raise PyFault(Cause.MALFORMED_MARKUP, "no call stands here")
        name = head[1]
        self.pos = head.end()
        if name == "print" and _NAME.match(self.text, self.pos) is not None:
            inner = self.call()
            self.expect(")", inner[0])
            return inner
        name = name.removesuffix(".call")
        arguments: dict[str, Any] = {}
        while True:
            char = self.blank()
            if char == ")":
                self.pos += 1
                return name, arguments
            keyword = _KEYWORD.match(self.text, self.pos)
            if keyword is None:
                raise PyFault(Cause.UNRESOLVED_VALUE, "an argument has no keyword", name)
            self.pos = keyword.end()
            try:
                value = self.value()
            except PyFault as fault:
                fault.name = fault.name or name
                raise
            if keyword[1] in arguments and arguments[keyword[1]] != value:
                raise PyFault(Cause.MALFORMED_MARKUP, f"keyword {keyword[1]!r} stands twice with different values", name)
            arguments[keyword[1]] = value
            char = self.blank()
            if char == ",":
                self.pos += 1
            elif char != ")":
                raise PyFault(Cause.MALFORMED_MARKUP, "neither a comma nor a bracket follows a value", name)

    def expect(self, char: str, name: str) -> None:
        if self.blank() != char:
            raise PyFault(Cause.MALFORMED_MARKUP, f"{char!r} is missing", name)
        self.pos += 1

    def value(self) -> Any:
        char = self.blank()
        if char and char in _QUOTES:
            return self.joined()
        if char and char in "[({":
            return self.container(char)
        number = _NUMBER.match(self.text, self.pos)
        if number is not None and not self.text[number.end() : number.end() + 1].isalnum():
            self.pos = number.end()
            return _number(number[0])
        word = _WORD.match(self.text, self.pos)
        if word is None:
            raise PyFault(Cause.MALFORMED_MARKUP, "a value is missing")
        after = self.text[word.end() : word.end() + 1]
        if word[0] in _WORDS and after != "(":
            self.pos = word.end()
            return _WORDS[word[0]]
        if word[0].lower() in ("r", "b", "u", "rb", "br") and after and after in "\"'":
            self.pos = word.end()
            return self.joined(raw="r" in word[0].lower())
        raise PyFault(Cause.UNRESOLVED_VALUE, f"the value {word[0]!r} is no literal")

    def joined(self, *, raw: bool = False) -> str:
        """Strings next to each other are one."""
        parts = [self.string(raw=raw)]
        while (char := self.blank()) and char in _QUOTES:
            parts.append(self.string())
        return "".join(parts)

    def string(self, *, raw: bool = False) -> str:
        start = self.pos
        self.strings[start] = start
        if start in self.closings:
            self.pos = self.closings[start] + 1
            self.rules.setdefault("inner_quotes")
            quote = self.text[start]
            inner = self.text[start + 1 : self.pos - 1]
            value = self.decoded(quote + re.sub(rf"\\.|{quote}", lambda at: "\\" + at[0][-1], inner, flags=re.DOTALL) + quote, 0)[0]
        elif raw:
            found = _RAW.match(self.text, start)
            if found is None:
                raise PyFault(Cause.MALFORMED_MARKUP, "a string does not end")
            self.pos = found.end()
            value = found[2]
        else:
            value, self.pos = self.decoded(self.text, start)
        self.strings[start] = self.pos - 1
        return value

    def decoded(self, text: str, start: int) -> tuple[str, int]:
        """The string that begins at `start`, and the place behind it."""
        try:
            value, end, rules = read_string(text, start, python=True)
        except StringFault as fault:
            raise PyFault(Cause.MALFORMED_MARKUP, str(fault)) from None
        for rule in rules:
            if rule not in ("single_quotes", "triple_quotes"):  # Python's own
                self.rules.setdefault(rule)
        return value, end

    def container(self, opener: str) -> Any:
        self.pos += 1
        closer = {"[": "]", "(": ")", "{": "}"}[opener]
        items: list[Any] = []
        pairs: dict[str, Any] = {}
        comma = False
        while True:
            char = self.blank()
            if char == closer:
                self.pos += 1
                break
            value = self.value()
            if opener == "{":
                self.expect(":", "")
                if not isinstance(value, str | int | float | bool | None):
                    raise PyFault(Cause.MALFORMED_MARKUP, "a key is no scalar")
                pairs[value if isinstance(value, str) else str(value)] = self.value()
            else:
                items.append(value)
            char = self.blank()
            if char == ",":
                self.pos += 1
                comma = True
            elif char != closer:
                raise PyFault(Cause.MALFORMED_MARKUP, "neither a comma nor a bracket follows a value")
        if opener == "(" and len(items) == 1 and not comma:
            return items[0]
        return pairs if opener == "{" else items


def _number(text: str) -> int | float:
    plain = "".join(text.replace("_", "").split())
    if "x" in plain.lower():
        return int(plain, 16)
    if any(char in plain for char in ".eE"):
        value = float(plain)
        if math.isinf(value):
            raise PyFault(Cause.UNRESOLVED_VALUE, "a number is larger than any that JSON's readers hold")
        return value
    if len(plain) > 4300:  # the digits that Python converts
        raise PyFault(Cause.MALFORMED_MARKUP, "a number has too many digits")
    return int(plain)


def read_py_call(text: str) -> PyCall:
    """The call in `text`, which is one balanced `name(…)`. Raises `PyFault`.

    A string with bare quotes of its own kind inside is repaired only if exactly one closing position gives a reading.
    """
    reader = _Reader(text)
    try:
        return reader.whole()
    except PyFault as fault:
        if fault.cause is Cause.UNRESOLVED_VALUE or len(text) > _REPAIRABLE or "twice" in str(fault):
            raise
        if is_python(text):
            raise PyFault(Cause.UNRESOLVED_VALUE, "an argument is an expression and no literal", fault.name) from None
        found = _other_closings(text, reader.strings)
        if len(found) != 1:
            raise
        return found[0]


def is_python(text: str) -> bool:
    """Whether the text is Python as it stands: then nothing in it is broken, and nothing may be repaired. It is parsed, never run."""
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def read_value(text: str) -> Any:
    """The value of one literal that `text` holds as a whole. Raises `PyFault`."""
    reader = _Reader(text)
    value = reader.value()
    if reader.blank():
        raise PyFault(Cause.UNRESOLVED_VALUE, "the value is an expression and no literal")
    return value


def _other_closings(text: str, strings: dict[int, int]) -> list[PyCall]:
    """The readings that another closing position of one string gives; looked for in the last two of `strings`, which were read before the fault."""
    readings: list[PyCall] = []
    for start, read in list(strings.items())[-2:]:
        quote = text[start]
        if text.startswith(quote * 3, start):
            continue  # bare quotes are allowed in it as they stand
        ends = [at.start() for at in re.finditer(rf"{quote}(?=\s*(?:[)\]}}]|,\s*(?:[\w-]+\s*=|[\"'\[{{(\d-])))", text) if at.start() > start]
        for end in ends[:_ATTEMPTS]:
            reader = _Reader(text, {start: end})
            try:
                call = reader.whole()
            except PyFault as fault:
                if end != read and fault.cause is Cause.MALFORMED_MARKUP and max(reader.strings) != start:
                    return []  # it breaks only in a later string: this closing may be meant as well, with another one there
                continue
            if all(call.arguments != known.arguments for known in readings):
                readings.append(call)
    return readings
