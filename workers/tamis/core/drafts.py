"""What a decoder hands over: a call as the model wrote it, a call that could not be read, or a fabricated result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from tamis.core.events import Cause, Repair

__all__ = ["Draft", "Element", "Fabricated", "Fault", "Outcome", "RawValue", "Settled", "Thought", "plain_name"]


@dataclass(slots=True)
class Element:
    """One value of a nesting format: a leaf with its text, or a container with its children (P72).

    `mark` is as in `RawValue`; `kind` is the type that the markup states: "list" or "dict" for containers, "bare" for a text that
    stood without quotes, else as written.
    """

    key: str
    text: str
    children: list[Element] | None = None
    mark: bool | None = None
    kind: str = ""

    def add(self, child: Element) -> None:
        """Put a value into this container."""
        assert self.children is not None
        self.children.append(child)


@dataclass(slots=True)
class RawValue:
    """One tag value: its text, and what a type mark in the markup says (True: a string, False: JSON, None: no mark)."""

    key: str
    text: str
    mark: bool | None = None
    element: Element | None = None
    """The element behind it, in formats whose values nest."""


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
    value: Any = None
    """Arguments that were read and are no object: an optional rule of the tool's policy may know what they are."""


@dataclass(slots=True)
class Fabricated:
    """A tool result that the model wrote itself."""

    markup: str
    claims_tool: str | None
    claims_call_id: str | None
    length: int
    sha256: str
    marker: str = ""
    rule: str = ""


@dataclass(slots=True)
class Thought:
    """A thought that only its label and the action behind it revealed."""

    text: str


@dataclass(slots=True)
class Settled:
    """All before this point is decided: a decoder begun with `entry` would go on from here in the same way."""

    entry: str


class Outcome(Enum):
    """How a decoder ended."""

    DONE = auto()  # used up is markup: it is not shown
    PROSE = auto()  # the marker it began with was text; what stands behind it is read anew
    LITERAL = auto()  # all that was used up is text and is shown as it is
    UNQUOTED = auto()  # nothing quotes it: it is read anew as any text
    FENCE = auto()  # as LITERAL, and a fence that is documentation is still open
    PRIVATE = auto()  # used up is a header; up to the next one all is thought
    PUBLIC = auto()  # used up is a header; up to the next one all is content
    THOUGHT = auto()  # used up is a header; a thought begins, which may hold calls
    HEADER = auto()  # used up is a header; what follows is read as any text


def plain_name(emitted: str) -> str:
    """A name without the fixed prefix and the counter of an id (R13); a bare counter is all the name there is."""
    name = emitted.removeprefix("functions.")
    if name.startswith("functions_") and name.rpartition("_")[2].isdigit():
        return name.removeprefix("functions_").rpartition("_")[0]
    head, mark, counter = name.rpartition(":")
    return head if mark and head and counter.isdigit() else name
