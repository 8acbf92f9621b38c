"""A damaged invoke opener: one lone word of a known set on its own line, directly before a bare call (P9)."""

from __future__ import annotations

import re

from tamis.core.bodies.context import Context
from tamis.core.drafts import Outcome
from tamis.core.lexicon import Role, attributes
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["stray_word"]

_WORDS = ("court", "count", "call")
_ALONE = re.compile(r"(?:court|count|call)[ \t]*\r?\n").match
_MAY_BE = re.compile(r"(?:court|count|call)[ \t]*\r?\Z").match


def stray_word(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Use up the word when a named bare call stands behind it; else it is a word."""
    while True:
        text, pos = source.text, source.pos
        alone = _ALONE(text, pos)
        if alone is not None:
            source.pos = alone.end()
            break
        rest = text[pos:]
        if source.ended or not (_MAY_BE(text, pos) or any(word.startswith(rest) for word in _WORDS)):
            source.pos += 1
            return Outcome.PROSE
        yield None
    if (yield from skip_blank(source)) != "<":
        return Outcome.PROSE
    marker = yield from next_marker(source, context.lexicon)
    bare = marker is not None and marker.role is Role.OPENER and marker.word == "invoke" and "name" in attributes(marker.attributes)
    return Outcome.DONE if bare else Outcome.PROSE
