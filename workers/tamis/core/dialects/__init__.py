"""The registry: one declarative file a dialect, found by walking this folder. There is no second list to keep.

A dialect says which markers open it, how its decoder family is to be entered there, what closes it, and what the family needs to
know. To add one: write `NAME.py` with a `DIALECT`, and `NAME.jsonl` with its cases.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from tamis.core.bodies.context import Context
from tamis.core.bodies.gate import bare_json
from tamis.core.bodies.head_json import head_json
from tamis.core.bodies.json_calls import json_calls
from tamis.core.bodies.xml_params import xml_params
from tamis.core.drafts import Outcome
from tamis.core.lexicon import Lexicon, Marker, Role
from tamis.core.marks import MARKS
from tamis.core.source import Source

__all__ = ["Dialect", "decoder_of", "entry_of", "lexicon", "load", "run_family"]

Decoder = Callable[[Source, Context, str], Generator[Any, None, Outcome]]

FAMILIES: dict[str, Decoder] = {"json_calls": json_calls, "head_json": head_json, "xml_params": xml_params, "bare_json": bare_json}
"""Decoder families by name; see `tamis.core.bodies`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One emission format.

    `openers` maps a marker (`<word>` for a tag, anything else is a literal token) to the entry of the family; `closers` are
    words of tags or literal tokens; `parts` are markers with a meaning inside the body alone; `options` is what the family needs.
    """

    name: str
    family: str
    summary: str
    models: tuple[str, ...]
    openers: dict[str, str] = field(default_factory=dict)
    closers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    options: Any = None
    example: str = ""
    drift: tuple[str, ...] = ()

    @property
    def closing_marks(self) -> tuple[str, ...]:
        """The closers as they are spelled in the text."""
        return tuple(f"</{word}>" if word.isidentifier() else word for word in self.closers)


@cache
def load() -> dict[str, Dialect]:
    """All dialects by name, in the order of their names."""
    found: dict[str, Dialect] = {}
    for module in sorted(item.name for item in pkgutil.iter_modules(__path__)):
        dialect = import_module(f"{__name__}.{module}").DIALECT
        if dialect.name != module:
            raise RuntimeError(f"dialect file {module}.py declares {dialect.name!r}: file and name must agree")
        found[module] = dialect
    return found


@cache
def lexicon() -> Lexicon:
    """One lexicon over the markers of all dialects and the marks of `tamis.core.marks`."""
    entries: list[tuple[str, Role, str]] = []
    for dialect in load().values():
        entries += ((mark, Role.OPENER, dialect.name) for mark in dialect.openers)
        entries += ((mark, Role.CLOSER, dialect.name) for mark in dialect.closing_marks)
        entries += ((mark, Role.PART, dialect.name) for mark in dialect.parts)
    return Lexicon((*entries, *MARKS))


def entry_of(marker: Marker) -> str:
    """How the family of an opener is to be entered."""
    openers = load()[marker.label].openers
    return openers.get(marker.word) or openers[f"<{marker.word}>"]


def run_family(dialect: Dialect, source: Source, context: Context, entry: str, head: Marker | None) -> Generator[Any, None, Outcome]:
    """A decoder for `dialect` at the source's position."""
    context.dialect, context.head = dialect, head
    return FAMILIES[dialect.family](source, context, entry)


def decoder_of(marker: Marker | None, source: Source, context: Context) -> Generator[Any, None, Outcome]:
    """The decoder that an opener calls for; without one, that of bare JSON."""
    if marker is None:
        return run_family(load()["bare_json"], source, context, "open", None)
    return run_family(load()[marker.label], source, context, entry_of(marker), marker)
