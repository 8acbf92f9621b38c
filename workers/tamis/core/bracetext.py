"""Reads `{key:value,…}` with bare keys, as the brace formats write it; values stay texts until the schema types them (P73)."""

from __future__ import annotations

import json
import re

from tamis.core.drafts import Element

__all__ = ["BraceFault", "read_fields"]

_KEY = re.compile(r"\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s:,{}\[\]()\"]{1,160}))\s*[:=]\s*")
_CLOSERS = {"{": "}", "(": ")", "[": "]"}
_BARE_END = re.compile(r"[,{}\[\]()]")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


class BraceFault(ValueError):
    """The text has no reading."""


def read_fields(text: str, token: str, mark: bool | None) -> Element:
    """The fields of one bracketed text as an element. `token` delimits strings, `mark` is the type mark that such a string carries.

    One pass without recursion. Raises `BraceFault`.
    """
    root = Element("", "", [], None, "dict")
    stack: list[tuple[Element, str]] = [(root, _CLOSERS[text[0]])]
    pos = 1
    while True:
        holder, closer = stack[-1]
        pos = _blank(text, pos)
        if text.startswith(closer, pos):
            stack.pop()
            if not stack:
                return root
            pos = _comma(text, pos + 1, stack[-1][1])
            continue
        key = ""
        if holder.kind == "dict":
            found = _KEY.match(text, pos)
            if found is None:
                raise BraceFault("a key is missing")
            key = found[2] or _unquoted(f'"{found[1]}"')
            pos = found.end()
        if pos >= len(text):
            raise BraceFault("a value is missing")
        char = text[pos]
        if char in "{[(":
            item = Element(key, "", [], None, "list" if char == "[" else "dict")
            holder.add(item)
            stack.append((item, _CLOSERS[char]))
            pos += 1
            continue
        if text.startswith(token, pos):
            end = text.find(token, pos + len(token))
            if end == -1:
                raise BraceFault("a string does not end")
            holder.add(Element(key, text[pos + len(token) : end], None, mark))
            pos = end + len(token)
        elif char == '"' and (quoted := _QUOTED.match(text, pos)) is not None:
            holder.add(Element(key, _unquoted(quoted[0]), None, True))
            pos = quoted.end()
        else:
            stop = _BARE_END.search(text, pos)
            end = len(text) if stop is None else stop.start()
            bare = text[pos:end].strip()
            if not bare:
                raise BraceFault("a value is missing")
            holder.add(Element(key, bare, None, None, "bare"))
            pos = end
        pos = _comma(text, pos, closer)


def _blank(text: str, pos: int) -> int:
    while pos < len(text) and text[pos].isspace():
        pos += 1
    return pos


def _comma(text: str, pos: int, closer: str) -> int:
    """Behind a value: a comma, or the closer of what holds it."""
    pos = _blank(text, pos)
    if text.startswith(",", pos):
        return pos + 1
    if not text.startswith(closer, pos):
        raise BraceFault("neither a comma nor a closer follows a value")
    return pos


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return text[1:-1]
    return str(value)
