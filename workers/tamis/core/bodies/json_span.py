"""Finds the end of a JSON-like value in arriving text: strings respected, every marker inside a string is data (P53).

It only measures; `tamis.core.jsontext` and `tamis.core.jsonrepair` read what it found. It knows the string delimiters that models
use (P57) and says "broken" at the first character that no reading can mend, so that one bad call does not swallow the next.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tamis.core.source import INVISIBLE, Source, Steps

__all__ = ["Span", "json_span"]

_STRUCTURE = re.compile(r"""[{}\[\]"'`“”‘’<>#/\\]""").search
_INSIDE = {quote: re.compile(rf"[{re.escape(quote)}\\]").search for quote in "\"'`"}
_INSIDE |= {"“": re.compile(r"[”\\]").search, "‘": re.compile(r"[’\\]").search}
_BREAK = re.compile(r"<br ?/?>").match
_MAY_BREAK = frozenset(mark[:size] for mark in ("<br>", "<br/>", "<br />") for size in range(1, len(mark)))
_BEGINS_VALUE = frozenset("{[,:(：，")
_STRIP = " \t\r\n\f\v\u00a0" + INVISIBLE
_COMMENT = 4096  # characters of one comment: none in a call is longer, and so much is looked at again with each piece that comes
_PAIRS = {"}": "{", "]": "["}


class Span(NamedTuple):
    """`state` is "whole", "broken" (at `source.pos`, not used up) or "cut"."""

    state: str
    text: str
    surplus: str = ""
    """A closer inside the value that closed nothing, left out of the text (P57)."""


def json_span(source: Source) -> Steps[Span]:
    """Use up one bracketed value that begins at `pos`. Each character is looked at once."""
    parts: list[str] = []
    stack: list[str] = []
    quote = last = surplus = ""
    text, start = source.text, source.pos
    pos = start
    while True:
        if quote:
            found = _INSIDE[quote[0]](text, pos)
            if found is not None and text[found.start()] == "\\":
                pos = found.start() + 2
                if pos <= len(text):
                    continue
                pos = found.start()  # the escaped character is still to come
            elif found is not None:
                end = found.start()
                if len(quote) == 1:
                    quote, last, pos = "", '"', end + 1
                    continue
                if text.startswith(quote, end):
                    quote, last, pos = "", '"', end + 3
                    continue
                if len(text) - end >= 3 or source.ended:
                    pos = end + 1
                    continue
                pos = end
            else:
                pos = len(text)
        else:
            found = _STRUCTURE(text, pos)
            stop = found.start() if found is not None else len(text)
            between = text[pos:stop].strip(_STRIP)
            if between:
                if last == '"' and between[0] not in ",:：，;)":
                    return _end("broken", parts, source, text, start, text.index(between[0], pos))
                last = between[-1]
            pos = stop
            if found is not None:
                char = text[stop]
                if char in "{[":
                    stack.append(char)
                    last, pos = char, stop + 1
                    continue
                if char in "}]":
                    if stack[-1] != _PAIRS[char]:
                        if surplus:
                            return _end("broken", parts, source, text, start, stop)
                        surplus = char
                        parts.append(text[start:stop])
                        start = pos = stop + 1
                        continue
                    stack.pop()
                    last, pos = char, stop + 1
                    if not stack:
                        return _end("whole", parts, source, text, start, pos)._replace(surplus=surplus)
                    continue
                room = len(text) - stop
                if char in _INSIDE and (last in _BEGINS_VALUE or (char == '"' and not last.isalnum()) or last in '"}]'):
                    if char in "\"'`" and text[stop : stop + 3] == char * 3:
                        quote, pos = char * 3, stop + 3
                        continue
                    if not (char in "\"'`" and room < 3 and text[stop:] == char * room and not source.ended):
                        quote, pos = char, stop + 1
                        continue
                elif char == "<":
                    broken = _BREAK(text, stop)
                    if broken is not None:
                        pos = broken.end()
                        continue
                    if source.ended or text[stop:] not in _MAY_BREAK:
                        return _end("broken", parts, source, text, start, stop)
                elif char == "#" or (char == "/" and room > 1 and text[stop + 1] in "/*"):
                    mark = "*/" if text.startswith("/*", stop) else "\n"
                    end = text.find(mark, stop + len(mark), stop + _COMMENT)
                    if end != -1:
                        pos = end + len(mark)
                        continue
                    if room >= _COMMENT:
                        return _end("broken", parts, source, text, start, stop)
                    pos = stop  # wait for the end of the comment, looking from its mark again
                elif char == "/" and room == 1 and not source.ended:
                    pass
                elif char == "\\" and last in ("{", ",", ":", "["):
                    return _end("broken", parts, source, text, start, stop)
                else:
                    last, pos = char, stop + 1
                    continue
        parts.append(text[start:pos])
        source.pos = pos
        if source.ended:
            parts.append(text[pos:])
            source.pos = len(text)
            return Span("cut", "".join(parts))
        yield None
        text, start = source.text, source.pos
        pos = start


def _end(state: str, parts: list[str], source: Source, text: str, start: int, pos: int) -> Span:
    parts.append(text[start:pos])
    source.pos = pos
    return Span(state, "".join(parts))
