"""A raw tag value: where it ends, and which of its line breaks are layout (P64-P66, P104)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis.core.bodies.context import Context
from tamis.core.lexicon import LONGEST, Marker, Role, attributes
from tamis.core.source import BLANK, Source, Steps, next_marker

if TYPE_CHECKING:
    from tamis.core.bodies.xml_params import XmlParams

__all__ = ["layout", "raw_value"]


_TAG = re.compile(r"</?[A-Za-z_][\w.-]*\s*>").match
_UNFINISHED_TAG = re.compile(r"</?(?:[A-Za-z_][\w.-]*\s*)?\Z").match
_HEAD_FIELDS = frozenset({"name", "string", "type"})  # a head with other attributes is somebody else's tag, and data
_UNFINISHED = re.compile(r"<(?:/[^\s<>]*\s*)?\Z").match


def layout(value: str) -> str:
    """A value written on its own lines loses the break on each side; any other is verbatim."""
    if value.startswith("\r\n"):
        return value[2:].removesuffix("\n").removesuffix("\r")
    if value.startswith("\n"):
        return value[1:].removesuffix("\n")
    return value


def raw_value(source: Source, context: Context, options: XmlParams, key: str, *, child: bool = False) -> Steps[str | None]:
    """Use up a value and its closer; None when the text ended inside it. Every other tag in it is data."""
    parts: list[str] = []
    own = re.compile(rf"</(?:[^\s<>/]{{1,24}}:)?{re.escape(key)}\s*>") if key else None
    own_size = len(key) + 32  # 32: the brackets, a namespace of 24 and a few blanks
    while True:
        here = source.text.find("<", source.pos)
        end = len(source.text) if here < 0 else here
        parts.append(source.text[source.pos : end])
        source.pos = end
        if here < 0:
            if source.ended:
                return None
            yield None
            continue
        closed = own.match(source.text, here) if own is not None else None
        if closed is not None:
            stop: int | None = closed.end()
            marker = None
        else:
            if own is not None and not source.ended and len(source.text) - here < own_size and _UNFINISHED(source.text, here):
                yield None
                continue
            marker = yield from next_marker(source, context.lexicon)
            stop = marker.end if marker is not None and marker.closing and _is_closer(marker, key, options) else None
        if stop is not None:
            gap = [source.text[source.pos : stop]]
            source.pos = stop
            if (yield from _structure(source, context, options, gap, child=child)):
                return layout("".join(parts))
            parts += gap  # only data: the real closer is still to come
        elif marker is not None and _ends_unclosed(marker, parts, options):
            if marker.closing:
                gap = [source.text[source.pos : marker.end]]
                source.pos = marker.end
                if (yield from _structure(source, context, options, gap, child=child)):
                    source.unread("".join(gap))
                    return layout("".join(parts)).removesuffix("\n")
                parts += gap
                continue
            return layout("".join(parts)).removesuffix("\n")
        else:
            size = marker.end if marker is not None else source.pos + 1
            parts.append(source.text[source.pos : size])
            source.pos = size


def _is_closer(marker: Marker, key: str, options: XmlParams) -> bool:
    return marker.word in options.parameters or marker.word == key


def _ends_unclosed(marker: Marker, parts: list[str], options: XmlParams) -> bool:
    """A sibling head at a line start, or the call's closer: the value's own closer was lost (P65)."""
    if marker.word in options.parameters and not marker.closing:
        fields = attributes(marker.attributes).keys()
        line = "".join(parts).rpartition("\n")
        return "name" in fields and fields <= _HEAD_FIELDS and not marker.self_closing and bool(line[1]) and not line[2].strip()
    return marker.word == options.call and marker.closing


def _structure(source: Source, context: Context, options: XmlParams, gap: list[str], *, child: bool) -> Steps[bool]:
    """Whether structure (or the end) follows; blanks go into `gap`, so that they can still turn out to be data."""
    while True:
        match = BLANK.match(source.text, source.pos)
        end = match.end() if match else source.pos
        gap.append(source.text[source.pos : end])
        source.pos = end
        if end < len(source.text):
            if source.text[end] != "<":
                return False
            marker = yield from next_marker(source, context.lexicon)
            if marker is None:
                here = source.pos
                if child and not source.ended and len(source.text) - here < LONGEST and _UNFINISHED_TAG(source.text, here):
                    yield None
                    continue
                return child and _TAG(source.text, here) is not None  # the next child tag, which only the call knows
            return marker.word in (*options.parameters, options.call, options.wrapper, options.block) or (
                marker.role in (Role.CLOSER, Role.END, Role.THINK_END)
            )
        if source.ended:
            return True
        yield None
