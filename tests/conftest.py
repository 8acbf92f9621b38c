"""Brokers for the tests: a fresh one a module, every kind that can be had here."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import brokers


def pytest_report_header() -> list[str]:
    """Say once why a broker is missing, so that no run hides it."""
    return [f"broker {name}: {brokers.missing(name) or 'here'}" for name in brokers.BROKERS]


@pytest.fixture(scope="module", params=[pytest.param(name, marks=pytest.mark.kafka) for name in brokers.BROKERS])
def broker(request: pytest.FixtureRequest) -> Iterator[brokers.Broker]:
    """Each kind of broker in turn."""
    name = request.param
    reason = brokers.missing(name)
    if reason is not None:
        if name == "kafka" and os.environ.get("TAMIS_REQUIRE_KAFKA") == "1":
            pytest.fail(f"Apache Kafka is promised here: {reason}")
        pytest.skip(reason)
    with brokers.start(name) as running:
        yield running


@pytest.fixture(scope="module")
def embedded() -> Iterator[brokers.Broker]:
    """The embedded broker alone."""
    reason = brokers.missing("embedded")
    if reason is not None:
        pytest.skip(reason)
    with brokers.start("embedded") as running:
        yield running
