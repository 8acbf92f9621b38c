"""`tamis tail`: decoded records of a topic as they come; works on the embedded broker, where other tools do not."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from tamis.cli.broker import BrokerOption, locate, run
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_line, visible
from tamis.cli.stream import decoded, records, summary
from tamis.settings import load
from tamis.wire.topics import Topic

__all__ = ["logical", "tail"]

IDLE_SECONDS = 2.0  # a topic has been read to its end when nothing came for so long; a fetch takes a twentieth of it


def tail(
    ctx: typer.Context,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help=f"One of: {', '.join(Topic)}.")],
    broker: BrokerOption = None,
    provider: Annotated[str | None, typer.Option("--provider", help="Only records of this provider.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Only records of this model.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="Only records of this session.")] = None,
    format: Annotated[str | None, typer.Option("--format", help="Only records of this dialect.")] = None,
    number: Annotated[int | None, typer.Option("-n", "--number", min=1, help="Stop after so many records.")] = None,
    from_beginning: Annotated[bool, typer.Option("--from-beginning", help="Begin with the oldest record instead of the next one.")] = False,
    follow: Annotated[
        bool | None, typer.Option("--follow/--no-follow", help="Whether to wait for more; yes, unless --from-beginning.", show_default=False)
    ] = None,
    output: OutputOption = None,
) -> None:
    """Print the records of TOPIC, decoded, one a line; Ctrl-C ends it."""
    name = logical(topic, load(config=ctx.obj).prefix)  # a misspelt name is to be told before a missing broker
    settings = locate(ctx.obj, broker)
    wanted = {"provider": provider, "model": model, "session": session, "format": format}
    waits = not from_beginning if follow is None else follow
    stream = records(settings, [settings.prefix + name], from_beginning=from_beginning, idle_seconds=None if waits else IDLE_SECONDS)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        run(settings, _print(stream, name, wanted, number, chosen(output)))


def logical(topic: str, prefix: str) -> str:
    """The logical name of a topic, given with or without the prefix. Raises `CommandError` with a suggestion."""
    known = [str(item) for item in Topic]
    name = topic.removeprefix(prefix) if prefix else topic
    if name not in known:
        close = difflib.get_close_matches(name, known, 1, 0.5)
        raise CommandError(f"unknown topic {topic!r}" + (f"; did you mean {close[0]}?" if close else ""), f"topics: {', '.join(known)}", Exit.USAGE)
    return name


async def _print(stream: Any, topic: str, wanted: dict[str, str | None], number: int | None, kind: Output) -> None:
    shown = 0
    async with contextlib.aclosing(stream):
        async for record in stream:
            if record is None:
                continue
            item = decoded(record)
            if not _matches(item, wanted):
                continue
            if kind is Output.TABLE:
                console().print(_line(topic, item))
            else:
                emit_line(item)
            shown += 1
            if shown == number:
                return


def _matches(item: dict[str, Any], wanted: dict[str, str | None]) -> bool:
    value = item["value"] if isinstance(item["value"], dict) else {}
    headers = item["headers"]
    for key, text in wanted.items():
        if text is None:
            continue
        found = item["key"] if key == "session" else headers.get(f"x-{key}") or value.get(key) or headers.get(key)
        if found != text:
            return False
    return True


def _line(topic: str, item: dict[str, Any]) -> Text:
    value = item["value"] if isinstance(item["value"], dict) else {}
    time = datetime.fromtimestamp(max(0, item["timestamp_ms"]) / 1000).strftime("%H:%M:%S")
    line = Text(f"{time} ", style="dim")
    line.append(f"{visible(item['key'] or '', 28)} ", style="cyan")
    line.append(f"{visible(value.get('provider') or '-', 16)}/{visible(value.get('model') or '-', 32)} ", style="dim")
    if value.get("format"):
        line.append(f"{visible(value['format'], 24)} ", style="magenta")
    line.append(visible(summary(topic, item["value"]), 400).replace("\n", "⏎"))
    return line
