"""Case files: one model turn a line and what a careful reader must make of it, run at many cuts.

    cases = load_cases(open("tests/corpus/kimi_special.jsonl", encoding="utf-8"))
    result = run_case(cases[0], level="full")          result.ok, result.reasons

A case holds when (1) the text read in one piece gives what the case expects, (2) every cut of the text gives the same events
as the whole, and (3) so does a session that is put away as a snapshot and restored between two pieces. Invariance alone proves
consistency, not rightness: both kinds of check are always made.

White space of `content` and `reasoning` is collapsed before they are compared, arguments are compared exactly with their types
(1 and 1.0 are one number, true and 1 are not), refusals by cause and name. Pure: no files, no clock; chance comes from a seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tamis.core import Session, collect
from tamis.core.errors import TamisError
from tamis.core.events import Content, Event, Reasoning
from tamis.core.turn import Turn

__all__ = ["Case", "CaseError", "Level", "Result", "compare", "cuts", "load_cases", "merged", "run_case", "same", "select"]

Level = Literal["fast", "full"]

EVERY_CUT_UP_TO = 400
"""Longest text, in characters, that the full level cuts at every place: the work grows with the square of the length."""
_RANDOM_CUTS = {"fast": 4, "full": 32}
_EMPTY: dict[str, Any] = {"content": "", "reasoning": None, "calls": [], "hallucinated_results": 0, "rejections": []}
_NAMELESS = frozenset({"malformed_json", "truncated"})  # causes where the JSON may have broken before the name could be read


class CaseError(TamisError, ValueError):
    """A line that is no case; the text names the line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a case file. `expect` has the keys content, reasoning, calls, hallucinated_results and rejections, all present."""

    id: str
    dialect: str
    text: str
    expect: Mapping[str, Any]
    tools: Sequence[Mapping[str, Any]] = ()
    finish_reason: str = "stop"
    fault_class: str = ""
    contested: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case: `reasons` are empty when `ok`; a contested case is to be listed apart and never fails a run."""

    case: Case
    reasons: tuple[str, ...]
    cuts: int

    @property
    def ok(self) -> bool:
        return not self.reasons

    @property
    def contested(self) -> bool:
        return self.case.contested


def load_cases(lines: Iterable[str]) -> list[Case]:
    """The cases of a file's lines, in order; empty lines are skipped.

    Raises `CaseError` that names the first bad line: no JSON, no object, a missing key or one of the wrong type, an id seen before.
    """
    cases: list[Case] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("\ufeff")
        if not text:
            continue
        try:
            case = _case(json.loads(text))
        except (json.JSONDecodeError, RecursionError) as error:
            raise CaseError(f"line {number}: not JSON ({error}); a case file has one JSON object a line") from None
        except CaseError as error:
            raise CaseError(f"line {number}: {error}") from None
        if case.id in seen:
            raise CaseError(f"line {number}: id {case.id!r} was already used on line {seen[case.id]}; ids are unique")
        seen[case.id] = number
        cases.append(case)
    return cases


def _case(raw: Any) -> Case:
    if not isinstance(raw, dict):
        raise CaseError(f"a case is a JSON object, not {type(raw).__name__}")
    for key, kind, word in (("id", str, "a string"), ("dialect", str, "a string"), ("text", str, "a string"), ("expect", dict, "an object")):
        if not isinstance(raw.get(key), kind):
            raise CaseError(f"key {key!r} must be {word}" + ("" if key in raw else "; it is missing"))
    tools = raw.get("tools", [])
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise CaseError("key 'tools' must be a list of tool declarations; [] means that none is given")
    expect = _EMPTY | raw["expect"]
    if unknown := sorted(expect.keys() - _EMPTY.keys()):
        raise CaseError(f"'expect' has an unknown key {unknown[0]!r}; known: {', '.join(_EMPTY)}")
    for key, entries in (("calls", ("name", "arguments")), ("rejections", ("cause", "name"))):
        value = expect[key]
        if not isinstance(value, list) or not all(isinstance(item, dict) and item.keys() >= set(entries) for item in value):
            raise CaseError(f"'expect.{key}' must be a list of objects with {' and '.join(entries)}")
    for key in ("content", "reasoning"):
        if not isinstance(expect[key], str | None):
            raise CaseError(f"'expect.{key}' must be a string" + (" or null" if key == "reasoning" else ""))
    if not isinstance(expect["hallucinated_results"], int):
        raise CaseError("'expect.hallucinated_results' must be a number")
    return Case(raw["id"], raw["dialect"], raw["text"], expect, tools, raw.get("finish_reason", "stop"), raw.get("class", ""),
                raw.get("contested") is True, raw.get("why", ""))


def select(cases: Iterable[Case], dialects: Iterable[str]) -> list[Case]:
    """The cases of the named dialects; none named means all. Raises `CaseError` for a name that no case has."""
    cases, wanted = list(cases), set(dialects)
    known = {case.dialect for case in cases}
    if unknown := sorted(wanted - known):
        raise CaseError(f"no case of dialect {unknown[0]!r} here; there are: {', '.join(sorted(known)) or 'none'}")
    return [case for case in cases if not wanted or case.dialect in wanted]


def cuts(text: str, seed: int = 0, level: Level = "fast") -> Iterator[tuple[str, list[str]]]:
    """Ways to cut `text`, each with a label: whole, one by one, four by four, seeded random cuts (one with empty pieces).

    Level `full` adds more random cuts and, for texts of at most 400 characters, every cut into two parts.
    """
    yield "whole", [text]
    yield "one by one", list(text)
    yield "four by four", [text[at:at + 4] for at in range(0, len(text), 4)]
    chance = random.Random(f"{seed}:{text}")  # noqa: S311 - a reproducible choice of cuts, nothing secret
    for number in range(_RANDOM_CUTS[level]):
        places = sorted(chance.choices(range(len(text) + 1), k=chance.randint(1, max(1, len(text) // 5))))
        yield f"random {number} of seed {seed}", [text[begin:end] for begin, end in zip([0, *places], [*places, len(text)], strict=True)]
    if level == "full" and len(text) <= EVERY_CUT_UP_TO:
        for at in range(1, len(text)):
            yield f"in two at {at}", [text[:at], text[at:]]


def run_case(case: Case, level: Level = "fast", seed: int = 0) -> Result:
    """Run one case at every cut of `level`; stops at the first cut that differs. `seed` moves the random cuts."""
    whole = _events(case, [case.text])
    reasons = [f"whole: {reason}" for reason in compare(case.expect, collect(whole))]
    reference, count = merged(whole), 0
    chance = random.Random(f"{seed}:{case.id}")  # noqa: S311 - as above
    for label, pieces in cuts(case.text, seed, level):
        count += 1
        places = {at for at in range(len(pieces) + 1) if chance.random() < 0.5} if level == "full" or not label.startswith("four") else set()
        for name, restored in ((label, set()), (f"{label}, restored between pieces", places)):
            if name != label and not restored:
                continue
            got = merged(_events(case, pieces, restored))
            if got != reference:
                reasons.append(f"{name}: {_difference(reference, got)}")
                return Result(case, tuple(reasons), count)
    return Result(case, tuple(reasons), count)


def _events(case: Case, pieces: Iterable[str], restored: frozenset[int] | set[int] = frozenset()) -> list[Event]:
    """All events of the case's text fed as `pieces`; before each piece in `restored` the session goes through a snapshot."""
    tools = [dict(tool) for tool in case.tools]
    session, out, at = Session(tools=tools), [], -1
    for at, piece in enumerate(pieces):
        if at in restored:
            session = Session.restore(session.snapshot(), tools=tools)
        out += session.receive(piece)
    if at + 1 in restored:
        session = Session.restore(session.snapshot(), tools=tools)
    return [*out, *session.finish(case.finish_reason)]


def merged(events: Iterable[Event]) -> list[Event]:
    """The same events with neighbouring pieces of text joined: what must not depend on the cut."""
    out: list[Event] = []
    for event in events:
        last = out[-1] if out else None
        if isinstance(event, Content) and isinstance(last, Content):
            out[-1] = Content(last.text + event.text, last.content_offset)
        elif isinstance(event, Reasoning) and isinstance(last, Reasoning):
            out[-1] = Reasoning(last.text + event.text, last.content_offset)
        else:
            out.append(event)
    return out


def _difference(expected: list[Event], got: list[Event]) -> str:
    for number, (one, other) in enumerate(zip(expected, got, strict=False)):
        if one != other:
            return f"event {number} differs from the whole: {_short(one)} became {_short(other)}"
    return f"{len(got)} events, the whole has {len(expected)}: {_short((expected + got)[min(len(expected), len(got))])}"


def compare(expect: Mapping[str, Any], turn: Turn) -> list[str]:
    """What of `expect` the turn does not hold, one sentence each; an empty list when all is as expected."""
    out = []
    for key in ("content", "reasoning"):
        wanted, found = _collapsed(expect[key]), _collapsed(getattr(turn, key))
        if wanted != found:
            out.append(f"{key}: expected {_short(wanted)}, got {_short(found)}")
    calls = [{"name": call.name, "arguments": call.arguments} for call in turn.calls]
    wanted_calls = [{"name": call["name"], "arguments": call["arguments"]} for call in expect["calls"]]
    if not same(wanted_calls, calls):
        out.append(f"calls: expected {_short(wanted_calls)}, got {_short(calls)}")
    found_refusals = [(str(item.cause), item.name) for item in turn.rejections]
    wanted_refusals = [(item["cause"], item["name"]) for item in expect["rejections"]]
    if len(found_refusals) != len(wanted_refusals) or not all(map(_same_refusal, wanted_refusals, found_refusals)):
        out.append(f"rejections: expected {_short(wanted_refusals)}, got {_short(found_refusals)}")
    if turn.hallucinated_results != expect["hallucinated_results"]:
        out.append(f"hallucinated_results: expected {expect['hallucinated_results']}, got {turn.hallucinated_results}")
    return out


def _same_refusal(wanted: tuple[str, str | None], found: tuple[str, str | None]) -> bool:
    return wanted == found or (wanted[0] == found[0] and found[1] is None and wanted[0] in _NAMELESS)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal with their types: 1 and 1.0 are one number, true and 1 are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _collapsed(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:200] + " … " + text[-90:]  # both ends: cuts go wrong at either
