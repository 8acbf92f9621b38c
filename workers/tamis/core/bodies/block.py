"""A block of calls without any marker: Python calls, bare, in brackets or quotes, and names with their object (P17, P26, P28).

A block counts by its place. As the whole message it is what the model wanted, and what is wrong with it is a refusal. On lines of its
own between prose it counts when every call is declared and fits; anything else there is text.
"""

from __future__ import annotations

from tamis.core.bodies.bare_call import Units
from tamis.core.bodies.context import Context, message_ends
from tamis.core.bodies.tokens import peek
from tamis.core.bodies.units import units
from tamis.core.drafts import Draft, Fault, Outcome
from tamis.core.events import Cause
from tamis.core.lexicon import Role
from tamis.core.selftalk import apart, labelled, only_example
from tamis.core.source import Source, Steps, next_marker, take_blank

__all__ = ["admit", "block"]

_INLINE = " \t\r"
_APART = frozenset({Role.RESULT, Role.THINK, Role.OPENER})
"""What may stand behind a block on its line."""
_BEHIND = 24  # characters behind a block that tell a supposition: "which would" and the blanks before it


def block(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode the calls that begin at `pos`. All are held until it shows what stands behind them."""
    if context.spent or not context.has_catalog:
        return Outcome.PROSE
    start = source.offset
    found: Units = yield from units(source, context, "", 0)
    items = found.items
    if found.state == "other" or not items:
        return Outcome.LITERAL if items and source.offset > start else Outcome.PROSE
    items = [item for item in items if context.allows(item.format)]
    if len(items) < len(found.items):
        return Outcome.LITERAL
    if not context.packed:
        clear = yield from _line_ends(source, context)
        ends = (yield from message_ends(source, context)) == ""
        if not (yield from admit(source, context, items, clear=clear, ends=ends, bare=found.bare, loose=found.loose)):
            return Outcome.LITERAL
    yield from items
    return Outcome.DONE


def admit(
    source: Source, context: Context, items: list[Draft | Fault], *, clear: bool, ends: bool, bare: bool = False, loose: bool = False
) -> Steps[bool]:
    """Whether calls without a marker count at their place.

    `clear`: nothing else stands on their last line; `ends`: nothing visible follows at all. `bare` calls have neither brackets nor
    quotes around them; `loose` ones are a name with an object, which only the end of the message makes a call.
    """
    whole = context.at_start and ends
    if whole:
        return True
    if not all(context.declared(item.name or "") or (isinstance(item, Fault) and item.cause is Cause.TRUNCATED) for item in items):
        return False
    sound = all(isinstance(item, Draft) and context.accepts(item) for item in items)
    if context.required:
        return sound
    if not clear or (loose and not ends) or only_example(context.lead):
        return False
    if context.given and not context.behind_call and all(isinstance(item, Draft) and context.repeats(item) for item in items):
        return False  # the answer once more behind prose is talk about it
    labels = labelled(context.lead)
    if ends and not bare and not labels:
        return True
    if not sound or not (context.at_start or context.behind_call or labels or apart(context.lead)):
        return False
    return ends or not (yield from _supposed(source))


def _supposed(source: Source) -> Steps[bool]:
    """Whether what follows speaks of what the calls would do. Nothing is used up."""
    gap = yield from take_blank(source)
    found = yield from peek(source, r"(?i:(?:that|this|it|which)\s+would\b)", _BEHIND)
    source.unread(gap)
    return found is not None


def _line_ends(source: Source, context: Context) -> Steps[bool]:
    """Use up separators and end tokens behind a block; whether nothing else stands on the line."""
    surplus = True
    while True:
        text, pos = source.text, source.pos
        while pos < len(text) and text[pos] in _INLINE + ",;.":
            pos += 1
        source.pos = pos
        if pos == len(text):
            if source.ended:
                return True
            yield None
            continue
        if text[pos] == "\n":
            return True
        if surplus and text[pos] in ")]}":
            source.pos, surplus = pos + 1, False  # one closer too many (P57)
            continue
        marker = (yield from next_marker(source, context.lexicon)) if text[pos] in context.lexicon.first else None
        if marker is None or marker.role not in (Role.END, Role.CLOSER):
            # a lone end of a thought says that all before it was one
            return marker is not None and (marker.role in _APART or (marker.role is Role.THINK_END and context.in_thought))
        source.pos = marker.end
