"""Lag: how many records, and how long the oldest has been waiting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.agents.lag import Lag


def test_a_reader_at_the_end_is_not_behind() -> None:
    assert Lag().look(10, 10, 0.0, age=3600.0) == (0, 0.0)


def test_the_wait_begins_when_the_record_was_first_seen() -> None:
    lag = Lag()
    lag.look(10, 10, 0.0)
    assert lag.look(14, 10, 5.0) == (4, 0.0)
    assert lag.look(20, 10, 8.0) == (10, 3.0)
    assert lag.look(20, 14, 9.0) == (6, 1.0), "those of second 5 are read, the others came at second 8"
    assert lag.look(20, 20, 9.5) == (0, 0.0)
    assert lag.look(21, 20, 100.0) == (1, 0.0), "a quiet hour before it makes a record no older"


def test_a_backlog_of_before_the_start_is_as_old_as_its_records_say() -> None:
    lag = Lag()
    assert lag.look(1000, 10, 0.0, age=7200.0) == (990, 7200.0)
    assert lag.look(1000, 500, 1.0, age=60.0) == (500, 60.0)
    assert lag.look(1000, 500, 90.0, age=60.0) == (500, 90.0)


@pytest.mark.parametrize("end", [0, 3])
def test_an_end_that_is_told_too_low_is_no_negative_lag(end: int) -> None:
    lag = Lag()
    lag.look(10, 5, 0.0)
    assert lag.look(end, 10, 1.0) == (0, 0.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=200))
def test_lag_is_never_negative_and_memory_is_bounded(steps: list[tuple[int, int]]) -> None:
    lag, end, position = Lag(), 0, 0
    for now, (more, read) in enumerate(steps):
        end += more
        position = min(end, position + read)
        records, seconds = lag.look(end, position, float(now))
        assert records == end - position
        assert 0 <= seconds <= now
        assert (seconds == 0) or records
