"""Where commands print: data on stdout, messages on stderr, tables for people, JSON for programs.

Text that a model or producer wrote reaches a terminal only through `visible`, which shows control characters instead of sending
them, and never as console markup.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["CommandError", "Exit", "Output", "OutputOption", "chosen", "complain", "console", "emit_json", "emit_line", "note", "table", "visible"]


class Exit(IntEnum):
    """Exit codes of every command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    CHECK_FAILED = 3
    UNREACHABLE = 4


class Output(StrEnum):
    """What `-o` may say."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


OutputOption = Annotated[Output | None, typer.Option("-o", "--output", help="Default: table on a terminal, JSON otherwise.", show_default=False)]


class CommandError(Exception):
    """A command cannot go on: what is wrong, what to do next, and the exit code."""

    def __init__(self, message: str, next_step: str = "", code: Exit = Exit.FAILED) -> None:
        super().__init__(message)
        self.next_step = next_step
        self.code = code


def chosen(output: Output | None) -> Output:
    """The format asked for, else tables for a terminal and JSON for anything else."""
    return output or (Output.TABLE if sys.stdout.isatty() else Output.JSON)


def console() -> Console:
    """The console for data; made on each use, so that a redirected stdout is honoured. Rich itself honours NO_COLOR."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def _messages() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def note(text: str) -> None:
    """A message for people, on stderr."""
    _messages().print(Text(visible(text)))


def complain(message: str, next_step: str = "") -> None:
    """An error and the next step, on stderr."""
    line = Text("error: ", style="bold red")
    line.append(visible(message), style="default")
    _messages().print(line)
    if next_step:
        _messages().print(Text(f"next: {visible(next_step)}"))


def emit_json(value: Any, output: Output = Output.JSON) -> None:
    """One JSON document on stdout: indented for `json`; for `jsonl` one line, or one line an item of a list."""
    if output is Output.JSONL:
        for item in value if isinstance(value, list) else [value]:
            emit_line(item)
    else:
        _write(json.dumps(value, ensure_ascii=False, indent=2))


def emit_line(value: Any) -> None:
    """One JSON value on one line of stdout, flushed: the other end may be waiting for it."""
    _write(json.dumps(value, ensure_ascii=False))
    sys.stdout.flush()


def _write(text: str) -> None:
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a lone surrogate, or a terminal without UTF-8: escapes say the same
        text = json.dumps(json.loads(text))
    sys.stdout.write(text + "\n")


def visible(value: object, width: int = 0) -> str:
    """`value` with control characters shown as escapes, cut to `width` characters when that is given.

    >>> visible("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if width and len(text) > width:
        text = text[: width - 1] + "…"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else letter.encode("unicode_escape").decode("ascii") for letter in text)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> None:
    """A table on stdout; cells are text, whatever they hold."""
    grid = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(visible(cell)) for cell in row))
    console().print(grid)
