"""What one input record says, whatever wire it came on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

__all__ = ["Frame", "FrameError", "Reason", "Start", "merge"]


class Reason:
    """Why an input record is no chunk: the closed set of `tamis.reason`."""

    NOT_JSON = "not_json"
    NOT_A_CHUNK = "not_a_chunk"
    NOT_A_RESULT = "not_a_result"
    NO_KEY = "no_key"
    BAD_KEY = "bad_key"
    NO_VALUE = "no_value"
    BAD_FIELD = "bad_field"
    BAD_TOOLS = "bad_tools"
    AMBIGUOUS_RESPONSE = "ambiguous_response"
    UNKNOWN_WIRE = "unknown_wire"
    NOT_AVAILABLE = "not_available"
    UNKNOWN_CALL = "unknown_call"
    TOO_LARGE = "too_large"
    POISON = "poison"


class FrameError(ValueError):
    """The record is no chunk at all; `reason` is a member of `Reason`, the text names fields, never content."""

    def __init__(self, reason: str, detail: str, response_id: str | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.response_id = response_id


@dataclass(slots=True)
class Start:
    """What a response declares about itself, in a `start` record or on its first chunk."""

    turn: int | None = None
    provider: str | None = None
    model: str | None = None
    catalog: str | None = None
    tools: list[Any] | None = None
    namespaces: tuple[str, ...] = ()
    tool_choice: str = "auto"
    thought_open: bool = False
    format: str | None = None
    policy: dict[str, Any] | None = None
    history: list[dict[str, Any]] | None = None
    """The results among the messages before this response, as much of them as is kept."""


def merge(first: Start, later: Start) -> Start:
    """What `first` declares, completed by `later` where it says nothing."""
    default = Start()
    chosen = {}
    for item in fields(Start):
        mine = getattr(first, item.name)
        chosen[item.name] = mine if mine != getattr(default, item.name) else getattr(later, item.name)
    return Start(**chosen)


@dataclass(slots=True)
class Frame:
    """One step of one choice: `choice` None means all choices of the response.

    All frames of a record have the same `response_id`; its `seq` stands on the first one, for all of them.

    `kind` is start, text, reasoning, tool, finish, abort, error or usage; `payload` the text, the tool_calls entry, the finish
    reason, the error's kind or the usage object.
    """

    kind: str
    payload: Any = None
    response_id: str | None = None
    choice: int | None = 0
    seq: int | None = None
    start: Start | None = None
    wire: str = field(default="native")
    unread: tuple[str, ...] = ()
    """On the first frame: names of the record's fields that its adapter does not know."""
