"""The parser: text of a model in, canonical events out. Knows no Kafka, no clock, no event loop, no log and no environment.

How it works. `Session.receive` hands text to the reader. The reader looks for the next marker of any dialect (`lexicon`), asks the
transition table (`state`) what that means where it stands, and lets a decoder (`bodies`) read what a marker opened. A decoder is a
generator that waits for more text, so it looks at each character once and cannot depend on where the text was cut. What it hands
over is judged (`judge`: name, values, schema) and given out by the ledger, which holds back what a thought may still take back.

Read in this order: `events`, `state`, one file of `dialects` and its cases, `source`, `bodies.json_calls`, `reader`, `ledger`, `session`.
"""

from tamis.core.catalog import UNAVAILABLE, Catalog
from tamis.core.errors import CatalogError, NotAvailableError, SnapshotError, TamisError, UsageError
from tamis.core.events import (
    Cause,
    Content,
    Diagnosis,
    End,
    Event,
    FormatCandidate,
    HallucinatedResult,
    Reasoning,
    Reclassified,
    Rejection,
    Repair,
    ToolCall,
    TurnEnd,
)
from tamis.core.limits import Limits
from tamis.core.policy import Policy
from tamis.core.session import Session, parse
from tamis.core.turn import Turn, collect
from tamis.core.wrap import wrap, wrap_sync

__all__ = [
    "UNAVAILABLE",
    "Catalog",
    "CatalogError",
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
    "SnapshotError",
    "TamisError",
    "ToolCall",
    "Turn",
    "TurnEnd",
    "UsageError",
    "collect",
    "parse",
    "wrap",
    "wrap_sync",
]
