"""Saved model texts in the shapes that people keep them in: plain, cases, chat logs; and what became of many of them together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.core.errors import TamisError
from tamis.core.session import parse
from tamis.core.turn import Turn

__all__ = ["Breakdown", "HistoryError", "Saved", "breakdown", "saved_turns"]

_TEXT = ("text", "content", "completion", "output", "response")
"""Keys under which a line may keep the model's text."""


class HistoryError(TamisError, ValueError):
    """A line that holds no model text; the message names it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One turn as it was saved: the raw text, the tools that were declared, and the finish reason where it is known."""

    text: str
    tools: Sequence[Mapping[str, Any]] = ()
    finish_reason: str = "stop"
    model: str = ""


@dataclass(slots=True)
class Breakdown:
    """What became of many turns, counted."""

    turns: int = 0
    calls: int = 0
    diagnoses: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    hallucinated_results: int = 0

    def add(self, turn: Turn) -> None:
        """Count one turn."""
        self.turns += 1
        self.calls += len(turn.calls)
        self.diagnoses[str(turn.diagnosis)] += 1
        self.causes.update(str(item.cause) for item in turn.rejections)
        self.formats.update(call.format for call in turn.calls)
        self.repairs.update(rule for call in turn.calls for rule in dict.fromkeys(item.rule for item in call.repairs))
        self.hallucinated_results += turn.hallucinated_results


def saved_turns(lines: Iterable[str], tools: Sequence[Mapping[str, Any]] = ()) -> Iterator[Saved]:
    """The turns of a JSON Lines file. A line is a string, an object with the text under one of several keys, or a chat log.

    A chat log is `{"messages": [...]}` or a list of messages: each text of the assistant is one turn. `tools` stands in where a
    line declares none. Raises `HistoryError` that names the line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise HistoryError(f"line {number}: not JSON; a history has one JSON value a line") from None
        found = list(_turns(value, tools))
        if not found:
            raise HistoryError(f"line {number}: no model text; expected a string, a key of {', '.join(_TEXT)}, or messages")
        yield from found


def _turns(value: Any, tools: Sequence[Mapping[str, Any]]) -> Iterator[Saved]:
    if isinstance(value, str):
        yield Saved(value, tools)
        return
    messages = value.get("messages") if isinstance(value, dict) else value
    if isinstance(messages, list):
        declared = _tools(value, tools) if isinstance(value, dict) else tools
        model = str(value.get("model") or "") if isinstance(value, dict) else ""
        for message in messages:
            if isinstance(message, dict) and message.get("role") in ("assistant", "model", "ai"):
                text = _content(message.get("content"))
                if text:
                    yield Saved(text, declared, str(message.get("finish_reason") or "stop"), model)
        return
    if isinstance(value, dict):
        text = next((found for key in _TEXT if (found := _content(value.get(key)))), None)
        if text is not None:
            yield Saved(text, _tools(value, tools), str(value.get("finish_reason") or "stop"), str(value.get("model") or ""))


def _tools(value: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    declared = value.get("tools")
    return declared if isinstance(declared, list) and declared else tools


def _content(value: Any) -> str | None:
    """The text of a message: a string, or its text parts one after another."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "".join(parts) or None
    return None


def breakdown(turns: Iterable[Saved]) -> Breakdown:
    """Read all turns and count what became of them."""
    total = Breakdown()
    for item in turns:
        total.add(parse(item.text, [dict(tool) for tool in item.tools], finish_reason=item.finish_reason))
    return total
