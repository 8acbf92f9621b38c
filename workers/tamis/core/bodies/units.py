"""The calls of a block without a marker, one by one: brackets and quotes around them, separators between them, names with an object.

Nothing here decides whether they count; that is the place's matter (`tamis.core.bodies.block`).
"""

from __future__ import annotations

from typing import Any

from tamis.core.bodies.arguments import decode
from tamis.core.bodies.bare_call import Units, read_call
from tamis.core.bodies.context import Context
from tamis.core.bodies.json_span import json_span
from tamis.core.bodies.py_call import cut_callee
from tamis.core.bodies.tokens import Match, compiled, peek, take
from tamis.core.drafts import Draft, Fault
from tamis.core.events import Cause, Repair
from tamis.core.jsonrepair import RepairFault
from tamis.core.shapes import named_arguments
from tamis.core.source import Source, Steps, fill, take_blank

__all__ = ["BEGINS", "Units", "begins_call", "callee", "units"]

NAME = r"[A-Za-z_](?:[\w.\-]|\\_){0,159}"
"""A callee as it is written: dotted, and with underscores that Markdown escaped."""
_WRAP = r"[\[({]\s{0,64}"
_HEAD = rf"(?:(?P<var>[A-Za-z_]\w{{0,63}})[ \t]{{0,8}}=[ \t]{{0,8}})?(?P<name>{NAME})"
_CALL = rf"(?P<call>{_HEAD}(?P<gap>\s{{0,8}})\()"
_OBJECT = rf"(?P<object>(?P<named>{NAME})(?:[ \t]{{0,8}}:)?[ \t]{{0,8}}(?:\r?\n\s{{0,64}})?(?=\{{))"
_QUOTED = rf"(?P<quote>[\"'`])(?P<inner>{NAME})(?:(?P=quote)(?:(?P<lone>\()|\s{{0,8}},\s{{0,64}}(?P<pair>(?=\{{)))|(?P<open>\s{{0,8}}\())"
_ANY = rf"(?:{_QUOTED}|{_CALL}|{_OBJECT})"
BEGINS = rf"(?:{_WRAP}){{0,3}}{_ANY}"
"""What a block may begin with. Whether the name is declared is to be looked up."""
_CLOSERS = {"[": "]", "(": ")", "{": "}"}
_DEPTH = 3  # brackets and quotes around a call: a list of lists in quotes is the most that is seen
_SUBSCRIPT = r"\[(?:\d{1,4}|'[^'\n]{0,64}'|\"[^\"\n]{0,64}\")\]"
_JOINED = ",;+"
_LOOKED = 400  # characters behind a quote in which the first one inside shows whether it is escaped; within the window of a look
_AND = r"and(?=\s{1,8}[\w\[(])"


def begins_call(text: str, context: Context) -> bool:
    """Whether `text`, which is whole, begins with the call of a declared tool."""
    head = compiled(BEGINS).match(text) if context.has_catalog else None
    return head is not None and context.declared(callee(head))


def callee(head: Match) -> str:
    """The name in a match of `BEGINS`, without the backslashes of Markdown."""
    return str(head["name"] or head["named"] or head["inner"]).replace("\\_", "_")


def units(source: Source, context: Context, closer: str, depth: int, *, quoted: bool = False) -> Steps[Units]:
    """Use up calls and what stands between them, up to `closer`; without one, up to what is no call."""
    found = Units()
    while True:
        start = source.offset
        gap = yield from take_blank(source)
        if not (yield from fill(source)):
            found.state = "cut" if closer else "end"
            return found
        char = source.text[source.pos]
        if char == closer:
            source.pos += 1
            found.state = "closed"
            return found
        if (found.items and char in _JOINED) or (char == "#" and context.packed) or char == "\\":
            if char == "#":
                yield from _comment(source)
            else:
                source.pos += 1
            continue
        if found.items and char == "a" and (yield from take(source, _AND)) is not None:
            continue
        before = len(found.items)
        read = yield from one_more(source, context, depth, found, quoted=quoted)
        if not read and closer and found.items and cut_callee(source):
            source.pos = len(source.text)
            found.items.append(Fault(Cause.TRUNCATED, None, "the text ends inside a name", "pythonic_list"))
            found.state = "cut"
            return found
        if not read or found.state == "other":
            if closer or found.state == "other":
                found.state = "other"
            else:
                source.unread(gap)
            return found
        if found.state == "cut":
            return found
        if not closer and before and not (yield from _line_clear(source, context)):
            del found.items[before:]  # the next line begins with a call and goes on with words: it is prose
            source.unread(source.used_since(start))
            return found


def _comment(source: Source) -> Steps[None]:
    """Use up a comment of code, up to the end of its line."""
    while True:
        end = source.text.find("\n", source.pos)
        source.pos = len(source.text) if end < 0 else end
        if end >= 0 or source.ended:
            return
        yield None


def _line_clear(source: Source, context: Context) -> Steps[bool]:
    """Whether words stand behind a call on its line. Nothing is used up."""
    found = yield from peek(source, r"[ \t]{0,64}(?:[\r\n,;+.)\]}\"'`<]|and\s)|[ \t]{64}")
    return source.pos >= len(source.text) or found is not None or not source.rest().strip(" \t")


def one_more(source: Source, context: Context, depth: int, found: Units, *, quoted: bool) -> Steps[bool]:
    """Read what stands at `pos` into `found`; False when no call begins there."""
    head = yield from peek(source, BEGINS if depth < _DEPTH else _ANY)
    if head is None:
        return False
    name = callee(head)
    char = source.text[source.pos]
    # a list of calls that nobody declared is one too, where it is the whole message or all that a fence holds
    listed = (depth > 0 or char in _CLOSERS) and not head["object"] and (context.at_start or context.packed)
    if not (context.declared(name) or listed or name == "print"):
        return False
    if char in _CLOSERS:
        return (yield from _bracket(source, context, depth, found, char, quoted=quoted))
    if head["object"]:
        return (yield from _object(source, context, found, name, head.end("object")))
    if head["quote"]:
        return (yield from _in_quotes(source, context, depth, found, head, name))
    if head["var"]:
        source.pos += head.start("name") - head.start("call")
        found.variables[head["var"]] = len(found.items)
    if head["gap"] and not depth:
        return False  # a name and a bracket behind a blank are words of a sentence
    yield from read_call(source, context, found, quoted=quoted)
    yield from _subscripts(source)
    return True


def _bracket(source: Source, context: Context, depth: int, found: Units, char: str, *, quoted: bool) -> Steps[bool]:
    source.pos += 1
    inner: Units = yield from units(source, context, _CLOSERS[char], depth + 1, quoted=quoted)
    found.items += inner.items
    found.bare = False
    if inner.state == "other":
        found.state = "other"
        return True
    if inner.state == "cut":
        found.state = "cut" if inner.items else "other"
        return True
    if char == "[":
        yield from _subscripts(source)
    return True


def _in_quotes(source: Source, context: Context, depth: int, found: Units, head: Any, name: str) -> Steps[bool]:
    """Behind a quote: the name alone, or calls that the quotes hold."""
    if head["pair"] is not None:
        if not depth:
            return False  # a name and an object in a list are a call; without one they are text
        source.pos = head.start("pair")
        found.bare = False
        return (yield from _arguments(source, context, found, name, "name_and_object"))
    found.bare = False
    if head["lone"]:
        source.pos = head.start("lone")
        yield from read_call(source, context, found, name)
        return True
    quote = head["quote"]
    if (yield from peek(source, rf"{quote}[^{quote}\\]{{0,{_LOOKED}}}\\{quote}")) is not None:
        inner: Units = yield from _escaped(source, context, quote, depth)
    else:
        source.pos += 1
        inner = yield from units(source, context, quote, depth + 1, quoted=True)
    found.items += inner.items
    if inner.state == "other":
        found.state = "other"
    elif inner.state == "cut":
        found.state = "cut"
    return True


def _escaped(source: Source, context: Context, quote: str, depth: int) -> Steps[Units]:
    """Calls in a string whose quotes inside are escaped: it is taken whole, unescaped once and read."""
    source.pos += 1
    parts: list[str] = []
    while True:
        at = source.text.find(quote, source.pos)
        back = source.text.find("\\", source.pos, at if at >= 0 else len(source.text))
        stop = back if back >= 0 else at
        if stop < 0 or (stop == back and back + 1 == len(source.text)):
            stop = len(source.text) if stop < 0 else stop
            parts.append(source.text[source.pos : stop])
            source.pos = stop
            if source.ended:
                return Units("other")
            yield None
            continue
        parts.append(source.text[source.pos : stop])
        source.pos = stop + 1
        if stop == at:
            break
        escaped = source.text[source.pos]
        parts.append(escaped if escaped in "\\'\"" else "\\" + escaped)
        source.pos += 1
    inner = Source()
    inner.feed("".join(parts))
    inner.ended, inner.reason = True, source.reason
    inner.record()
    found: Units = yield from units(inner, context, "", depth + 1, quoted=True)
    if found.state == "end":
        found.state = "other" if inner.rest().strip() else "closed"
    return found


def _object(source: Source, context: Context, found: Units, name: str, end: int) -> Steps[bool]:
    """A name with the object of its arguments behind it."""
    found.loose = True
    source.pos = end
    return (yield from _arguments(source, context, found, name, "", "glm4_name_json"))


def _arguments(source: Source, context: Context, found: Units, name: str, rule: str, label: str = "bare_json") -> Steps[bool]:
    span = yield from json_span(source)
    if span.state == "cut" and context.declared(name):
        found.items.append(Fault(Cause.TRUNCATED, name, "the text ends inside the arguments", label))
        return True
    call = None
    if span.state == "whole":
        try:
            value, repairs = decode(span.text)
        except RepairFault:
            pass
        else:
            call = named_arguments(name, value, context.properties)
            if value == {} and context.declared(name):
                call = {"name": name, "arguments": {}}
    if call is None:
        found.state = "other"  # its keys are no parameters: an object behind a name is data
        return True
    found.items.append(Draft(call["name"], call["arguments"], None, (*repairs, *((Repair(rule),) if rule else ())), label))
    return True


def _subscripts(source: Source) -> Steps[None]:
    """`[0]` or `['key']` behind calls asks for a part of the result: the calls are read, the part is the host's matter."""
    while (yield from take(source, _SUBSCRIPT)) is not None:
        pass
