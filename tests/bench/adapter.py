"""Tamis as the yardsticks want a parser: an object with `feed(text)`."""

from __future__ import annotations

import workloads

from tamis.core import Catalog, Session
from tamis.core.events import Event

__all__ = ["Parser"]

_CATALOG = Catalog.of(workloads.TOOLS)


class Parser:
    """One response against the catalogue of the workloads."""

    __slots__ = ("feed", "session")

    def __init__(self) -> None:
        self.session = Session(_CATALOG)
        self.feed = self.session.receive

    def end(self) -> list[Event]:
        return self.session.finish("stop")
