"""Other names of tools and keys out of published records: what models wrote, and what was accepted for it in the end.

Two kinds of evidence, both without any guess of ours. A call on `tool-calls` says how its name and keys were rewritten. A refusal on
`rejections` says nothing by itself; but a call that a later response of the session makes within ten minutes may say what was meant:

- the name, when the refusal had suggested it, or when both calls carry equal arguments
- a key, when both calls are of one tool, and the values of exactly one key of each are equal, all others being the same

What Tamis reads without help (case, separators, prefixes) is left out. Names and keys only: no value of an argument leaves here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tamis.core.coercion.words import letters
from tamis.core.jsontext import equal
from tamis.core.names import NameTable
from tamis.core.session import parse

__all__ = ["EXAMPLES", "Learned", "Lesson", "learn"]

EXAMPLES = 3  # places of an alias in the log: enough to look it up, and a proposal stays a page
_KEY_RULES = frozenset({"key_by_word", "free_alias"})
"""Repairs that give a key another name. A spelling is read without an alias, and an alias needs none."""
_PAIRED = 8  # refusals of a session that wait for what was meant: a model that failed more often has lost its thread
_WAIT_MS = 10 * 60 * 1000  # and for how long: a later call is another task's


@dataclass(slots=True)
class Lesson:
    """One alias: as in a catalogue (`other` may be "tool.key"), how often it was seen by kind of evidence, and where."""

    other: str
    meant: str
    rewritten: int = 0  # accepted at once, after a rewrite
    corrected: int = 0  # refused first, then called under the right name
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How often it was seen in all."""
        return self.rewritten + self.corrected


@dataclass(frozen=True, slots=True)
class Learned:
    """`proposed` are the aliases that are worth declaring, most frequent first; `contested` stood for several things and are none."""

    proposed: tuple[Lesson, ...]
    contested: tuple[Lesson, ...]
    calls: int
    rejections: int

    @property
    def aliases(self) -> dict[str, str]:
        """What a catalogue takes as `aliases`."""
        return {item.other: item.meant for item in self.proposed}


def learn(records: Iterable[Mapping[str, Any]], least: int = 2) -> Learned:
    """Aliases out of values of `tool-calls` and `rejections`, in any order.

    `least` is how often one must have been seen. Records of other shapes are passed over.
    """
    miner = _Miner()
    known = {_identity(record): record for record in reversed(list(filter(_is_known, records)))}  # of a redelivered record the first counts
    for record in sorted(known.values(), key=_place):
        if "cause" in record:
            miner.refused(record)
        else:
            miner.accepted(record)
    by_other: dict[str, list[Lesson]] = {}
    for lesson in miner.lessons.values():
        by_other.setdefault(lesson.other, []).append(lesson)
    order = sorted(miner.lessons.values(), key=lambda item: (-item.count, item.other, item.meant))
    contested = tuple(item for item in order if len(by_other[item.other]) > 1)
    proposed = tuple(item for item in order if len(by_other[item.other]) == 1 and item.count >= least and item.other not in miner.names)
    return Learned(proposed, contested, miner.calls, miner.rejections)


def _is_known(record: Mapping[str, Any]) -> bool:
    if not isinstance(record, Mapping) or not isinstance(record.get("session_id"), str):
        return False
    if "cause" in record:
        return True
    return isinstance(record.get("name"), str) and isinstance(record.get("emitted_name"), str) and isinstance(record.get("arguments"), dict)


def _identity(record: Mapping[str, Any]) -> str:
    return json.dumps([record.get(key) for key in ("session_id", "response_id", "choice", "ordinal")] + ["cause" in record])


def _place(record: Mapping[str, Any]) -> tuple[str, int, int]:
    """Order of a session: by record time, then by place in the response."""
    numbers = [item if isinstance(item, int) else 0 for item in (record.get("time_ms"), record.get("ordinal"))]
    return record["session_id"], numbers[0], numbers[1]


class _Miner:
    """Collects lessons over the records of all sessions, in their order."""

    def __init__(self) -> None:
        self.lessons: dict[tuple[str, str], Lesson] = {}
        self.names: set[str] = set()  # declared ones: no alias may take their calls away
        self.calls = self.rejections = 0
        self._open: list[Mapping[str, Any]] = []  # refusals of this session that nothing has explained yet
        self._session = ""

    def refused(self, record: Mapping[str, Any]) -> None:
        """A refusal: it waits for the call that says what was meant."""
        self.rejections += 1
        self.names.update(item for item in record.get("available") or () if isinstance(item, str))
        if record.get("cause") in ("unknown_tool", "ambiguous_tool", "schema_violation") and isinstance(record.get("emitted_name"), str):
            self._enter(record)
            self._open = [*self._open, record][-_PAIRED:]

    def accepted(self, record: Mapping[str, Any]) -> None:
        """A call: what was rewritten in it, and what it says about refusals before it."""
        self.calls += 1
        self._enter(record)
        name, emitted = record["name"], record["emitted_name"]
        self.names.add(name)
        if record.get("gated"):
            self._note(emitted, name, record, rewritten=True)
        for item in record.get("repairs") or ():
            if isinstance(item, Mapping) and item.get("rule") in _KEY_RULES and item.get("path") == f"$.{item.get('after')}":
                self._key(name, item.get("before"), item.get("after"), record, rewritten=True)
        self._open = [item for item in self._open if _number(record) - _number(item) <= _WAIT_MS and not self._explains(record, item)]

    def _enter(self, record: Mapping[str, Any]) -> None:
        if record["session_id"] != self._session:
            self._session, self._open = record["session_id"], []

    def _explains(self, call: Mapping[str, Any], refusal: Mapping[str, Any]) -> bool:
        """Whether a call says what a refusal before it meant; if so it is noted."""
        if call.get("response_id") == refusal.get("response_id"):
            return False  # a sibling in the same answer was written before the model knew
        said = _arguments(refusal)
        if refusal["cause"] == "schema_violation":
            if said is None or not _same_tool(refusal["emitted_name"], call["name"]):
                return False
            pair = _renamed(said, call["arguments"])
            if pair is not None:
                self._key(call["name"], *pair, call, rewritten=False)
            return pair is not None
        suggested = call["name"] in (refusal.get("suggestions") or ())
        if suggested or (said and equal(said, call["arguments"])):
            self._note(refusal["emitted_name"], call["name"], call, rewritten=False)
            return True
        return False

    def _key(self, tool: str, other: Any, meant: Any, record: Mapping[str, Any], *, rewritten: bool) -> None:
        if isinstance(other, str) and isinstance(meant, str) and letters(other) != letters(meant):
            self._add(f"{tool}.{other}", meant, record, rewritten=rewritten)

    def _note(self, other: str, meant: str, record: Mapping[str, Any], *, rewritten: bool) -> None:
        if any(char.isalpha() for char in other) and not _same_tool(other, meant):  # a bare counter is no name
            self._add(other, meant, record, rewritten=rewritten)

    def _add(self, other: str, meant: str, record: Mapping[str, Any], *, rewritten: bool) -> None:
        lesson = self.lessons.setdefault((other, meant), Lesson(other, meant))
        if rewritten:
            lesson.rewritten += 1
        else:
            lesson.corrected += 1
        if len(lesson.examples) < EXAMPLES:
            lesson.examples.append({key: record.get(key) for key in ("response_id", "ordinal", "provider", "model", "format")})


def _same_tool(emitted: str, name: str) -> bool:
    """Whether a name is read as another without any alias."""
    return NameTable((name,)).resolve(emitted).name == name


def _number(record: Mapping[str, Any]) -> int:
    found = record.get("time_ms")
    return found if isinstance(found, int) else 0


def _arguments(refusal: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments of a refused call, read from the model's own words; None when they were not kept, or are not one call."""
    raw = refusal.get("raw")
    if not isinstance(raw, str) or not raw:
        return None
    if refusal.get("format") == "native":
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None
    calls = parse(raw).calls
    return calls[0].arguments if len(calls) == 1 else None


def _renamed(said: dict[str, Any], accepted: dict[str, Any]) -> tuple[str, str] | None:
    """The one key that has another name in the accepted arguments: its value and all other keys and values are the same."""
    gone, new = [key for key in said if key not in accepted], [key for key in accepted if key not in said]
    if len(gone) != 1 or len(new) != 1 or not equal(said[gone[0]], accepted[new[0]]):
        return None
    same = all(equal(value, accepted[key]) for key, value in said.items() if key != gone[0])
    return (gone[0], new[0]) if same else None
