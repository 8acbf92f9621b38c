"""What models and hosts put around a name: call marks, namespaces, versions. Taken off, mildest first; never a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tamis.core.resolver.tokens import letters

__all__ = ["bare", "forms"]

_MARKS = " \t\r\n`'\"“”‘’«»*#"
_TAIL = re.compile(r"(?:<\|.*|\(\s*\)?;?|:\d+|:index:\d+)\Z", re.DOTALL)
_HEAD = re.compile(
    r"(?:google:tool:|(?:functions|function|default_api|default|tools|tool|api|local|call|namespace|mcp)[.:/]+|(?:tools?|functions?)_+|to=|/)"
)
_VERSION = re.compile(r"(?:[_\-@. ]?[vV]\d+(?:[._]\d+)*|@\d+(?:[._]\d+)*|[_\-]\d{8}|[_\-]\d{1,2}|[_\- ](?:latest|new|stable|current|final))\Z")
_SPACED = ".:/_- "
_ROUNDS = 6  # wrappers within wrappers: real names have three


def bare(emitted: str) -> str:
    """A name without quotes, brackets, counters and what a template left behind it."""
    name = emitted
    for _ in range(_ROUNDS):
        before = name
        name = name.strip(_MARKS)
        if name.startswith(("<", "(", "[", "{")) and name[-1:] in ">)]}":
            name = name[1:-1].removesuffix("/")
        name = _TAIL.sub("", name)
        if name == before:
            break
    return name


def forms(emitted: str, namespaces: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names with their wrappers off, mildest first, each with the rule that took the last one off; `namespaces` are the server's own."""
    name = bare(emitted)
    yield name, "name_spelling"
    own = {letters(space) for space in namespaces}
    unversioned = _VERSION.sub("", name)
    for first, rule in ((name, "name_prefix"), (unversioned, "name_version")):
        current = first
        if rule == "name_version":
            if unversioned == name or not unversioned:
                return
            yield current, rule
        for _ in range(_ROUNDS):
            step = _HEAD.match(current)
            inner = current[step.end() :] if step is not None else _unspaced(current, own)
            if inner is None or not inner:
                break
            current = inner
            yield current, rule


def _unspaced(name: str, own: set[str]) -> str | None:
    """The name behind a namespace of the server's own, `mcp` before or behind it."""
    parts = [at for at, char in enumerate(name) if char in _SPACED]
    rest: str | None = None
    for at in parts[:8]:  # a namespace has a few words at most
        head = name[:at]
        plain = letters(head)
        core = plain.removeprefix("mcp")
        if plain and (plain in own or core in own or core.removesuffix("mcp") in own or core.removesuffix("server") in own):
            rest = name[at:].lstrip(_SPACED)  # the longest one that fits
    return rest
