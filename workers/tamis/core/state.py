"""The transition table: (state, lexeme) -> (action, next state). Nothing else decides a transition.

Two macro-states: text passes through (TEXT, THOUGHT, LITERAL) or is buffered by a decoder (BODY). All that touches a transition
lives here; the actions live in `tamis.core.reader`. Integers, because their hash is the cheapest: the table is asked at every
lexeme. A next state of None means "as before": the action itself settles it.
"""

from __future__ import annotations

from enum import IntEnum, auto

__all__ = ["TRANSITIONS", "Action", "Lexeme", "State"]


class State(IntEnum):
    """Where the reader stands between two lexemes."""

    TEXT = auto()  # visible text passes through
    THOUGHT = auto()  # text passes through as reasoning
    LITERAL = auto()  # passes through unread: a quoted line, an open fence, an echo of declarations, a message whose header decides
    BODY = auto()  # a decoder buffers
    ENDED = auto()


class Lexeme(IntEnum):
    """What the scanner meets, or what a decoder says."""

    PLAIN = auto()  # text without a meaning
    OPENER = auto()  # marker of a call whose place allows it
    BARE = auto()  # a bracket, or a lost head, at a line start
    CODE = auto()  # a fence or a backtick
    RESULT = auto()  # mark of a fabricated result whose place allows it
    ORPHAN = auto()  # a closer right behind a call
    DROPPED = auto()  # end token, or tag that only wraps the answer
    THINK = auto()
    THINK_END = auto()
    QUOTE = auto()  # a quoted line begins
    ECHO = auto()  # an echo of the declarations begins
    LITERAL_END = auto()  # the line, fence or echo ends
    DONE = auto()  # the decoder used up markup
    PROSE = auto()  # its marker was text
    SHOWN = auto()  # all it used up is text
    UNQUOTED = auto()  # the code around it was none: it is read anew
    FENCE = auto()  # as SHOWN, and the fence is still open
    PRIVATE = auto()  # it was the header of a message that is thought
    PUBLIC = auto()  # it was the header of a message to the user
    THOUGHT = auto()  # it was the header of a thought that is read as any
    HEADER = auto()  # it was the header of a message that is read as any text
    MESSAGE_END = auto()  # such a message ends
    FINISH = auto()  # no more text


class Action(IntEnum):
    """What the reader does; each is a method of that name."""

    SHOW = auto()
    BEGIN = auto()
    DROP = auto()
    OPEN_THOUGHT = auto()
    CLOSE_THOUGHT = auto()
    LONE_CLOSER = auto()
    ENTER_LITERAL = auto()
    LEAVE_LITERAL = auto()
    END_BODY = auto()
    GIVE_BACK = auto()
    SHOW_BODY = auto()
    KEEP_FENCE = auto()
    READ_ANEW = auto()
    ENTER_PRIVATE = auto()
    ENTER_PUBLIC = auto()
    ENTER_THOUGHT = auto()
    ENTER_OPEN = auto()
    LEAVE_MESSAGE = auto()
    CLOSE = auto()
    REFUSE = auto()  # cannot happen: a fault of ours


_READING = {
    Lexeme.PLAIN: (Action.SHOW, None),
    Lexeme.OPENER: (Action.BEGIN, State.BODY),
    Lexeme.BARE: (Action.BEGIN, State.BODY),
    Lexeme.CODE: (Action.BEGIN, State.BODY),
    Lexeme.RESULT: (Action.BEGIN, State.BODY),
    Lexeme.ORPHAN: (Action.DROP, None),
    Lexeme.DROPPED: (Action.DROP, None),
    Lexeme.QUOTE: (Action.ENTER_LITERAL, State.LITERAL),
    Lexeme.ECHO: (Action.ENTER_LITERAL, State.LITERAL),
    Lexeme.FINISH: (Action.CLOSE, State.ENDED),
}
_ROWS: dict[State, dict[Lexeme, tuple[Action, State | None]]] = {
    State.TEXT: _READING | {Lexeme.THINK: (Action.OPEN_THOUGHT, State.THOUGHT), Lexeme.THINK_END: (Action.LONE_CLOSER, State.TEXT)},
    State.THOUGHT: _READING | {Lexeme.THINK: (Action.SHOW, None), Lexeme.THINK_END: (Action.CLOSE_THOUGHT, State.TEXT)},
    State.LITERAL: {
        Lexeme.PLAIN: (Action.SHOW, None),
        Lexeme.LITERAL_END: (Action.LEAVE_LITERAL, None),
        Lexeme.CODE: (Action.BEGIN, State.BODY),
        Lexeme.MESSAGE_END: (Action.LEAVE_MESSAGE, None),
        Lexeme.THINK_END: (Action.CLOSE_THOUGHT, State.TEXT),
        Lexeme.FINISH: (Action.CLOSE, State.ENDED),
    },
    State.BODY: {
        Lexeme.DONE: (Action.END_BODY, None),
        Lexeme.PROSE: (Action.GIVE_BACK, None),
        Lexeme.SHOWN: (Action.SHOW_BODY, None),
        Lexeme.UNQUOTED: (Action.READ_ANEW, None),
        Lexeme.FENCE: (Action.KEEP_FENCE, State.LITERAL),
        Lexeme.PRIVATE: (Action.ENTER_PRIVATE, State.LITERAL),
        Lexeme.PUBLIC: (Action.ENTER_PUBLIC, State.LITERAL),
        Lexeme.HEADER: (Action.ENTER_OPEN, None),
        Lexeme.THOUGHT: (Action.ENTER_THOUGHT, State.THOUGHT),
        Lexeme.FINISH: (Action.CLOSE, State.ENDED),
    },
    State.ENDED: {},
}

TRANSITIONS: dict[tuple[State, Lexeme], tuple[Action, State | None]] = {
    (state, lexeme): _ROWS[state].get(lexeme, (Action.REFUSE, None)) for state in State for lexeme in Lexeme
}
"""Total over State x Lexeme; REFUSE marks what the scanner never asks in that state."""
