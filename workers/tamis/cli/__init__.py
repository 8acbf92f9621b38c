"""The command line: one file a command, and what they share.

Read first `output` (where what is printed and how a command fails) and `broker` (which Kafka a command talks to). A command
module imports Kafka only inside the function that needs it: `tamis parse` has to start as fast as a text tool.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tamis.cli import catalog, check, config, demo, diagnose, dialects, hint, learn, parse, publish, resolver, result, tail, topics, up, worker
from tamis.cli.output import CommandError, Exit, complain
from tamis.core.errors import TamisError
from tamis.settings import SettingsError

__all__ = ["app", "main"]


class _Group(TyperGroup):
    """Turns what a command raises on purpose into a message on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CommandError as error:
            complain(str(error), error.next_step)
            raise typer.Exit(error.code) from None
        except SettingsError as error:
            complain(str(error))
            raise typer.Exit(Exit.USAGE) from None
        except TamisError as error:
            complain(str(error))
            raise typer.Exit(Exit.FAILED) from None


app = typer.Typer(
    cls=_Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a traceback of ours is a bug to report as it is, not to decorate
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Strains raw model output into canonical tool calls. Start with `tamis demo` or `tamis parse FILE --tools tools.json`.",
    epilog="Exit codes: 0 ok, 1 failed, 2 usage, 3 check failed, 4 broker unreachable.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tamis {version('tamis')}")
        raise typer.Exit


@app.callback()
def _root(
    ctx: typer.Context,
    settings: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings; else TAMIS_CONFIG, else ./tamis.toml.")] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")] = False,
) -> None:
    if settings is not None:
        os.environ["TAMIS_CONFIG"] = str(settings)  # so that the app and child processes read the same file
    ctx.obj = settings


app.command("up")(up.up)
app.command("worker")(worker.worker)
app.command("demo")(demo.demo)
app.command("publish")(publish.publish)
app.command("tail")(tail.tail)
app.command("result")(result.result)
app.command("parse")(parse.parse)
app.command("check")(check.check)
app.command("diagnose")(diagnose.diagnose)
app.command("hint")(hint.hint)
app.command("learn")(learn.learn)
app.add_typer(dialects.app, name="dialects")
app.add_typer(resolver.app, name="resolver")
app.add_typer(topics.app, name="topics")
app.add_typer(catalog.app, name="catalog")
app.add_typer(config.app, name="config")


def main() -> None:
    """Entry point of the `tamis` script."""
    # What a model wrote may hold a lone surrogate; no output of ours may fail on one, whatever the terminal's encoding.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="tamis")
