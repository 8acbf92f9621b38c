"""`python -m golden [FOLDER]`: the golden run; with a folder, its pictures are drawn there. 0 when all is well."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from golden.run import golden
from golden.scraper import missing


def main(arguments: list[str]) -> int:
    """Run, say what is wrong, and end with the line that sums it up."""
    reason = missing()
    if reason is not None:
        print(f"the golden run needs Prometheus: {reason}", file=sys.stderr)
        return 1
    found = asyncio.run(golden(lambda text: print(text, file=sys.stderr, flush=True)))
    if arguments:
        folder = Path(arguments[0])
        folder.mkdir(parents=True, exist_ok=True)
        found.pictures(folder)
    for fault in found.faults:
        print(fault)
    print(found.line())
    return 1 if found.faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
