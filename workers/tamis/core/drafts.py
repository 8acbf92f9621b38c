"""What a decoder hands over: a call as the model wrote it, a call that could not be read, or a fabricated result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from tamis.core.events import Cause, Repair

__all__ = ["Draft", "Fabricated", "Fault", "Outcome", "RawValue", "Settled", "plain_name"]


@dataclass(slots=True)
class RawValue:
    """One tag value: its text, and what a type mark in the markup says (True: a string, False: JSON, None: no mark)."""

    key: str
    text: str
    mark: bool | None = None


@dataclass(slots=True)
class Draft:
    """A call that was read whole. `arguments` of JSON bodies, `values` of tag bodies; never both."""

    name: str
    arguments: dict[str, Any] | None = None
    values: list[RawValue] | None = None
    repairs: tuple[Repair, ...] = ()
    format: str = ""
    emitted: str = ""
    """The name as it stood in the markup, where `name` is without its prefix and counter."""


@dataclass(slots=True)
class Fault:
    """A call that could not be read or was cut; `name` if it was complete."""

    cause: Cause
    name: str | None = None
    detail: str = ""
    format: str = ""


@dataclass(slots=True)
class Fabricated:
    """A tool result that the model wrote itself."""

    markup: str
    claims_tool: str | None
    claims_call_id: str | None
    length: int
    sha256: str


@dataclass(slots=True)
class Settled:
    """All before this point is decided: a decoder begun with `entry` would go on from here in the same way."""

    entry: str


class Outcome(Enum):
    """How a decoder ended."""

    DONE = auto()  # used up is markup: it is not shown
    PROSE = auto()  # the marker it began with was text; what stands behind it is read anew
    LITERAL = auto()  # all that was used up is text and is shown as it is
    FENCE = auto()  # as LITERAL, and a fence that is documentation is still open


def plain_name(emitted: str) -> str:
    """A name without the fixed prefix and the counter of an id (R13); a bare counter is all the name there is."""
    name = emitted.removeprefix("functions.")
    head, mark, counter = name.rpartition(":")
    return head if mark and head and counter.isdigit() else name
