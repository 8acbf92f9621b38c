"""The vocabulary: what a session says about the text it was given.

Every event is immutable. All carry `content_offset`, the number of characters of visible content before them; all but
`Content` and `Reasoning` carry `ordinal`, which counts 0, 1, … within the response. Both are functions of the text alone,
never of the places where the stream was cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

__all__ = [
    "Cause", "Content", "Diagnosis", "End", "Event", "FormatCandidate", "HallucinatedResult", "Reasoning", "Reclassified",
    "Rejection", "Repair", "ToolCall", "TurnEnd",
]


class Cause(StrEnum):
    """Why a call or a whole turn was refused."""

    UNKNOWN_TOOL = "unknown_tool"
    AMBIGUOUS_TOOL = "ambiguous_tool"
    TRUNCATED = "truncated"
    MALFORMED_JSON = "malformed_json"
    MALFORMED_MARKUP = "malformed_markup"
    SCHEMA_VIOLATION = "schema_violation"
    UNRESOLVED_VALUE = "unresolved_value"
    CALLS_NOT_ALLOWED = "calls_not_allowed"
    CATALOG_UNAVAILABLE = "catalog_unavailable"
    EMPTY_COMPLETION = "empty_completion"
    SEQUENCE_GAP = "sequence_gap"
    LIMIT_EXCEEDED = "limit_exceeded"
    UPSTREAM_ERROR = "upstream_error"


class Diagnosis(StrEnum):
    """What became of a turn: the first that fits, in the order of `tamis.core.turn.diagnose`."""

    NATIVE = "native"
    RECOVERED = "recovered"
    RECOVERED_WITH_REPAIR = "recovered_with_repair"
    REJECTED = "rejected"
    PROSE_ONLY = "prose_only"
    NO_CALL = "no_call"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FABRICATED_ONLY = "fabricated_only"


class End(StrEnum):
    """How a response ended. Only `FINISHED` may complete a call."""

    FINISHED = "finished"
    ERROR = "error"
    ABORTED = "aborted"
    IDLE = "idle"
    INCOMPLETE = "incomplete"
    LIMIT = "limit"
    EVICTED = "evicted"


class _Text(NamedTuple):
    text: str
    content_offset: int


class Content(_Text):
    """Visible text. A tuple, because one is made for nearly every chunk and a frozen dataclass costs three times as much."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Content and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("content", *self))


class Reasoning(_Text):
    """Text of a thought; `content_offset` counts the visible characters before it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Reasoning and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("reasoning", *self))


@dataclass(frozen=True, slots=True)
class Repair:
    """One change between what the model wrote and what is published.

    `rule` is a name of a closed set, `path` a JSONPath into the arguments ("" for the name or the envelope), `before` and
    `after` JSON values (None where the repair has no single value).
    """

    rule: str
    path: str = ""
    before: Any = None
    after: Any = None


@dataclass(frozen=True, slots=True)
class Reclassified:
    """All `Content` before this belonged to a thought that only a lone closing mark revealed."""

    to: str
    ordinal: int
    content_offset: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One accepted call, complete and past every gate.

    `marker` is the mark that opened it as it is registered ("" when none did), `rule` the rule of the rule book by which it counts.
    """

    id: str
    call_index: int
    name: str
    arguments: dict[str, Any]
    format: str
    emitted_name: str
    repairs: tuple[Repair, ...]
    gated: bool
    after_hallucination: bool
    ordinal: int
    content_offset: int
    marker: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """One refused call, or a refused turn (`empty_completion`, `limit_exceeded`, …).

    `name` is as emitted (None when it could not be read), `feedback` a text to send back to the model, `raw` the model's own
    words (at most 64 kB), `marker` and `rule` as in `ToolCall`, `available` the sorted names of the catalogue, `hint` one sentence on what to do,
    `call_id` the provider's id of a native call (None where the refused one has no id of its own in the response).
    """

    cause: Cause
    name: str | None
    detail: str
    suggestions: tuple[str, ...]
    feedback: str
    retryable: bool
    format: str | None
    raw: str
    ordinal: int
    content_offset: int
    available: tuple[str, ...] = ()
    hint: str = ""
    marker: str = ""
    rule: str = ""
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class HallucinatedResult:
    """One tool result that the model wrote itself and that was taken out of the stream.

    `length` and `sha256` (hex, of the UTF-8 bytes) are of the suppressed text between its marks; the text itself is not kept.
    """

    count: int
    markup: str
    claims_tool: str | None
    claims_call_id: str | None
    length: int
    sha256: str
    ordinal: int
    content_offset: int
    marker: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class FormatCandidate:
    """Text shaped like an opener that no dialect knows; `shape` holds its marks only. The text stays content; `content_offset` is where it begins."""

    shape: str
    ordinal: int
    content_offset: int


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The end of one response; `calls` are the ids of its accepted calls, `formats` counts them by dialect."""

    end: End
    finish_reason: str | None
    diagnosis: Diagnosis
    calls: tuple[str, ...]
    rejections: int
    hallucinations: int
    duplicates: int
    content_chars: int
    reasoning_chars: int
    ordinal: int
    content_offset: int
    formats: dict[str, int] = field(default_factory=dict)


Event = Content | Reasoning | Reclassified | ToolCall | Rejection | HallucinatedResult | FormatCandidate | TurnEnd
