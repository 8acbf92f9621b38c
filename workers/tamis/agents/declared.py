"""What a response is bound to: tools, namespaces, aliases and policy as one text, known by its hash.

A catalogue of `tool-catalog` may change while a response is open, and a worker that takes over must read the response with the version
that the first one read it with. So the text itself is kept in the changelog, once a partition, and everything else names its hash.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from tamis.core import Policy, TamisError
from tamis.core.catalog import UNAVAILABLE, Catalog
from tamis.core.errors import CatalogError

__all__ = ["Catalogs", "Declared", "Texts", "inline", "text_hash", "unavailable"]


def text_hash(text: str) -> str:
    """The name of a text: 24 hex digits, 96 bits, so that no two texts of a partition ever share one."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Declared:
    """One version of a declaration, compiled. `hash` "" stands for a catalogue that could not be had: every call is refused."""

    __slots__ = ("catalog", "hash", "policy", "text", "tools")

    def __init__(self, text: str) -> None:
        """Raises `TamisError` when tools or policy cannot be used."""
        self.text = text
        self.hash = text_hash(text) if text else ""
        self.policy: dict[str, Any] = {}
        self.tools: list[Any] | None = None
        if not text:
            self.catalog = UNAVAILABLE
            return
        body = json.loads(text)
        self.tools = body["tools"]
        self.policy = body.get("policy") or {}
        Policy.of(self.policy)
        self.catalog = Catalog.of(self.tools or (), tuple(body.get("namespaces") or ()), **_aliases(body))


def _aliases(body: dict[str, Any]) -> dict[str, Any]:
    aliases = body.get("aliases")
    return {"aliases": aliases} if aliases else {}


@lru_cache(maxsize=512)  # distinct declarations in use at once: compiled once each
def declared(text: str) -> Declared:
    """The declaration of a text. Raises `TamisError`."""
    return Declared(text)


def unavailable() -> Declared:
    """Stands for a catalogue that did not come."""
    return declared("")


def inline(tools: list[Any], namespaces: tuple[str, ...]) -> Declared:
    """The declaration that a start record carries itself. Raises `TamisError`."""
    body: dict[str, Any] = {"tools": tools}
    if namespaces:
        body["namespaces"] = list(namespaces)
    return declared(json.dumps(body, sort_keys=True))


class Catalogs:
    """The catalogues of `tool-catalog` as this worker has read them: the newest version of each id."""

    def __init__(self) -> None:
        self._found: dict[str, Declared] = {}

    def __contains__(self, catalog_id: object) -> bool:
        return catalog_id in self._found

    def __len__(self) -> int:
        return len(self._found)

    @property
    def tools(self) -> int:
        """How many tools all of them declare."""
        return sum(len(found.catalog.names) for found in self._found.values())

    def get(self, catalog_id: str) -> Declared | None:
        """The newest version of a catalogue, or None."""
        return self._found.get(catalog_id)

    def put(self, catalog_id: str, body: dict[str, Any]) -> Declared:
        """Take a version in. Raises `TamisError` with the reasons when it cannot be used; the old one stays then."""
        try:
            found = declared(json.dumps(body, sort_keys=True))
        except TamisError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise CatalogError(f"the declarations cannot be used: {type(error).__name__}") from None
        self._found[catalog_id] = found
        return found

    def remove(self, catalog_id: str) -> None:
        """Forget a catalogue; what is bound to one of its versions goes on with it."""
        self._found.pop(catalog_id, None)


class Texts:
    """The long texts of one partition by hash: declarations and histories. Which of them the changelog has already is known by `stored`."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self.stored: set[str] = set()

    def add(self, text: str) -> str:
        """Keep a text; its hash."""
        name = text_hash(text)
        self._found.setdefault(name, text)
        return name

    def get(self, name: str) -> str:
        """The text of a hash. Raises `KeyError`."""
        return self._found[name]

    def load(self, name: str, text: str) -> None:
        """A text as the changelog has it."""
        self._found[name] = text
        self.stored.add(name)

    def missing(self, names: set[str]) -> list[tuple[str, str]]:
        """Those of `names` that have to be written before something names them."""
        return [(name, self._found[name]) for name in sorted(names - self.stored)]

    def unused(self, used: set[str]) -> list[str]:
        """Drop what nothing names any more; the hashes whose rows have to go."""
        gone = sorted(self._found.keys() - used)
        for name in gone:
            del self._found[name]
        buried = [name for name in gone if name in self.stored]
        self.stored.difference_update(gone)
        return buried
