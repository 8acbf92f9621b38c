"""Text in, findings out: the scanner, the decoders and the transition table at work on one response.

The reader looks at each character once. Between lexemes it keeps two facts about the place (whether only blanks stand before it on
its line, and whether only blanks stand between it and the last call) and, while a decoder runs, the text since it began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tamis.core.actions import DECODERS, Actions, Trace
from tamis.core.bodies.context import Context
from tamis.core.dialects import lexicon, load
from tamis.core.drafts import Draft, Fabricated, Fault, Outcome, Settled, Thought
from tamis.core.ledger import Ledger
from tamis.core.lexicon import Marker, Role
from tamis.core.messages import MESSAGE
from tamis.core.passing import PIECES, PROBE
from tamis.core.state import Lexeme, State
from tamis.core.verdicts import Verdict

__all__ = ["PROBE", "RULES", "Reader", "Trace"]

_BLOCKS = frozenset({*DECODERS, "bare_json"} - {"result"})
"""Blocks that may turn out to be a call: too long a one is text, not a call over its limit."""
_OUTCOMES = {
    Outcome.DONE: Lexeme.DONE, Outcome.PROSE: Lexeme.PROSE, Outcome.LITERAL: Lexeme.SHOWN, Outcome.FENCE: Lexeme.FENCE,
    Outcome.UNQUOTED: Lexeme.UNQUOTED,
    Outcome.PRIVATE: Lexeme.PRIVATE, Outcome.PUBLIC: Lexeme.PUBLIC, Outcome.HEADER: Lexeme.HEADER,
    Outcome.THOUGHT: Lexeme.THOUGHT,
}  # fmt: skip
_LEXICON = lexicon()
_UNMARKED = frozenset(name for name, dialect in load().items() if not dialect.sentinel)
"""Dialects without a marker: what a model goes on to say behind their calls may take further ones back."""
_READ = "`\n{"  # signs that are no marker and mean something
_LABELLED = frozenset({"react", "smolagents_action", "command_r_action"})
"""Dialects behind whose calls an Observation label is a fabricated result (P45)."""
SENTINEL = "P3"
RULES = {
    "fence": "P13", "code": "P13", "result": "P45", "action": "P29", "thought": "P42", "name_line": "P28", "language_word": "P109",
    "escaped": "P15", "block": "P26", "bare_json": "P19", "cline_xml": "P27", "kimi_special": "P7",
}  # fmt: skip
"""Rule of the rule book by which a call counts, by what opened it; a marker with its guard is P3."""


class Reader(Actions):
    """Reads one response into a ledger. `judge` turns a draft or fault into a verdict."""

    __slots__ = ("_judge", "_most", "_skip", "calm", "over_limit", "tail")

    def __init__(self, ledger: Ledger, context: Context, judge: Callable[[Draft | Fault, str], Verdict], *, thought_open: bool) -> None:
        super().__init__(ledger, context)
        self.calm = False  # nothing is held, no line and no call stands right before: plain text may go straight through
        self.tail = False  # calm, but for a few characters that may become a marker
        self.over_limit = False
        self._judge = judge
        self._skip = 0
        self._most = context.limits.call  # characters that a decoder may have before it at once; beyond, each is fed alone
        if thought_open:
            ledger.open_thought()
            self.state = State.THOUGHT

    @property
    def buffered(self) -> int:
        """Characters that no decision has used up yet."""
        return self._size if self.state is State.BODY else len(self.source.text) - self.source.pos

    # -- driving

    def feed(self, text: str) -> None:
        """Read what can be decided with `text`."""
        body = self.state is State.BODY
        size = len(text) + (self._size if body else len(self.source.text) - self.source.pos)
        if size > self._most:
            self._feed_in_parts(text)
            return
        self.source.feed(text)
        if body:
            self._size = size
            if not self._step():  # the common chunk of a call: the decoder waits for more
                return
        self._run()

    def _feed_in_parts(self, text: str) -> None:
        """`feed` for a piece by which a call could pass its limit unseen: a decoder gets so much that the limit tells, whatever the cut."""
        at = 0
        while at < len(text) and not self.over_limit:
            part = text[at : at + max(1, self._most - self.buffered)]
            at += len(part)
            self.source.feed(part)
            if self.state is State.BODY:
                self._size += len(part)
            self._run()

    def quick(self, text: str) -> str | None:
        """`feed` where the reader is calm and nothing means anything: the plain text to give out; what may become a marker is kept.

        None when something has to be read: then `resume` goes on.
        """
        source = self.source
        source.feed(text)
        whole, start = source.text, source.pos
        pos = start
        while True:
            found = PROBE(whole, pos)
            if found is None:
                source.pos = len(whole)
                self.tail = False
                return whole[start:]
            here = found.start()
            if whole[here] in _READ:
                return None
            marker = _LEXICON.at(whole, here, found.end() < len(whole), self.held)
            if marker is True:
                source.pos = here
                self.tail = True
                return whole[start:here]
            if marker is not None or whole.startswith("<|", here) or (whole[here] == "[" and self._may_list(whole[start:here])):
                return None
            pos = here + 1

    def resume(self) -> None:
        """Read what `quick` could not."""
        source = self.source
        text = source.rest()
        if len(text) > self._most:
            source.text = source.text[: source.pos]
            self._feed_in_parts(text)
        else:
            self._run()

    def end(self, reason: str | None) -> None:
        """No more text: decide the rest."""
        self.source.ended, self.source.reason = True, reason
        self._run()
        self._end_watch()
        self._flush()
        self._go(Lexeme.FINISH)

    def _run(self) -> None:
        source = self.source
        while not self.over_limit:
            if self.state is State.BODY:
                if not self._step():
                    break
            elif self.state is State.LITERAL:
                if source.pos >= len(source.text) or not (self._read_message() if self._literal == MESSAGE else self._read_literal()):
                    break
            elif source.pos >= len(source.text) or not self._read_text():
                break
        self._flush()
        passing = self.state in (State.TEXT, State.THOUGHT) and source.pos >= len(source.text)
        self.tail = False
        self.calm = passing and not (self._line or self._phrase or self._behind_call or self._fresh or self._label or self.watch.open)

    # -- snapshot

    def freeze(self) -> dict[str, Any]:
        """The place between two lexemes, and the text that no decision has used up yet."""
        body = self.state is State.BODY
        rest = self.source.rest()
        text = "".join(self._since) + self.source.recorded() if body else rest
        return {
            "state": self.state.name, "line": self._line, "behind": self._behind_call, "wrapper": self._wrapper,
            "recent": "".join(self.recent)[-PIECES:],
            "phrase": self._phrase, "literal": self._literal, "over": self.over_limit,
            "watch": [self.watch.open, self.watch.buffer, self.watch.offset],
            "flags": [self._label, self._fresh, self._acted, self._private, self._opened],
            "text": text, "offset": self.source.offset + len(rest) - len(text),  # of the text's beginning
            "reread": self._settled_reread if body else self.context.reread,
            "given": [self.context.given, self.context.spent],
            "body": [*self._kind, self._head, self._yielded, self.context.at_start, self.context.behind_call, self.context.lead] if body else None,
        }  # fmt: skip

    def thaw(self, state: dict[str, Any]) -> None:
        """Go on where `freeze` was: what a running decoder had read is read once more."""
        self.state = State[state["state"]]
        self._line, self._behind_call = state["line"], state["behind"]
        self.recent.extend(filter(None, [state["recent"]]))
        self.watch.open, self.watch.buffer, self.watch.offset = state["watch"]
        self._wrapper, self._phrase, self._literal, self.over_limit = state["wrapper"], state["phrase"], state["literal"], state["over"]
        self._label, self._fresh, self._acted, self._private, self._opened = state["flags"]
        self.context.reread = state["reread"]
        self.context.given, self.context.spent = state["given"]
        text = state["text"]
        self.source.feed(text)
        self.source.rebase(state["offset"])
        if state["body"] is not None:
            kind, entry, word, head, size, yielded, *place = state["body"]
            marker = None
            if head is not None:
                role, label, closing, fields, self_closing, namespace, key = head
                marker = Marker(Role[role], word, label, size, closing, fields, self_closing, namespace, key)
            self.source.record()
            self._head = size
            self.source.pos = size
            self._start(kind, entry, marker)
            self.context.at_start, self.context.behind_call, self.context.lead = place
            self._size = len(text) - size
            self._skip = yielded
            self._run()

    # -- bodies

    def _step(self) -> bool:
        """Run the decoder to its next word; False when it waits for more text."""
        source = self.source
        assert self._decoder is not None
        try:
            item = next(self._decoder)
        except StopIteration as stop:
            self._go(_OUTCOMES[stop.value])
            return True
        if item is None:
            if source.ended:
                raise AssertionError("a decoder waits although the text has ended: a fault of the decoder")
            return self._size > self.context.limits.call and self._too_long()
        if isinstance(item, Settled):
            raw = source.take()
            self.ledger.mark(raw)
            _, _, word, head = self._kind
            self._kind = (self.context.dialect.name, item.entry, word, head)
            self._since = []
            self._size = len(source.text) - source.pos
            self._yielded = self._head = 0
            self._settled_reread = self.context.reread
            return True
        self._yielded += 1
        raw = source.take()
        self._since.append(raw)
        if self._skip:
            self._skip -= 1
            return True  # given out before the snapshot was taken
        if isinstance(item, Thought):
            if self.trace is not None:
                self.trace.found(self.source.offset, item)
            self.ledger.open_thought()
            self.ledger.text(item.text)
            self.ledger.close_thought()
            return True
        kind, _, _, head = self._kind
        marker, rule = head[-1] if head is not None else "", SENTINEL if head is not None and kind != "result" else RULES.get(kind, SENTINEL)
        if not isinstance(item, Fabricated):
            self._acted = item.format in _LABELLED
            if not item.format:
                item.format = self.context.dialect.name
            if item.format in _UNMARKED:
                self.context.given += 1
            verdict: Verdict = self._judge(item, raw)
        else:
            verdict = item
        verdict.marker, verdict.rule = marker, rule
        if self.trace is not None:
            self.trace.found(self.source.offset, verdict)
        self.ledger.found(verdict, raw)
        if self.ledger.max_reached:
            self.over_limit = True
        return True

    def _too_long(self) -> bool:
        """An open body past its limit: a block that may be a call is text; a call ends the response."""
        if self._kind[0] in _BLOCKS:
            self._go(Lexeme.SHOWN)
        else:
            self.over_limit = True
        return True
