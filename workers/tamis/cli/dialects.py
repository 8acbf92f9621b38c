"""`tamis dialects`: which emission formats this version reads."""

from __future__ import annotations

from tamis.cli.output import Output, OutputOption, chosen, emit_json, table
from tamis.core.dialects import load

__all__ = ["dialects"]


def dialects(output: OutputOption = None) -> None:
    """List the formats of tool calls that this version reads."""
    kind = chosen(output)
    found = load().values()
    if kind is Output.TABLE:
        table(("dialect", "what it is", "seen from"), [(item.name, item.summary, ", ".join(item.models)) for item in found])
        return
    rows = [
        {"name": item.name, "family": item.family, "summary": item.summary, "models": list(item.models), "openers": list(item.openers),
         "example": item.example, "drift": list(item.drift)}
        for item in found
    ]  # fmt: skip
    emit_json(rows, kind)
