"""One mutant against the tests: in a fork, which may crash or hang without harm."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from mutation.mutants import Mutant

__all__ = ["Cases", "survives"]

# in seconds of processor time: a busy machine proves nothing
CASE_SECONDS = 3  # for one case, which takes some milliseconds: more is an endless loop, which is noticed
SECONDS = 90  # for the tests of the core, which take some ten
STEPS = (1, 3)  # lengths of the pieces besides the whole: one character, and one that meets every marker at another place
PUT_AWAY = 7  # characters between which a session goes through a snapshot: some twenty times in a text


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases, and for each line of the core (module, number) those that execute it, short ones first."""

    all: list[Any]
    lines: dict[tuple[str, int], list[int]]

    @classmethod
    def covering(cls, core: Path, store: Path) -> Cases:
        """Run every case once under a tracer; what came out is kept in `store` for as long as neither cases nor core change."""
        from helpers import corpus, drift

        cases = sorted((case for case in (*corpus(), *drift()) if not case.contested), key=lambda case: len(case.text))
        digest = hashlib.sha256(repr(cases).encode())
        for path in sorted(core.rglob("*.py")):
            digest.update(path.read_bytes())
        kept = store / f"{digest.hexdigest()[:16]}.json"
        if kept.exists():
            lines = {(module, line): numbers for module, line, numbers in json.loads(kept.read_text("utf-8"))}
            return cls(cases, lines)
        prefix = f"{core}{os.sep}"
        found: dict[tuple[str, int], list[int]] = {}
        for number, case in enumerate(cases):
            for line in _executed(case, prefix):
                found.setdefault(line, []).append(number)
        store.mkdir(exist_ok=True)
        kept.write_text(json.dumps([[*line, numbers] for line, numbers in found.items()]), "utf-8")
        return cls(cases, found)


def _executed(case: Any, prefix: str) -> set[tuple[str, int]]:
    lines: set[tuple[str, int]] = set()

    def local(frame: FrameType, event: str, arg: object) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename[len(prefix) :], frame.f_lineno))
        return local

    def tracer(frame: FrameType, event: str, arg: object) -> Any:
        return local if frame.f_code.co_filename.startswith(prefix) else None

    for size, restored in ((max(len(case.text), 1), False), (1, False), (PUT_AWAY, True)):
        sys.settrace(tracer)
        try:
            _events(case, size, restored=restored)
        finally:
            sys.settrace(None)
    return lines


def _events(case: Any, size: int, *, restored: bool = False) -> list[Any]:
    core = import_module("tamis.core")
    tools = core.Catalog.of([dict(tool) for tool in case.tools])
    session = core.Session(tools)
    events: list[Any] = []
    for at in range(0, len(case.text), size):
        if restored:
            session = core.Session.restore(session.snapshot(), tools)
        events += session.receive(case.text[at : at + size])
    merged: list[Any] = import_module("tamis.core.cases").merged([*events, *session.finish(case.finish_reason)])
    return merged


def holds(case: Any) -> bool:
    """Whether a case gives what it expects, the same in pieces, and the same when its session is put away between them."""
    whole = _events(case, max(len(case.text), 1))
    if import_module("tamis.core.cases").compare(case.expect, import_module("tamis.core").collect(whole)):
        return False
    return all(_events(case, size) == whole for size in STEPS) and _events(case, PUT_AWAY, restored=True) == whole


class _Mutated(MetaPathFinder, Loader):
    """Gives one module another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, f"<mutant of {self.name}>", "exec"), module.__dict__)


def survives(cases: Cases, module: str, mutant: Mutant, *, deep: bool) -> bool:
    """Whether no test notices the mutant."""
    child = os.fork()
    if child == 0:
        code = 1  # whatever goes wrong is noticed
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            for name in [name for name in sys.modules if name.split(".")[0] == "tamis"]:
                del sys.modules[name]
            sys.meta_path.insert(0, _Mutated("tamis.core." + module.removesuffix(".py").replace("/", "."), mutant.source))
            code = 0 if _unnoticed(cases, module, mutant.line, deep=deep) else 1
        except BaseException:  # noqa: BLE001 - see `code`
            pass
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return status == 0


def _unnoticed(cases: Cases, module: str, line: int, *, deep: bool) -> bool:
    covering = cases.lines.get((module, line))
    if covering is None:  # a line that runs at import, or a part of a longer one
        covering = list(range(0, len(cases.all), 4))
    for number in covering:
        signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
        if not holds(cases.all[number]):
            return False
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    if not deep:
        return True
    import pytest

    tests = [str(path) for path in sorted((Path(__file__).parents[1] / "core").glob("test_*.py")) if path.stem != "test_cases"]
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests, "-m", "not full"]) == 0
