"""Tamis strains raw LLM token streams into trustworthy tool calls.

`tamis.parse` and `tamis.Session` read text without any I/O; the Kafka service around them lives in `tamis.app` and `tamis.agents`.
"""

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
from tamis.core.conversation.fabrications import hallucination_directive
from tamis.core.conversation.hint import build_tool_hint
from tamis.core.conversation.results import format_tool_result

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
