"""Made-up results: one correction a response, two a session, then none; a second one in a response advises another provider."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.core.conversation.fabrications import MAX_DIRECTIVES, SESSION_MS, Action, Advice, Fabrications

NOW = 1_796_068_688_412


def test_the_text_is_given_twice_and_never_again() -> None:
    first, second = tamis.hallucination_directive(1), tamis.hallucination_directive(2)
    assert first
    assert second
    assert first != second
    assert "wrote yourself" in first
    assert [tamis.hallucination_directive(count) for count in (0, 3, 4, 1000)] == [None] * 4
    for text in (first, second):  # a model that repeats it calls nothing
        turn = tamis.parse(text)
        assert (turn.content, turn.calls, turn.rejections) == (text, [], [])


@pytest.mark.parametrize("bad", [-1, 1.0, True, "1", None])
def test_what_is_no_count_raises(bad: object) -> None:
    with pytest.raises(tamis.TamisError, match="number of corrections"):
        tamis.hallucination_directive(bad)  # type: ignore[arg-type]


def test_one_directive_a_response_two_a_session_then_suppression_only() -> None:
    state = Fabrications()
    given_ = [state.observe(f"r{number}", NOW + number) for number in range(4)]
    assert given_ == [
        Advice(Action.DIRECTIVE, tamis.hallucination_directive(1), 1),
        Advice(Action.DIRECTIVE, tamis.hallucination_directive(2), 2),
        Advice(Action.SUPPRESS, None, 3),
        Advice(Action.SUPPRESS, None, 4),
    ]


def test_a_second_one_in_a_response_advises_another_provider() -> None:
    state = Fabrications()
    assert [state.observe("r", NOW).action for _ in range(3)] == ["directive", "switch_provider", "switch_provider"]
    assert state.observe("s", NOW).action == "directive"
    for number in range(5):
        state.observe(f"t{number}", NOW)
    assert state.observe("t4", NOW).action == "switch_provider", "past the cap as well"


def test_responses_that_run_at_once_are_told_apart() -> None:
    state = Fabrications()
    assert [state.observe(name, NOW).action for name in "abab"] == ["directive", "directive", "switch_provider", "switch_provider"]


def test_the_counters_end_with_the_session_by_record_time() -> None:
    state = Fabrications()
    for name in "abc":
        state.observe(name, NOW)
    state.touch(NOW + SESSION_MS)  # any record of the session keeps it alive
    assert state.observe("d", NOW + SESSION_MS + 5).action == "suppress"
    assert state.observe("e", NOW + 2 * SESSION_MS + 6) == Advice(Action.DIRECTIVE, tamis.hallucination_directive(1), 1)


def test_a_record_that_is_late_does_not_end_a_session() -> None:
    state = Fabrications()
    state.observe("a", NOW)
    state.touch(NOW - 3 * SESSION_MS)
    assert state.observe("b", NOW + SESSION_MS).session_count == 2


@given(st.lists(st.tuples(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), st.integers(0, SESSION_MS // 4)), max_size=60), st.integers(0, 60))
def test_a_restart_at_any_point_changes_nothing_and_no_session_gets_three(steps: list[tuple[str, int]], cut: int) -> None:
    whole, broken = Fabrications(), Fabrications()
    now, advised = NOW, []
    for number, (name, wait) in enumerate(steps):
        now += wait
        if number == cut:
            broken = Fabrications.from_dict(json.loads(json.dumps(broken.to_dict())))
        advised.append(whole.observe(name, now))
        assert broken.observe(name, now) == advised[-1]
    assert sum(item.action == "directive" for item in advised) <= MAX_DIRECTIVES
    assert all((item.directive is not None) == (item.action == "directive") for item in advised)
    assert [item.session_count for item in advised] == list(range(1, len(advised) + 1))
    assert len(whole.to_dict()["responses"]) <= 16


@pytest.mark.parametrize("bad", [{}, {"detections": 1}, {"detections": -1, "directives": 0, "last_ms": 0, "responses": {}},
                                 {"detections": 1, "directives": 0, "last_ms": 0, "responses": {"r": "x"}}, None, []])  # fmt: skip
def test_what_is_no_state_raises(bad: object) -> None:
    with pytest.raises(tamis.TamisError, match="counters"):
        Fabrications.from_dict(bad)  # type: ignore[arg-type]
