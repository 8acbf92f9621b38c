"""Tamis strains raw LLM token streams into trustworthy tool calls.

`tamis.parse` and `tamis.Session` read text without any I/O; the Kafka service around them lives in `tamis.app` and `tamis.agents`.
`tamis.consume` and `tamis.publish` are its clients; they load aiokafka when they are first asked for, and nothing else here does.
"""

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from tamis.clients import consume, publish

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
    "consume",
    "format_tool_result",
    "hallucination_directive",
    "parse",
    "publish",
    "wrap",
    "wrap_sync",
]


def __getattr__(name: str) -> Any:
    if name in ("consume", "publish"):
        from tamis import clients

        return getattr(clients, name)
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")
