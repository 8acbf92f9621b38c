"""The bounds that keep one response from harming the others. Every number says why it is what it is."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tamis.core.errors import UsageError
from tamis.core.lexicon import LONGEST

__all__ = ["DEFAULT_LIMITS", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one response, in characters unless the name says otherwise; each must be at least 1."""

    text: int = 4 * 1024 * 1024
    """Text of one response: some 1 M tokens, far beyond any completion a provider serves."""
    call: int = 256 * 1024
    """Text of one open call, and of a block that may turn out to be one: a large source file; keeps a snapshot near 1 MiB."""
    arguments: int = 1024 * 1024
    """Bytes of one call's name and arguments as JSON, four for each character of the largest call (a control character takes six):
    with what else a record holds it stays beneath the topics' 1.5 MiB."""
    held: int = LONGEST
    """Longest marker in text: so many characters of content may wait because they can still become one. Lower it to have text sooner;
    longer markers are then text. More than the default changes nothing."""
    calls: int = 128
    """Accepted calls in a response: the longest parallel groups seen have some 30."""
    nesting: int = 64
    """Depth of one argument's value: far above real arguments, far below any recursion limit."""
    name: int = 128
    """Characters of a tool name: twice what the providers' APIs allow."""
    raw: int = 64 * 1024
    """Characters of the model's own words kept in a rejection: enough to debug, small beside a message limit of 1 MiB."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UsageError(f"limits.{item.name} must be a whole number of at least 1, not {value!r}")


DEFAULT_LIMITS = Limits()
