"""Which call a result answers."""

from __future__ import annotations

import json

import pytest

import tamis
from tamis.core.conversation.calls import KEPT, KEPT_MS, Published, PublishedCalls
from tamis.core.conversation.results import format_tool_result

NOW = 1_796_068_688_412


def made(call_id: str, response: str = "r", choice: int = 0, time_ms: int = NOW, label: str = "kimi_special") -> Published:
    return Published(call_id, "get_tide", label, response, choice, time_ms, {"turn": 4})


def test_by_response_and_choice_else_the_newest_of_that_id() -> None:
    one, two, three, other = made("c0", "r1"), made("c0", "r2"), made("c0", "r2", 1), made("c1", "r3")
    calls = PublishedCalls([one, two, three, other])
    assert calls.find("c0", NOW) is three
    assert calls.find("c0", NOW, "r1") is one
    assert calls.find("c0", NOW, "r2", 0) is two
    assert calls.find("c0", NOW, "r2") is three
    assert calls.find("c0", NOW, choice=0) is two
    assert [calls.find("c2", NOW), calls.find("c0", NOW, "r3"), calls.find("c0", NOW, "r1", 1)] == [None] * 3


def test_for_24_hours_by_record_time() -> None:
    calls = PublishedCalls([made("c0")])
    assert calls.find("c0", NOW + KEPT_MS) is not None
    assert calls.find("c0", NOW + KEPT_MS + 1) is None
    calls.expire(NOW + KEPT_MS)
    assert len(calls) == 1
    calls.expire(NOW + KEPT_MS + 1)
    assert len(calls) == 0


def test_the_last_256_are_kept_and_a_replay_adds_nothing() -> None:
    calls = PublishedCalls(made(f"c{number}") for number in range(KEPT + 3))
    calls.add(made(f"c{KEPT}", time_ms=NOW + 1))
    assert len(calls) == KEPT
    assert calls.find("c2", NOW) is None
    assert calls.find("c3", NOW) is not None
    assert calls.find(f"c{KEPT}", NOW) == made(f"c{KEPT}")


def test_they_survive_a_restart_and_know_the_format_of_their_answer() -> None:
    calls = PublishedCalls([made("c0"), made("c1", label="native")])
    calls = PublishedCalls.from_list(json.loads(json.dumps(calls.to_list())))
    found = [calls.find(name, NOW) for name in ("c0", "c1")]
    assert found == [made("c0"), made("c1", label="native")]
    assert [format_tool_result(item.call(), "ok")["role"] for item in found if item is not None] == ["user", "tool"]


@pytest.mark.parametrize("bad", [[{}], [{"id": "c0", "more": 1}], [5], None])
def test_what_is_no_state_raises(bad: object) -> None:
    with pytest.raises(tamis.TamisError, match="published calls"):
        PublishedCalls.from_list(bad)  # type: ignore[arg-type]
