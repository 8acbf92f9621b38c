"""Killed, stopped and held up on real brokers: nothing is missing, nothing wrong, nothing unexpected."""

from __future__ import annotations

import os

import pytest

import brokers
from crash.run import Chosen, Outcome, run

# a run is long by nature: a group that lost a worker without a word needs a session timeout, a join and a recovery to go on
pytestmark = [pytest.mark.kafka, pytest.mark.timeout(900)]


async def held(seed: int, chosen: Chosen) -> Outcome:
    reason = brokers.missing(chosen.broker)
    if reason is not None:
        if chosen.broker == "kafka" and os.environ.get("TAMIS_REQUIRE_KAFKA") == "1":
            pytest.fail(f"Apache Kafka is promised here: {reason}")
        pytest.skip(reason)
    outcome = await run(seed, chosen)
    print(outcome)
    assert outcome.verdict.ok, "\n".join([str(outcome), *outcome.verdict.reasons[:20], outcome.log[-4000:]])
    assert outcome.verdict.expected > 50
    return outcome


async def test_nothing_is_lost_or_changed_by_kills_in_short() -> None:
    chosen = Chosen(workers=2, sessions=10, stops=3, kinds=("kill", "term"), orphans=0, delays=False)
    outcome = await held(1, chosen)
    assert outcome.stops == 3


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 13))
async def test_nothing_is_lost_or_changed_on_the_embedded_broker(seed: int) -> None:
    outcome = await held(seed, Chosen())
    assert outcome.stops >= 5  # a fault that meets nobody is none
    assert outcome.held > 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 7))
async def test_nothing_is_lost_or_changed_on_apache_kafka(seed: int) -> None:
    outcome = await held(seed, Chosen("kafka"))
    assert outcome.stops >= 5
