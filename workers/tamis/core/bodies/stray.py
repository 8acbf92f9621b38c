"""A damaged invoke opener: one lone word of a known set on its own line, directly before a bare call (P9)."""

from __future__ import annotations

from tamis.core.bodies.context import Context
from tamis.core.bodies.tokens import take
from tamis.core.drafts import Outcome
from tamis.core.lexicon import Role, attributes
from tamis.core.source import Source, Steps, next_marker, skip_blank

__all__ = ["stray_word"]


def stray_word(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Use up the word when a named bare call stands behind it; else it is a word."""
    if (yield from take(source, r"(?:court|count|call)[ \t]*\r?\n")) is None:
        return Outcome.PROSE
    if (yield from skip_blank(source)) != "<":
        return Outcome.PROSE
    marker = yield from next_marker(source, context.lexicon)
    bare = marker is not None and marker.role is Role.OPENER and marker.word == "invoke" and "name" in attributes(marker.attributes)
    return Outcome.DONE if bare else Outcome.PROSE
