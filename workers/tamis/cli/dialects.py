"""`tamis dialects`: which emission formats this version reads, and what is known of each."""

from __future__ import annotations

import difflib
from dataclasses import asdict
from typing import Annotated, Any

import typer

from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_json, table, visible
from tamis.core.dialects import Dialect, load

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="The formats of tool calls that this version reads, without any flag.")


@app.command("list")
def list_(output: OutputOption = None) -> None:
    """List all dialects."""
    kind = chosen(output)
    found = load().values()
    if kind is Output.TABLE:
        table(("dialect", "family", "what it is", "seen from"), [(item.name, item.family, item.summary, ", ".join(item.models)) for item in found])
        return
    emit_json([_row(item) for item in found], kind)


@app.command()
def show(name: Annotated[str, typer.Argument(help="A dialect of `tamis dialects list`.")], output: OutputOption = None) -> None:
    """Show one dialect: its marks, an example, and the drift that is read as well."""
    known = load()
    item = known.get(name)
    if item is None:
        close = difflib.get_close_matches(name, known, 1)
        raise CommandError(f"no dialect is named {name!r}", f"did you mean {close[0]!r}?" if close else "see `tamis dialects list`", Exit.USAGE)
    kind = chosen(output)
    if kind is not Output.TABLE:
        emit_json(_row(item), kind)
        return
    openers = ", ".join(item.openers) or "none: a declared name at a line start decides"
    rows = [
        ("family", item.family),
        ("seen from", ", ".join(item.models)),
        ("opens with", openers),
        ("closes with", ", ".join(item.closers) or "itself"),
        ("needs a catalogue", "no" if item.sentinel else "yes"),
        ("drift", "; ".join(item.drift) or "none known"),
    ]
    table((item.name, item.summary), [(label, visible(value)) for label, value in rows])
    console().print(visible(item.example), markup=False)


def _row(item: Dialect) -> dict[str, Any]:
    openers = {
        mark: [{"entry": way.entry, "guard": way.guard} for way in (ways if isinstance(ways, tuple) else (ways,))]
        for mark, ways in item.openers.items()
    }
    return {
        "name": item.name, "family": item.family, "summary": item.summary, "models": list(item.models), "sentinel": item.sentinel,
        "openers": openers, "closers": list(item.closers), "options": asdict(item.options) if item.options is not None else None,
        "example": item.example, "drift": list(item.drift),
    }  # fmt: skip
