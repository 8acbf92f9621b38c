"""Write the boards, or check that the written ones are these."""

from __future__ import annotations

import sys
from pathlib import Path

from boards import files

FOLDER = Path(__file__).resolve().parent.parent / "dashboards"


def main(arguments: list[str]) -> int:
    """0 when all is well, 1 when `--check` found a difference, 2 for a wrong argument."""
    wanted = files()
    if arguments not in ([], ["--check"]):
        print("usage: python -m boards [--check]", file=sys.stderr)
        return 2
    if arguments:
        there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}
        wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
        print(f"differ from what `make boards` writes: {', '.join(wrong)}" if wrong else f"{len(wanted)} boards are as generated")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    print(f"{len(wanted)} boards written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
