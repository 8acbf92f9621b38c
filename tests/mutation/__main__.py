"""`python -m mutation [MODULE…]`: how many small wrong changes of scanner, table and decoders the tests notice.

Each mutant runs in a process of its own: first the corpus, whole and cut; what survives that meets the tests of tests/core. Survivors
are printed, and compared with the list beside this file.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS), str(ROOT / "workers")]

from mutation.mutants import Mutant, mutants  # noqa: E402 - the path has to be set first

CORE = ROOT / "workers" / "tamis" / "core"
MODULES = ("lexicon", "source", "state", "passing", "lines", "literals", "messages", "actions", "bodies/*", "watch")
SECONDS = 60  # for one mutant: the corpus takes three, the tests of the core some fifteen; longer is an endless loop, which is noticed


class _Mutated(MetaPathFinder, Loader):
    """Gives one module another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, f"<mutant of {self.name}>", "exec"), module.__dict__)


def noticed(module: str, mutant: Mutant, *, deep: bool) -> bool:
    """Whether the tests notice the mutant. It runs in a fork, which may crash or hang without harm."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            signal.alarm(SECONDS)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            sys.meta_path.insert(0, _Mutated(module, mutant.source))
            code = 0 if _holds(deep=deep) else 1
        except BaseException:  # noqa: BLE001 - whatever goes wrong is noticed
            code = 1
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def _holds(*, deep: bool) -> bool:
    from helpers import corpus
    from tamis.core import Catalog, Session, collect
    from tamis.core.cases import compare, merged

    for case in corpus():
        catalog = Catalog.of([dict(tool) for tool in case.tools])
        found = []
        for size in (len(case.text), 1, 3):
            session, events = Session(catalog), []
            for at in range(0, len(case.text), max(size, 1)):
                events += session.receive(case.text[at : at + size])
            found.append(merged([*events, *session.finish(case.finish_reason)]))
        if (compare(case.expect, collect(found[0])) and not case.contested) or found[1] != found[0] or found[2] != found[0]:
            return False
    if not deep:
        return True
    import pytest

    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", str(TESTS / "core"), "-m", "not full"]) == 0


def main() -> int:
    """Run and report; 1 when more survive than are listed."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--sample", type=int, default=0, help="so many mutants by chance instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="the corpus alone")
    chosen = parser.parse_args()
    work = [
        (path, mutant)
        for pattern in chosen.modules
        for path in sorted(CORE.glob(f"{pattern}.py"))
        if path.stem != "__init__"
        for mutant in mutants(path.read_text("utf-8"))
    ]
    total = len(work)
    if chosen.sample:
        work = random.Random(chosen.seed).sample(work, min(chosen.sample, total))
    begin, survivors = time.monotonic(), []
    for path, mutant in work:
        name = ".".join(path.relative_to(ROOT / "workers").with_suffix("").parts)
        if not noticed(name, mutant, deep=False) and (chosen.quick or not noticed(name, mutant, deep=True)):
            survivors.append(f"{path.relative_to(CORE)}:{mutant.name}")
            print(survivors[-1], flush=True)
    took = time.monotonic() - begin
    print(f"mutation: {len(work)} of {total} mutants, {len(survivors)} survived ({len(survivors) / max(len(work), 1):.1%}), {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
