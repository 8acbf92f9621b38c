"""`python -m mutation [MODULE…]`: how many small wrong changes of scanner, table and decoders the tests notice.

Each mutant runs in a process of its own and meets the cases of tests/corpus and tests/drift that execute the changed line, whole and
cut; one that survives them meets the tests of tests/core. Survivors are compared with the list beside this file, where each stands
with the reason why no test can or need notice it. Exits with 1 when one is not listed, or when more than one in twenty survives.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "workers")]

from mutation.mutants import Mutant, mutants  # noqa: E402 - the path has to be set first
from mutation.survivors import reasons  # noqa: E402 - as above
from mutation.trial import Cases, survives  # noqa: E402 - as above

CORE = ROOT / "workers" / "tamis" / "core"
MODULES = (
    "lexicon", "source", "state", "passing", "lines", "literals", "messages", "actions", "reader", "watch", "marks", "bodies/*",
    "jsontext", "jsonrepair", "calljson", "pyliteral", "bracetext", "lenient_string", "values",
)  # fmt: skip
SHARE = 0.05  # of all mutants may survive


def _printed(path: Path, mutant: Mutant) -> str:
    return f"{path.relative_to(CORE)}: {mutant.what}: {mutant.text}"


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--sample", type=int, default=0, help="so many mutants by chance instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="only the mutants that an earlier run printed into this file")
    parser.add_argument("--quick", action="store_true", help="the cases alone, not the tests of tests/core")
    chosen = parser.parse_args()
    paths = [path for pattern in chosen.modules for path in sorted(CORE.glob(f"{pattern}.py")) if path.stem != "__init__"]
    if not paths:
        parser.error(f"no module of workers/tamis/core is named {' or '.join(chosen.modules)}")
    work = [(path, mutant) for path in paths for mutant in mutants(path.read_text("utf-8"))]
    if chosen.again:
        before = set(chosen.again.read_text("utf-8").splitlines())
        work = [(path, mutant) for path, mutant in work if _printed(path, mutant) in before]
    total = len(work)
    if chosen.sample:
        work = random.Random(chosen.seed).sample(work, min(chosen.sample, total))
    begin = time.monotonic()
    cases = Cases.covering(CORE, ROOT / ".mutation")
    print(f"mutation: {len(cases.all)} cases, {total} mutants in {len(paths)} modules", flush=True)

    def tried(item: tuple[Path, Mutant]) -> str | None:
        path, mutant = item
        name = str(path.relative_to(CORE))
        if not survives(cases, name, mutant, deep=not chosen.quick):
            return None
        known = reasons().get((name, mutant.text, mutant.what))
        if not known:
            print(_printed(path, mutant), flush=True)
        return "listed" if known else "new"

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each thread waits for a process of its own
        outcomes = [outcome for outcome in pool.map(tried, work) if outcome]
    share = len(outcomes) / max(len(work), 1)
    new = outcomes.count("new")
    took = time.monotonic() - begin
    print(f"mutation: {len(work)} of {total} mutants, {len(outcomes)} survived ({share:.1%}), {new} of them not listed, {took:.0f} s")
    return 1 if new or share > SHARE else 0


if __name__ == "__main__":
    sys.exit(main())
