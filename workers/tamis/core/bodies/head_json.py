"""Family head_json: the name stands in the markup, one JSON object of arguments follows (P61)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.core.bodies.arguments import decode, read_arguments
from tamis.core.bodies.context import Context, cut_or_closed, skip_broken
from tamis.core.bodies.json_calls import FENCE
from tamis.core.bodies.tokens import HEAD, Match, compiled, take
from tamis.core.calljson import decoded
from tamis.core.drafts import Draft, Fault, Outcome, Settled, plain_name
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault
from tamis.core.lenient_string import read_string
from tamis.core.source import Source, Steps, skip_blank, take_blank

__all__ = ["HeadJson", "broken_head", "head_json"]


_NAME_ONLY = re.compile(r"[^<>{}]*(?:<[^<>{}]*)?\Z").match
_WORD = re.compile(r"[^\s<>\[\]=:✿]*:?\s*\Z").match  # nothing, or one word
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
    """Decode calls. `entry`: "section" (behind its opener), "call" (at the call's mark), "bare" (at an id without it) or "between"."""
    options = context.dialect.options
    assert isinstance(options, HeadJson)
    while True:
        yield from skip_blank(source)
        if options.section_end and (yield from take(source, options.section_end)) is not None:
            return Outcome.DONE  # an empty section lists no calls
        if options.section and (yield from take(source, options.section)) is not None:
            continue
        if options.empty:
            found = yield from take(source, options.empty)
            if found is not None:
                yield _draft(found, {}, (Repair("no_arguments"),))
                entry = "between"
                yield Settled(entry)
                continue
        found = yield from take(source, options.call)
        if found is not None:
            yield from _body(source, context, options, found)
        elif source.ended and _cut_head(source, options, entry):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        elif options.nameless and (yield from take(source, options.nameless)) is not None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no name")
        elif entry in ("section", "between") and (yield from take(source, options.mark)) is not None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no arguments mark behind its name")
        elif entry == "between" and (yield from _surplus(source, options)):
            continue
        else:
            return Outcome.DONE if entry == "between" else Outcome.PROSE
        entry = "between"
        yield Settled(entry)


def broken_head(source: Source, pattern: str) -> bool:
    """At the end of the text: whether what is left is the beginning of `pattern`."""
    if len(source.text) - source.pos > HEAD:
        return False
    found = compiled(pattern).match(source.text, source.pos, partial=True)
    return found is not None and found.partial


def _cut_head(source: Source, options: HeadJson, entry: str) -> bool:
    """At the end of the text: whether it breaks off inside the head of a call."""
    if entry == "section":
        mark = compiled(options.mark).match(source.text, source.pos)
        if mark is not None and _NAME_ONLY(source.text, mark.end()) is not None:
            return True
    # one word behind the calls is an answer, though a name begins like it
    return entry != "bare" and broken_head(source, options.call) and _WORD(source.rest()) is None


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
    elif char == "n" and (yield from take(source, r"null(?=[^\w])")) is not None:
        yield _draft(found, {}, (Repair("null_arguments"),))
    elif options.plain:
        yield from _plain(source, context, options, found)
    elif char == '"':
        yield (yield from _encoded(source, context, found, name))
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


def _encoded(source: Source, context: Context, found: Match, name: str) -> Steps[Draft | Fault]:
    """A call whose arguments stand as a JSON string in the place of the object: decoded once, if an object is inside (P56)."""
    parts: list[str] = []
    size = 1
    while True:
        text, pos = source.text, source.pos
        stop = _STRING_STOP(text, pos + size)
        if stop is None or (text[stop.start()] == "\\" and stop.start() + 1 == len(text)):
            end = len(text) if stop is None else stop.start()
            parts.append(text[pos:end])
            source.pos = end
            if source.ended:
                parts.append(source.rest())
                source.pos = len(text)
                if cut_or_closed(source, context, "".join(parts)):
                    return Fault(Cause.TRUNCATED, name, "the text ends inside the arguments")
                return Fault(Cause.MALFORMED_JSON, name, "the arguments are no JSON object")
            size = 0
            yield None
            continue
        if text[stop.start()] == '"':
            parts.append(text[pos : stop.end()])
            source.pos = stop.end()
            return _decoded(found, name, read_string("".join(parts), 0)[0])
        size = stop.start() + 2 - pos


def _decoded(found: Match, name: str, text: str) -> Draft | Fault:
    """The call whose arguments a string holds."""
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
    body = "".join(parts).strip()
    if not closed and (source.reason in ("length", "max_tokens") or not options.plain_to_end):
        yield Fault(Cause.TRUNCATED, name, "the text ends inside the body")
    elif not body:
        yield _draft(found, {}, (Repair("no_arguments"),))
    elif body[0] == '"' and isinstance(held := decoded(body)[0], dict):
        yield _draft(found, held, (Repair("decoded_arguments"),))
    elif len(properties) != 1:
        yield Fault(Cause.MALFORMED_JSON, name, "the body is no JSON object, and the tool has not one parameter alone")
    else:
        (key,) = properties
        held = decoded(body)[0] if body[0] == '"' else body  # one JSON string is the text in it
        yield Draft(name, {key: held if isinstance(held, str) else body}, None, (Repair("plain_body", f"$.{key}"),), emitted=emitted)


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
