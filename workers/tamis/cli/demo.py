"""`tamis demo`: recorded responses of several models through the running service, and what comes out of it, live.

Each recording is a file that `tamis publish` would take; `recordings/index.json` says what it shows and what must come out. Every
run uses sessions of its own: a response that was read once would be dropped as a repetition.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from importlib import resources
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from tamis.cli import runfile
from tamis.cli.broker import BrokerOption, client_options, run
from tamis.cli.output import CommandError, Output, OutputOption, chosen, console, emit_line, note, visible
from tamis.cli.records import Outgoing, from_jsonl
from tamis.cli.service import Service, interruptible
from tamis.cli.stream import decoded, records, summary
from tamis.settings import Settings, load
from tamis.wire.topics import Topic

__all__ = ["Recording", "demo", "recordings"]

SHOWN = (Topic.TOOL_CALLS, Topic.REJECTIONS, Topic.HALLUCINATIONS, Topic.TURNS)
WORDS = {"tool-calls": ("call", "green"), "rejections": ("refused", "yellow"), "hallucinations": ("made up", "magenta")}
WAIT_SECONDS = 60.0  # after the last chunk; outputs come within a second unless no worker is there, a loaded machine may need more


@dataclass(slots=True)
class Recording:
    """One recorded response and what must come of it, as counts of (topic, name or cause); `seen` counts what has."""

    title: str
    outgoing: list[Outgoing]
    expected: Counter[tuple[str, str]]
    session: str
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def done(self) -> bool:
        """Whether everything expected has come, the end of the turn among it."""
        return not self.expected - self.seen


def recordings(run_id: str) -> list[Recording]:
    """The bundled recordings, under sessions of this run."""
    folder = resources.files("tamis.cli") / "recordings"
    found = []
    for entry in json.loads((folder / "index.json").read_text("utf-8")):
        calls, refusals = entry["calls"], entry["rejections"]
        expected = Counter([("turns", ""), *(("tool-calls", name) for name in calls), *(("rejections", cause) for cause in refusals)])
        expected[("hallucinations", "")] = entry["hallucinations"]
        outgoing = list(from_jsonl((folder / entry["file"]).read_text("utf-8"), entry["file"]))
        found.append(Recording(entry["title"], outgoing, expected, f"demo-{run_id}-{entry['file'].removesuffix('.jsonl')}"))
    return found


def demo(
    ctx: typer.Context,
    broker: BrokerOption = None,
    rate: Annotated[float, typer.Option("--rate", min=1, help="Chunks a second, over all responses.")] = 150.0,
    output: OutputOption = None,
) -> None:
    """Play recorded responses of several models through the service; exit 1 when an expected output does not come."""
    played = recordings(secrets.token_hex(3))
    kind = chosen(output)
    with _service(load({"broker": broker}, config=ctx.obj)) as settings:
        run(settings, _play(settings, played, rate, kind))
    _finish(played, kind)


@contextlib.contextmanager
def _service(settings: Settings) -> Iterator[Settings]:
    """Settings with the broker of a running service; starts an embedded one for the time of the demo when there is none."""
    running = None if settings.broker is not None else runfile.read()
    if running is not None:
        note(f"using the running service at {running.broker}")
        settings = settings.with_flags(broker=running.broker)
    if settings.broker is not None:
        yield settings
        return
    service = Service(settings)
    note("no service is running: starting an embedded one for this demo …")
    try:
        with interruptible():
            service.start()
            yield service.settings
    except KeyboardInterrupt:
        raise CommandError("stopped") from None
    finally:
        service.stop()


async def _play(settings: Settings, played: list[Recording], rate: float, kind: Output) -> None:
    # On a terminal the bar and the lines share stdout, else they would tear each other; elsewhere stdout is data alone.
    shared = console() if sys.stdout.isatty() else None
    screen = shared or Console(stderr=True)
    with Progress(TextColumn("chunks"), BarColumn(), MofNCompleteColumn(), console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("chunks", total=sum(len(item.outgoing) for item in played))
        listening = asyncio.Event()
        watching = asyncio.create_task(_watch(settings, played, kind, shared or console(), listening))
        try:
            await asyncio.wait([asyncio.create_task(listening.wait()), watching], return_when=asyncio.FIRST_COMPLETED)
            if not watching.done():
                async for _ in _publish(settings, played, rate):
                    bar.advance(task)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(watching, WAIT_SECONDS)
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching


async def _publish(settings: Settings, played: list[Recording], rate: float) -> AsyncIterator[None]:
    """Writes all recordings, interleaved as live traffic is; yields after each chunk."""
    from aiokafka import AIOKafkaProducer

    producer = AIOKafkaProducer(**client_options(settings), acks="all")
    await producer.start()
    try:
        for place in range(max(len(item.outgoing) for item in played)):
            for item in played:
                if place < len(item.outgoing):
                    await producer.send_and_wait(settings.prefix + Topic.RAW_STREAM, item.outgoing[place].value, item.session.encode())
                    yield
                    await asyncio.sleep(1 / rate)
    finally:
        await producer.stop()


async def _watch(settings: Settings, played: list[Recording], kind: Output, screen: Console, listening: asyncio.Event) -> None:
    """Prints what comes of these sessions until all that is expected has come."""
    by_session = {item.session: item for item in played}
    known: set[str] = set()
    async for record in records(settings, [settings.prefix + topic for topic in SHOWN]):
        listening.set()
        if record is None:
            if all(one.done for one in played):  # only after a quiet moment, so that what is too much is seen as well
                return
            continue
        item = decoded(record)
        recording = by_session.get(item["key"] or "")
        identity = item["headers"].get("ce_id", "")
        if recording is None or identity in known:  # another session, or a record delivered twice
            continue
        known.add(identity)
        topic, value = item["topic"].removeprefix(settings.prefix), item["value"]
        detail = value["name"] if topic == Topic.TOOL_CALLS else value["cause"] if topic == Topic.REJECTIONS else ""
        recording.seen[(topic, detail)] += 1
        if kind is not Output.TABLE:
            emit_line({"topic": topic, "value": value})
        elif topic != Topic.TURNS:
            screen.print(_line(topic, value))


def _line(topic: str, value: dict[str, Any]) -> Text:
    word, style = WORDS[topic]
    line = Text(f"{word:<8}", style=style)
    line.append(f"{visible(value.get('model') or '-', 16):<17}", style="cyan")
    line.append(f"{visible(value.get('format') or '', 14):<15}", style="dim")
    line.append(visible(summary(topic, value), 300))
    return line


def _finish(played: list[Recording], kind: Output) -> None:
    faults = []
    for item in played:
        faults += [f"{item.title}: {' '.join(what).strip()} did not come" for what in (item.expected - item.seen).elements()]
        faults += [f"{item.title}: {' '.join(what).strip()} came and should not" for what in (item.seen - item.expected).elements()]
    if faults:
        raise CommandError("; ".join(faults), "is a worker running on this broker? `tamis up` starts everything")
    totals = Counter(topic for item in played for topic, _ in item.seen.elements())
    text = (
        f"{totals['turns']} responses: {totals['tool-calls']} calls, {totals['rejections']} refused with their cause, "
        f"{totals['hallucinations']} made-up result taken out; nothing was called that only prose mentions"
    )
    if kind is Output.TABLE:
        console().print(Text(text, style="bold"))
    else:
        note(text)
