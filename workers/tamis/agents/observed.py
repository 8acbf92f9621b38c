"""What the metrics hear of a response, beside its events. Nothing in here decides anything."""

from __future__ import annotations

from collections.abc import Callable

from tamis.agents.open_response import Choice, Response
from tamis.core.events import Event, ToolCall, TurnEnd
from tamis.wire.frames import Frame

__all__ = ["late", "tell"]


def tell(observe: Callable[..., None], event: Event, response: Response, choice: Choice) -> None:
    """One event of a choice, and what is known of it in time."""
    about, pace = choice.about, choice.pace
    observe("event", event, about.provider, about.model)
    if isinstance(event, ToolCall) and not pace.called:
        pace.called = True
        if pace.first_ms is not None:
            observe("first_call", about.provider, about.model, (about.time_ms - pace.first_ms) / 1000)
    elif isinstance(event, TurnEnd):
        if choice.usage is not None and choice.usage is not response.used:
            response.used = choice.usage
            observe("usage", about.provider, about.model, choice.usage)
        seconds = None if pace.first_ms is None else (about.time_ms - pace.first_ms) / 1000
        observe("turn", event, about.provider, about.model, response.start.format, seconds, pace.gap_ms / 1000, pace.spent)


def late(observe: Callable[..., None], frames: list[Frame], ended: Response | None) -> None:
    """A record of a response that has ended: dropped and counted. What the provider only then says of its usage counts still."""
    if any(frame.kind != "usage" for frame in frames):
        observe("duplicate", "late")
    used = next((frame.payload for frame in frames if frame.kind == "usage" and frame.payload), None)
    if ended is not None and ended.used is None and used is not None:
        ended.used = used
        observe("usage", ended.start.provider, ended.start.model, used)
