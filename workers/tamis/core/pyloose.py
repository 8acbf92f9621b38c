"""Second readings of one Python call that strict reading refused: each small, each only where the schema leaves one meaning.

What a model writes between the brackets is a call of a declared tool, so its parameters say how it may be read. Nothing is guessed: a
variable, an expression, a nested call or a positional argument whose place the schema does not fix is `unresolved_value`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tamis.core.events import Cause, Repair
from tamis.core.pyliteral import PyCall, PyFault, is_python, read_py_call, read_value

__all__ = ["read_loose"]

_HEAD = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*\(")
_KEYWORD = re.compile(r"\s*([^\W\d][\w\-]*)\s*=(?!=)")
_STOP = re.compile(r"[()\[\]{},\"']")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_WORDS = re.compile(r"[^\W_](?:[^\"'()\[\]{}<>=$\\`|\n]*[^\s\"'()\[\]{}<>=$\\`|])?\Z").match
"""Text that may stand for a string without its quotes: words, numbers, dates; nothing that is a sign of code or of a placeholder."""
_VARIABLE = re.compile(r"[a-z]+(?:_\w*|[A-Z]\w*|\d\w*)+\Z|\w+(?:\.\w+)+\Z").match
"""A name as code spells its variables: snake case, camel case, dotted."""
_PARAMETERS = 4096  # characters of a call that are read once more: a longer one has a document in it, not a lost quote


def read_loose(text: str, properties: Mapping[str, Any], *, quoted: bool = False) -> PyCall:
    """The call in `text`, which is one balanced `name(…)`. Raises `PyFault` as `read_py_call` does.

    `properties` are the parameters of the tool by name. `quoted` says that the call stands inside quotes: then its strings
    may have lost theirs.
    """
    plain = text.replace("\\_", "_") if _escaped(text) else text
    rules: tuple[Repair, ...] = (Repair("escaped_underscore"),) if plain is not text else ()
    try:
        call = read_py_call(plain)
    except PyFault as fault:
        if len(plain) > _PARAMETERS:
            raise
        found = _second(plain, properties, quoted=quoted, fault=fault)
        return PyCall(found.name, found.arguments, (*rules, *found.repairs))
    return PyCall(call.name, call.arguments, (*rules, *call.repairs))


def _escaped(text: str) -> bool:
    """Whether names carry the backslash that Markdown puts before an underscore."""
    return re.search(r"[A-Za-z0-9]\\_\w*(?:\\_\w*)*\s*[(=.]|\.\w+\\_", text) is not None


def _second(text: str, properties: Mapping[str, Any], *, quoted: bool, fault: PyFault) -> PyCall:
    head = _HEAD.match(text)
    if head is None or not text.rstrip().endswith(")"):
        raise fault
    name = head[1].removesuffix(".call")
    pieces = _pieces(text[head.end() : text.rstrip().rindex(")")])
    if len(pieces) == 1 and _KEYWORD.match(pieces[0]) is None:
        found = _lone(name, pieces[0], properties)
        if found is None:
            raise fault
        return found
    arguments: dict[str, Any] = {}
    repairs: list[Repair] = []
    code = not quoted and is_python(text)
    for key, raw in _keywords(pieces, properties, fault):
        if key in arguments:
            raise fault
        try:
            arguments[key] = read_value(raw)
        except PyFault:
            arguments[key] = _unquoted(raw.strip(), properties.get(key), code=code, quoted=quoted, fault=fault)
            repairs.append(Repair("unquoted_string", f"$.{key}"))
    return PyCall(name, arguments, tuple(repairs))


def _lone(name: str, raw: str, properties: Mapping[str, Any]) -> PyCall | None:
    """One positional argument: the object of all arguments, or the value of the only parameter."""
    try:
        value = read_value(raw)
    except PyFault:
        return None
    only = next(iter(properties)) if len(properties) == 1 else None
    if isinstance(value, dict) and value and all(key in properties for key in value):
        inner = properties[only] if only is not None else None
        below = inner.get("properties") if isinstance(inner, Mapping) else None
        if isinstance(below, Mapping) and all(key in below for key in value):
            return None  # it may be the arguments, and the one object that the tool takes
        return PyCall(name, value, (Repair("dict_argument"),))
    if only is None:
        return None
    return PyCall(name, {only: value}, (Repair("positional", f"$.{only}"),))


def _keywords(pieces: list[str], properties: Mapping[str, Any], fault: PyFault) -> list[tuple[str, str]]:
    """Key and source of each argument. A piece without a declared keyword goes on with a text whose comma stood in it."""
    found: list[tuple[str, str]] = []
    for piece in pieces:
        keyword = _KEYWORD.match(piece)
        if keyword is not None and (keyword[1] in properties or not properties):
            found.append((keyword[1], piece[keyword.end() :]))
        elif found and keyword is None and piece.strip():
            key, raw = found[-1]
            found[-1] = (key, f"{raw},{piece}")
        elif piece.strip() and keyword is not None:
            found.append((keyword[1], piece[keyword.end() :]))
        elif piece.strip():
            raise fault
    return found


def _unquoted(raw: str, schema: Any, *, code: bool, quoted: bool, fault: PyFault) -> Any:
    """The string that text without quotes stands for, where the parameter can only be one and the text is no code."""
    if quoted and raw[:1] == "[" and raw[-1:] == "]" and isinstance(schema, Mapping) and schema.get("type") == "array":
        return [_element(item.strip(), schema.get("items"), fault) for item in _pieces(raw[1:-1]) if item.strip()]
    accepted = schema.get("enum") if isinstance(schema, Mapping) else None
    if isinstance(accepted, list) and raw in accepted:
        return raw
    if not (isinstance(schema, Mapping) and schema.get("type") == "string" and _WORDS(raw)) or code or (quoted and _VARIABLE(raw)):
        raise PyFault(Cause.UNRESOLVED_VALUE, fault_detail(raw), fault.name)
    return raw


def _element(raw: str, schema: Any, fault: PyFault) -> Any:
    try:
        return read_value(raw)
    except PyFault:
        return _unquoted(raw, schema, code=False, quoted=True, fault=fault)


def fault_detail(raw: str) -> str:
    """Why a text is no value."""
    return f"the value {raw[:64]!r} is no literal"  # 64: enough to find the place


def _pieces(text: str) -> list[str]:
    """The text cut at its commas, those inside brackets and sound strings left out."""
    pieces: list[str] = []
    closers: list[str] = []
    start = pos = 0
    while (stop := _STOP.search(text, pos)) is not None:
        char, here = stop[0], stop.start()
        pos = here + 1
        if char in "\"'":
            pos = _string_end(text, here)
        elif char in _PAIRS:
            closers.append(_PAIRS[char])
        elif closers:
            if char == closers[-1]:
                closers.pop()
        elif char == ",":
            pieces.append(text[start:here])
            start = pos
    return [*pieces, text[start:]]


def _string_end(text: str, start: int) -> int:
    """Behind the string that begins at `start`; an apostrophe inside a word begins none."""
    if start and text[start - 1].isalnum():
        return start + 1
    pos = start + 1
    while pos < len(text):
        if text[pos] == "\\":
            pos += 2
        elif text[pos] == text[start]:
            return pos + 1
        else:
            pos += 1
    return start + 1
