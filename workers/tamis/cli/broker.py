"""Which Kafka a command talks to, and whether it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from tamis.cli import runfile
from tamis.cli.output import CommandError, Exit
from tamis.settings import Settings, load

__all__ = ["BrokerOption", "client_options", "locate", "run"]

BrokerOption = Annotated[str | None, typer.Option("--broker", metavar="kafka://HOST:PORT", help="Else TAMIS_BROKER, else the running `tamis up`.")]

Answer = TypeVar("Answer")

ANSWER_SECONDS = 5.0  # a broker in reach answers in milliseconds; one behind a slow VPN in a second or two


def locate(config: Path | None, broker: str | None, **flags: object) -> Settings:
    """Settings with a broker: the flag, then the environment or file, then the run file; else exit 4."""
    settings = load({"broker": broker, **flags}, config=config)
    if settings.broker is None:
        running = runfile.read()
        if running is None:
            raise CommandError("no broker is known", "start `tamis up` or give --broker", Exit.UNREACHABLE)
        settings = settings.with_flags(broker=running.broker)
    return settings


def client_options(settings: Settings) -> dict[str, Any]:
    """Keywords for every aiokafka client: address, security, and a bound on waiting."""
    from tamis.clients.connection import connection_options

    return connection_options(settings, "cli")


async def reachable(settings: Settings) -> bool:
    """Whether any of the brokers accepts a connection."""
    for server in settings.bootstrap_servers:
        host, _, port = server.rpartition(":")
        try:
            _, writer = await asyncio.wait_for(asyncio.open_connection(host.strip("[]"), int(port)), ANSWER_SECONDS)
        except (OSError, TimeoutError):
            continue
        writer.close()
        return True
    return False


def run(settings: Settings, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Runs `work` against the broker; a broker that does not answer, or stops doing so, is exit 4."""
    from aiokafka.errors import KafkaError

    quiet_clients()

    async def guarded() -> Answer:
        if not await reachable(settings):
            work.close()
            raise CommandError(f"broker {settings.broker} does not answer", "start `tamis up` or give --broker", Exit.UNREACHABLE)
        return await work

    try:
        return asyncio.run(guarded())
    except KafkaError as error:
        said = f"broker {settings.broker}: {type(error).__name__}: {error}"
        raise CommandError(said, "check --broker and the kafka settings", Exit.UNREACHABLE) from None


def quiet_clients() -> None:
    """Keeps the client library's own log off stderr: what matters is raised, and the rest frightens."""
    import logging

    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
