"""Tool results that the model wrote itself: taken out whole, measured, and remembered only as a hash (P44-P49)."""

from __future__ import annotations

import hashlib
import re

from tamis.core.bodies.context import Context
from tamis.core.bodies.tokens import compiled, take
from tamis.core.drafts import Fabricated, Outcome
from tamis.core.lexicon import Marker, attributes
from tamis.core.marks import RESULT_SHAPES, ResultShape
from tamis.core.source import Source, Steps

__all__ = ["results"]

_KEPT = 4096  # characters searched for the claimed tool and id: they stand at the head of every result seen
_TOOL = re.compile(
    r"""<(?:tool_)?name>\s*([^<\s]{1,128})|"(?:tool_)?name"\s*:\s*"([^"]{1,128})\"|\bresponse:([\w.-]{1,128})"""
)
_ID = re.compile(r"""<(?:tool_call_id|call_id|id)>\s*([^<\s]{1,128})|"(?:tool_call_id|tool_use_id|call_id)"\s*:\s*"([^"]{1,128})\"""")


class _Measure:
    """Length and hash of what is suppressed; the first characters are kept to look for claims."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.length = 0
        self.kept = ""

    def add(self, piece: str) -> None:
        if piece:
            self.digest.update(piece.encode("utf-8", "surrogatepass"))
            self.length += len(piece)
            if len(self.kept) < _KEPT:
                self.kept += piece[: _KEPT - len(self.kept)]


def results(source: Source, context: Context, entry: str, claims: str | None = None) -> Steps[Outcome]:
    """Use up one block, from behind its opening mark (`context.head`) to its end or the end of the text.

    `entry` "message" is a block that a header opened, which `claims` a tool, "label" one behind an Observation label, "fence" one in
    a fence; else the mark decides.
    """
    head = context.head
    if entry == "label":
        yield from take(source, "Observation:")
    measure = _Measure()
    named = head.key if head is not None and entry == "open" else entry
    shape = RESULT_SHAPES.get(named) or RESULT_SHAPES["element"]
    closed = yield from _until_end(source, context, shape, measure, head)
    if not measure.kept.strip(" \t\r\n:：") and not closed:
        return Outcome.DONE  # a mark with nothing behind it is the stop word (P49)
    fields = attributes(head.attributes) if head is not None else {}
    tool, call_id = _TOOL.search(measure.kept), _ID.search(measure.kept)
    yield Fabricated(
        shape.name or (head.word if head is not None else ""),
        claims or fields.get("name") or (next(filter(None, tool.groups())) if tool else None),
        fields.get("id") or fields.get("tool_call_id") or (next(filter(None, call_id.groups())) if call_id else None),
        measure.length,
        measure.digest.hexdigest(),
    )
    return Outcome.DONE


def _until_end(source: Source, context: Context, shape: ResultShape, measure: _Measure, head: Marker | None) -> Steps[bool]:
    """Use up the block; whether its end was seen. A block of the same kind inside it counts for one (P46)."""
    word = re.escape(head.word) if head is not None else ""
    tag = rf"(?:[^\s<>/]{{1,24}}:)?{word}"
    end = shape.end.replace("{tag}", tag)
    nest = shape.nest.replace("{tag}", tag)
    think = r"|(?P<think></(?:\w{1,24}[:|])?think(?:ing)?>)" if context.in_thought else ""
    pattern = f"(?P<end>{end})" + (f"|(?P<nest>{nest})" if nest else "") + think
    search = compiled(pattern).search
    depth = 0 if head is not None and head.self_closing else 1
    while depth:
        text, pos = source.text, source.pos
        found = search(text, pos, partial=not source.ended)
        here = len(text) if found is None else found.start()
        measure.add(text[pos:here])
        source.pos = here
        if found is None:
            if source.ended:
                return False
            yield None
        elif found.partial:
            yield None
        elif think and found["think"] is not None:
            return False  # the thought around it ends: so does the block
        else:
            depth += 1 if nest and found["nest"] is not None else -1
            if depth:
                measure.add(found[0])
                source.pos = found.end()
            elif not shape.keeps_end:
                source.pos = found.end()
    return True

