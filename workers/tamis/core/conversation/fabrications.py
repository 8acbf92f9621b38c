"""What to do about results that a model made up: a correction for the next round, at most two a session, or another provider.

One `Fabrications` belongs to one session. It is plain state: the caller stores `to_dict()` beside the session's other state and gives each
detection in the order of the log, with the record's time. A replay from the same state then advises the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from tamis.core.errors import SnapshotError, UsageError

__all__ = ["MAX_DIRECTIVES", "SESSION_MS", "Action", "Advice", "Fabrications", "hallucination_directive"]

MAX_DIRECTIVES = 2  # a session: a model that two corrections did not help is not helped by a third, which only fills its prompt
SESSION_MS = 24 * 60 * 60 * 1000  # a session without a record for so long has ended: the input topics keep nothing older
_RESPONSES = 16  # responses remembered: those that a session may have open at once, as many as are remembered of ended ones

_TEXTS = (
    "Your last answer contained a tool result that you wrote yourself. It was removed: no tool had run, and nothing in it is known to be true. "
    "In your next answer, stop right behind the call. The result comes from the system in a later message; never write one yourself.",
    "Again your last answer contained a tool result that you wrote yourself, and it was removed. Do not rely on anything that it said. "
    "End your next answer with the call and write nothing behind it; if you have no result yet, say so or call the tool.",
)


def hallucination_directive(count: int) -> str | None:
    """The corrective text for the next round's system prompt, used once: the first for `count` 1, a firmer one for 2.

    `count` is the number of such corrections in the session, this one included. None for 0 and past the cap of 2: suppression goes on,
    corrections stop. Raises `UsageError` for what is no count.
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise UsageError("hallucination_directive takes the number of corrections in the session so far, this one included: 1, 2, …")
    return _TEXTS[count - 1] if 1 <= count <= MAX_DIRECTIVES else None


class Action(StrEnum):
    """What the host should do about a made-up result, besides that it was taken out."""

    DIRECTIVE = "directive"  # put the directive into the next round's system prompt, once
    SUPPRESS = "suppress"  # nothing more
    SWITCH_PROVIDER = "switch_provider"  # a second one in the same response: another provider or model may do better


class Advice(NamedTuple):
    """What is said about one detection, as the record of the topic `hallucinations` says it."""

    action: Action
    directive: str | None
    session_count: int


@dataclass(slots=True)
class Fabrications:
    """The counters of one session: detections, directives given, and detections by response (over all its choices)."""

    detections: int = 0
    directives: int = 0
    last_ms: int = 0
    responses: dict[str, int] = field(default_factory=dict)

    def touch(self, record_ms: int) -> None:
        """A record of the session, of whatever kind, at its record time in ms. After 24 h without one it is another session."""
        if record_ms - self.last_ms > SESSION_MS:
            self.detections = self.directives = 0
            self.responses = {}
        self.last_ms = max(self.last_ms, record_ms)

    def observe(self, response_id: str, record_ms: int) -> Advice:
        """Count one made-up result of a response, and advise. `record_ms` is the time of the record that completed it."""
        self.touch(record_ms)
        self.detections += 1
        count = self.responses.pop(response_id, 0) + 1
        self.responses[response_id] = count  # the newest last
        while len(self.responses) > _RESPONSES:
            del self.responses[next(iter(self.responses))]
        if count > 1:
            return Advice(Action.SWITCH_PROVIDER, None, self.detections)
        directive = hallucination_directive(self.directives + 1)
        if directive is None:
            return Advice(Action.SUPPRESS, None, self.detections)
        self.directives += 1
        return Advice(Action.DIRECTIVE, directive, self.detections)

    def to_dict(self) -> dict[str, Any]:
        """The counters as JSON values."""
        return {"detections": self.detections, "directives": self.directives, "last_ms": self.last_ms, "responses": dict(self.responses)}

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> Fabrications:
        """The counters that `to_dict` wrote. Raises `SnapshotError` for anything else."""
        try:
            detections, directives, last_ms = (state[name] for name in ("detections", "directives", "last_ms"))
            responses = dict(state["responses"])
        except (KeyError, TypeError, ValueError):
            raise SnapshotError("these are no counters of made-up results: fields are missing") from None
        numbers = (detections, directives, last_ms, *responses.values())
        if any(not isinstance(item, int) or isinstance(item, bool) or item < 0 for item in numbers):
            raise SnapshotError("these are no counters of made-up results: a count is no number")
        return cls(detections, directives, last_ms, responses)
