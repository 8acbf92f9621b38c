"""The table of dialects in the README, made from the registry: `python -m readme_table` writes it, a test checks it."""

from __future__ import annotations

import sys
from pathlib import Path

from tamis.core.dialects import load

BEGIN, END = "<!-- dialects: made by `make table` -->", "<!-- end of dialects -->"
README = Path(__file__).resolve().parents[1] / "README.md"


def table() -> str:
    """All dialects as rows of Markdown, in the order of their names."""
    rows = ["| dialect | what it is | seen from |", "|---|---|---|"]
    for item in load().values():
        summary = item.summary.replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| `{item.name}` | {summary} | {', '.join(item.models)} |")
    return "\n".join(rows)


def with_table(text: str) -> str:
    """The README with the table as it should be."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
    sys.stdout.write(f"{len(load())} dialects\n")
