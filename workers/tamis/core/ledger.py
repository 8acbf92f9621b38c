"""Decides when something is given out, and numbers what is.

Text and verdicts come in document order. Outside thoughts they leave at once. Inside a thought text leaves as reasoning until a
call is found; from there on all is held, because only the end of the thought tells whether the call was meant (P34, P35).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamis.core import feedback
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
    ToolCall,
    TurnEnd,
)
from tamis.core.ids import call_digest, call_id
from tamis.core.limits import Limits
from tamis.core.source import INVISIBLE
from tamis.core.verdicts import Accepted, Refused, Verdict, freeze, thaw

__all__ = ["Identity", "Ledger", "is_blank"]


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing of `text`."""
    return not text.strip() or not text.translate(_DROP).strip()


_CALLS_FROM_THOUGHTS = ("apertus_prefix",)
"""Dialects whose family is trained to call from inside its thought: there the call comes out at once (P34)."""
_DROP = dict.fromkeys(map(ord, INVISIBLE))


@dataclass(frozen=True, slots=True)
class Identity:
    """Which response this is: the parts that ids are made of."""

    session: str
    response: str
    choice: int
    turn: int | None


class Ledger:
    """The books of one response. `out` collects events until the session takes them."""

    __slots__ = (
        "_after", "_held", "_held_size", "_separate", "accepted", "calls", "content_chars", "dialects", "duplicates", "ended",
        "hallucinations", "identity", "limits", "max_reached", "ordinal", "out", "provider_ids", "reason", "reasoning_chars", "refused", "repaired",
        "started", "thought", "thoughts", "truncated", "visible", "withdrawn",
    )  # fmt: skip

    def __init__(self, identity: Identity, limits: Limits) -> None:
        self.identity = identity
        self.reason: str | None = None  # the finish reason, once it is known: some texts name it
        self.limits = limits
        self.out: list[Event] = []
        self.ordinal = self.content_chars = self.reasoning_chars = 0
        self.calls: list[str] = []
        self.accepted: dict[str, int] = {}  # native or text, and digest of name and arguments -> how many: to tell doubles
        self.provider_ids: set[str] = set()
        self.withdrawn = 0  # characters given out as content that were a thought after all
        self.refused = self.truncated = self.hallucinations = self.duplicates = self.thoughts = 0
        self.dialects: dict[str, int] = {}
        self.repaired = self.visible = self.thought = self.max_reached = self.ended = False
        self.started = False  # something visible, or a verdict, came out
        self._separate = False
        self._held: list[tuple[str, Any]] | None = None
        self._held_size = 0
        self._after: list[str] = []

    @property
    def plain(self) -> bool:
        """Whether plain text goes straight out: nothing is held and no separator is due."""
        return self._held is None and not self._separate and not self.out and (self.thought or self.visible)

    @property
    def held(self) -> int:
        """Characters held because a thought may still take them back."""
        return self._held_size if self._held is not None else 0

    # -- what comes in

    def text(self, text: str) -> None:
        """Visible text, or text of the thought that is open."""
        if not text:
            return
        if self.thought:
            if self._held is None:
                self._reason(text)
            else:
                self._hold("t", text, len(text))
            return
        if self._held is not None:
            if is_blank(text):
                self._after.append(text)
                return
            self._considered()
        self._show(text)

    def mark(self, raw: str, *, trigger: bool = False) -> None:
        """Markup that was used up: matters only where it may turn out to be text of a thought. Behind a `trigger` its call is to come."""
        if raw and self.thought:
            if self._held is None and trigger:
                self._held, self._held_size = [], 0
            if self._held is not None:
                self._hold("m", raw, len(raw))

    def found(self, verdict: Verdict, raw: str) -> None:
        """A call, a refusal or a fabricated result, and the markup that carried it."""
        if self.thought and getattr(verdict, "format", None) not in _CALLS_FROM_THOUGHTS:
            if self._held is None:
                self._held, self._held_size = [], 0
            self._hold("m", raw, len(raw))
            if self._held is not None:
                self._held.append(("v", verdict))
            return
        if self._held is not None and not self.thought:
            self._considered()
        self.give(verdict)

    def candidate(self, shape: str, offset: int) -> None:
        """The shape of an opener that no dialect knows; nothing else changes by it."""
        self.out.append(FormatCandidate(shape, self._number(), offset))

    def open_thought(self) -> None:
        """A thought begins; several are joined by a line break (P39)."""
        self.thought = True
        self.thoughts += 1
        if self._held is not None:
            self._hold("t", "\n", 1)
        else:
            self._separate = self.reasoning_chars + self.withdrawn > 0

    def close_thought(self) -> None:
        """The thought ends; what it holds waits for what follows."""
        self.thought = False

    def lone_closer(self) -> None:
        """A closing mark without an opening one: what was visible so far was a thought that the prompt had opened (P33)."""
        if self.thoughts or self._held is not None:
            return  # a doubled closer: only the mark goes
        self.thoughts += 1
        if self.content_chars:
            self.out.append(Reclassified("reasoning", self._number(), self.content_chars))
            # places are counted over all that was given out: a consumer has it, whatever it turned out to be
            self.withdrawn = self.content_chars
            self.visible = False
            self.started = bool(self.calls or self.refused or self.hallucinations)

    # -- what goes out

    def give(self, verdict: Verdict) -> None:
        """Number a verdict and give it out."""
        self.started = True
        if isinstance(verdict, Accepted):
            self._call(verdict)
        elif isinstance(verdict, Refused):
            self._rejection(verdict)
        else:
            self.hallucinations += 1
            self.out.append(
                HallucinatedResult(
                    self.hallucinations, verdict.markup, verdict.claims_tool, verdict.claims_call_id, verdict.length, verdict.sha256,
                    self._number(), self.content_chars, verdict.marker, verdict.rule,
                )
            )  # fmt: skip

    def settle(self, *, complete: bool) -> None:
        """The text has ended: a held call was meant (P35), unless the response was broken off."""
        held, after = self._held, self._after
        if held is None:
            return
        if not complete:
            self._considered()
            return
        self._held, self._after = None, []
        for kind, value in held:
            if kind == "t":
                self._reason(value)
        for kind, value in held:
            if kind == "v":
                self.give(value)
        for text in after:
            self._show(text)

    def end(self, end: End, reason: str | None, *, required: bool = False) -> None:
        """Close the books: an empty turn is a refusal of its own, and the last event sums up."""
        self.ended = True
        if end is End.FINISHED and not (self.visible or self.calls or self.refused):
            self.give(Refused(Cause.EMPTY_COMPLETION, None, "the turn holds neither text nor a call"))
            empty = True
        else:
            empty = False
        self.out.append(
            TurnEnd(
                end, reason, self._diagnosis(empty=empty, required=required), tuple(self.calls), self.refused, self.hallucinations,
                self.duplicates, self.content_chars - self.withdrawn, self.reasoning_chars + self.withdrawn, self._number(), self.content_chars,
                dict(self.dialects),
            )
        )  # fmt: skip

    def take(self) -> list[Event]:
        """The events since the last call."""
        out, self.out = self.out, []
        return out

    # -- inside

    def _diagnosis(self, *, empty: bool, required: bool) -> Diagnosis:
        rules = (
            (self.truncated > 0, Diagnosis.TRUNCATED),
            (self.refused > int(empty), Diagnosis.REJECTED),
            (self.repaired, Diagnosis.RECOVERED_WITH_REPAIR),
            (any(name != "native" for name in self.dialects), Diagnosis.RECOVERED),
            (bool(self.calls), Diagnosis.NATIVE),
            (self.hallucinations > 0 and not self.visible, Diagnosis.FABRICATED_ONLY),
            (not self.visible, Diagnosis.EMPTY),
            (required, Diagnosis.NO_CALL),
        )
        return next((diagnosis for holds, diagnosis in rules if holds), Diagnosis.PROSE_ONLY)

    def _number(self) -> int:
        self.ordinal += 1
        return self.ordinal - 1

    def _show(self, text: str) -> None:
        self.out.append(Content(text, self.content_chars))
        self.content_chars += len(text)
        if not self.visible and not is_blank(text):
            self.visible = self.started = True

    def _reason(self, text: str) -> None:
        if self._separate:
            self._separate = False
            self._reason("\n")
        self.out.append(Reasoning(text, self.content_chars))
        self.reasoning_chars += len(text)

    def _hold(self, kind: str, value: str, size: int) -> None:
        assert self._held is not None
        self._held.append((kind, value))
        self._held_size += size
        if self._held_size > self.limits.call:  # too much to hold: a thought that long was no request
            self._considered()

    def _considered(self) -> None:
        """What was held stays a thought, markup included (P34)."""
        held, after = self._held or [], self._after
        self._held, self._after = None, []
        text = "".join(value for kind, value in held if kind != "v")
        if text:
            self._reason(text)
        for blank in after:
            self._show(blank)

    def _call(self, verdict: Accepted) -> None:
        native = verdict.format == "native"
        digest, size = call_digest(verdict.name, verdict.arguments)
        if size > self.limits.arguments:
            detail = f"the arguments are longer than {self.limits.arguments} bytes as JSON"
            self._rejection(Refused(Cause.LIMIT_EXCEEDED, verdict.emitted_name, detail, verdict.format, provider_id=verdict.provider_id))
            return
        own, other = (f"native:{digest}", f"text:{digest}") if native else (f"text:{digest}", f"native:{digest}")
        if self.accepted.get(other):
            self.accepted[other] -= 1  # one for one: the same call came as a delta and as text
            self.duplicates += 1
            return
        if len(self.calls) >= self.limits.calls:
            self.max_reached = True
            return
        index = len(self.calls)
        who = self.identity
        name_id = self._own_id(verdict.provider_id) or call_id(who.session, who.response, who.choice, index, who.turn)
        self.calls.append(name_id)
        self.accepted[own] = self.accepted.get(own, 0) + 1
        self.dialects[verdict.format] = self.dialects.get(verdict.format, 0) + 1
        self.repaired |= bool(verdict.repairs)
        self.out.append(
            ToolCall(
                name_id, index, verdict.name, verdict.arguments, verdict.format, verdict.emitted_name, verdict.repairs, verdict.gated,
                self.hallucinations > 0, self._number(), self.content_chars, verdict.marker, verdict.rule,
            )
        )  # fmt: skip

    def _own_id(self, given: str | None) -> str | None:
        """The provider's id of a call, if it is the first of its response that has it."""
        if not given or given in self.provider_ids:
            return None
        self.provider_ids.add(given)
        return given

    def _rejection(self, verdict: Refused) -> None:
        self.refused += 1
        self.truncated += verdict.cause is Cause.TRUNCATED
        limited = self.reason in ("length", "max_tokens")
        told = feedback.tell(verdict.cause, verdict.name, verdict.detail, verdict.available, verdict.suggestions, token_limit=limited)
        self.out.append(
            Rejection(
                verdict.cause, verdict.name, verdict.detail, verdict.suggestions, told.feedback, told.retryable, verdict.format,
                verdict.raw[: self.limits.raw], self._number(), self.content_chars, verdict.available, told.hint,
                verdict.marker, verdict.rule, self._own_id(verdict.provider_id),
            )
        )  # fmt: skip

    def knows(self, verdict: Accepted) -> bool:
        """Whether an equal call was read from the text before."""
        return f"text:{call_digest(verdict.name, verdict.arguments)[0]}" in self.accepted

    # -- snapshot

    _PLAIN = ("ordinal", "content_chars", "withdrawn", "reasoning_chars", "calls", "refused", "truncated", "hallucinations", "duplicates", "thoughts",
              "dialects", "repaired", "visible", "thought", "max_reached", "ended", "started", "_separate", "_held_size", "_after")  # fmt: skip

    def freeze(self) -> dict[str, Any]:
        """The books as JSON values."""
        state: dict[str, Any] = {name: getattr(self, name) for name in self._PLAIN}
        state["accepted"] = self.accepted
        state["provider_ids"] = sorted(self.provider_ids)
        held = self._held
        state["_held"] = None if held is None else [[kind, freeze(value) if kind == "v" else value] for kind, value in held]
        return state

    def thaw(self, state: dict[str, Any]) -> None:
        """Take over what `freeze` wrote."""
        for name in self._PLAIN:
            setattr(self, name, state[name])
        self.accepted = dict(state["accepted"])
        self.provider_ids = set(state["provider_ids"])
        held = state["_held"]
        self._held = None if held is None else [(kind, thaw(value) if kind == "v" else value) for kind, value in held]
