"""`tamis check`: case files, each turn read whole, cut at many places and restored from snapshots."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from tamis.cli.inputs import read_text
from tamis.cli.measure import measure
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, complain, emit_json, note, table
from tamis.core.cases import Case, CaseError, Result, load_cases, run_case, select
from tamis.core.recordings import is_recording

__all__ = ["check"]

SHOWN = 3  # reasons of one failed case in a table; the rest mostly say the same at other cuts, and -o json has them all


def check(
    files: Annotated[list[str], typer.Argument(metavar="CASES.jsonl…", help="Case files, one turn a line.")],
    dialect: Annotated[list[str] | None, typer.Option("--dialect", help="Only cases of this dialect; may be repeated.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Cut at every place instead of a sample.")] = False,
    at_least: Annotated[float, typer.Option("--at-least", metavar="PERCENT", help="Recordings: exit 3 when fewer turns come out right.")] = 0.0,
    output: OutputOption = None,
) -> None:
    """Run case files at many cuts; exit 3 when a case fails. Contested cases are listed apart and never fail the run.

    Recordings of real traffic (lines with text, tools and truth) are scored instead: how many turns came out right, by model.
    """
    read = [(path, read_text(path, "case").split("\n")) for path in files]  # splitlines also cuts at U+2028, which JSON strings may hold
    if any(is_recording(next(filter(str.strip, lines), "")) for _, lines in read):
        measure(read, at_least, chosen(output))
        return
    cases: list[Case] = []
    for path, lines in read:
        try:
            cases += load_cases(lines)
        except CaseError as error:
            raise CommandError(f"{path}: {error}", "mend that line; a case has id, dialect, text and expect", Exit.USAGE) from None
    if dialect:
        known = {case.dialect for case in cases}
        if missing := [name for name in dialect if name not in known]:
            raise CommandError(f"no case of dialect {missing[0]!r} in these files", f"known there: {', '.join(sorted(known))}", Exit.USAGE)
        cases = list(select(cases, dialect))
    if not cases:
        raise CommandError("these files hold no case", "", Exit.USAGE)
    done = [(case, run_case(case, level="full" if full else "fast")) for case in cases]
    failed = [(case, result) for case, result in done if not result.ok and not case.contested]
    contested = [(case, result) for case, result in done if not result.ok and case.contested]
    _print(done, failed, contested, chosen(output))
    if failed:
        complain(f"{len(failed)} of {len(done)} cases failed")
        raise typer.Exit(Exit.CHECK_FAILED)
    note(f"{len(done)} cases hold" + (f", {len(contested)} contested ones read otherwise" if contested else ""))


def _print(done: list[tuple[Case, Result]], failed: list[tuple[Case, Result]], contested: list[tuple[Case, Result]], kind: Output) -> None:
    if kind is Output.JSONL:
        emit_json([_row(case, result) for case, result in done], kind)
        return
    if kind is Output.JSON:
        emit_json({"cases": len(done), "failed": [_row(*item) for item in failed], "contested": [_row(*item) for item in contested]})
        return
    total, bad, open_ = (Counter(case.dialect for case, _ in part) for part in (done, failed, contested))
    rows = [(name, str(count), str(bad[name]), str(open_[name])) for name, count in sorted(total.items())]
    table(("dialect", "cases", "failed", "contested"), rows)
    for title, part in (("failed", failed), ("contested, read otherwise", contested)):
        if part:
            table((title, "dialect", "why"), [(case.id, case.dialect, "; ".join(result.reasons[:SHOWN])) for case, result in part])


def _row(case: Case, result: Result) -> dict[str, object]:
    return {"id": case.id, "dialect": case.dialect, "ok": result.ok, "contested": case.contested, "reasons": list(result.reasons)}
