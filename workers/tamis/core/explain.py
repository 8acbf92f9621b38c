"""Why each span of a text became content, thought, call, refusal, markup or a suppressed result.

    for span in explain(text, tools=[...]):
        print(span.kind, span.why, repr(text[span.start:span.end]))

The spans are in order and cover the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tamis.core.catalog import Catalog
from tamis.core.drafts import Fabricated, Thought
from tamis.core.events import Rejection, ToolCall
from tamis.core.session import Session
from tamis.core.state import Lexeme, State
from tamis.core.verdicts import Accepted, Refused, Verdict

__all__ = ["Span", "explain"]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of the text: what they became, by which rule of the rule book, and which mark decided it."""

    start: int
    end: int
    kind: str  # content, reasoning, call, refusal, result, markup
    rule: str
    marker: str
    why: str


_PASSED = {
    Lexeme.DROPPED: ("P107", "an end or role token, or a tag that only wraps the answer"),
    Lexeme.ORPHAN: ("P7", "a closer whose opener is gone"),
    Lexeme.THINK: ("P31", "a thought begins"),
    Lexeme.THINK_END: ("P31", "a thought ends"),
    Lexeme.MESSAGE_END: ("P38", "the message ends"),
}
_LITERALS = {
    "\n": ("P12", "a quoted line"), "i": ("P12", "inline code"), "q": ("P12", "a citation"),
    "`": ("P13", "a fence that is documentation"), "~": ("P13", "a fence that is documentation"),
    "<": ("P24", "an echo of the declarations"), "|": ("P37", "a message whose header decides"),
}  # fmt: skip


class _Trace:
    """Collects spans while a reader works."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.at = 0
        self.body = ("", "")  # marker and kind of the block that is being read
        self.thoughts: set[int] = set()  # where calls inside thoughts begin
        self.inside = False
        self.state = State.TEXT
        self.lexeme = Lexeme.PLAIN
        self.literal = ""

    def before(self, offset: int, state: State, lexeme: Lexeme, literal: str, arguments: tuple[Any, ...]) -> None:
        self.state, self.lexeme, self.literal = state, lexeme, literal
        if state is not State.BODY and arguments and isinstance(arguments[0], str):
            self.inside = state is State.THOUGHT
            marker = arguments[-1]
            self.body = (getattr(marker, "key", "") or "", arguments[0])

    def after(self, offset: int, thought: bool) -> None:
        lexeme, text = self.lexeme, "reasoning" if thought or self.state is State.THOUGHT else "content"
        if lexeme in (Lexeme.OPENER, Lexeme.BARE, Lexeme.CODE, Lexeme.RESULT):
            return  # the block tells itself when it is decided
        marker = self.body[0]
        if lexeme in (Lexeme.DONE, Lexeme.HEADER, Lexeme.PRIVATE, Lexeme.PUBLIC, Lexeme.THOUGHT):
            self._add(offset, "markup", "P109", marker, "belongs to the envelope or the header before it")
        elif lexeme is Lexeme.PROSE:
            self._add(offset, text, "P3" if marker else "P19", marker, "what follows does not make this an opener")
        elif lexeme in (Lexeme.SHOWN, Lexeme.FENCE):
            self._add(offset, text, "P13", marker, "quoted, or no call stands in it")
        elif lexeme in _PASSED:
            rule, why = _PASSED[lexeme]
            self._add(offset, "markup", rule, "", why)
        elif self.state is State.LITERAL and self.literal:
            rule, why = _LITERALS[self.literal[0]]
            self._add(offset, text, rule, "", why)
        else:
            self._add(offset, text, "P31" if text == "reasoning" else "P103", "", "text of a thought" if text == "reasoning" else "text")

    def found(self, offset: int, item: Verdict | Thought) -> None:
        if isinstance(item, Thought):
            self._add(offset, "reasoning", "P42", "Thought:", "a labelled thought with an action behind it")
        elif isinstance(item, Fabricated):
            self._add(offset, "result", item.rule, item.marker, f"a result that only a runtime may write ({item.markup})")
        elif isinstance(item, Accepted):
            self._thought()
            repaired = f", repaired: {', '.join(dict.fromkeys(repair.rule for repair in item.repairs))}" if item.repairs else ""
            self._add(offset, "call", item.rule, item.marker, f"{item.format}: {item.name}{repaired}")
        elif isinstance(item, Refused):
            self._thought()
            self._add(offset, "refusal", item.rule, item.marker, f"{item.format}: {item.cause}, {item.detail}")

    def _thought(self) -> None:
        if self.inside:
            self.thoughts.add(self.at)

    def _add(self, end: int, kind: str, rule: str, marker: str, why: str) -> None:
        """A span up to `end`; what was read anew is told by its last reading."""
        if end < self.at:
            while self.spans and self.spans[-1].start >= end:
                self.spans.pop()
            self.at = end
            return
        if end == self.at and kind not in ("call", "refusal", "result"):
            return  # calls of a list that is held to its end share its text: the first has it, the others stand behind it
        last = self.spans[-1] if self.spans else None
        same = last is not None and (last.kind, last.rule, last.marker, last.why) == (kind, rule, marker, why)
        if last is not None and same and kind in ("content", "reasoning", "markup"):
            self.spans[-1] = Span(last.start, end, kind, rule, marker, why)
        else:
            self.spans.append(Span(self.at, end, kind, rule, marker, why))
        self.at = end


def explain(
    text: str, tools: Iterable[Mapping[str, Any]] | Catalog | None = None, *, finish_reason: str | None = "stop", **keywords: Any
) -> list[Span]:
    """The spans of one whole turn; keywords as for `Session`."""
    session = Session(tools, **keywords)
    trace = _Trace()
    session.tell(trace)
    events = session.receive(text)
    if not session.ended:
        events += session.finish(finish_reason)
    if trace.at < len(text):
        trace._add(len(text), "markup", "P107", "", "nothing of it is shown")
    return _considered(trace, [event for event in events if isinstance(event, ToolCall | Rejection)])


def _considered(trace: _Trace, given: list[ToolCall | Rejection]) -> list[Span]:
    """The spans, where a call inside a thought that was only considered says so (P34)."""
    waiting = iter(given)
    due = next(waiting, None)
    spans: list[Span] = []
    for span in trace.spans:
        if span.kind not in ("call", "refusal"):
            spans.append(span)
        elif due is not None and (span.kind == "call") is isinstance(due, ToolCall) and span.start not in trace.thoughts:
            spans.append(span)
            due = next(waiting, None)
        elif due is not None and span.start in trace.thoughts and _told(span, due):
            spans.append(replace(span, rule="P35", why=f"{span.why}; meant, though it stood in a thought"))
            due = next(waiting, None)
        else:
            spans.append(replace(span, kind="reasoning", rule="P34", why=f"{span.why}; only considered in a thought"))
    return spans


def _told(span: Span, event: ToolCall | Rejection) -> bool:
    """Whether an event is what a span inside a thought was told as."""
    word = event.name if isinstance(event, ToolCall) else event.cause.value
    return (span.kind == "call") is isinstance(event, ToolCall) and word is not None and word in span.why
