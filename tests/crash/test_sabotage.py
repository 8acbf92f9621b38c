"""Each guard of delivery is needed: under a trial the product holds, and the same worker without that one guard does not."""

from __future__ import annotations

import pytest

import brokers
from crash.run import Chosen, run

pytestmark = [pytest.mark.kafka, pytest.mark.full, pytest.mark.timeout(1200)]
SEEDS = 3  # tried until one fails: a kill has to fall between two writes

_BASE = {"workers": 2, "sessions": 16, "stops": 6, "delays": False, "orphans": 0, "kinds": ("kill",)}
_SLOW_BARRIER = {"TAMIS_BARRIER_INTERVAL_SECONDS": "4"}
_SLOW_COMMIT = {"TAMIS_COMMIT_INTERVAL_SECONDS": "3"}
# guard left out -> the trial, and what else makes it happen often
TRIALS: dict[str, tuple[str, dict[str, object]]] = {
    "no_contiguity": ("lost_lists", {"stops": 2}),
    "not_looked_after": ("lost_lists", {"stops": 0, "workers": 1}),
    "zombies": ("", {"env": _SLOW_BARRIER, "kinds": ("pause", "kill"), "stops": 8, "idle_seconds": 12.0}),
    "state_before_outputs": ("slow_outputs", {}),
    "offset_before_state": ("", {"env": _SLOW_BARRIER}),
    "applied_again": ("", {"env": _SLOW_COMMIT}),
    "early_tombstones": ("short_memory", {"env": _SLOW_COMMIT, "mix": {"prose": 1}, "sessions": 90}),
    "decisions_last": ("", {"env": _SLOW_BARRIER, "mix": {"catalog": 1}, "sessions": 20, "versions": 100}),
    "seen_undecided": ("", {"env": _SLOW_BARRIER, "mix": {"remember": 1}, "sessions": 40}),
    "failures_ignored": ("failing_write", {"stops": 1}),
}


def chosen(name: str, *, without: bool) -> Chosen:
    trial, more = TRIALS[name]
    build = ",".join(filter(None, [trial, name if without else ""]))
    patience = 40.0 if without else 100.0  # what is lost will not come
    return Chosen(**{**_BASE, **more, "build": build, "patience_seconds": patience})  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def embedded() -> None:
    reason = brokers.missing("embedded")
    if reason is not None:
        pytest.skip(reason)


@pytest.mark.parametrize("name", TRIALS)
async def test_with_the_guard_it_holds(name: str) -> None:
    outcome = await run(1, chosen(name, without=False))
    assert outcome.verdict.ok, "\n".join([str(outcome), *outcome.verdict.reasons[:20], outcome.log[-4000:]])


@pytest.mark.parametrize("name", TRIALS)
async def test_without_the_guard_it_fails(name: str) -> None:
    outcomes = []
    for seed in range(1, SEEDS + 1):
        outcomes.append(await run(seed, chosen(name, without=True)))
        if not outcomes[-1].verdict.ok:
            return
    pytest.fail("nothing was seen of a missing guard: " + "; ".join(map(str, outcomes)))
