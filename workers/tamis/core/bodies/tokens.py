"""Small steps over arriving text by pattern: a token is used up only when nothing that may follow could change it.

Patterns are `regex` sources that know a partial match. A pattern must say itself where it ends (with a literal, or with a look-ahead
at what follows): then whether it matches is a property of the text, whatever the cut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import regex

from tamis.core.source import Source, Steps

__all__ = ["HEAD", "Match", "compiled", "peek", "take"]

Match = Any
HEAD = 512
"""Characters in which a token must be decided: a name of 128 with its tags, ids and attributes fits four times."""


@lru_cache(maxsize=4096)  # all dialects have some 400 patterns; the rest are for patterns made from a catalogue's names
def compiled(pattern: str) -> Any:
    """The compiled pattern; made at first use, for a response meets few of them."""
    return regex.compile(pattern)


def peek(source: Source, pattern: str, window: int = HEAD) -> Steps[Match | None]:
    """The match of `pattern` at `pos`, or None; waits while the text may still become one. Nothing is used up."""
    match = compiled(pattern).match
    while True:
        found = match(source.text, source.pos, partial=not source.ended)
        if found is None or not found.partial:
            return found
        if len(source.text) - source.pos > window:
            return None
        yield None


def take(source: Source, pattern: str, window: int = HEAD) -> Steps[Match | None]:
    """As `peek`, and the match is used up."""
    found = yield from peek(source, pattern, window)
    if found is not None:
        source.pos = found.end()
    return found
