"""The half of `tamis check` for recordings of real traffic: the share of turns that came out right."""

from __future__ import annotations

from collections import Counter

import typer

from tamis import coercers
from tamis.cli.output import CommandError, Exit, Output, complain, emit_json, note, table
from tamis.core import parse
from tamis.core.errors import TamisError
from tamis.core.recordings import Outcome, Recording, RecordingError, load_recordings, outcome

__all__ = ["measure"]


def measure(files: list[tuple[str, list[str]]], at_least: float, kind: Output) -> None:
    """Score the recordings of files, each a path and its lines, by model; exit 3 when fewer than `at_least` percent are right."""
    rows: list[Recording] = []
    for path, lines in files:
        try:
            rows += load_recordings(lines)
        except RecordingError as error:
            raise CommandError(f"{path}: {error}", "mend that line, or leave it out", Exit.USAGE) from None
    coercers.load()
    found: dict[str, Counter[Outcome]] = {}
    for number, row in enumerate(rows, 1):
        try:
            turn = parse(row.text, tools=row.tools, finish_reason=row.finish_reason)
        except TamisError as error:  # a declaration that cannot be used
            raise CommandError(f"recording {number}: {error}", "mend its tools", Exit.USAGE) from None
        found.setdefault(row.model or "(no model)", Counter())[outcome(row, turn)] += 1
    whole = sum(found.values(), Counter())
    share = 100 * whole[Outcome.RIGHT] / len(rows)
    _print(found, whole, kind)
    if share < at_least:
        complain(f"{share:.1f} % of {len(rows)} turns are right, {at_least:g} % were asked for")
        raise typer.Exit(Exit.CHECK_FAILED)
    note(f"{share:.1f} % of {len(rows)} turns are right")


def _print(found: dict[str, Counter[Outcome]], whole: Counter[Outcome], kind: Output) -> None:
    rows = [(name, counts) for name, counts in sorted(found.items())]
    if kind is Output.TABLE:
        table(("model", "turns", "right", "misses"), [(name, str(counts.total()), *_told(counts)) for name, counts in (*rows, ("all", whole))])
        return
    objects = [{"model": name, "turns": counts.total(), **{str(item): counts[item] for item in Outcome}} for name, counts in rows]
    emit_json(objects if kind is Output.JSONL else {"turns": whole.total(), "right": whole[Outcome.RIGHT], "models": objects}, kind)


def _told(counts: Counter[Outcome]) -> tuple[str, str]:
    """The share right, and the misses by kind, most first."""
    misses = ", ".join(f"{kind} {count}" for kind, count in counts.most_common() if kind is not Outcome.RIGHT)
    return f"{100 * counts[Outcome.RIGHT] / counts.total():.1f} %", misses
