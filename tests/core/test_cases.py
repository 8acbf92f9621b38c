"""The corpus: exact results at many cuts, and the runner itself, whose word the rest relies on."""

from __future__ import annotations

import json

import pytest

from helpers import corpus, drift
from tamis.core import Content, Reasoning, parse
from tamis.core.cases import Case, CaseError, compare, cuts, load_cases, merged, run_case, same, select


def parameters() -> list[object]:
    return [pytest.param(case, id=f"{case.dialect}:{case.id}") for case in corpus()]


def judge(case: Case, level: str) -> None:
    result = run_case(case, level)  # type: ignore[arg-type]
    if case.contested and not result.ok:
        pytest.skip(f"contested, read otherwise here: {result.reasons[0]}")
    assert result.ok, "\n".join(result.reasons)


@pytest.mark.parametrize("case", parameters())
def test_case(case: Case) -> None:
    judge(case, "fast")


@pytest.mark.parametrize("case", drift(), ids=lambda case: case.id)
def test_drift(case: Case) -> None:
    judge(case, "fast")


@pytest.mark.full
@pytest.mark.parametrize("case", parameters())
def test_case_at_every_cut(case: Case) -> None:
    judge(case, "full")


def test_no_false_call_in_prose() -> None:
    prose = [case for case in corpus() if case.dialect == "prose"]
    assert prose
    assert [case.id for case in prose if parse(case.text, tools=list(case.tools), finish_reason=case.finish_reason).calls] == []


# -- the runner


GOOD = {"id": "one", "dialect": "prose", "text": "hi", "tools": [], "expect": {"content": "hi"}}


def lines(*cases: object) -> list[str]:
    return [json.dumps(case) for case in cases]


def test_load_keeps_order_and_skips_empty_lines() -> None:
    assert [case.id for case in load_cases(["", *lines(GOOD, GOOD | {"id": "two"}), " \n"])] == ["one", "two"]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("[1]", "line 2: a case is a JSON object"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "text"}), "'text' must be a string; it is missing"),
        (json.dumps(GOOD | {"id": 5}), "'id' must be a string"),
        (json.dumps(GOOD | {"id": "x", "tools": {}}), "'tools' must be a list"),
        (json.dumps(GOOD | {"id": "x", "expect": {"cals": []}}), "unknown key 'cals'"),
        (json.dumps(GOOD | {"id": "x", "expect": {"calls": [{"name": "f"}]}}), "name and arguments"),
        (json.dumps(GOOD | {"id": "x", "expect": {"content": 1}}), "'expect.content' must be a string"),
        (json.dumps(GOOD | {"id": "x", "expect": {"hallucinated_results": "1"}}), "must be a number"),
        (json.dumps(GOOD), "already used on line 1"),
    ],
)
def test_load_names_the_line(bad: str, words: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_cases([*lines(GOOD), bad])
    assert words in str(caught.value)
    assert "line 2" in str(caught.value)


def test_select_by_dialect() -> None:
    cases = load_cases(lines(GOOD, GOOD | {"id": "two", "dialect": "react"}))
    assert [case.id for case in select(cases, ["react"])] == ["two"]
    assert len(select(cases, [])) == 2
    with pytest.raises(CaseError, match="there are: prose, react"):
        select(cases, ["reakt"])


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        (None, False, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([True], [1], False),
        ("a", "a", True),
        ([], {}, False),
        (None, None, True),
    ],
)
def test_same_counts_types(one: object, other: object, equal: bool) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal


@pytest.mark.parametrize("text", ["", "a", "abcdefgh" * 9, "é‮\U0001f600" * 40])
@pytest.mark.parametrize("level", ["fast", "full"])
def test_cuts_lose_nothing_and_repeat(text: str, level: str) -> None:
    made = list(cuts(text, 3, level))  # type: ignore[arg-type]
    assert all("".join(pieces) == text for _, pieces in made)
    assert made == list(cuts(text, 3, level))  # type: ignore[arg-type]
    assert len({label for label, _ in made}) == len(made)
    assert sum(label.startswith("in two") for label, _ in made) == (max(0, len(text) - 1) if level == "full" else 0)


def test_compare_sees_every_part() -> None:
    turn = parse("visible")
    good = {"content": " visible\n", "reasoning": None, "calls": [], "hallucinated_results": 0, "rejections": []}
    assert compare(good, turn) == []
    for key, value in (
        ("content", "x"),
        ("reasoning", "x"),
        ("calls", [{"name": "f", "arguments": {}}]),
        ("hallucinated_results", 1),
        ("rejections", [{"cause": "truncated", "name": None}]),
    ):
        reasons = compare(good | {key: value}, turn)
        assert len(reasons) == 1
        assert reasons[0].startswith(key)


def test_a_nameless_refusal_is_accepted_only_where_json_broke() -> None:
    turn = parse('<tool_call>{"arguments": {"a": ', tools=[{"name": "f", "parameters": {"type": "object"}}], finish_reason="length")
    assert [item.name for item in turn.rejections] == [None]
    wanted = {"content": "", "reasoning": None, "calls": [], "hallucinated_results": 0}
    assert compare(wanted | {"rejections": [{"cause": str(turn.rejections[0].cause), "name": "f"}]}, turn) == []
    assert compare(wanted | {"rejections": [{"cause": "unknown_tool", "name": "f"}]}, turn) != []


def test_a_wrong_expectation_fails() -> None:
    (case,) = load_cases(lines(GOOD | {"expect": {"content": "ho"}}))
    result = run_case(case)
    assert not result.ok
    assert result.reasons[0].startswith("whole: content: expected 'ho', got 'hi'")


def test_merged_joins_neighbours_of_one_kind() -> None:
    pieces = [Content("a", 0), Content("b", 1), Reasoning("c", 2), Reasoning("d", 2), Content("e", 2)]
    assert merged(pieces) == [Content("ab", 0), Reasoning("cd", 2), Content("e", 2)]
