"""What gateways and a catalogue's owner write, by seed: the same seed writes the same records in the same order."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from aiokafka.partitioner import murmur2

from helpers import corpus
from tamis.core.cases import Case

__all__ = ["MIX", "PARTITIONS", "Chunk", "Plan", "answer_to", "partition_of", "plan"]

PARTITIONS = 4
MIX = {"corpus": 55, "catalog": 18, "remember": 15, "prose": 10, "broken": 2}
"""Kinds of sessions: texts of the corpus, a catalogue's tools, a call that depends on an earlier result, plain text, a record that is no chunk."""
_OPEN = 8  # sessions that are being written at once: a session's next chunk comes well within the idle time
_TEXT = 1200  # characters of the longest text taken: long ones would only make the run longer
_BY_NUMBER, _BY_WORD = [
    {"name": "set_light", "parameters": {"type": "object", "properties": {"level": {"type": kind}}, "required": ["level"]}}
    for kind in ("integer", "string")
]
_VERSIONS: list[list[dict[str, Any]]] = [[_BY_NUMBER], [_BY_WORD], [{"name": "get_moon"}]]
"""Of each catalogue: the same call is read differently under each of them."""
_ROOMS = [
    {"name": "list_rooms", "parameters": {"type": "object", "properties": {}}},
    {"name": "open_room", "parameters": {"type": "object", "properties": {"room_id": {"type": "integer"}}, "required": ["room_id"]}},
]
_BY_NAME = {"coercion_rules": {"open_room": ["name_to_id"]}}
_WORDS = ("the", "tide", "turns", "before", "noon", "and", "leaves", "harbour", "dry", "until", "evening", "comes", "back", "over", "sand")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One record of raw-stream or tool-catalog."""

    topic: str
    key: str
    value: bytes


@dataclass(slots=True)
class Plan:
    """`chunks` in the order in which they are written."""

    seed: int
    chunks: list[Chunk] = field(default_factory=list)


def partition_of(key: str) -> int:
    """The partition of a session."""
    return int((murmur2(key.encode()) & 0x7FFFFFFF) % PARTITIONS)


def plan(seed: int, sessions: int, mix: Mapping[str, int] = MIX, versions: int = 6, orphans: int = 0) -> Plan:
    """The input of one run: kinds of sessions by their weights in `mix`, so many versions of each catalogue, and sessions without an end."""
    chance = random.Random(f"traffic {seed}")
    made = Plan(seed)
    kinds = chance.choices(list(mix), list(mix.values()), k=sessions)
    waiting = [_session(chance, kind, f"s{seed}-{number}") for number, kind in enumerate(kinds)]
    open_now: list[Iterator[Chunk]] = []
    while waiting or open_now:
        while waiting and len(open_now) < _OPEN:
            open_now.append(waiting.pop(0))
        chosen = chance.choice(open_now)
        for _ in range(chance.randint(1, 6)):
            chunk = next(chosen, None)
            if chunk is None:
                open_now.remove(chosen)
                break
            made.chunks.append(chunk)
    _publish_catalogs(made, chance, versions)
    # what has no end of its own comes last, so that the others are through when its time is over
    for number in range(orphans):
        records = _records(chance, f"s{seed}-orphan-{number}", "r0", _pieces(chance, _call("set_light", {"level": 3})), {"tools": _VERSIONS[0]}, None)
        made.chunks += records
    return made


def _publish_catalogs(made: Plan, chance: random.Random, versions: int) -> None:
    """Versions anywhere between the chunks; the first of each behind the first response that asks for it."""
    for name in ("lights", "lamps"):
        first = next((at for at, chunk in enumerate(made.chunks) if f'"catalog": "{name}"'.encode() in chunk.value), 0)
        places = sorted(chance.randint(first + 1, len(made.chunks)) for _ in range(versions - 1))
        for number, place in enumerate([first + chance.randint(1, 40), *places]):
            body = json.dumps({"v": 1, "tools": _VERSIONS[number % len(_VERSIONS)]}).encode()
            made.chunks.insert(min(place + number, len(made.chunks)), Chunk("tool-catalog", name, body))


# -- sessions


def _session(chance: random.Random, kind: str, key: str) -> Iterator[Chunk]:
    if kind == "broken":
        return iter([Chunk("raw-stream", key, b"no chunk at all")])
    if kind == "corpus":
        made = [_corpus(chance, key, number) for number in range(chance.randint(1, 4))]
        return iter(_overlapping(chance, made) if chance.random() < 0.3 else [chunk for records in made for chunk in records])
    if kind == "catalog":
        text = "".join(f"{_prose(chance)}\n{_call('set_light', {'room': 'attic', 'level': str(level)})}" for level in range(chance.randint(1, 4)))
        name = chance.choice(["lights", "lamps"])
        made = [_records(chance, key, f"r{number}", _pieces(chance, text), {"catalog": name, "turn": number}) for number in range(3)]
        return iter([chunk for records in made for chunk in records])
    if kind == "remember":
        asked = _call("list_rooms", {})
        wanted = "".join(f"{_prose(chance)}\n{_call('open_room', {'room_id': room})}" for room in ("attic", "cellar"))
        start = {"tools": _ROOMS, "policy": _BY_NAME}
        return iter([
            *_records(chance, key, "r0", _pieces(chance, asked), {"tools": _ROOMS}),
            *_records(chance, key, "r1", _pieces(chance, _prose(chance)), {}),
            *_records(chance, key, "r2", _pieces(chance, wanted), start),
        ])  # fmt: skip
    return iter(_records(chance, key, "r0", _pieces(chance, _prose(chance)), {}))


def _overlapping(chance: random.Random, made: list[list[Chunk]]) -> Iterator[Chunk]:
    """Responses of one session that are open together."""
    while made := [records for records in made if records]:
        yield chance.choice(made).pop(0)


@cache
def _cases() -> list[list[Case]]:
    """What is taken of the corpus, by dialect."""
    found: dict[str, list[Case]] = {}
    for case in corpus():
        if not case.contested and len(case.text) <= _TEXT:
            found.setdefault(case.dialect, []).append(case)
    return list(found.values())


def _corpus(chance: random.Random, key: str, number: int) -> list[Chunk]:
    case = chance.choice(chance.choice(_cases()))
    start: dict[str, Any] = {"turn": number, "tools": [dict(tool) for tool in case.tools]}
    return _records(chance, key, f"r{number}", _pieces(chance, case.text), start, chance.choice([case.finish_reason] * 8 + ["abort", "error"]))


def _records(
    chance: random.Random, key: str, response_id: str, pieces: list[dict[str, Any]], start: dict[str, Any], finish: str | None = "stop"
) -> list[Chunk]:  # fmt: skip
    """A response as a gateway writes it; some gateways count, and write a chunk twice now and then. `finish` None: it never ends."""
    counted = chance.random() < 0.6
    both = chance.random() < 0.06  # two choices
    values: list[dict[str, Any]] = [{"kind": "start", "provider": chance.choice(["vllm", "sglang"]), "model": chance.choice("abc"), **start}]
    for seq, piece in enumerate(pieces):
        for choice in (0, 1) if both else (None,):
            value = {"kind": "delta", **piece, **({"seq": seq} if counted else {}), **({} if choice is None else {"choice": choice})}
            values += [value, value] if counted and chance.random() < 0.02 else [value]
    if finish == "abort":
        values.append({"kind": "abort"})
    elif finish is not None:
        values.append({"kind": "end", "finish_reason": finish, **({"seq": len(pieces)} if counted and not both else {})})
    return [Chunk("raw-stream", key, json.dumps({"v": 1, "response_id": response_id, **value}).encode()) for value in values]


def _pieces(chance: random.Random, text: str) -> list[dict[str, Any]]:
    """A text, or a text and a native call behind it, cut at random."""
    longest = chance.choice([4, 12, 40])
    pieces: list[dict[str, Any]] = []
    while text:
        size = chance.randint(1, longest)
        pieces.append({chance.choice(["text"] * 30 + ["reasoning"]) if not pieces else "text": text[:size]})
        text = text[size:]
    if chance.random() < 0.1:
        pieces += _native(chance)
    return pieces or [{"text": ""}]


def _native(chance: random.Random) -> list[dict[str, Any]]:
    rest, first = json.dumps({"room": "attic", "level": 5}), True
    made = []
    while rest:
        size = chance.randint(1, 9)
        entry: dict[str, Any] = {"index": 0, "function": {"arguments": rest[:size]}}
        if first:
            entry = {"index": 0, "id": f"call_{chance.randrange(1 << 20)}", "function": {"name": "set_light", "arguments": rest[:size]}}
        made.append({"tool_calls": [entry]})
        rest, first = rest[size:], False
    return made


def _call(name: str, arguments: dict[str, Any]) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>\n"


def _prose(chance: random.Random) -> str:
    return " ".join(chance.choices(_WORDS, k=chance.randint(4, 20))).capitalize() + "."


# -- the dispatcher's answers


def answer_to(call: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The records of tool-results for a call: mostly one, sometimes none, or two of which the first counts."""
    chance = random.Random(f"answer {seed} {call['session_id']} {call['response_id']} {call['choice']} {call['id']}")
    if call["name"] == "list_rooms":
        result: Any = [{"id": 4, "name": "attic"}, {"id": 9, "name": "cellar"}]
    else:
        result = chance.choice(["done", {"ok": True, "n": chance.randint(1, 9)}, "</tool_response>", ["a", None]])
    body = {"v": 1, "call_id": call["id"], "response_id": call["response_id"], "choice": call["choice"], "result": result}
    times = 1 if call["name"] == "list_rooms" else chance.choices([0, 1, 2], [15, 75, 10])[0]
    return [body if number == 0 else {**body, "result": "a second answer"} for number in range(times)]
