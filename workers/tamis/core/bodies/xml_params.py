"""Family xml_params: the key stands in the tag, the value is raw text (P64-P72)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from tamis.core.bodies.arguments import read_arguments
from tamis.core.bodies.context import Context, skip_broken
from tamis.core.bodies.head_json import broken_head
from tamis.core.bodies.raw_value import ValueMarks, raw_value
from tamis.core.bodies.tokens import Match, peek, take
from tamis.core.drafts import Draft, Fault, Outcome, RawValue, Settled
from tamis.core.events import Cause, Repair
from tamis.core.lexicon import attributes
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["XmlParams", "call_body", "xml_params"]

_CLOSER = r"</(?!(?:\w+[:|])?think)[^<>\s]{1,64}\s*>"  # any closer but a thought's: between elements it is surplus (P67)
_TYPES = frozenset({"string", "integer", "number", "boolean", "object", "array", "null"})
"""Type attributes of a value that go before the schema (P84); any other word is somebody's own."""
_LEAF = r"<(?P<leaf>[A-Za-z_][\w.-]{0,127})\s*>[^<>]{0,256}</(?P=leaf)\s*>"  # an argument that is not declared, and short enough to see whole
_CDATA = r"<!\[CDATA\["


@dataclass(frozen=True, slots=True)
class XmlParams:
    """Patterns of one dialect of the family.

    `call` begins a call and `value` a value; both with a group `name`/`key`, or `attrs` that holds it, or neither; a group `closed`
    says that the tag closes itself. `lead` are tokens in front of a call. `name` is a child that holds the
    name; `block` and `block_end` stand around children whose tags are the keys (`child`). `skip` are tags of no meaning.
    """

    call: str
    value: str
    value_end: str
    call_end: str
    wrapper: str = ""
    wrapper_end: str = ""
    lead: str = ""
    name: str = ""
    block: str = ""
    block_end: str = ""
    child: str = ""
    child_end: str = ""
    skip: str = ""
    anchor: str = "<"
    spelling: str = "raw"  # how a value is written: raw, xml (escaped) or quoted (quotes may stand around it)
    stop_word: bool = True  # the call's closer may be the stop string when no wrapper stands around it (P98)
    lists: bool = False  # the wrapper lists calls, so that an empty one is nothing; else it is the envelope of one (P71)
    drift: XmlParams | None = None  # another grammar of the same family, entered with the prefix "drift-"

    @property
    def values(self) -> ValueMarks:
        """Marks around a value."""
        behind = self._union(self.value, self.value_end, self.block_end, self.skip)
        return ValueMarks(self.value_end, self.value, self.call_end, behind, self._beyond, self.anchor)

    def children(self, keys: Iterable[str]) -> ValueMarks:
        """Marks around the value of a child; `keys` are the declared ones: where some are, other tags are data, but for a whole element."""
        known = "|".join(map(re.escape, keys))
        child = rf"<(?:{known})\s*>" if known else self.child
        head = child if known else r"(?!)"
        beyond = self.call_end if self.block_end else self._beyond
        call = rf"(?:{self.call})\s*{self.name}" if self.name else self.call
        behind = "|".join(f"(?:{item})" for item in (self.call_end, call, self.wrapper_end, self.name, child, _LEAF, self.block_end) if item)
        return ValueMarks(self.child_end, head, self.block_end or self.call_end, behind, beyond, self.anchor)

    @property
    def _beyond(self) -> str:
        """What may stand behind a call."""
        return "|".join(f"(?:{item})" for item in (self.call, self.wrapper_end, self.lead, self.skip) if item)

    @property
    def inner(self) -> str:
        """What may stand inside a wrapper."""
        return "|".join(f"(?:{item})" for item in (self.call, self.lead, self.wrapper, self.wrapper_end, self.value) if item)

    @property
    def parts(self) -> str:
        """What may stand between the parameters of a call."""
        return "|".join(f"(?:{item})" for item in (self.value, self.call_end, self.name, self.block, _CLOSER) if item)

    def _union(self, *more: str) -> str:
        known = (self.call_end, self.call, self.wrapper_end, self.name, *more)
        return "|".join(f"(?:{item})" for item in known if item)


def xml_params(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode a wrapper or a bare call.

    `entry`: "wrapper" (behind its opener), "unnamed" (inside the tag of a misspelt one), "lead" (at what stands before it), "call" (at
    the call's tag) or "between"; each with the prefix "drift-" for the dialect's other grammar.
    """
    options = context.dialect.options
    assert isinstance(options, XmlParams)
    prefix, _, entry = entry.rpartition("-")
    if prefix:
        assert options.drift is not None
        options, prefix = options.drift, f"{prefix}-"
    if entry == "unnamed":
        yield from take(source, r"[^<>]{0,64}>")  # a block whose name is misspelt: the guard has seen the call behind it
    wrapped = entry != "call"
    first = entry != "between"
    while True:
        char = yield from skip_blank(source)
        if options.lead and (yield from take(source, options.lead)) is not None:
            char = yield from skip_blank(source)
        head = yield from take(source, options.call)
        if head is not None:
            if not wrapped and _name(head) is None and not (options.name and (yield from _named(source, options))):
                return Outcome.PROSE  # a lone tag without a name is talk
            yield from call_body(source, context, options, head, wrapped=wrapped)
        elif options.wrapper_end and (yield from take(source, options.wrapper_end)) is not None:
            if first and not options.lists:
                yield Fault(Cause.MALFORMED_MARKUP, None, "the call envelope is empty")
            return Outcome.DONE
        elif options.wrapper and (yield from take(source, rf"(?:{options.wrapper})(?=\s*(?:{options.inner}))")) is not None:
            continue
        elif first and options.wrapper and source.ended and char and broken_head(source, rf"(?:{options.wrapper})\s*(?:{options.inner})"):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        elif wrapped and char and (yield from peek(source, options.value)) is not None:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, None, "parameters stand outside of a call")
        elif wrapped and char and source.ended and broken_head(source, options.call):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        elif not first and (yield from take(source, f"{_CLOSER}|{options.skip}" if options.skip else _CLOSER)) is not None:
            continue
        else:
            return Outcome.PROSE if first else Outcome.DONE
        yield Settled(f"{prefix}between")
        first, wrapped = False, True


def _name(head: Match) -> str | None:
    fields = head.groupdict()
    name = fields.get("name")
    if name is None and fields.get("attrs"):
        name = attributes(fields["attrs"]).get("name")
    return (name or "").strip() or None


def _named(source: Source, options: XmlParams) -> Steps[bool]:
    """Whether a child with the name, or a value, stands next."""
    yield from skip_blank(source)
    wanted = f"(?:{options.name})|(?:{options.value})"
    return (yield from peek(source, wanted)) is not None or (source.ended and source.pos < len(source.text) and broken_head(source, wanted))


def call_body(source: Source, context: Context, options: XmlParams, head: Match, *, wrapped: bool) -> Steps[None]:
    """Use up one call, from behind its opening tag to behind its closer."""
    name = _name(head)
    values: list[RawValue] = []
    arguments = None
    repairs: list[Repair] = []
    block = bool(options.child) and not options.block
    closed = bool(head.groupdict().get("closed"))
    while not closed:
        char = yield from skip_blank(source)
        if char == "":
            # a bare call whose closer was the stop string is whole when its parameters are (P98); with a limit it is not (P99)
            if wrapped or not options.stop_word or source.reason in ("length", "max_tokens") or (not values and arguments is None):
                yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
                return
            break
        if char == "{" and arguments is None and not values:
            read = yield from read_arguments(source, context, name)
            if read.fault is not None:
                yield read.fault
                return
            arguments = read.value
            repairs += (*read.repairs, Repair("json_body"))
            continue
        found = yield from take(source, options.value)
        if found is None and block:
            found = yield from take(source, options.child)
        if found is not None:
            of_child = found.re.pattern == options.child
            marks = options.children(context.properties(name or "")) if of_child else options.values
            item = yield from _value(source, context, options, marks, found)
            if item is None:
                yield Fault(Cause.TRUNCATED, name, "the text ends inside a parameter")
                return
            values.append(item)
        elif options.name and name is None and (found := (yield from take(source, options.name))) is not None:
            name = found["name"].strip() or None
        elif options.block and (yield from take(source, options.block)) is not None:
            block = True
        elif (options.block_end and (yield from take(source, options.block_end)) is not None) or (
            options.skip and (yield from take(source, options.skip)) is not None
        ):
            continue
        elif (yield from take(source, options.call_end)) is not None:
            closed = True
        elif (yield from _encloses(source, options)):
            break  # its own closer was lost; what encloses it, or a sibling, follows
        elif (yield from take(source, _CLOSER)) is not None:
            continue  # doubled, stray or foreign closers (P67)
        elif source.ended and broken_head(source, options.parts):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
            return
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, name, "text stands between the parameters")
            return
    if name is None or any(not item.key for item in values):
        yield Fault(Cause.MALFORMED_MARKUP, name, "the call has no name" if name is None else "a parameter has no name")
    else:
        yield Draft(name, arguments, None if arguments is not None else values, tuple(repairs))


def _encloses(source: Source, options: XmlParams) -> Steps[bool]:
    known = "|".join(f"(?:{item})" for item in (options.call, options.wrapper, options.wrapper_end) if item)
    return (yield from peek(source, known)) is not None


def _value(source: Source, context: Context, options: XmlParams, marks: ValueMarks, found: Match) -> Steps[RawValue | None]:
    """The value behind its opening tag; None when the text ended inside it."""
    groups = found.groupdict()
    fields = attributes(groups.get("attrs") or "")
    key = (groups.get("key") or fields.get("name") or "").strip()
    mark = {"true": True, "false": False}.get(fields.get("string", "").lower())
    if mark is None and (kind := fields.get("type", "").lower()) in _TYPES:
        mark = kind == "string"
    if groups.get("closed"):
        return RawValue(key, "", mark)
    if (yield from take(source, _CDATA)) is not None:
        text = yield from _cdata(source)
        if text is None:
            return None
        rest = yield from raw_value(source, context, marks, key)
        return None if rest is None else RawValue(key, text + rest.strip(), mark)
    text = yield from raw_value(source, context, marks, key)
    if text is None:
        return None
    if options.spelling == "xml":
        return RawValue(html.unescape(key), html.unescape(text), mark)
    if options.spelling == "quoted":
        text = text.strip()
        quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
        return RawValue(key, text[1:-1], True) if quoted else RawValue(key, text)
    return RawValue(key, text, mark)


def _cdata(source: Source) -> Steps[str | None]:
    """All up to the end mark, verbatim (P72)."""
    parts: list[str] = []
    while True:
        end = source.text.find("]]>", source.pos)
        stop = end if end >= 0 else max(source.pos, len(source.text) - 2)  # 2: the end mark may have begun
        parts.append(source.text[source.pos : stop])
        source.pos = stop
        if end >= 0:
            source.pos += 3  # len("]]>")
            return "".join(parts)
        if source.ended:
            source.pos = len(source.text)
            return None
        yield None
