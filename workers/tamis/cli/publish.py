"""`tamis publish`: a text, a file of chunks or an SSE capture onto `raw-stream`, as a gateway would write it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from tamis.cli.broker import BrokerOption, client_options, locate, run
from tamis.cli.inputs import read_text, read_tools
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, emit_json, note, table
from tamis.cli.records import Kind, Outgoing, detect, from_jsonl, from_sse, from_text, response_of, start_record
from tamis.settings import Settings
from tamis.wire.topics import Topic

__all__ = ["publish", "send"]

WINDOW = 500  # records on their way at once: keeps memory flat on a large file and the broker busy


def publish(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Text of a model, JSON Lines of chunks, or an SSE capture; - for stdin.")],
    broker: BrokerOption = None,
    kind: Annotated[Kind, typer.Option("--as", help="What the input is.")] = Kind.AUTO,
    session: Annotated[str | None, typer.Option("--session", help="Key of the records; a new one unless given.")] = None,
    response_id: Annotated[str | None, typer.Option("--response-id", help="For a text a new one unless given.")] = None,
    provider: Annotated[str | None, typer.Option("--provider")] = None,
    model: Annotated[str | None, typer.Option("--model")] = None,
    tools: Annotated[str | None, typer.Option("--tools", metavar="FILE", help="Declared tools (JSON list).")] = None,
    catalog: Annotated[str | None, typer.Option("--catalog", metavar="ID", help="A published catalogue, instead of --tools.")] = None,
    turn: Annotated[int | None, typer.Option("--turn", min=0, help="Number of the turn in the conversation.")] = None,
    finish_reason: Annotated[str, typer.Option("--finish-reason", help="For a text: how the response ends.")] = "stop",
    chunk: Annotated[int, typer.Option("--chunk", min=1, help="For a text: characters in one record.")] = 16,
    output: OutputOption = None,
) -> None:
    """Write FILE to raw-stream and say what was written."""
    text = read_text(file)
    declared = read_tools(tools) if tools else None
    key = session if session is not None else f"s-{secrets.token_hex(4)}"
    if not 1 <= len(key.encode("utf-8", "replace")) <= 256:
        raise CommandError("a session id has 1 to 256 bytes", "choose another --session", Exit.USAGE)
    told = {"provider": provider, "model": model, "tools": declared, "catalog": catalog, "turn": turn}
    start = {name: value for name, value in told.items() if value is not None}
    found = detect(text) if kind is Kind.AUTO else kind
    if found is Kind.TEXT:
        response_id = response_id or f"r-{secrets.token_hex(4)}"
        outgoing = list(from_text(text, start, response_id, finish_reason, chunk))
    else:
        outgoing = _declared(list(from_jsonl(text, file) if found is Kind.JSONL else from_sse(text, file)), start, response_id)
    if not outgoing or not text:
        raise CommandError(f"{file}: nothing to publish", "give the text of a model, or at least one chunk", Exit.USAGE)
    settings = locate(ctx.obj, broker)
    written = run(settings, send(settings, key, outgoing))
    row = {"session": key, "response_id": response_id, "as": str(found), "records": len(outgoing), **written}
    how = chosen(output)
    if how is Output.TABLE:
        table(list(row), [["" if value is None else str(value) for value in row.values()]])
    else:
        emit_json(row, how)
    note(f"see what became of it: tamis tail turns --from-beginning --session {key}")


def _declared(outgoing: list[Outgoing], start: dict[str, Any], response_id: str | None) -> list[Outgoing]:
    """Verbatim records with what the flags declare: a start in front, and the response id in a header when one was given."""
    if response_id is not None:
        outgoing = [item._replace(headers=(*item.headers, ("x-response-id", response_id.encode("utf-8", "replace")))) for item in outgoing]
    if start and outgoing:
        outgoing.insert(0, start_record(start, response_id or next((name for name in map(response_of, outgoing) if name), None)))
    return outgoing


async def send(settings: Settings, key: str, outgoing: Iterable[Outgoing]) -> dict[str, Any]:
    """Writes records of one session to raw-stream in order; the partition and offsets where they landed."""
    from aiokafka import AIOKafkaProducer

    topic, name = settings.prefix + Topic.RAW_STREAM, key.encode("utf-8", "replace")
    landed: list[Any] = []
    pending: list[Any] = []
    producer = AIOKafkaProducer(**client_options(settings), acks="all", linger_ms=2)
    await producer.start()
    try:
        for item in outgoing:
            pending.append(await producer.send(topic, item.value, name, headers=list(item.headers)))
            if len(pending) == WINDOW:
                landed += [await future for future in pending][:: WINDOW - 1]
                pending.clear()
        landed += [await future for future in pending]
    finally:
        await producer.stop()
    return {"partition": landed[0].partition, "first_offset": landed[0].offset, "last_offset": landed[-1].offset}
