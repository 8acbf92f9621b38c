"""From a name to the id that an earlier result gave it: an optional rule (`name_to_id`), and a help for registered coercers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tamis.core.coercion.history import Result, results
from tamis.core.coercion.words import tokens

__all__ = ["id_of", "rows"]

_NAMES = ("name", "title", "label", "key")
"""Keys under which a row carries the name that people say."""
_LEVELS = 6  # containers around a row: pages and envelopes make two or three


def rows(value: Any, named: str = "", level: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a result, with the key of the list that holds it ("" at the top)."""
    if level > _LEVELS:
        return
    if isinstance(value, dict):
        yield named, value
        for key, item in value.items():
            if isinstance(item, dict | list):
                yield from rows(item, key, level + 1)
    elif isinstance(value, list):
        for item in value:
            yield from rows(item, named, level + 1)


def id_of(said: str, key: str, history: Sequence[Any]) -> int | None:
    """The whole-number id of the one row of this exact name, in the newest result that has any; None when there is none, or more than one.

    `key` is the property that wants the id: its other words (`source` of `source_id`) must be named by the tool or the list.
    """
    words = tokens(key.partition("[")[0])
    entity = {_plain(word) for word in words if word not in ("id", "ids")}
    if not entity or not said.strip():
        return None
    wanted = said.strip().casefold()
    own = key.partition("[")[0]
    for result in reversed(results(history)):
        found = set(_ids(result, entity, wanted, own))
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _ids(result: Result, entity: set[str], wanted: str, own: str) -> Iterator[int]:
    around = {_plain(word) for word in tokens(result.tool)}
    for named, row in rows(result.value):
        if not entity <= around | {_plain(word) for word in tokens(named)}:
            continue
        if any(isinstance(row.get(name), str) and row[name].strip().casefold() == wanted for name in _NAMES):
            number = row.get(own, row.get("id"))
            if isinstance(number, int) and not isinstance(number, bool):
                yield number


def _plain(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
