"""Tamis strains raw LLM token streams into trustworthy tool calls.

`tamis.parse` and `tamis.Session` read text without any I/O; the Kafka service around them lives in `tamis.app` and `tamis.agents`.
"""

from typing import Any, NoReturn

from tamis.core import (
    Cause,
    Content,
    Diagnosis,
    End,
    Event,
    FormatCandidate,
    HallucinatedResult,
    Limits,
    NotAvailableError,
    Policy,
    Reasoning,
    Reclassified,
    Rejection,
    Repair,
    Session,
    TamisError,
    ToolCall,
    Turn,
    TurnEnd,
    collect,
    parse,
    wrap,
    wrap_sync,
)
from tamis.core.coercion.registry import coercer

__version__ = "0.1.0"

__all__ = [
    "Cause",
    "Content",
    "Diagnosis",
    "End",
    "Event",
    "FormatCandidate",
    "HallucinatedResult",
    "Limits",
    "NotAvailableError",
    "Policy",
    "Reasoning",
    "Reclassified",
    "Rejection",
    "Repair",
    "Session",
    "TamisError",
    "ToolCall",
    "Turn",
    "TurnEnd",
    "__version__",
    "build_tool_hint",
    "coercer",
    "collect",
    "format_tool_result",
    "hallucination_directive",
    "parse",
    "wrap",
    "wrap_sync",
]


def format_tool_result(call: ToolCall, result: str) -> NoReturn:
    """The message that puts a tool's result back into the conversation. Raises `NotAvailableError`: a later version delivers it."""
    raise NotAvailableError("format_tool_result")


def build_tool_hint(model: str | None, tools: Any, mode: str = "auto") -> NoReturn:
    """A system-prompt hint for weak models. Raises `NotAvailableError`: a later version delivers it."""
    raise NotAvailableError("build_tool_hint")


def hallucination_directive(count: int) -> NoReturn:
    """The corrective text after a fabricated result. Raises `NotAvailableError`: a later version delivers it."""
    raise NotAvailableError("hallucination_directive")

