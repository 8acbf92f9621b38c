"""`python -m crash --seeds N --broker embedded|kafka`: workers killed by seed; exits with 1 when anything is missing, wrong or unexpected.

A seed repeats traffic and faults (`--first SEED --seeds 1`); what the machine makes of them differs in time. With `--keep FOLDER` what the
workers said is kept there.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import brokers  # noqa: E402 - the path has to be set first
from crash.run import Chosen, run  # noqa: E402 - as above
from crash.verdict import Verdict  # noqa: E402 - as above

SHOWN = 20  # faults of one seed that are told: more of them are mostly the same one


def main() -> int:
    """Run and report."""
    usual = Chosen()
    parser = argparse.ArgumentParser(prog="crash", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first one")
    parser.add_argument("--broker", choices=["embedded", "kafka"], default="embedded")
    parser.add_argument("--workers", type=int, default=usual.workers)
    parser.add_argument("--sessions", type=int, default=usual.sessions)
    parser.add_argument("--stops", type=int, default=usual.stops)
    parser.add_argument("--rate", type=int, default=usual.rate, help="records a second")
    parser.add_argument("--build", default="", help="workers without a guard: a name of crash/sabotage.py")
    parser.add_argument("--keep", type=Path, help="a folder for what the workers said")
    options = parser.parse_args()
    reason = brokers.missing(options.broker)
    if reason is not None:
        parser.error(f"broker {options.broker}: {reason}")
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # a broker that goes away is what this is about
    total, stops = Verdict(), 0
    for seed in range(options.first, options.first + options.seeds):
        outcome = asyncio.run(run(seed, Chosen(options.broker, options.workers, options.sessions, options.stops, options.rate, build=options.build)))
        print(outcome, *outcome.verdict.reasons[:SHOWN], sep="\n  ", flush=True)
        if options.keep is not None:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"seed-{seed}.log").write_text(outcome.log, "utf-8")
        total.add(outcome.verdict)
        stops += outcome.stops
    print(f"crash: {stops} stops, {total}")
    return 0 if total.ok else 1


if __name__ == "__main__":
    sys.exit(main())
