"""`tamis config show`: every setting, its value and where it came from."""

from __future__ import annotations

import typer

from tamis.cli.output import Output, OutputOption, chosen, emit_json, table
from tamis.settings import load

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Settings: defaults < TOML file < TAMIS_* environment < flags.")


@app.callback()
def _root() -> None:
    """Keeps `show` a command of its own, so that more can stand beside it."""


@app.command("show")
def show(ctx: typer.Context, output: OutputOption = None) -> None:
    """Print every setting with its value (secrets masked) and its source."""
    rows = load(config=ctx.obj).rows()
    kind = chosen(output)
    if kind is Output.TABLE:
        table(("setting", "value", "source"), rows)
    else:
        emit_json([row._asdict() for row in rows], kind)
