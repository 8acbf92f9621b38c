"""Tool results that the model wrote itself: taken out whole, measured, and remembered only as a hash (P44-P49)."""

from __future__ import annotations

import hashlib
import re

from tamis.core.bodies.context import Context
from tamis.core.drafts import Fabricated, Outcome
from tamis.core.lexicon import Role, attributes
from tamis.core.source import Source, Steps, next_marker

__all__ = ["results"]

_KEPT = 4096  # characters searched for the claimed tool and id: they stand at the head of every result seen
_TOOL = re.compile(r"""<(?:tool_)?name>\s*([^<\s]{1,128})|"(?:tool_)?name"\s*:\s*"([^"]{1,128})\"""")
_ID = re.compile(r"""<(?:tool_call_id|call_id|id)>\s*([^<\s]{1,128})|"(?:tool_call_id|tool_use_id|call_id)"\s*:\s*"([^"]{1,128})\"""")


def results(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Use up one block, from behind its opening mark (`context.head`) to its closing one or the end of the text."""
    head = context.head
    assert head is not None
    digest, length, kept, nested = hashlib.sha256(), 0, "", 1
    if head.self_closing:
        nested = 0
    while nested:
        here = source.text.find("<", source.pos)
        end = len(source.text) if here < 0 else here
        piece = source.text[source.pos : end]
        source.pos = end
        if here >= 0:
            marker = yield from next_marker(source, context.lexicon)
            size = 1
            if marker is not None:
                size = marker.end - source.pos
                if marker.word == head.word and not marker.self_closing:
                    nested += -1 if marker.closing else 1
                elif marker.role is Role.THINK_END and context.in_thought:
                    nested = 0  # the thought around it ends: so does the block
                    size = 0
            if nested or size == 0:
                piece += source.text[source.pos : source.pos + size]
            source.pos += size
        if piece:
            digest.update(piece.encode("utf-8", "surrogatepass"))
            length += len(piece)
            if len(kept) < _KEPT:
                kept += piece[: _KEPT - len(kept)]
        if here < 0:
            if source.ended:
                break
            yield None
    if not kept.strip() and nested and source.ended:
        return Outcome.DONE  # a mark with nothing behind it is the stop word (P49)
    fields = attributes(head.attributes)
    tool, call_id = _TOOL.search(kept), _ID.search(kept)
    yield Fabricated(
        head.word,
        fields.get("name") or (next(filter(None, tool.groups())) if tool else None),
        fields.get("id") or fields.get("tool_call_id") or (next(filter(None, call_id.groups())) if call_id else None),
        length,
        digest.hexdigest(),
    )
    return Outcome.DONE
