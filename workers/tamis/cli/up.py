"""`tamis up`: broker, topics and worker with one command, stopped together."""

from __future__ import annotations

from typing import Annotated

import typer

from tamis.cli import runfile
from tamis.cli.output import CommandError, note
from tamis.cli.service import Service, interruptible
from tamis.settings import load

__all__ = ["up"]


def up(
    ctx: typer.Context,
    broker: Annotated[str | None, typer.Option("--broker", metavar="kafka://HOST:PORT", help="A Kafka instead of the embedded broker.")] = None,
    web_port: Annotated[int | None, typer.Option("--web-port", help="Of /metrics, /healthz and /readyz.")] = None,
) -> None:
    """Start broker, topics and worker; Ctrl-C stops them."""
    running = runfile.read()
    if running is not None:
        raise CommandError(f"a service of yours is already running (pid {running.pid}, broker {running.broker})", "use it, or stop it first")
    service = Service(load({"broker": broker, "web_port": web_port}, config=ctx.obj))
    failure: str | None = None
    try:
        with interruptible():
            note("starting …")
            service.start()
            _say(service)
            failure = service.wait()
    except KeyboardInterrupt:
        note("stopping …")
    finally:
        service.stop()
    if failure is not None:
        raise CommandError(failure, "its own message is above")
    note("stopped" + ("; the embedded broker's data is gone" if service.embedded else ""))


def _say(service: Service) -> None:
    settings = service.settings
    note(f"broker   {settings.broker}" + (" (embedded, in memory)" if service.embedded else ""))
    note(f"topics   ready, {settings.partitions} partitions" + (f", prefix {settings.prefix}" if settings.prefix else ""))
    note(f"worker   {service.web}/metrics  {service.web}/readyz")
    if service.embedded:
        note("The embedded broker keeps everything in memory: its data is gone when this stops.")
    note("Try `tamis demo` or `tamis tail tool-calls` in another terminal. Ctrl-C stops everything.")
