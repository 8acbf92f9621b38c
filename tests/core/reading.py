"""What a text is read as, in short lines that tests compare: the content, then calls and refusals in their order."""

from __future__ import annotations

from typing import Any

from tamis.core import Limits, Rejection, Session, ToolCall, collect
from tamis.core.bodies.context import Context
from tamis.core.dialects import lexicon, load

__all__ = ["TOOLS", "context_of", "read"]

TOOLS = [
    {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}, "code": {"type": "string"}}}},
    {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}},
    {"name": "run", "parameters": {"type": "object", "properties": {"line": {"type": "string"}}}},
]


def context_of(dialect: str = "xml_sentinel", *, in_thought: bool = False) -> Context:
    """What a decoder of the dialect is given."""
    context = Context(lexicon(), Limits(), True, lambda name: True, lambda name: True)
    context.dialect, context.in_thought = load()[dialect], in_thought
    return context


def read(text: str, *, reason: str = "stop", tools: Any = TOOLS, policy: Any = None, sizes: tuple[int, ...] = (1, 3)) -> list[str]:
    """Read whole, in pieces, and with a snapshot between the pieces: which must agree."""
    found = _read(text, len(text) or 1, reason, tools, policy)
    for size in sizes:
        assert _read(text, size, reason, tools, policy) == found, f"pieces of {size} give something else"
    assert _read(text, 4, reason, tools, policy, restored=True) == found, "a snapshot gives something else"
    return found


def _read(text: str, size: int, reason: str, tools: Any, policy: Any, *, restored: bool = False) -> list[str]:
    session, events = Session(tools, policy=policy), []
    for at in range(0, len(text), size):
        if restored:
            session = Session.restore(session.snapshot(), tools=tools, policy=policy)
        events += session.receive(text[at : at + size])
    if restored:
        session = Session.restore(session.snapshot(), tools=tools, policy=policy)
    events += session.finish(reason)
    lines = [collect(events).content.strip()]
    for event in events:
        if isinstance(event, ToolCall):
            repairs = ",".join(f"{repair.rule}{repair.path}" for repair in event.repairs)
            lines.append(f"{event.format} {event.name} {event.arguments}" + (f" [{repairs}]" if repairs else ""))
        elif isinstance(event, Rejection):
            lines.append(f"{event.format} {event.cause} {event.name}: {event.detail}")
    return [line for line in lines if line]
