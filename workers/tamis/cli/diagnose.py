"""`tamis diagnose`: what became of the turns in saved histories, by cause and diagnosis."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from tamis.cli.inputs import read_text, read_tools
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_json, table
from tamis.core.errors import TamisError
from tamis.core.history import Breakdown, HistoryError, breakdown, saved_turns

__all__ = ["diagnose"]


def diagnose(
    files: Annotated[list[str], typer.Argument(metavar="FILES…", help="JSON Lines of texts, objects with a text, or chat logs; - for stdin.")],
    tools: Annotated[str | None, typer.Option("--tools", metavar="FILE", help="Declared tools (JSON list) for lines that name none.")] = None,
    output: OutputOption = None,
) -> None:
    """Read saved model turns and print what became of them: no tool wanted, recovered, repaired, or lost and why."""
    declared = read_tools(tools) if tools else []
    total = Breakdown()
    by_file: dict[str, Breakdown] = {}
    for path in files:
        try:
            by_file[path] = breakdown(saved_turns(read_text(path, "history").split("\n"), declared))
        except HistoryError as error:
            raise CommandError(f"{path}: {error}", "one JSON value a line: a string, an object with a text, or messages", Exit.USAGE) from None
        except TamisError as error:
            raise CommandError(f"{path}: {error}", "", Exit.USAGE) from None
        _merge(total, by_file[path])
    kind = chosen(output)
    if kind is Output.TABLE:
        _show(total)
    else:
        emit_json({**_row(total), "files": {path: _row(part) for path, part in by_file.items()}}, kind)


def _merge(total: Breakdown, part: Breakdown) -> None:
    total.turns += part.turns
    total.calls += part.calls
    total.hallucinated_results += part.hallucinated_results
    for one, other in ((total.diagnoses, part.diagnoses), (total.causes, part.causes), (total.formats, part.formats), (total.repairs, part.repairs)):
        one.update(other)


def _row(part: Breakdown) -> dict[str, object]:
    return {
        "turns": part.turns, "calls": part.calls, "diagnoses": dict(part.diagnoses), "causes": dict(part.causes), "formats": dict(part.formats),
        "repairs": dict(part.repairs), "hallucinated_results": part.hallucinated_results,
    }  # fmt: skip


def _show(total: Breakdown) -> None:
    def part(title: str, counts: Counter[str], of: int) -> None:
        if counts:
            table((title, "count", "share"), [(name, str(count), f"{count / max(of, 1):.0%}") for name, count in counts.most_common()])

    part("diagnosis", total.diagnoses, total.turns)
    part("refused because", total.causes, sum(total.causes.values()))
    part("format", total.formats, total.calls)
    part("repair", total.repairs, total.calls)
    suppressed = f" · {total.hallucinated_results} made-up result(s)" if total.hallucinated_results else ""
    console().print(f"{total.turns} turn(s) · {total.calls} call(s) · {sum(total.causes.values())} refused{suppressed}", markup=False)
