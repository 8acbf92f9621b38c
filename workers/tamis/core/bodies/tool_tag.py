"""Tag-per-tool: a declared tool's tag at a line start, its declared arguments as children (P27)."""

from __future__ import annotations

import re

from tamis.core.bodies.context import Context
from tamis.core.bodies.tokens import HEAD, take
from tamis.core.bodies.xml_params import XmlParams, call_body
from tamis.core.drafts import Outcome
from tamis.core.source import Source, Steps

__all__ = ["TOOL_TAG", "tool_tag"]

TOOL_TAG = r"<(?P<name>[A-Za-z_][\w.:-]{0,127})\s?(?P<closed>/)?>"


def tool_tag(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode one element of a declared tool at `pos`; text when neither a line break nor a child follows its tag."""
    from tamis.core.dialects import load

    context.dialect = load()["cline_xml"]
    head = yield from take(source, TOOL_TAG, HEAD)
    if head is None or not context.declared(head["name"]) or not context.allows("cline_xml"):
        return Outcome.PROSE
    name = head["name"]
    keys = "|".join(map(re.escape, context.properties(name)))
    child = rf"<(?P<key>{keys})\s*>" if keys else r"(?!)"
    if not head["closed"] and (yield from take(source, rf"(?=[ \t]*\r?\n|{child}|</{re.escape(name)}>)")) is None:
        return Outcome.PROSE
    options = XmlParams(
        call=rf"<{re.escape(name)}\s?>", call_end=rf"</{re.escape(name)}\s*>", value=r"(?!)", value_end=r"(?!)", child=child,
        child_end=r"</(?P<own>[^<>\s/]{1,128})\s*>",
    )  # fmt: skip
    yield from call_body(source, context, options, head, wrapped=True)
    yield from take(source, rf"\s*</{re.escape(name)}\s*>")  # its closer stands twice (P67)
    return Outcome.DONE
