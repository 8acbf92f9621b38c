"""The lag of the partitions that are held here, and of no others."""

from __future__ import annotations

from typing import Any

import pytest
from aiokafka.structs import TopicPartition
from prometheus_client.parser import text_string_to_metric_families

from tamis import metrics
from tamis.agents import health


class Part:
    """As much of a partition as is looked at."""

    def __init__(self, position: int) -> None:
        self.next = position
        self.time_ms: int | None = None


class Ends:
    """A consumer that only knows where the log ends."""

    def __init__(self, **ends: int) -> None:
        self.ends = {int(number.removeprefix("p")): end for number, end in ends.items()}

    async def end_offsets(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return {tp: self.ends[tp.partition] for tp in partitions}


def lags() -> dict[str, float]:
    families = text_string_to_metric_families(metrics.exposition().decode())
    return {item.labels["partition"]: item.value for family in families for item in family.samples if item.name == "tamis_consumer_lag_records"}


async def test_lag_of_held_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    held: dict[int, Any] = {1: Part(5), 2: Part(9)}
    monkeypatch.setattr(health.engine, "partitions", held)
    monkeypatch.setattr(health, "_seen", lambda number: 0)
    seen: dict[int, Any] = {}
    await health._look(Ends(p1=12, p2=9), seen)
    assert lags() == {"1": 7, "2": 0}
    del held[1]
    await health._look(Ends(p2=8), seen)
    assert lags() == {"2": 0}, "what another worker holds is that worker's to tell; an end below the position is no lag"
    monkeypatch.setattr(health, "_seen", lambda number: 20)
    await health._look(Ends(p2=8), seen)
    assert lags() == {"2": 11}, "the fetches have seen more than the broker tells"
    held.clear()
    await health._look(Ends(), seen)
    assert lags() == {}
