"""The registry: one declarative file a dialect, found by walking this folder. There is no second list to keep.

A dialect says which markers open it, what must follow them, how its decoder family is to be entered there, what closes it, and what
the family needs to know. To add one: write `NAME.py` with a `DIALECT`, and `NAME.jsonl` with its cases.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from tamis.core.bodies.brace_dsl import brace_dsl
from tamis.core.bodies.context import Context
from tamis.core.bodies.element_tree import element_tree
from tamis.core.bodies.gate import bare_json
from tamis.core.bodies.head_json import head_json
from tamis.core.bodies.json_calls import json_calls
from tamis.core.bodies.key_value import key_value
from tamis.core.bodies.py_call import py_call
from tamis.core.bodies.results import results
from tamis.core.bodies.tokens import HEAD, compiled, decide, peek, take
from tamis.core.bodies.tool_tag import tool_tag
from tamis.core.bodies.xml_params import xml_params
from tamis.core.drafts import Fault, Outcome
from tamis.core.events import Cause
from tamis.core.lexicon import Lexicon, Marker, Role
from tamis.core.marks import MARKS
from tamis.core.source import INVISIBLE, Source, take_blank

__all__ = ["RECIPIENT", "Dialect", "Opener", "begins_message", "cut_closers", "decoder_of", "lexicon", "load", "openers", "run_family"]

Decoder = Callable[[Source, Context, str], Generator[Any, None, Outcome]]

FAMILIES: dict[str, Decoder] = {
    "json_calls": json_calls, "head_json": head_json, "xml_params": xml_params, "key_value": key_value, "element_tree": element_tree,
    "brace_dsl": brace_dsl, "py_call": py_call, "bare_json": bare_json, "tool_tag": tool_tag,
}  # fmt: skip
"""Decoder families by name; see `tamis.core.bodies`."""
_JSON_ENTRIES = frozenset({"open", "objects", "array", "objects+fence", "array+fence"})
"""Entries of json_calls: an envelope of any family may hold plain JSON calls instead."""
RECIPIENT = " to="
_HEADERS = {"private": Outcome.PRIVATE, "public": Outcome.PUBLIC, "text": Outcome.HEADER, "thought": Outcome.THOUGHT}
_WHOLE = frozenset({"call", "lead", "drift-call"})
_REPEATS = 8  # of an opener in a row that count once: two or three are seen
_FENCE = r"(?:```\w{0,16}\s*)?"
_BLANK = rf"(?:[\s{INVISIBLE}]|<br ?/?>|\\n)*"


@dataclass(frozen=True, slots=True)
class Opener:
    """How a family is entered at a marker.

    `guard` is a pattern for what must follow the marker (blanks apart), else it is text (P3). Of several that hold the one with the
    lowest `rank` counts. `keep` are characters at the marker's end that belong to the body. Entries that are no family's: "private",
    "public", "thought" and "text" say what a message is whose header the guard describes, "result" that a runtime only may write it.
    """

    entry: str
    guard: str = ""
    rank: int = 0
    keep: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """One emission format.

    `openers` maps a marker (see `tamis.core.lexicon` for its spelling) to ways of entering the family; `closers` are markers that end
    a call or an envelope; `parts` are markers with a meaning inside the body alone; `options` is what the family needs. `sentinel`
    is false for formats without a marker that plain text hardly contains: they need a catalogue and a declared name (P17).
    """

    name: str
    family: str
    summary: str
    models: tuple[str, ...]
    openers: Mapping[str, Opener | tuple[Opener, ...]] = field(default_factory=dict)
    closers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    options: Any = None
    example: str = ""
    drift: tuple[str, ...] = ()
    sentinel: bool = True


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
def openers() -> dict[str, tuple[tuple[Dialect, Opener], ...]]:
    """Every opening marker and the dialects that share it: those with a guard first, for they look at what follows (P4, P5)."""
    found: dict[str, list[tuple[Dialect, Opener]]] = {}
    for dialect in load().values():
        for mark, ways in dialect.openers.items():
            found.setdefault(mark, []).extend((dialect, way) for way in (ways if isinstance(ways, tuple) else (ways,)))
    return {mark: tuple(sorted(ways, key=lambda way: (not way[1].guard, way[1].rank))) for mark, ways in found.items()}


@cache
def lexicon() -> Lexicon:
    """One lexicon over the markers of all dialects and the marks of `tamis.core.marks`; an opener beats any other role."""
    dialects = load().values()
    # a recipient without its role token (" to=") is looked for where a message may begin, not at every blank
    entries: list[tuple[str, Role, str]] = [(mark, Role.OPENER, ways[0][0].name) for mark, ways in openers().items() if mark != RECIPIENT]
    # the closer of several dialects belongs to the one whose calls are JSON: behind bare JSON it says which that was (P8)
    for dialect in sorted(dialects, key=lambda item: item.family != "json_calls"):
        entries += ((mark, Role.CLOSER, dialect.name) for mark in dialect.closers)
    entries += MARKS
    entries += ((mark, Role.PART, dialect.name) for dialect in dialects for mark in dialect.parts)
    return Lexicon(entries)


@cache
def cut_closers() -> frozenset[str]:
    """What a closer, or the mark of a result, looks like when the text ends inside it; two characters at least."""
    marks = {mark for dialect in load().values() for mark in dialect.closers} | {mark for mark, role, _ in MARKS if role is Role.RESULT}
    return frozenset(mark[:size] for mark in marks for size in range(2, len(mark)))


def run_family(dialect: Dialect, source: Source, context: Context, entry: str, head: Marker | None) -> Generator[Any, None, Outcome]:
    """A decoder for `dialect` at the source's position."""
    context.dialect, context.head = dialect, head
    family = "json_calls" if entry in _JSON_ENTRIES and dialect.family != "bare_json" else dialect.family
    return FAMILIES[family](source, context, entry)


def decoder_of(marker: Marker | None, source: Source, context: Context, opening: str = "") -> Generator[Any, None, Outcome]:
    """The decoder that an opener calls for; without one, that of bare JSON. `opening` is the marker's text, already used up."""
    if marker is None:
        return run_family(load()["bare_json"], source, context, "open", None)
    return _choose(marker, source, context, opening)


def _choose(marker: Marker, source: Source, context: Context, opening: str) -> Generator[Any, None, Outcome]:
    """Let the guards decide which of the dialects that share the marker reads on."""
    context.head = marker
    again = re.escape(opening) if not marker.attributes else ""
    blanks = yield from take_blank(source)
    ways = openers()[marker.key]
    if context.hint is not None:  # stable: among equals the host's word counts
        ways = tuple(sorted(ways, key=lambda way: (not way[1].guard, way[1].rank, way[0].name != context.hint)))
    for dialect, way in ways:
        if not context.allows(dialect.name):
            continue
        found = None
        if way.guard:
            before = _BLANK if way.entry in _WHOLE or way.keep else f"{_BLANK}(?:{again}{_BLANK}){{0,{_REPEATS}}}" if again else _BLANK
            if way.entry == "open":
                before += _FENCE
            found = yield from peek(source, f"{before}(?:{way.guard})")
            if found is None or (not dialect.sentinel and "name" in found.groupdict() and not context.has_catalog):
                continue
            if again and not (way.entry in _WHOLE or way.keep):
                yield from take(source, f"(?:{_BLANK}{again})+(?={_BLANK}[^\\s])")  # the same opener in a row counts once (P10)
        context.dialect = dialect
        if way.entry in _HEADERS:
            source.pos = source.pos if found is None else found.end()
            return _HEADERS[way.entry]
        if way.entry == "result":
            source.pos = source.pos if found is None else found.end()
            return (yield from results(source, context, "message", found.groupdict().get("name") if found is not None else None))
        if way.entry in _WHOLE:
            source.unread(opening + blanks)  # the families' own patterns read the head of a call
        elif way.keep:
            source.unread(opening[-way.keep :] + blanks)
        return (yield from run_family(dialect, source, context, way.entry, marker))
    context.dialect = openers()[marker.key][0][0]
    if source.ended and source.reason in ("length", "max_tokens") and _cut_in_head(marker, source, context):
        source.pos = len(source.text)
        yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        return Outcome.DONE
    return Outcome.PROSE


def _cut_in_head(marker: Marker, source: Source, context: Context) -> bool:
    """At the token limit: whether what stands at once behind an opener is the beginning of a call's head (P94)."""
    rest = source.rest()
    if not rest.strip() or rest[0] == " " or len(rest) > HEAD:
        return False
    for dialect, way in openers()[marker.key]:
        if way.guard and way.entry not in _HEADERS and context.allows(dialect.name):
            found = compiled(f"{_BLANK}(?:{way.guard})").match(source.text, source.pos, partial=True)
            if found is not None and found.partial:
                context.dialect = dialect
                return True
    return False


def begins_message(mark: str, text: str, pos: int, ended: bool) -> bool | None:
    """Whether a sound header of a message goes on at `pos` behind its mark; None when more text is needed to tell."""
    waits = False
    for dialect, way in openers().get(mark, ()):
        if way.entry not in _HEADERS and dialect.name not in MESSAGES:
            continue
        if not way.guard:
            return True
        found = decide(way.guard, text, pos, ended)
        if found is True:
            waits = True
        elif found is not None:
            return True
    return None if waits else False


MESSAGES = frozenset({"harmony", "beam_rfl", "muse_atem", "inkling"})
"""Dialects whose calls are messages with a header: a new header ends the message before it (P38)."""
