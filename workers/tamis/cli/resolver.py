"""`tamis resolver study`: precision and recall of every way to resolve a name, on labelled names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tamis.cli.inputs import read_text
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, emit_json, note, table
from tamis.core.resolver.study import Score, StudyError, compare, load, sweep

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="How an emitted name finds its tool.")

_OUTCOMES = ("right", "wrong", "lost", "refused")


@app.callback()
def _root() -> None:
    """Keeps `study` a command of its own, so that more can stand beside it."""


@app.command()
def study(
    names: Annotated[str | None, typer.Option("--names", metavar="FILE", help="Labelled names, JSON Lines; a checkout has some.")] = None,
    catalogs: Annotated[str | None, typer.Option("--catalogs", metavar="FILE", help="The catalogues that they speak of (JSON Lines).")] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw precision over recall into this file.")] = None,
    output: OutputOption = None,
) -> None:
    """Run every strategy over labelled names: what went to the right tool, what to a wrong one, what was refused."""
    if png is not None:
        _plotting()  # before the work, not behind it
    try:
        labelled = load(*(read_text(_corpus(path, name), name).split("\n") for path, name in ((names, "names"), (catalogs, "catalogs"))))
    except StudyError as error:
        raise CommandError(str(error), "see the docstring of tamis.core.resolver.study for the two formats", Exit.USAGE) from None
    if not labelled.rows:
        raise CommandError("there are no labelled names", "lines of the kind exact alone say nothing about a resolver", Exit.USAGE)
    strategies, swept = compare(labelled), sweep(labelled)
    kind = chosen(output)
    if kind is Output.TABLE:
        _show(strategies, swept)
    else:
        rows = {name: _row(found) for name, found in strategies.items()}
        emit_json({"rows": len(labelled.rows), "strategies": rows, "four_signal": {f"{at:.2f}": _row(found) for at, found in swept.items()}}, kind)
    if png is not None:
        _draw(png, strategies, swept)
        note(f"the curve is in {png}")


def _corpus(path: str | None, name: str) -> str:
    if path is not None:
        return path
    here = Path(__file__).resolve().parents[3] / "tests" / "corpora" / f"{name}.jsonl"
    if not here.is_file():
        raise CommandError("labelled names are not installed with the package", "run this in a checkout, or give --names and --catalogs", Exit.USAGE)
    return str(here)


def _row(found: Score) -> dict[str, Any]:
    return {
        "precision": round(found.precision, 4), "recall": round(found.recall, 4), "wrong_share": round(found.wrong_share, 4),
        "false_share": round(found.false_share, 4), **{name: getattr(found, name) for name in _OUTCOMES},
        "kinds": {kind: dict(counts) for kind, counts in found.kinds.items()},
    }  # fmt: skip


def _show(strategies: dict[str, Score], swept: dict[float, Score]) -> None:
    def cells(name: str, found: Score) -> tuple[str, ...]:
        shares = (f"{found.precision:.3f}", f"{found.recall:.3f}", f"{found.wrong_share:.2%}", f"{found.false_share:.1%}")
        return (name, str(found.rows), *shares)

    columns = ("strategy", "rows", "precision", "recall", "wrong tool", "of those to refuse")
    table(columns, [cells(name, found) for name, found in strategies.items()])
    table(columns, [cells(f"four_signal {at:.2f}", found) for at, found in swept.items()])
    cascade = strategies["cascade"]
    table(("kind, cascade", *_OUTCOMES), [(kind, *(str(counts[name]) for name in _OUTCOMES)) for kind, counts in sorted(cascade.kinds.items())])


def _plotting() -> Any:
    """The plotting library. Raises `CommandError` where it is not installed: nothing else of Tamis needs it."""
    try:
        import matplotlib
    except ImportError:
        raise CommandError("--png needs matplotlib, which is not installed", "pip install matplotlib", Exit.USAGE) from None
    matplotlib.use("Agg")  # a file, no window
    from matplotlib import pyplot

    return pyplot


def _draw(path: Path, strategies: dict[str, Score], swept: dict[float, Score]) -> None:
    pyplot = _plotting()
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), dpi=110)
    curve = [found.recall for found in swept.values()], [found.precision for found in swept.values()]
    axes.plot(*curve, "o-", color="#9a9a9a", label="four_signal, by threshold")
    for at, found in swept.items():
        axes.annotate(f"{at:.2f}", (found.recall, found.precision), textcoords="offset points", xytext=(5, 5), fontsize=7, color="#6a6a6a")
    for name, mark, color in (("cascade", "*", "#0b6e4f"), ("exact", "s", "#2a5d9f")):
        axes.plot(strategies[name].recall, strategies[name].precision, mark, markersize=12, color=color, label=name)
    axes.set(xlabel="recall: names that found their tool", ylabel="precision: dispatches to the right tool", xlim=(0, 1.02), ylim=(0.45, 1.05))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower left")
    try:
        figure.savefig(path, bbox_inches="tight", metadata={"Software": None})  # no version in it: the same numbers make the same file
    except OSError as error:
        raise CommandError(f"cannot write {str(path)!r}: {error.strerror or error}", "", Exit.FAILED) from None
    finally:
        pyplot.close(figure)
