"""Exceptions: misuse by our caller or a fault of our own, never something a model wrote.

    TamisError                 everything this package raises on purpose
    +-- NotAvailableError      a keyword or policy value that is not built yet
    +-- UsageError             a call in the wrong order, or with arguments of the wrong shape
    +-- CatalogError           a tool declaration that cannot be used
    +-- SnapshotError          bytes that are no snapshot of this version

What a model gets wrong is a `Rejection` event with an enum cause (`tamis.core.events`).
"""

from __future__ import annotations

__all__ = ["CatalogError", "NotAvailableError", "SnapshotError", "TamisError", "UsageError"]


class TamisError(Exception):
    """Base of every error raised on purpose; its text says what to do next."""


class NotAvailableError(TamisError):
    """A keyword or policy value that this version does not build yet: refused, never accepted in silence."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not available yet in this version of tamis; leave it out")


class UsageError(TamisError, ValueError):
    """The caller broke the order of calls or passed a value of the wrong shape."""


class CatalogError(TamisError, ValueError):
    """A tool declaration that cannot be used; the text names the tool and the fault."""


class SnapshotError(TamisError, ValueError):
    """The bytes given to `Session.restore` are no snapshot that this version can read."""
