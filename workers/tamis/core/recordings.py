"""Recordings of real traffic with what was wanted: how many turns came out right, by model.

    rows = load_recordings(open("traffic.jsonl", encoding="utf-8"))
    outcome(rows[0], parse(rows[0].text, tools=rows[0].tools))          Outcome.RIGHT

One JSON object a line: `text` is what the model wrote, `tools` are the declarations that it was given, and `truth` lists the calls that were
wanted, each as `{"name": …, "arguments": {key: [accepted values]}}`; `[]` says that none was. An empty string among the accepted values
says that the argument may be missing. `model` and `finish_reason` are optional.

Calls are matched free of order. Strings are compared without case, white space and the signs , . / - _ * ^, for a model may write a
date or a place in several ways; an integer stands for a number, and nothing else for another type. Pure: no files, no clock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tamis.core.errors import TamisError
from tamis.core.turn import Turn

__all__ = ["Outcome", "Recording", "RecordingError", "compare", "is_recording", "load_recordings", "outcome"]

_LOOSE = re.compile(r"[\s,./\-_*^]")
_SHAPE = 'a recording has text, tools and truth; truth lists {"name": …, "arguments": {key: [accepted values]}}'


class RecordingError(TamisError, ValueError):
    """A line that is no recording; the text names the line and what is wrong with it."""


class Outcome(StrEnum):
    """What became of one recorded turn."""

    RIGHT = "right"
    NO_CALL = "no_call"  # none was read though some were wanted
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    WRONG_NAME = "wrong_name"
    WRONG_ARGUMENTS = "wrong_arguments"
    NOT_WANTED = "not_wanted"  # one was read though none was wanted


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded turn. `truth` is as in the file."""

    text: str
    tools: Sequence[Mapping[str, Any]]
    truth: Sequence[Mapping[str, Any]]
    model: str = ""
    finish_reason: str = "stop"


def is_recording(line: str) -> bool:
    """Whether a line of a file has the shape of a recording rather than of a case."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "truth" in value and "expect" not in value


def load_recordings(lines: Iterable[str]) -> list[Recording]:
    """The recordings of a file's lines, in order; empty lines are skipped. Raises `RecordingError` that names the first bad line."""
    found: list[Recording] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_recording(json.loads(line)))
        except (ValueError, RecursionError) as error:
            raise RecordingError(f"line {number}: {error}; {_SHAPE}") from None
    return found


def _recording(raw: Any) -> Recording:
    if not isinstance(raw, dict):
        raise RecordingError("it is no JSON object")
    for key, kind, word in (("text", str, "a string"), ("tools", list, "a list"), ("truth", list, "a list")):
        if not isinstance(raw.get(key), kind):
            raise RecordingError(f"key {key!r} must be {word}" + ("" if key in raw else "; it is missing"))
    for call in raw["truth"]:
        accepted = call.get("arguments") if isinstance(call, dict) and isinstance(call.get("name"), str) else None
        if not isinstance(accepted, dict) or not all(isinstance(values, list) for values in accepted.values()):
            raise RecordingError("an entry of 'truth' has another shape")
    model, reason = raw.get("model"), raw.get("finish_reason")
    return Recording(raw["text"], raw["tools"], raw["truth"], model if isinstance(model, str) else "", reason if isinstance(reason, str) else "stop")


def outcome(recording: Recording, turn: Turn) -> Outcome:
    """What became of a recorded turn, judged by its calls; refusals are calls that were not read."""
    return compare(recording.truth, [(call.name, call.arguments) for call in turn.calls])


def compare(truth: Sequence[Mapping[str, Any]], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Outcome:
    """The same for calls from any reader, as (name, arguments)."""
    if not truth:
        return Outcome.NOT_WANTED if calls else Outcome.RIGHT
    if not calls:
        return Outcome.NO_CALL
    if len(calls) != len(truth):
        return Outcome.TOO_FEW if len(calls) < len(truth) else Outcome.TOO_MANY
    fits = [[at for at, call in enumerate(calls) if _fits(want, *call)] for want in truth]
    if _matched(fits):
        return Outcome.RIGHT
    return Outcome.WRONG_ARGUMENTS if sorted(name for name, _ in calls) == sorted(want["name"] for want in truth) else Outcome.WRONG_NAME


def _matched(fits: list[list[int]]) -> bool:
    """Whether every wanted call has a call of its own: augmenting paths, for two wanted ones may fit the same."""
    owner: dict[int, int] = {}

    def place(want: int, seen: set[int]) -> bool:
        for call in fits[want]:
            if call not in seen:
                seen.add(call)
                if call not in owner or place(owner[call], seen):
                    owner[call] = want
                    return True
        return False

    return all(place(want, set()) for want in range(len(fits)))


def _fits(want: Mapping[str, Any], name: str, arguments: Mapping[str, Any]) -> bool:
    accepted = want["arguments"]
    return name == want["name"] and arguments.keys() <= accepted.keys() and _members(accepted, arguments)


def _members(accepted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    return all(any(_same(value, found[key]) for value in values) if key in found else "" in values for key, values in accepted.items())


def _same(want: Any, found: Any) -> bool:
    """Whether a value is an accepted one; an accepted object lists accepted values for each of its members."""
    if isinstance(want, bool) or isinstance(found, bool):
        return want is found
    if isinstance(want, str) and isinstance(found, str):
        return _LOOSE.sub("", want).casefold().replace("'", '"') == _LOOSE.sub("", found).casefold().replace("'", '"')
    if isinstance(want, dict) and isinstance(found, dict):
        if want and all(isinstance(values, list) for values in want.values()):
            return found.keys() <= want.keys() and _members(want, found)
        return want.keys() == found.keys() and all(_same(want[key], found[key]) for key in want)
    if isinstance(want, list) and isinstance(found, list | tuple):
        return len(want) == len(found) and all(map(_same, want, found))
    if isinstance(want, int | float) and isinstance(found, int | float):
        return want == found
    return want is None and found is None
