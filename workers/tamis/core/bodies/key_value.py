"""Family key_value: a name, then keys and values in tags of their own (P65, P67, P68, P105)."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from tamis.core.bodies.arguments import read_arguments
from tamis.core.bodies.context import Context, skip_broken
from tamis.core.bodies.head_json import broken_head
from tamis.core.bodies.json_calls import read_call
from tamis.core.bodies.raw_value import ValueMarks, raw_value
from tamis.core.bodies.tokens import peek, take
from tamis.core.drafts import Draft, Fault, Outcome, RawValue, Settled
from tamis.core.events import Cause, Repair
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["KeyValue", "key_value"]

CLOSER = r"</(?!(?:\w+[:|])?think)[^<>\s]{1,64}\s*>"  # any closer but a thought's
_BREAK = r"\\n"  # the two characters where GLM writes a line break
_KEY_TEXT = r"[^<>\n]{1,160}?"  # a key: no longer than a name of 128 with blanks around it


@dataclass(frozen=True, slots=True)
class KeyValue:
    """Patterns of the tags of one dialect; `{s}` stands for the suffix that the first tag carries."""

    call: str
    key: str
    key_end: str
    value: str
    value_end: str
    call_end: str
    separator: str = ""
    type: str = ""
    section: str = ""
    section_end: str = ""
    name: str = r"[\w.:/-]{1,128}"

    def suffixed(self, suffix: str) -> KeyValue:
        """The patterns for the suffix that was met; tags with another one are data."""
        mark = re.escape(f":{suffix}") if suffix else ""
        return replace(self, **{item.name: getattr(self, item.name).replace("{s}", mark) for item in fields(self)})

    @property
    def head(self) -> str:
        """The name, up to what cannot belong to it."""
        return rf"(?P<name>{self.name})(?=[^\w.:/-])"

    @property
    def pair(self) -> str:
        """A key between its tags; one of the two may be lost, not both (P68)."""
        return (
            rf"(?:{self.key}\s*){{1,3}}(?P<key>{_KEY_TEXT})\s*(?:{self.key_end}|(?={self.value}))|(?P<key>{_KEY_TEXT})\s*{self.key_end}"
        )

    @property
    def values(self) -> ValueMarks:
        """Marks around a value."""
        head = rf"{self.key}\s*{_KEY_TEXT}\s*{self.key_end}(?:\s|\\n)*(?:{self.type})?(?:\s|\\n)*{self.value}"
        behind = (rf"{self.key}", self.call_end, rf"{self.call}\s*(?:{self.name}\s*[\n<\\{{]|\{{)", self.section_end, self.value_end,
                  self.key_end, _BREAK, rf"{_KEY_TEXT}\s*{self.key_end}")  # fmt: skip
        anchored = "|".join(f"(?:{item})" for item in behind if item)
        beyond = "|".join(f"(?:{item})" for item in (rf"{self.call}\s*(?:{self.name}\s*[\n<\\{{]|\{{)", self.section_end) if item)
        return ValueMarks(self.value_end, head, self.call_end, anchored, beyond)


def key_value(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode calls. `entry`: "section" (behind its opener), "body" (behind the opener of a call) or "between"."""
    options = context.dialect.options
    assert isinstance(options, KeyValue)
    head = context.head
    options = options.suffixed(head.attributes if head is not None and head.key.endswith(":*>") else "")
    first = entry != "between"
    if entry == "body":
        yield from _blank(source)
        if (yield from peek(source, rf"[{{\[]|{options.head}|{options.call_end}")) is None:
            return Outcome.PROSE  # a name longer than any tool's
        yield from _call(source, context, options)
        yield Settled("between")
        first = False
    while True:
        yield from skip_blank(source)
        if (yield from take(source, rf"{options.call}(?=(?:\s|\\n)*(?:[\w\[{{]|{options.call_end}|{options.key}))")) is not None:
            yield from _call(source, context, options)
            yield Settled("between")
            first = False
        elif options.section_end and (yield from take(source, options.section_end)) is not None:
            return Outcome.DONE
        elif not first and (yield from take(source, f"{options.value_end}|{options.call_end}")) is not None:
            continue
        else:
            return Outcome.PROSE if first else Outcome.DONE


def _blank(source: Source) -> Steps[str]:
    """Skip blanks, and line breaks that are spelled as two characters."""
    while True:
        char = yield from skip_blank(source)
        if char != "\\" or (yield from take(source, _BREAK)) is None:
            return char


def _call(source: Source, context: Context, options: KeyValue) -> Steps[None]:
    """One call behind its opener."""
    char = yield from _blank(source)
    if char and char in "{[":
        yield from read_call(source, context)
        yield from skip_blank(source)
        yield from take(source, options.call_end)
        return
    if (yield from take(source, options.call_end)) is not None:
        yield Fault(Cause.MALFORMED_MARKUP, None, "the call envelope is empty")
        return
    head = yield from take(source, options.head)
    if head is None:
        if source.ended and broken_head(source, options.head):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the name")
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "the call has no name")
        return
    name = head["name"]
    values: list[RawValue] = []
    glued = yield from take(source, options.key_end)
    if glued is not None:
        split = _split(name, context)
        if split is None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, name, "name and key run together, and no single split fits the catalogue")
            return
        name, key = split
        item = yield from _value(source, context, options, key)
        if isinstance(item, Fault):
            item.name = name
            yield item
            return
        values.append(item)
    yield from _pairs(source, context, options, name, values)


def _pairs(source: Source, context: Context, options: KeyValue, name: str, values: list[RawValue]) -> Steps[None]:
    arguments = None
    repairs: tuple[Repair, ...] = ()
    while True:
        char = yield from _blank(source)
        if char == "":
            yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
            return
        if char == "{" and arguments is None and not values:
            read = yield from read_arguments(source, context, name)
            if read.fault is not None:
                yield read.fault
                return
            arguments, repairs = read.value, (*read.repairs, Repair("json_body"))
            continue
        if options.separator and (yield from take(source, options.separator)) is not None:
            continue
        if (yield from take(source, options.call_end)) is not None:
            break
        found = yield from take(source, options.pair)
        if found is not None:
            item = yield from _value(source, context, options, found["key"].strip())
            if isinstance(item, Fault):
                item.name = name
                yield item
                return
            values.append(item)
        elif (yield from take(source, f"{options.value_end}|{options.key_end}|{CLOSER}")) is not None:
            continue  # a doubled, glued or foreign closer (P67)
        elif (yield from peek(source, "|".join(filter(None, (options.call, options.section_end))))) is not None:
            break  # its own closer was lost; a sibling or what encloses it follows
        elif source.ended and broken_head(source, f"{options.pair}|{options.call_end}"):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
            return
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, name, "text stands between the pairs")
            return
    yield Draft(name, arguments, None if arguments is not None else values, repairs)


def _value(source: Source, context: Context, options: KeyValue, key: str) -> Steps[RawValue | Fault]:
    yield from _blank(source)
    mark = None
    if options.type:
        kind = yield from take(source, options.type)
        if kind is not None:
            mark = kind["type"].partition("[")[0].strip() == "string"
            yield from _blank(source)
    while (doubled := (yield from take(source, options.key_end))) is not None and doubled.end() > doubled.start():
        yield from _blank(source)
    if (yield from take(source, options.value)) is None and (yield from peek(source, f"{options.key}|{options.call_end}")) is not None:
        yield from skip_broken(source, context, "")
        return Fault(Cause.MALFORMED_MARKUP, None, "a key has no value")
    yield from take(source, rf"\s*{options.value}")  # the mark stands twice (P67)
    text = yield from raw_value(source, context, options.values, key)
    if text is None:
        return Fault(Cause.TRUNCATED, None, "the text ends inside a value")
    return RawValue(key, text, mark)


def _split(glued: str, context: Context) -> tuple[str, str] | None:
    """The only way to part a word into a declared tool and one of its keys (P68)."""
    found = [
        (glued[:at], glued[at:]) for at in range(1, len(glued)) if context.declared(glued[:at]) and glued[at:] in context.properties(glued[:at])
    ]
    return found[0] if len(found) == 1 else None
