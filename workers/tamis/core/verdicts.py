"""What became of a draft once names, values and schema were judged; ordinals and ids come later, when it is given out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamis.core.drafts import Fabricated
from tamis.core.events import Cause, Repair

__all__ = ["Accepted", "Refused", "Verdict", "freeze", "thaw"]


@dataclass(slots=True)
class Accepted:
    """A call past every gate."""

    name: str
    arguments: dict[str, Any]
    format: str
    emitted_name: str
    repairs: tuple[Repair, ...] = ()
    provider_id: str | None = None
    gated: bool = False
    marker: str = ""
    rule: str = ""


@dataclass(slots=True)
class Refused:
    """A call, or the turn, that must not be dispatched."""

    cause: Cause
    name: str | None
    detail: str
    format: str | None = None
    suggestions: tuple[str, ...] = ()
    available: tuple[str, ...] = ()
    raw: str = ""
    marker: str = ""
    rule: str = ""
    provider_id: str | None = None


Verdict = Accepted | Refused | Fabricated


def freeze(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON values, for a snapshot."""
    if isinstance(verdict, Accepted):
        repairs = [[item.rule, item.path, item.before, item.after] for item in verdict.repairs]
        return {"k": "a", "n": verdict.name, "a": verdict.arguments, "f": verdict.format, "e": verdict.emitted_name, "r": repairs,
                "p": verdict.provider_id, "g": verdict.gated, "o": [verdict.marker, verdict.rule]}  # fmt: skip
    if isinstance(verdict, Refused):
        return {"k": "r", "c": verdict.cause.value, "n": verdict.name, "d": verdict.detail, "f": verdict.format,
                "s": verdict.suggestions, "v": verdict.available, "w": verdict.raw,
                "o": [verdict.marker, verdict.rule, verdict.provider_id]}  # fmt: skip
    return {"k": "f", "m": verdict.markup, "t": verdict.claims_tool, "i": verdict.claims_call_id, "l": verdict.length, "h": verdict.sha256,
            "o": [verdict.marker, verdict.rule]}  # fmt: skip


def thaw(state: dict[str, Any]) -> Verdict:
    """The verdict that `freeze` wrote."""
    if state["k"] == "a":
        repairs = tuple(Repair(*item) for item in state["r"])
        return Accepted(state["n"], state["a"], state["f"], state["e"], repairs, state["p"], state["g"], *state["o"])
    if state["k"] == "r":
        return Refused(Cause(state["c"]), state["n"], state["d"], state["f"], tuple(state["s"]), tuple(state["v"]), state["w"], *state["o"])
    return Fabricated(state["m"], state["t"], state["i"], state["l"], state["h"], *state["o"])
