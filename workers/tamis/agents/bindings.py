"""Which version of a catalogue each response was bound to, and which results it saw: decided once, written before anything that depends
on it shows."""

from __future__ import annotations

import json
from typing import Any

from tamis.agents.declared import Catalogs, Declared, Texts, declared, unavailable

__all__ = ["Awaited", "Bindings", "Place"]

Place = tuple[str, str, str]
"""Session, response and catalogue id; "" stands for the results that the response saw."""


class Awaited(Exception):
    """A response names a catalogue that this worker has not read yet: its records wait, nothing has changed."""

    def __init__(self, catalog_id: str) -> None:
        super().__init__(catalog_id)
        self.catalog_id = catalog_id


class Bindings:
    """The decisions of one partition that no row of a session holds yet.

    `deciding` is set while what has waited long enough goes on: what is still not there then is decided to be unavailable.
    """

    def __init__(self, catalogs: Catalogs, texts: Texts) -> None:
        self.catalogs = catalogs
        self.texts = texts
        self.deciding = False
        self.fresh: list[Place] = []
        self._made: dict[Place, str] = {}

    def bind(self, session_id: str, response_id: str, catalog_id: str) -> Declared:
        """The version of a catalogue that a response is read with. Raises `Awaited`."""
        place = session_id, response_id, catalog_id
        known = self._made.get(place)
        if known is not None:
            return declared(self.texts.get(known)) if known else unavailable()
        found = self.catalogs.get(catalog_id)
        if found is None:
            if not self.deciding:
                raise Awaited(catalog_id)
            found = unavailable()
        if found.hash:
            self.texts.add(found.text)
        self._made[place] = found.hash
        self.fresh.append(place)
        return found

    def see(self, session_id: str, response_id: str, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The results that a response sees: `results` when nothing is decided yet. That one had not come by then is a decision, too: a
        worker that takes over may read it before it reads the response again."""
        place = session_id, response_id, ""
        known = self._made.get(place)
        if known is not None:
            return json.loads(self.texts.get(known)) if known else []
        self._made[place] = self.texts.add(json.dumps(results)) if results else ""
        self.fresh.append(place)
        return results

    def load(self, place: Place, name: str) -> None:
        """A decision as the changelog has it."""
        self._made[place] = name

    def take_fresh(self) -> list[tuple[Place, str]]:
        """Decisions that have to be written now, each with the hash of its version ("" for none)."""
        fresh, self.fresh = self.fresh, []
        return [(place, self._made[place]) for place in fresh]

    def settle(self) -> list[Place]:
        """Every session's row is being written and holds its decisions: their own rows can go."""
        gone = list(self._made)
        self._made.clear()
        return gone
