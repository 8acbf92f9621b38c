"""`tamis catalog put|list|remove`: the tools of a catalogue id on `tool-catalog`, looked at before they are published."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from tamis.cli.broker import BrokerOption, client_options, locate, run
from tamis.cli.inputs import read_text, read_tools
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, emit_json, note, table
from tamis.core.errors import TamisError
from tamis.settings import Settings
from tamis.wire.codec import dumps
from tamis.wire.topics import Topic

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Publish, list or remove the tools of a catalogue id.")

NameArgument = Annotated[str, typer.Argument(metavar="ID", help="The catalogue id, as responses name it in `catalog`.")]
_QUIET_MS = 1500  # without a record for so long the topic has been read to its end: it is compacted and small


@app.command("put")
def put(
    ctx: typer.Context,
    name: NameArgument,
    tools: Annotated[str, typer.Option("--tools", metavar="FILE|-", help="Declared tools (JSON list), in any known shape.")],
    broker: BrokerOption = None,
    namespaces: Annotated[list[str] | None, typer.Option("--namespace", help="A name of the tools' server; several if given again.")] = None,
    aliases: Annotated[str | None, typer.Option("--aliases", metavar="FILE", help="JSON object: other name -> declared name.")] = None,
    policy: Annotated[str | None, typer.Option("--policy", metavar="FILE", help="JSON object: policy of responses that use it.")] = None,
    output: OutputOption = None,
) -> None:
    """Publish the tools of ID; every worker uses them for responses that begin from then on."""
    from tamis.agents.declared import Catalogs

    body: dict[str, Any] = {"tools": read_tools(tools)}
    if namespaces:
        body["namespaces"] = namespaces
    for key, file in (("aliases", aliases), ("policy", policy)):
        if file is not None:
            body[key] = _object(file, key)
    try:
        found = Catalogs().put(_id(name), body)
    except TamisError as error:
        raise CommandError(f"the catalogue cannot be used: {error}", "mend the declarations; nothing was published", Exit.USAGE) from None
    settings = locate(ctx.obj, broker)
    run(settings, _send(settings, name, dumps({"v": 1, **body})))
    row = {"catalog": name, "tools": len(found.catalog.names), "version": found.hash}
    if (how := chosen(output)) is Output.TABLE:
        table(list(row), [[str(value) for value in row.values()]])
    else:
        emit_json(row, how)
    note(f'a response uses it by {{"kind":"start","catalog":"{name}"}} or the header x-catalog')


@app.command("remove")
def remove(ctx: typer.Context, name: NameArgument, broker: BrokerOption = None) -> None:
    """Remove ID; responses that are bound to one of its versions keep it."""
    settings = locate(ctx.obj, broker)
    run(settings, _send(settings, _id(name), None))
    note(f"catalogue {name} is removed")


@app.command("list")
def listed(ctx: typer.Context, broker: BrokerOption = None, output: OutputOption = None) -> None:
    """The catalogues that are published, newest version of each, and those that workers refuse, with the reason."""
    from tamis.agents.catalog_topic import read_all

    settings = locate(ctx.obj, broker)
    rows = run(settings, read_all(settings.prefix + Topic.TOOL_CATALOG, client_options(settings), _QUIET_MS))
    if (how := chosen(output)) is Output.TABLE:
        table(("catalog", "tools", "version", "state"), [(item.name, str(item.tools), item.version, item.refused or "ok") for item in rows])
    else:
        emit_json([{"catalog": item.name, "tools": item.tools, "version": item.version, "refused": item.refused} for item in rows], how)


def _id(name: str) -> str:
    if not 1 <= len(name.encode("utf-8", "replace")) <= 256:
        raise CommandError("a catalogue id has 1 to 256 bytes", "choose another ID", Exit.USAGE)
    return name


def _object(file: str, what: str) -> dict[str, Any]:
    try:
        value = json.loads(read_text(file, what))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise CommandError(f"{what} file {file!r} holds no JSON object", "write one JSON object", Exit.USAGE)
    return value


async def _send(settings: Settings, name: str, value: bytes | None) -> None:
    from aiokafka import AIOKafkaProducer

    producer = AIOKafkaProducer(**client_options(settings), acks="all")
    await producer.start()
    try:
        await producer.send_and_wait(settings.prefix + Topic.TOOL_CATALOG, value, name.encode("utf-8", "replace"))
    finally:
        await producer.stop()
