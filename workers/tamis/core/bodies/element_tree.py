"""Families element_tree and attr_typed: one element a key, nesting or a type attribute gives the structure (P72, P84)."""

from __future__ import annotations

import html
from dataclasses import dataclass

from tamis.core.bodies.arguments import read_arguments
from tamis.core.bodies.context import Context, skip_broken
from tamis.core.bodies.head_json import broken_head
from tamis.core.bodies.raw_value import ValueMarks, raw_value
from tamis.core.bodies.tokens import Match, peek, take
from tamis.core.drafts import Draft, Element, Fault, Outcome, RawValue, Settled
from tamis.core.events import Cause, Repair
from tamis.core.lexicon import attributes
from tamis.core.source import Source, Steps, skip_blank

__all__ = ["ElementTree", "element_tree"]


@dataclass(frozen=True, slots=True)
class ElementTree:
    """Patterns of one dialect: `call` with `attrs`, `element` with `key` or `attrs`; `element_end` with `own` where it must agree.

    `name` is the attribute that holds the tool, `key` the one that holds the key, `containers` the types that nest; without types
    (`containers` empty) an element that holds elements is a container.
    """

    call: str
    element: str
    element_end: str
    call_end: str
    section_end: str
    name: str = "name"
    key: str = "name"
    containers: tuple[str, ...] = ()
    anchor: str = "<"

    @property
    def outside(self) -> str:
        """What ends a call whose closer was lost: a sibling, or the end of the section."""
        return f"(?:{self.call})|(?:{self.section_end})"

    @property
    def values(self) -> ValueMarks:
        """Marks around the text of a leaf."""
        known = (self.element, self.element_end, self.call_end, self.call, self.section_end)
        head = r"(?!)" if self.containers in (("dict", "list"),) else self.element
        behind = "|".join(f"(?:{item})" for item in known)
        return ValueMarks(self.element_end, head, self.call_end, behind, self.outside, self.anchor)


def element_tree(source: Source, context: Context, entry: str) -> Steps[Outcome]:
    """Decode calls. `entry`: "section" (behind its opener), "call" (at the call's tag) or "between"."""
    options = context.dialect.options
    assert isinstance(options, ElementTree)
    first = entry != "between"
    while True:
        char = yield from skip_blank(source)
        head = yield from take(source, options.call)
        if head is not None:
            yield from _call(source, context, options, head)
        elif (yield from take(source, options.section_end)) is not None:
            return Outcome.DONE  # a section may list no calls
        elif not first and (yield from take(source, f"(?:{options.call_end})|(?:{options.element_end})")) is not None:
            continue
        elif char and source.ended and broken_head(source, options.call):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, None, "the text ends inside the head of the call")
        else:
            return Outcome.PROSE if first else Outcome.DONE
        yield Settled("between")
        first = False


def _call(source: Source, context: Context, options: ElementTree, head: Match) -> Steps[None]:
    name = html.unescape(attributes(head["attrs"]).get(options.name, "")).strip() or None
    stack: list[Element] = [Element("", "", [])]
    while True:
        char = yield from skip_blank(source)
        if char == "":
            yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
            return
        if char == "{" and len(stack) == 1 and not stack[0].children:
            read_json = yield from read_arguments(source, context, name)
            fault = read_json.fault if name is not None else Fault(Cause.MALFORMED_MARKUP, None, "the call has no name")
            yield fault or Draft(name or "", read_json.value, None, (*read_json.repairs, Repair("json_body")))
            return
        found = yield from take(source, options.element)
        if found is not None:
            if not (yield from _element(source, context, options, found, stack)):
                yield Fault(Cause.TRUNCATED, name, "the text ends inside a value")
                return
        elif len(stack) > 1 and (yield from take(source, options.element_end)) is not None:
            stack.pop()
        elif (yield from take(source, options.call_end)) is not None or (yield from peek(source, options.outside)) is not None:
            break
        elif (yield from take(source, options.element_end)) is not None:
            continue  # a doubled closer (P67)
        elif source.ended and broken_head(source, f"(?:{options.element})|(?:{options.call_end})|(?:{options.element_end})"):
            source.pos = len(source.text)
            yield Fault(Cause.TRUNCATED, name, "the text ends inside the call")
            return
        else:
            yield from skip_broken(source, context, "")
            yield Fault(Cause.MALFORMED_MARKUP, name, "text stands between the elements")
            return
    if name is None or any(not item.key for item in stack[0].children or ()):
        yield Fault(Cause.MALFORMED_MARKUP, name, "the call has no name" if name is None else "an argument has no name")
    else:
        yield Draft(name, None, [RawValue(item.key, item.text, item.mark, item) for item in _listed(stack[0].children or [])])


def _listed(children: list[Element]) -> list[Element]:
    """The arguments of a call: a name that stands several times makes a list (P72)."""
    by_key: dict[str, list[Element]] = {}
    for child in children:
        by_key.setdefault(child.key, []).append(child)
    return [same[0] if len(same) == 1 else Element(key, "", same, None, "list") for key, same in by_key.items()]


def _element(source: Source, context: Context, options: ElementTree, found: Match, stack: list[Element]) -> Steps[bool]:
    """One element behind its opening tag: a leaf is read whole, a container is opened. False when the text ended in a leaf."""
    groups = found.groupdict()
    fields = attributes(groups.get("attrs") or "")
    key = groups.get("key") or html.unescape(fields.get(options.key, ""))
    kind = fields.get("type", "")
    nests = kind in options.containers
    if not options.containers:
        nests = (yield from peek(source, rf"\s*(?:{options.element})")) is not None
    item = Element(key, "", [] if nests else None, {"string": True, "raw": True}.get(kind, False if kind else None), kind)
    stack[-1].add(item)
    if nests:
        stack.append(item)
        return True
    text = yield from raw_value(source, context, options.values, key)
    item.text = text or ""
    return text is not None

