"""What each action of the transition table does to a response; see `tamis.core.state` for when."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Protocol

from tamis.core.bodies.block import block
from tamis.core.bodies.context import Context
from tamis.core.bodies.escaped import escaped
from tamis.core.bodies.fences import code_span, fence, inside_code
from tamis.core.bodies.labels import action, language_word, name_line, thought_label, trigger
from tamis.core.bodies.results import results
from tamis.core.bodies.stray import stray_word
from tamis.core.dialects import decoder_of, load, run_family
from tamis.core.drafts import Outcome, Thought
from tamis.core.ledger import Ledger
from tamis.core.lexicon import Marker
from tamis.core.messages import MESSAGE, Messages
from tamis.core.selftalk import LEAD
from tamis.core.source import Source
from tamis.core.state import TRANSITIONS, Action, Lexeme, State
from tamis.core.verdicts import Verdict

__all__ = ["DECODERS", "Actions", "Trace"]

DECODERS: dict[str, Callable[[Source, Context, str], Generator[Any, None, Outcome]]] = {
    "fence": fence, "code": code_span, "inside": inside_code, "result": results, "stray": stray_word, "action": action,
    "thought": thought_label, "trigger": trigger, "name_line": name_line,
    "language_word": language_word, "escaped": escaped, "block": block,
}  # fmt: skip
"""Decoders that no marker opens: a place or a word does."""
_PLACED = frozenset({"bare_json", "block", "fence", "name_line"})
"""Kinds of block without a marker: what stands before them says what they are worth."""


class Trace(Protocol):
    """Who wants to know why; offsets are characters since the beginning of the response."""

    def before(self, offset: int, state: State, lexeme: Lexeme, literal: str, arguments: tuple[Any, ...]) -> None:
        """A lexeme stands at `offset`."""

    def after(self, offset: int, thought: bool) -> None:
        """What the table says was done; the text is used up to `offset`."""

    def found(self, offset: int, item: Verdict | Thought) -> None:
        """A decoder has read up to `offset` and found this."""


class Actions(Messages):
    """A response being read: the decoder that runs, and what becomes of what it says."""

    __slots__ = ("_decoder", "_head", "_kind", "_settled_reread", "_since", "_size", "_yielded", "trace")

    # of the body that is being read: set where one begins
    _kind: tuple[str, str, str, list[Any] | None]  # decoder, entry, word of its marker, the marker's other fields
    _since: list[str]  # what was used up by the calls that it has found
    _size: int  # characters since it began
    _head: int  # characters of its marker
    _yielded: int  # calls that it has found
    _settled_reread: int  # what had been read anew when it began

    def __init__(self, ledger: Ledger, context: Context) -> None:
        super().__init__(ledger, context)
        self.trace: Trace | None = None  # told of every lexeme and verdict, when somebody asks why
        self._decoder: Generator[Any, None, Outcome] | None = None

    # -- the transition table

    def _go(self, lexeme: Lexeme, *arguments: Any) -> None:
        action, state = TRANSITIONS[self.state, lexeme]
        trace = self.trace
        if trace is not None:
            trace.before(self.source.offset, self.state, lexeme, self._literal, arguments)
        if state is not None:
            self.state = state
        _ACTIONS[action](self, *arguments)
        if trace is not None:
            trace.after(self.source.offset, self.ledger.thought)

    def _rest_state(self) -> State:
        return State.THOUGHT if self.ledger.thought else State.TEXT

    def _do_show(self, end: int) -> None:
        source = self.source
        piece = source.text[source.pos : end]
        source.pos = end
        self._say(piece)

    def _flush(self) -> None:
        pending = self._pending
        if pending:
            self.ledger.text(pending[0] if len(pending) == 1 else "".join(pending))
            pending.clear()

    def _do_begin(self, kind: str, entry: str, marker: Marker | None) -> None:
        self._end_watch()
        self._flush()
        source = self.source
        source.record()
        self._head = 0 if marker is None else marker.end - source.pos
        source.pos += self._head
        self._start(kind, entry, marker)
        self._size = len(source.text) - source.pos

    def _start(self, kind: str, entry: str, marker: Marker | None) -> None:
        context = self.context
        context.in_thought = self.ledger.thought
        context.at_start = not self.ledger.started
        context.behind_call = self._behind_call
        context.lead = "" if context.at_start or kind not in _PLACED else "".join(self.recent)[-LEAD:]
        context.head = marker
        fields = None
        if marker is not None:
            fields = [marker.role.name, marker.label, marker.closing, marker.attributes, marker.self_closing, marker.namespace, marker.key]
        self._kind = (kind, entry, marker.word if marker is not None else "", fields)
        self._since = []
        self._yielded = 0
        self._settled_reread = context.reread
        if kind in DECODERS:
            context.dialect = load()["bare_json"]
            self._decoder = DECODERS[kind](self.source, context, entry)
        elif kind == "choose":
            source = self.source
            self._decoder = decoder_of(marker, source, context, source.text[source.pos - self._head : source.pos])
        else:
            self._decoder = run_family(load()[kind], self.source, context, entry, marker)

    def _do_drop(self, end: int) -> None:
        self.source.pos = end

    def _do_open_thought(self, end: int) -> None:
        self._end_watch()
        self._flush()
        self.source.pos = end
        self.ledger.open_thought()
        self._line = self._opened = True

    def _do_close_thought(self, end: int) -> None:
        self._flush()
        self.source.pos = end
        self.ledger.close_thought()
        self._line, self._literal = True, ""

    def _do_lone_closer(self, end: int) -> None:
        self._end_watch()
        self._flush()
        self.source.pos = end
        self.ledger.lone_closer()
        self._line = True

    def _do_enter_literal(self, closer: str, end: int) -> None:
        self._literal = closer
        self._do_show(end)

    def _do_leave_literal(self, end: int) -> None:
        self.state = self._rest_state()
        self._literal = ""
        self._do_show(end)

    def _do_close(self) -> None:
        self._decoder = None

    def _do_refuse(self, *arguments: Any) -> None:
        raise AssertionError(f"no transition for this lexeme in {self.state}: a fault of the reader")

    # -- bodies

    def _finish_body(self) -> str:
        raw = "".join(self._since) + self.source.take()
        self.source.forget()
        self._decoder = None
        self._since = []
        self.state = self._rest_state()
        return raw

    def _do_end_body(self) -> None:
        read = bool(self._yielded) or self._kind[1] in ("between", "objects", "array", "objects+fence", "array+fence", "drift-between")
        raw = self.source.take()
        self.source.forget()
        self._decoder = None
        self.ledger.mark(raw, trigger=self._kind[0] == "trigger")
        self.state = self._rest_state()
        self._behind_call |= read

    def _do_give_back(self) -> None:
        kind = self._kind[0]
        raw = self._finish_body()
        missing = self._head - len(raw)
        if missing > 0:  # the decoder had put back its own marker
            raw += self.source.text[self.source.pos : self.source.pos + missing]
            self.source.pos += missing
        shown = raw[: self._head or 1]
        rest = raw[len(shown) :]
        if rest and not self.context.may_reread(self.source, len(rest)):
            self._say(raw)
            return
        self.source.unread(rest)
        if kind == "fence" and raw.startswith("`"):
            self.source.unread(shown)
            self._line = False
            return
        if kind == "code":
            run = len(raw) - len(raw.lstrip("`"))
            self.source.pos += run - 1
            shown = raw[:run]
        self._say(shown)
        self._line = False

    def _do_read_anew(self) -> None:
        raw = self._finish_body()
        self._literal = ""
        if self.context.may_reread(self.source, len(raw)):
            self.source.unread(raw)
        else:
            self._say(raw)

    def _do_show_body(self) -> None:
        self._say(self._finish_body())
        self._literal = ""

    def _do_keep_fence(self) -> None:
        raw = self._finish_body()
        self._literal = raw[: len(raw) - len(raw.lstrip(raw[0]))]
        self.state = State.LITERAL
        self._say(raw)

    # -- messages

    def _do_enter_private(self) -> None:
        self._enter_message(private=True)

    def _do_enter_public(self) -> None:
        self._enter_message(private=False)

    def _do_enter_thought(self) -> None:
        self._do_end_body()
        self._do_open_thought(self.source.pos)
        self.state = State.THOUGHT

    def _do_enter_open(self) -> None:
        self._do_end_body()
        self._part()
        self._line = self._fresh = True

    def _part(self) -> None:
        """Two messages to the user are not one word: a line break parts them."""
        if self.ledger.visible and not self.ledger.thought and not self.previous.isspace():
            self._say("\n")

    def _enter_message(self, *, private: bool) -> None:
        self._do_end_body()
        if not private:
            self._part()
        self.state = State.LITERAL
        self._literal, self._private = MESSAGE, private and not self.ledger.thought
        if self._private:  # inside a thought that another mark has opened, a private message is a part of it
            self.ledger.open_thought()

    def _do_leave_message(self) -> None:
        self._flush()
        if self._private:
            self.ledger.close_thought()
        self._literal = ""
        self.state = self._rest_state()
        self._line = self._fresh = True



_ACTIONS: dict[Action, Callable[..., None]] = {action: getattr(Actions, f"_do_{action.name.lower()}") for action in Action}
"""What each action of the table does: the method of its name."""
