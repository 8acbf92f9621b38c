"""`tamis result`: the result of one call onto `tool-results`, as a dispatcher would write it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from tamis.cli.broker import BrokerOption, client_options, locate, run
from tamis.cli.inputs import read_text
from tamis.cli.output import CommandError, Exit, OutputOption, chosen, emit_json, note
from tamis.settings import Settings
from tamis.wire.codec import dumps
from tamis.wire.frames import FrameError
from tamis.wire.results import read_result
from tamis.wire.topics import Topic

__all__ = ["result"]


def result(
    ctx: typer.Context,
    call_id: Annotated[str, typer.Argument(metavar="CALL_ID", help="Id of the call, as tool-calls has it.")],
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The result: JSON, or else text.")],
    session: Annotated[str, typer.Option("--session", help="Key of the call's record.")],
    broker: BrokerOption = None,
    response_id: Annotated[str | None, typer.Option("--response-id", help="Else the newest call of that id.")] = None,
    is_error: Annotated[bool, typer.Option("--error", help="The tool failed.")] = False,
    output: OutputOption = None,
) -> None:
    """Write a result; the worker makes a message of it that can be appended to the conversation."""
    text = read_text(file, "result")
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    body: dict[str, Any] = {"v": 1, "call_id": call_id, "result": value}
    body |= {key: told for key, told in (("response_id", response_id), ("is_error", is_error)) if told}
    data = dumps(body)
    try:
        read_result(data)
    except FrameError as error:
        raise CommandError(f"this is no result: {error}", "mend it; nothing was published", Exit.USAGE) from None
    if not 1 <= len(session.encode("utf-8", "replace")) <= 256:
        raise CommandError("a session id has 1 to 256 bytes", "give the --session that the call's record has", Exit.USAGE)
    settings = locate(ctx.obj, broker)
    landed = run(settings, _send(settings, session, data))
    emit_json({"session": session, "call_id": call_id, **landed}, chosen(output))
    note(f"see the message: tamis tail tool-messages --from-beginning --session {session}")


async def _send(settings: Settings, session: str, value: bytes) -> dict[str, Any]:
    from aiokafka import AIOKafkaProducer

    producer = AIOKafkaProducer(**client_options(settings), acks="all")
    await producer.start()
    try:
        landed = await producer.send_and_wait(settings.prefix + Topic.TOOL_RESULTS, value, session.encode("utf-8", "replace"))
    finally:
        await producer.stop()
    return {"partition": landed.partition, "offset": landed.offset}
