"""What is done to workers and broker, by seed: each fault behind a number of written records, not at a time."""

from __future__ import annotations

import random
from dataclasses import dataclass

__all__ = ["STOPS", "Fault", "faults"]

STOPS = ("kill", "term", "pause", "broker")
"""Faults that count as stops: kill -9, SIGTERM, SIGSTOP beyond the session timeout, a broker that goes and comes back."""
_PAUSE = 1.0, 8.0  # seconds past the session timeout: the group has gone on, or is about to


@dataclass(frozen=True, slots=True)
class Fault:
    """`at`: records written before it; `worker`: whom it is for; `number`: ms of a delay, more seconds of a pause."""

    at: int
    kind: str
    worker: int = 0
    number: float = 0.0


def faults(seed: int, records: int, stops: int, workers: int, kinds: tuple[str, ...], *, restarts: bool, delays: bool) -> list[Fault]:
    """`stops` of them between the records, the kinds by lot out of `kinds`; with `restarts` one is a restart of the broker; with `delays` writes
    of the workers are held up during a third of the run."""
    chance = random.Random(f"faults {seed}")
    made = []
    for number in range(stops):
        # one in each of as many stretches, so that something is worked through between two of them
        at = int(records * (number + chance.uniform(0.2, 0.9)) / stops)
        made.append(Fault(at, chance.choice(kinds), chance.randrange(workers), chance.uniform(*_PAUSE)))
    if restarts and made:
        chosen = chance.randrange(len(made))
        made[chosen] = Fault(made[chosen].at, "broker")
    if delays:
        begin = chance.randint(0, records * 2 // 3)
        made += [Fault(begin, "slow", number=chance.choice([50.0, 150.0, 300.0])), Fault(begin + records // 3, "slow", number=0.0)]
    return sorted(made, key=lambda item: item.at)
