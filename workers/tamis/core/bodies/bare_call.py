"""One Python call of a block without a marker: read strictly, then by what the tool's parameters allow, else refused with its cause."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tamis.core.bodies.context import Context
from tamis.core.bodies.py_call import py_span
from tamis.core.drafts import Draft, Fault
from tamis.core.events import Cause
from tamis.core.placeholders import placeholder
from tamis.core.pyliteral import PyFault
from tamis.core.pyloose import read_loose
from tamis.core.source import Source, Steps

__all__ = ["Units", "read_call"]

_LINE = 2048  # characters of a line in which a lost end is looked for, and the ends that are tried: each reads the call once more
_ENDS = 4
_END = re.compile(r"\)(?=\s*(?:[\]})\"'`,;.+]|\Z))")
_AFTER = " \t\r\n]};.\"'`"  # what may stand behind the last bracket of calls


@dataclass(slots=True)
class Units:
    """What was read: `state` is "closed", "cut", "end" (something else follows) or "other" (it was no block after all)."""

    state: str = "end"
    items: list[Draft | Fault] = field(default_factory=list)
    bare: bool = True
    """No brackets and no quotes stand around the calls."""
    loose: bool = False
    """A call is a name with an object behind it on its line."""
    variables: dict[str, int] = field(default_factory=dict)
    """Names that results were assigned to, and the place of their call among the items."""


def read_call(source: Source, context: Context, found: Units, name: str = "", *, quoted: bool = False) -> Steps[None]:
    """Read one `name(…)`; `name` where it stood in quotes before the bracket."""
    state, text = yield from py_span(source)
    text = name + text
    name = text.partition("(")[0].strip().replace("\\_", "_").removesuffix(".call")
    size = 0 if state == "whole" or name == "print" else _mended(source, context, text, quoted=quoted)
    if size:
        source.unread(text[size:])
        state, text = "whole", text[:size]
    if state == "broken" or (name == "print" and state == "cut"):
        found.state = "other"
        return
    if state == "cut":
        limited = source.reason in ("length", "max_tokens") or text.rstrip(_AFTER)[-1:] != ")"
        cause, detail = (Cause.TRUNCATED, "the text ends inside the call") if limited else (Cause.MALFORMED_MARKUP, "a string does not end")
        found.items.append(Fault(cause, name, detail, "pythonic_list"))
        found.state = "cut"
        return
    if quoted and "\\" in text:
        text = text.replace("\\'", "'").replace('\\"', '"')
    try:
        call = read_loose(text, context.properties(name), quoted=quoted)
    except PyFault as fault:
        _refuse(found, fault, name, text)
    except RecursionError:
        found.items.append(Fault(Cause.MALFORMED_MARKUP, name, "an argument is nested too deep", "pythonic_list"))
    else:
        key = placeholder(call.arguments)
        if key is not None:
            found.items.append(Fault(Cause.UNRESOLVED_VALUE, call.name, f"the value of {key!r} is a placeholder", "pythonic_list"))
        else:
            found.items.append(Draft(call.name, call.arguments, None, call.repairs, "pythonic_list"))


def _refuse(found: Units, fault: PyFault, name: str, text: str) -> None:
    """Note a call that cannot be read, and the call whose result it uses."""
    if "print" in (fault.name, name):
        found.state = "other"
        return
    for variable, place in found.variables.items():
        if place < len(found.items) and re.search(rf"\b{variable}\b", text):
            detail = f"its result is used by {name!r} behind it: a program, not calls"
            found.items[place] = Fault(Cause.UNRESOLVED_VALUE, found.items[place].name, detail, "pythonic_list")
    found.items.append(Fault(fault.cause, fault.name or name, str(fault), "pythonic_list"))


def _mended(source: Source, context: Context, text: str, *, quoted: bool) -> int:
    """Where the call at the beginning of `text` ends if an apostrophe hid its end: on its line, at the first bracket that gives a reading."""
    line = text.partition("\n")[0][:_LINE]
    ends = [at.end() for at in _END.finditer(line)][:_ENDS]
    if not ends or not context.may_reread(source, len(text) + len(ends) * len(line)):
        return 0
    properties = context.properties(text.partition("(")[0].strip().replace("\\_", "_"))
    for end in ends:
        try:
            read_loose(line[:end], properties, quoted=quoted)
        except (PyFault, RecursionError):
            continue
        return end
    return 0
