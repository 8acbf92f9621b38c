"""A whole turn, folded from events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tamis.core.events import Content, Diagnosis, Event, HallucinatedResult, Reasoning, Reclassified, Rejection, ToolCall, TurnEnd

__all__ = ["Turn", "collect"]


@dataclass(slots=True)
class Turn:
    """What one response amounts to. `reasoning` is None when there was no thought; `diagnosis` None until the turn has ended."""

    content: str = ""
    reasoning: str | None = None
    calls: list[ToolCall] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    hallucinated_results: int = 0
    diagnosis: Diagnosis | None = None

    def to_dict(self) -> dict[str, Any]:
        """The turn as JSON values, in the shape that `tamis parse -o json` prints."""
        return {
            "content": self.content,
            "reasoning": self.reasoning,
            "calls": [
                {
                    "id": call.id,
                    "name": call.name,
                    "arguments": call.arguments,
                    "format": call.format,
                    "emitted_name": call.emitted_name,
                    "repairs": [{"rule": item.rule, "path": item.path, "before": item.before, "after": item.after} for item in call.repairs],
                }
                for call in self.calls
            ],
            "rejections": [
                {"cause": str(item.cause), "name": item.name, "detail": item.detail, "feedback": item.feedback} for item in self.rejections
            ],
            "hallucinated_results": self.hallucinated_results,
            "diagnosis": None if self.diagnosis is None else str(self.diagnosis),
        }


def collect(events: Iterable[Event]) -> Turn:
    """Fold the events of one response, in their order, into a turn."""
    turn = Turn()
    content: list[str] = []
    reasoning: list[str] = []
    for event in events:
        if isinstance(event, Content):
            content.append(event.text)
        elif isinstance(event, Reasoning):
            reasoning.append(event.text)
        elif isinstance(event, Reclassified):
            reasoning += content
            content.clear()
        elif isinstance(event, ToolCall):
            turn.calls.append(event)
        elif isinstance(event, Rejection):
            turn.rejections.append(event)
        elif isinstance(event, HallucinatedResult):
            turn.hallucinated_results += 1
        elif isinstance(event, TurnEnd):
            turn.diagnosis = event.diagnosis
    turn.content = "".join(content)
    turn.reasoning = "".join(reasoning) if reasoning else None
    return turn
