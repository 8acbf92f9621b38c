"""The parser beside its yardsticks, all in one process: floor, its own plain prose, json.loads, a bare loop, and peers."""

from __future__ import annotations

import importlib
import json
import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import floor
import lanes
import workloads
from adapter import Parser

from tamis.core import Catalog, Session, parse

__all__ = ["PEERS", "closing", "core", "families", "growth", "native", "one_shot", "row"]

Row = dict[str, object]
PEERS = ("json_repair:loads", "agent_tool_parser:try_parse_tool_calls")
"""Readers of whole texts that install from a package index; more can be named on the command line."""
_CATALOG = Catalog.of(workloads.TOOLS)
GROWTH_FROM, GROWTH_TO = 20_000, 200_000


def row(lane: str, what: str, cost: float, ratio: float, to: str, goal: str = "") -> Row:
    """One line of the report; `cost` in microseconds, `ratio` to the yardstick `to`."""
    return {"lane": lane, "what": what, "us": round(cost, 3), "ratio": round(ratio, 2), "to": to, "goal": goal}


def _median(rounds: int, *runs: Callable[[], float]) -> list[float]:
    """Medians of several measurements, interleaved so that a slow moment of the machine hits all of them."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, found in zip(runs, times, strict=True):
            found.append(run())
    return [statistics.median(found) for found in times]


def _chunk(make: Any, pieces: list[str]) -> float:
    return float(floor.nanoseconds_a_chunk(make, pieces)) / 1000


_GOALS = {"prose 20 kB": "at most 4", "one call 2 kB": "at most 6"}


def core(rounds: int) -> list[Row]:
    """Parser and floor on every shared lane; spiky prose also against its own plain prose, 100 calls against 10."""
    rows: list[Row] = []
    ours: dict[str, float] = {}
    for name, text in workloads.LANES.items():
        pieces = workloads.chunks(text)
        least, ours[name] = _median(rounds, lambda pieces=pieces: _chunk(floor.Floor, pieces), lambda pieces=pieces: _chunk(Parser, pieces))  # type: ignore[misc]
        rows += [row(name, "floor", least, 1.0, "floor"), row(name, "core", ours[name], ours[name] / least, "floor", _GOALS.get(name, ""))]
    spiky = ours["spiky prose 20 kB"]
    rows.append(row("spiky prose 20 kB", "core", spiky, spiky / ours["prose 20 kB"], "plain prose", "at most 2"))
    rows.append(row("100 calls", "core", ours["100 calls"], ours["100 calls"] / ours["10 calls"], "10 calls", "at most 1.1"))
    return rows


def families(rounds: int) -> list[Row]:
    """One 2 kB call of each decoder family against the floor's call lane."""
    yard = workloads.chunks(workloads.LANES["one call 2 kB"])
    rows = []
    for name in lanes.FAMILIES:
        pieces = workloads.chunks(lanes.family_call(name, 2000))
        least, ours = _median(rounds, lambda: _chunk(floor.Floor, yard), lambda pieces=pieces: _chunk(Parser, pieces))  # type: ignore[misc]
        rows.append(row(f"2 kB call, {name}", "core", ours, ours / least, "floor", "at most 6"))
    return rows


def growth(rounds: int) -> list[tuple[str, float]]:
    """Exponent of the total time between 20 kB and 200 kB, for every shape whose cost must stay linear."""
    found = []
    for name, make in lanes.GROWTH.items():
        small, large = make(GROWTH_FROM), make(GROWTH_TO)
        few, many = _median(rounds, lambda text=small: _total(text), lambda text=large: _total(text))  # type: ignore[misc]
        found.append((name, math.log10(many / few) / math.log10(GROWTH_TO / GROWTH_FROM)))
    return found


def _total(text: str) -> float:
    session = Session(_CATALOG, policy={"limits": {"calls": 100_000}})
    begin = time.process_time()
    for at in range(0, len(text), 4):
        if session.ended:
            break
        session.receive(text[at : at + 4])
    if not session.ended:
        session.finish("stop")
    return time.process_time() - begin


def closing(rounds: int) -> Row:
    """The closing chunk of a long valid argument against `json.loads` of it plus 0.2 ms."""
    body = json.dumps({"name": "write_file", "arguments": {"path": "t.py", "content": workloads.code(200_000)}})
    text = f"<tool_call>{body}</tool_call>"

    def ours() -> float:
        session = Session(_CATALOG)
        for at in range(0, len(text) - 14, 4096):
            session.receive(text[at : min(at + 4096, len(text) - 14)])
        begin = time.perf_counter()
        events = session.receive(text[-14:])
        taken = time.perf_counter() - begin
        assert events, "the call has to come out with the chunk that closes it"
        return taken

    def loads() -> float:
        begin = time.perf_counter()
        json.loads(body)
        return time.perf_counter() - begin

    least, taken = _median(rounds, loads, ours)
    allowed = 2 * least + 0.0002
    return row("closing chunk, 200 kB", "core", taken * 1e6, taken / allowed, "2 x json.loads + 0.2 ms", "at most 1")


def native(rounds: int) -> Row:
    """Native deltas against a bare loop that collects them."""
    arguments = json.dumps({"path": "t.py", "content": workloads.code(2_000)})
    deltas = [{"index": 0, "id": "c1", "function": {"name": "write_file", "arguments": ""}}]
    deltas += [{"index": 0, "function": {"arguments": arguments[at : at + 4]}} for at in range(0, len(arguments), 4)]

    def ours() -> float:
        session = Session(_CATALOG)
        begin = time.perf_counter()
        for delta in deltas:
            session.receive_delta(delta)
        return (time.perf_counter() - begin) / len(deltas)

    def bare() -> float:
        calls: dict[int, dict[str, Any]] = {}
        begin = time.perf_counter()
        for delta in deltas:
            call = calls.setdefault(delta["index"], {"id": None, "name": "", "parts": []})  # type: ignore[arg-type]
            function = delta["function"]
            if "id" in delta:
                call["id"] = delta["id"]
            if "name" in function:  # type: ignore[operator]
                call["name"] += function["name"]  # type: ignore[index]
            call["parts"].append(function["arguments"])  # type: ignore[index]
        return (time.perf_counter() - begin) / len(deltas)

    least, taken = _median(rounds, bare, ours)
    return row("native deltas", "core", taken * 1e6, taken / least, "bare loop", "at most 1.5")


def one_shot(rounds: int, peers: tuple[str, ...]) -> list[Row]:
    """A whole 2 kB call at once: tamis, json.loads of the bare envelope, and peers that read whole texts."""
    text = workloads.one_call(2_000)
    body = text[text.index("{") : text.rindex("}") + 1]
    runs: dict[str, Callable[[], Any]] = {"tamis": lambda: parse(text, _CATALOG), "json.loads": lambda: json.loads(body)}
    for peer in peers:
        module, _, name = peer.partition(":")
        try:
            reader = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            print(f"peer {peer} is not installed here; its row is left out")
            continue
        given = body if module == "json_repair" else text  # a reader of JSON gets the bare envelope
        runs[peer] = partial(reader, given)

    def timed(run: Callable[[], Any]) -> float:
        begin = time.perf_counter()
        for _ in range(20):
            run()
        return (time.perf_counter() - begin) / 20

    found = _median(rounds, *[lambda run=run: timed(run) for run in runs.values()])  # type: ignore[misc]
    return [row("whole 2 kB call", name, cost * 1e6, cost / found[0], "tamis") for name, cost in zip(runs, found, strict=True)]
