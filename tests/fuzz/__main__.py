"""`python -m fuzz --minutes N`: mutated texts of all dialects against the core, on every processor, until the time is over.

Exits with 1 and prints the smallest text of each fault; the same seed finds it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from fuzz.check import fault, shrunk  # noqa: E402 - the path has to be set first
from fuzz.mutate import mutate  # noqa: E402 - as above

FAULTS = 5  # faults of one process that are shrunk and shown: more of them are mostly the same one


def hunt(seed: int, seconds: float) -> tuple[int, list[str]]:
    """Texts tried in `seconds`, and the faults."""
    chance, until, tried = random.Random(seed), time.monotonic() + seconds, 0
    found: list[str] = []
    while time.monotonic() < until and len(found) < FAULTS:
        sample = mutate(chance)
        tried += 1
        cut = chance.randrange(1 << 30)
        if fault(sample, cut):
            small = shrunk(sample, cut)
            what = f"{small.text!r} finish={small.reason!r} {small.options} {fault(small, cut)}"
            found.append(f"seed {seed}, text {tried}: {what}\n  tools={small.tools}")
    return tried, found


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 20))
    options = parser.parse_args()
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as pool:
        results = list(pool.map(hunt, range(options.seed, options.seed + workers), [options.minutes * 60] * workers))
    faults = [line for _, found in results for line in found]
    print(*faults, sep="\n")
    print(f"fuzz: seed {options.seed}, {sum(tried for tried, _ in results)} texts, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
