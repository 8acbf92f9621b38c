"""`tamis worker`: one worker, as `faust -A tamis.app worker` starts it, with a check before it."""

from __future__ import annotations

import os
import sys
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tamis import coercers
from tamis.cli.broker import BrokerOption, locate, run
from tamis.cli.embedded import is_free
from tamis.cli.output import CommandError, Exit
from tamis.core.errors import TamisError

__all__ = ["worker"]


class LogLevel(StrEnum):
    """How much the worker says; never content, at any level. The names are Faust's own."""

    CRIT = "crit"
    ERROR = "error"
    WARN = "warn"
    INFO = "info"
    DEBUG = "debug"


def worker(
    ctx: typer.Context,
    broker: BrokerOption = None,
    web_port: Annotated[int | None, typer.Option("--web-port", help="Of /metrics, /healthz and /readyz.")] = None,
    loglevel: Annotated[LogLevel, typer.Option("--loglevel", "-l", help="How much the log holds.")] = LogLevel.WARN,
) -> None:
    """Run one worker until it is stopped; start more of them to share the partitions."""
    settings = locate(ctx.obj, broker, web_port=web_port)
    # The app reads its settings where it is made, as under `faust -A tamis.app worker`; flags reach it as the layer below them.
    os.environ["TAMIS_BROKER"] = str(settings.broker)
    os.environ["TAMIS_WEB_PORT"] = str(settings.web_port)
    from tamis.agents.startup import TopicError, refuse_wrong_topics

    try:
        run(settings, refuse_wrong_topics(settings))
    except TopicError as error:
        raise CommandError(str(error), "tamis topics check") from None
    if not is_free(settings.web_host, settings.web_port):
        raise CommandError(f"port {settings.web_port} of {settings.web_host} is taken", "give another --web-port", Exit.FAILED)
    try:
        coercers.load()
    except TamisError as error:
        raise CommandError(str(error), "mend or uninstall that package") from None
    from tamis.app import app

    # Faust wants a folder for tables on disk; ours are in memory, so it gets one that goes away, not a new one where we happen to be.
    with tempfile.TemporaryDirectory(prefix="tamis-") as folder:
        app.conf.datadir = Path(folder)
        sys.argv = ["tamis", "--quiet", "worker", "--loglevel", loglevel.value]
        app.main()
