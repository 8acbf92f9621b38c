"""`tamis learn`: proposes aliases for a catalogue out of published calls and refusals. It applies nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from tamis.cli.broker import BrokerOption, locate, run
from tamis.cli.inputs import read_text
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_json, table
from tamis.cli.stream import decoded, records
from tamis.core.learn import Learned, Lesson
from tamis.core.learn import learn as mine
from tamis.wire.topics import Topic

__all__ = ["learn"]

IDLE_SECONDS = 2.0  # a topic has been read to its end when nothing came for so long; a fetch takes a twentieth of it
_TOPICS = (Topic.TOOL_CALLS, Topic.REJECTIONS)


def learn(
    ctx: typer.Context,
    sources: Annotated[
        list[str], typer.Option("--from", metavar="FILE|TOPIC", help="Files of `tamis tail -o jsonl`, -, or tool-calls,rejections of the broker.")
    ],
    least: Annotated[int, typer.Option("--least", min=1, help="Propose what was seen so often; once may be a slip.")] = 2,
    broker: BrokerOption = None,
    output: OutputOption = None,
) -> None:
    """Propose aliases (what models call tools and keys -> what these are called), with counts and places; nothing is applied."""
    found: list[Mapping[str, Any]] = []
    topics: list[str] = []
    for source in sources:
        for name in [source] if source == "-" or os.path.exists(source) else source.split(","):
            if name in _TOPICS and not os.path.exists(name):
                topics.append(name)
            else:
                found += _lines(name)
    if topics:
        settings = locate(ctx.obj, broker)
        stream = records(settings, [settings.prefix + name for name in topics], from_beginning=True, idle_seconds=IDLE_SECONDS)
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            run(settings, _read(stream, found))
    learned = mine(found, least)
    if chosen(output) is Output.TABLE:
        _show(learned)
    else:
        emit_json(_document(learned), chosen(output))


async def _read(stream: Any, found: list[Mapping[str, Any]]) -> None:
    async with contextlib.aclosing(stream):
        async for record in stream:
            if record is not None:
                found += _values(decoded(record))


def _lines(path: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(read_text(path, "records").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise CommandError(f"{path}: line {number} is no JSON object", "give what `tamis tail tool-calls -o jsonl` prints", Exit.USAGE)
        yield from _values(value)


def _values(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A record as `tamis tail` prints it, or its bare value."""
    value = item.get("value") if "value" in item and "topic" in item else item
    if isinstance(value, dict):
        yield value


def _document(learned: Learned) -> dict[str, Any]:
    return {
        "aliases": learned.aliases,
        "evidence": [_row(item) for item in learned.proposed],
        "contested": [_row(item) for item in learned.contested],
        "read": {"calls": learned.calls, "rejections": learned.rejections},
    }


def _row(item: Lesson) -> dict[str, Any]:
    return {**asdict(item), "count": item.count}


def _show(learned: Learned) -> None:
    def part(title: str, rows: tuple[Lesson, ...]) -> None:
        if rows:
            cells = [(item.other, item.meant, str(item.rewritten), str(item.corrected), _models(item)) for item in rows]
            table((title, "stands for", "rewritten", "corrected", "models"), cells)

    part("alias", learned.proposed)
    part("contested", learned.contested)
    summary = f"{learned.calls} call(s) · {learned.rejections} refused · {len(learned.proposed)} alias(es) proposed, none applied"
    console().print(summary, markup=False)


def _models(item: Lesson) -> str:
    return ", ".join(dict.fromkeys(str(one["model"]) for one in item.examples))
