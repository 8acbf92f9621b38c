"""Family head_json: the name stands in the markup, one JSON object of arguments follows (P61)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tamis.core.bodies.arguments import decode, read_arguments
from tamis.core.bodies.context import Context, skip_broken
from tamis.core.bodies.json_calls import FENCE
from tamis.core.bodies.tokens import HEAD, Match, compiled, take
from tamis.core.drafts import Draft, Fault, Outcome, Settled, plain_name
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault
from tamis.core.source import Source, Steps, skip_blank, take_blank

__all__ = ["HeadJson", "broken_head", "head_json"]


_NAME_ONLY = re.compile(r"[^<>{}]*(?:<[^<>{}]*)?\Z").match
_STRING_STOP = re.compile(r'["\\]').search


@dataclass(frozen=True, slots=True)
class HeadJson:
    """Patterns of one dialect of the family.

    `call` is all from the call's mark to the object, with a group `name`; `empty` the same for a call that has no arguments at all
    (its closer included). `mark` begins a call for sure, so that one whose head does not hold is a refusal and not text. `ends` are
    the tokens that may stand behind the object, in order; `section` and `section_end` stand around and between calls. `nameless`
    is a call without its name, `sibling` what ends a broken object where no marker does. `plain` is what ends a body that is no JSON
    and fills the only parameter of the tool (P77); with `plain_to_end` the end of the turn does so too.
    """

    call: str
    mark: str
    empty: str = ""
    ends: tuple[str, ...] = ()
    section: str = ""
    section_end: str = ""
    nameless: str = ""
    sibling: str = ""
    plain: str = ""
    plain_to_end: bool = False


def head_json(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode calls. `entry`: "section" (behind its opener), "call" (at the call's mark) or "between"."""
    options = context.dialect.options
    assert isinstance(options, HeadJson)
    first = entry != "between"
    if entry == "section":
        yield from skip_blank(source)
        if options.section_end and (yield from take(source, options.section_end)) is not None:
            return Outcome.DONE  # an empty section lists no calls
    while True:
        yield from skip_blank(source)
        if options.section_end and not first and (yield from take(source, options.section_end)) is not None:
            return Outcome.DONE
        if options.section and (yield from take(source, options.section)) is not None:
            continue
        if options.empty:
            found = yield from take(source, options.empty)
            if found is not None:
                yield _draft(found, {}, (Repair("no_arguments"),))
                yield Settled("between")
                first = False
                continue
        found = yield from take(source, options.call)
        if found is not None:
            yield from _body(source, context, options, found)
        elif _cut_head(source, options, entry, first=first):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        elif options.nameless and (yield from take(source, options.nameless)) is not None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no name")
        elif (not first or entry == "section") and (yield from take(source, options.mark)) is not None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no arguments mark behind its name")
        elif not first and (yield from _surplus(source, options)):
            continue
        else:
            return Outcome.PROSE if first else Outcome.DONE
        yield Settled("between")
        first = False


def broken_head(source: Source, pattern: str) -> bool:
    """At the end of the text: whether what is left is the beginning of `pattern`."""
    if len(source.text) - source.pos > HEAD:
        return False
    found = compiled(pattern).match(source.text, source.pos, partial=True)
    return found is not None and found.partial


def _cut_head(source: Source, options: HeadJson, entry: str, *, first: bool) -> bool:
    """At the end of the text: whether it breaks off inside the head of a call."""
    if not source.ended or source.pos >= len(source.text):
        return False
    if first and entry == "section" and _cut_name(source, options):
        return True
    return (not first or entry != "bare") and broken_head(source, options.call)


def _cut_name(source: Source, options: HeadJson) -> bool:
    """At the end of the text: whether a call's mark stands here with nothing but the beginning of a name behind it."""
    mark = compiled(options.mark).match(source.text, source.pos)
    rest = source.text[mark.end() :] if mark is not None else "<"
    return len(rest) <= HEAD and _NAME_ONLY(rest) is not None


def _surplus(source: Source, options: HeadJson) -> Steps[bool]:
    for end in options.ends:
        found = yield from take(source, end)
        if found is not None and found.end() > found.start():
            return True
    return False


def _draft(found: Match, arguments: dict[str, object], repairs: tuple[Repair, ...]) -> Draft:
    emitted = found["name"].strip()
    return Draft(plain_name(emitted), arguments, None, repairs, emitted=emitted)


def _body(source: Source, context: Context, options: HeadJson, found: Match) -> Steps[None]:
    name = plain_name(found["name"].strip())
    char = yield from skip_blank(source)
    if char == "":
        yield Fault(Cause.TRUNCATED, name, "the text ends before the arguments")
        return
    fenced = char == "`" and (yield from take(source, FENCE)) is not None
    if fenced or char == "{":
        read = yield from read_arguments(source, context, name, sibling=options.sibling)
        yield read.fault if read.fault is not None else _draft(found, read.value, read.repairs)
        if fenced:
            yield from skip_blank(source)
            yield from take(source, "```")
    elif (text := (yield from _encoded(source, char))) is not None:
        yield _decoded(found, name, text)
    elif options.plain:
        yield from _plain(source, context, options, found)
    else:
        ended = False
        for end in options.ends:
            ended |= (yield from take(source, end)) is not None
        if ended:
            yield _draft(found, {}, (Repair("no_arguments"),))
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object")
        return
    for end in options.ends:
        yield from skip_blank(source)
        yield from take(source, end)


def _encoded(source: Source, char: str) -> Steps[str | None]:
    """The text of a JSON string, or of the word null, in the place of the object (P56); None when neither stands there."""
    if char == "n":
        word = yield from take(source, r"null(?=[^\w])")
        return "" if word is not None else None
    if char != '"':
        return None
    parts: list[str] = []
    size = 1
    while True:
        text, pos = source.text, source.pos
        stop = _STRING_STOP(text, pos + size)
        if stop is None or (text[stop.start()] == "\\" and stop.start() + 1 == len(text)):
            end = len(text) if stop is None else stop.start()
            if source.ended:
                source.unread("".join(parts))
                return None
            parts.append(text[pos:end])
            source.pos = end
            size = 0
            yield None
            continue
        if text[stop.start()] == '"':
            parts.append(text[pos : stop.end()])
            source.pos = stop.end()
            try:
                value = json.loads("".join(parts), strict=False)
            except ValueError:
                value = None
            return value if isinstance(value, str) else None
        size = stop.start() + 2 - pos


def _decoded(found: Match, name: str, text: str) -> Draft | Fault:
    """A call whose arguments were given as a string: decoded once, if an object is inside."""
    if not text.strip():
        return _draft(found, {}, (Repair("null_arguments"),))
    try:
        value, repairs = decode(text)
    except RepairFault as fault:
        return Fault(Cause.MALFORMED_JSON, name, str(fault))
    if not isinstance(value, dict):
        return Fault(Cause.MALFORMED_JSON, name, "the string holds no JSON object")
    return _draft(found, value, (Repair("decoded_arguments"), *repairs))


def _plain(source: Source, context: Context, options: HeadJson, found: Match) -> Steps[None]:
    """A body that is no JSON: the value of the tool's only parameter, or of the only one that is required (P77)."""
    parts: list[str] = []
    closed = False
    while not closed:
        text, pos = source.text, source.pos
        stop = compiled(options.plain).search(text, pos, partial=not source.ended)
        here = len(text) if stop is None else stop.start()
        parts.append(text[pos:here])
        source.pos = here
        if stop is not None and not stop.partial:
            closed = yield from _closes(source, options, stop, parts)
        elif source.ended:
            break
        elif stop is not None and len(text) - here > HEAD:
            parts.append(text[here])
            source.pos += 1
        else:
            yield None
    emitted = found["name"].strip()
    name = plain_name(emitted)
    properties = context.properties(emitted)
    if not closed and (source.reason in ("length", "max_tokens") or not options.plain_to_end):
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the body")
    elif not "".join(parts).strip():
        yield _draft(found, {}, (Repair("no_arguments"),))
    elif len(properties) != 1:
        yield Fault(Cause.MALFORMED_JSON, name, "the body is no JSON object, and the tool has not one parameter alone")
    else:
        (key,) = properties
        yield Draft(name, {key: "".join(parts).strip()}, None, (Repair("plain_body", f"$.{key}"),), emitted=emitted)


def _fresh_line(parts: list[str]) -> bool:
    """Whether nothing but blanks stands on the last line of the body so far; its first line counts as one."""
    for part in reversed(parts):  # ends at the last visible character: a cut may have left any number of pieces
        line = part.rpartition("\n")
        if line[2].strip():
            return False
        if line[1]:
            break
    return True


def _closes(source: Source, options: HeadJson, stop: Match, parts: list[str]) -> Steps[bool]:
    """Whether a closer in a plain body is its own: on its own line, or with markup or the end behind it (P64)."""
    if "\n" in stop[0] or _fresh_line(parts):
        return True
    size = len(stop[0])
    parts.append(source.text[source.pos : source.pos + size])
    source.pos += size
    gap = yield from take_blank(source)
    if source.text[source.pos : source.pos + 1] in ("", "<"):
        source.unread(parts.pop() + gap)
        return True
    parts.append(gap)
    return False
