"""Small steps over arriving text by pattern: a token is used up only when nothing that may follow could change it.

Patterns are `regex` sources that know a partial match. A pattern must say itself where it ends (with a literal, or with a look-ahead
at what follows): then whether it matches is a property of the text, whatever the cut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import regex

from tamis.core.source import Source, Steps

__all__ = ["HEAD", "Match", "compiled", "decide", "peek", "take"]

Match = Any
HEAD = 512
"""Characters in which a token must be decided: a name of 128 with its tags, ids and attributes fits four times."""


@lru_cache(maxsize=4096)  # all dialects have some 400 patterns; the rest are for patterns made from a catalogue's names
def compiled(pattern: str) -> Any:
    """The compiled pattern; made at first use, for a response meets few of them."""
    return regex.compile(pattern)


def decide(pattern: str, text: str, pos: int, ended: bool, window: int = HEAD) -> Match | Literal[True] | None:
    """The match of `pattern` at `pos`, None, or True while more text may still make one.

    It never looks beyond the window, however much text is there: so the work is bounded, and the answer the same for every cut.
    """
    end = pos + window
    full = len(text) >= end
    found = compiled(pattern).match(text, pos, end, partial=full or not ended)
    if found is None or not found.partial:
        return found
    return None if full else True


def peek(source: Source, pattern: str, window: int = HEAD) -> Steps[Match | None]:
    """The match of `pattern` at `pos`, or None; waits while the text may still become one. Nothing is used up."""
    while True:
        found = decide(pattern, source.text, source.pos, source.ended, window)
        if found is not True:
            return found
        yield None


def take(source: Source, pattern: str, window: int = HEAD) -> Steps[Match | None]:
    """As `peek`, and the match is used up."""
    found = yield from peek(source, pattern, window)
    if found is not None:
        source.pos = found.end()
    return found
