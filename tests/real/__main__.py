"""Recordings of real traffic through tamis and the plain readers beside it.

    python -m tests.real FILE.jsonl [--half even|odd] [--spellings]

A line has text, tools, truth (see `tamis.core.recordings`) and model. A reader's share is that of the turns in which a call was wanted.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from baselines import BASELINES

from tamis.core import parse
from tamis.core.recordings import Outcome, Recording, compare, load_recordings


def tamis(text: str, tools: Sequence[Mapping[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in parse(text, tools=tools).calls]


READERS = {"tamis": tamis, **BASELINES}


def spelled(calls: list[tuple[str, dict[str, Any]]], row: Recording) -> list[tuple[str, dict[str, Any]]]:
    """The calls by their declared names, where a name was written with _ for its dots: a reader without a catalogue is not to lose by it."""
    known = {tool["name"].replace(".", "_"): tool["name"] for tool in row.tools if isinstance(tool.get("name"), str)}
    return [(known.get(name.replace(".", "_"), name), arguments) for name, arguments in calls]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--half", choices=("even", "odd"), help="only these lines, counted from 1")
    parser.add_argument("--spellings", action="store_true", help="every reader's a_b counts as a.b")
    chosen = parser.parse_args()
    rows = load_recordings(Path(chosen.file).read_text("utf-8").split("\n"))
    if chosen.half:
        rows = rows[1 if chosen.half == "even" else 0 :: 2]
    right: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(READERS, 0))
    wanted: dict[str, int] = defaultdict(int)
    invented = dict.fromkeys(READERS, 0)
    for row in rows:
        wanted[row.model] += bool(row.truth)
        for name, reader in READERS.items():
            calls = reader(row.text, row.tools)
            result = compare(row.truth, spelled(calls, row) if chosen.spellings else calls)
            right[row.model][name] += bool(row.truth) and result is Outcome.RIGHT
            invented[name] += result is Outcome.NOT_WANTED
    print(f"{'model':44}{'turns':>6}" + "".join(f"{name:>15}" for name in READERS) + f"{'to the best':>13}")
    for model in sorted(right):
        counts = right[model]
        best = max(counts[name] for name in BASELINES)
        print(f"{model:44}{wanted[model]:>6}" + "".join(f"{counts[name]:>15}" for name in READERS) + f"{counts['tamis'] - best:>+13}")
    total = sum(wanted.values())
    share = {name: 100 * sum(counts[name] for counts in right.values()) / max(1, total) for name in READERS}
    print(f"{'all, %':44}{total:>6}" + "".join(f"{share[name]:>15.1f}" for name in READERS))
    print(f"{'calls though none was wanted':44}{len(rows) - total:>6}" + "".join(f"{invented[name]:>15}" for name in READERS))


if __name__ == "__main__":
    main()
