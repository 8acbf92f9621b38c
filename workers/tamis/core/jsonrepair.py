"""A second reading for JSON-like text: small named repairs of structure, never a guess at a value (P57-P59).

One pass, no recursion. What has no reading, or more than one, is a `RepairFault` that carries the names read so far, so that a refusal
can say which tool was meant. Nothing is ever completed: text that ends early is a fault.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from tamis.core.events import Repair
from tamis.core.jsontext import equal
from tamis.core.lenient_string import DELIMITERS, StringFault, read_string
from tamis.core.source import INVISIBLE

__all__ = ["NAME_KEYS", "Reading", "RepairFault", "load_lenient", "peek_name"]

NAME_KEYS = ("name", "tool_name", "tool", "action", "function", "function_name", "func", "function_call")
"""Keys that carry the tool's name, in the order in which they count (P21)."""
_INNER = ("function", "function_call", "command", "tool_calls", "actions")
_BLANK = re.compile(rf"[ \t\r\n]*(?:(?:[\s{INVISIBLE}]|<br ?/?>)+|(//[^\n]*|\#[^\n]*|/\*.*?\*/))?", re.DOTALL)
_WORD = re.compile(r"[^\s,:{}\[\]\"'`“”‘’：，<>]+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\Z")
_KEY = re.compile(r"[A-Za-z_$][\w$.-]*\Z")
_WORDS = {"true": (True, ""), "false": (False, ""), "null": (None, ""), "True": (True, "python_literal"), "False": (False, "python_literal"),
          "None": (None, "python_literal")}  # fmt: skip
_COMMAS = {",": "", "，": "fullwidth_punctuation"}
_COLONS = {":": "", "：": "fullwidth_punctuation"}


class Reading(NamedTuple):
    """A value and the repairs that it took, each rule once, in the order in which they were needed."""

    value: Any
    repairs: tuple[Repair, ...]


class RepairFault(ValueError):
    """There is no reading; `name` is the tool's name if it was complete."""

    def __init__(self, detail: str, name: str | None = None) -> None:
        super().__init__(detail)
        self.name = name


class _Frame:
    """An open object or array. `expects` is key, colon, value or comma."""

    __slots__ = ("doubled", "expects", "key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.key = ""
        self.expects = "key" if isinstance(value, dict) else "value"
        self.doubled = False


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.rules: dict[str, None] = {}
        self.stack: list[_Frame] = []

    def fault(self, detail: str) -> RepairFault:
        return RepairFault(detail, _name(self.stack))

    def note(self, rule: str) -> None:
        if rule:
            self.rules.setdefault(rule)

    def blank(self) -> str:
        """Skip what is no token; the next character or ""."""
        while True:
            match = _BLANK.match(self.text, self.pos)
            if match is None or match.end() == self.pos:
                return self.text[self.pos : self.pos + 1]
            if match[1]:
                self.note("comment")
            elif not match[0].isspace() or "\u00a0" in match[0]:
                self.note("blank_characters")
            self.pos = match.end()

    def run(self) -> Any:
        char = self.blank()
        done, value = self.value(char)
        while not done:
            done, value = self.step()
        if self.blank():
            raise self.fault("something stands behind the value")
        return value

    def value(self, char: str) -> tuple[bool, Any]:
        """Read a value at `pos`: (True, value) for one that stands alone at the top, else it is put where it belongs."""
        if char and char in "{[":
            self.pos += 1
            self.stack.append(_Frame({} if char == "{" else []))
            return False, None
        if char in DELIMITERS:
            return self.put(self.string())
        match = _WORD.match(self.text, self.pos)
        if match is None:
            raise self.fault("a value is missing" if char else "the text ends where a value is due")
        self.pos = match.end()
        word = match[0]
        if word in _WORDS:
            value, rule = _WORDS[word]
            self.note(rule)
            return self.put(value)
        number = _NUMBER.match(word)
        if number is None:
            raise self.fault("a word stands where a value is due")
        try:
            exact: int | float = float(word) if number[1] or number[2] else int(word)
        except ValueError:
            raise self.fault("a number has too many digits") from None
        if isinstance(exact, float) and math.isinf(exact):
            raise self.fault("a number is too large for any reader")
        return self.put(exact)

    def string(self) -> str:
        try:
            value, self.pos, rules = read_string(self.text, self.pos)
        except StringFault as fault:
            raise self.fault(str(fault)) from None
        for rule in rules:
            self.note(rule)
        return value

    def put(self, value: Any) -> tuple[bool, Any]:
        if not self.stack:
            return True, value
        frame = self.stack[-1]
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.key in frame.value and not equal(frame.value[frame.key], value):
            raise self.fault("a key stands twice with different values")
        else:
            frame.value[frame.key] = value
        frame.expects = "comma"
        return False, None

    def step(self) -> tuple[bool, Any]:
        """One token inside the innermost container."""
        frame = self.stack[-1]
        char = self.blank()
        if not char:
            raise self.fault("the text ends inside a value")
        closer = "}" if isinstance(frame.value, dict) else "]"
        fresh = not frame.value
        if frame.expects == "comma":
            if char in _COMMAS:
                self.note(_COMMAS[char])
                self.pos += 1
                frame.expects = "key" if closer == "}" else "value"
                return False, None
            if char == closer:
                return self.close(frame)
            if char in DELIMITERS or char in "{[":
                self.note("missing_comma")
                frame.expects = "key" if closer == "}" else "value"
                return False, None
            raise self.fault("neither a comma nor a closer follows a value")
        if char == closer and frame.expects in ("key", "value") and not (closer == "}" and frame.expects == "value"):
            if not fresh:
                self.note("trailing_comma")
            return self.close(frame)
        if frame.expects == "key":
            return self.key(frame, char, fresh)
        if frame.expects == "colon":
            if char not in _COLONS:
                raise self.fault("a colon is missing")
            self.note(_COLONS[char])
            self.pos += 1
            frame.expects = "value"
            return False, None
        return self.value(char)

    def key(self, frame: _Frame, char: str, fresh: bool) -> tuple[bool, Any]:
        if char == "{" and fresh and not frame.doubled:
            frame.doubled = True
            self.note("double_braces")
            self.pos += 1
            return False, None
        if char in DELIMITERS:
            frame.key = self.string()
        else:
            match = _WORD.match(self.text, self.pos)
            if match is None or _KEY.match(match[0]) is None:
                raise self.fault("a key is missing")
            self.pos = match.end()
            frame.key = match[0]
            self.note("bare_key")
        frame.expects = "colon"
        return False, None

    def close(self, frame: _Frame) -> tuple[bool, Any]:
        self.pos += 1
        if frame.doubled:
            if self.blank() != "}":
                raise self.fault("doubled braces are not closed twice")
            self.pos += 1
        self.stack.pop()
        return self.put(frame.value)


def load_lenient(text: str) -> Reading:
    """The one value in `text` and its repairs. Raises `RepairFault` when there is not exactly one reading."""
    parser = _Parser(text)
    value = parser.run()
    return Reading(value, tuple(Repair(rule) for rule in parser.rules))


def peek_name(text: str) -> str | None:
    """The tool's name in a cut or broken object, only if its string was complete; never a `name` among the arguments."""
    try:
        value = _Parser(text).run()
    except RepairFault as fault:
        return fault.name
    return _of(value)


def _name(stack: list[_Frame]) -> str | None:
    """The name among the open containers: of the outermost object, or of the call object that a wrapper leads to."""
    path = list(stack)
    while path and isinstance(path[0].value, list):
        path = path[1:]
    if not path:
        return None
    found = _of(path[0].value)
    if found is not None or len(path) < 2 or path[0].key not in _INNER:
        return found
    return _name(path[1:])


def _of(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    for key in NAME_KEYS:
        found = value.get(key)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, dict) and isinstance(found.get("name"), str):
            name: str = found["name"]
            return name
    return None
