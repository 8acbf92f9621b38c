"""What must hold for every text: no exception, no dependence on cuts, nothing lost in a snapshot, a total transition table."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from helpers import corpus
from tamis.core import Content, Event, FormatCandidate, Session, TurnEnd, parse
from tamis.core.cases import merged
from tamis.core.state import TRANSITIONS, Action, Lexeme, State

TOOLS = [
    {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}, "x": {"type": "array"}}}},
    {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}},
]
MARKS = [
    "<tool_call>",
    "</tool_call>",
    "<function_call>",
    "</function_call>",
    "<function_calls>",
    "</function_calls>",
    '<invoke name="f">',
    "</invoke>",
    '<parameter name="a">',
    "</parameter>",
    "<function_results>",
    "</function_results>",
    "<tool_response>",
    "</tool_response>",
    "<tool_result>",
    "</tool_result>",
    "<result>",
    "</result>",
    '<details type="tool_calls">',
    "</details>",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_argument_begin|>",
    "<|tool_call_end|>",
    "functions.f:0",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|eot_id|>",
    "<tools>",
    "</tools>",
    "<answer>",
    "</answer>",
]
PIECES = [
    '{"name": "f", "arguments": {"a": "b"}}',
    '{"name": "nope", "arguments": {}}',
    '{"name": "f", "arguments": {"a": "',
    '"}}',
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ":",
    ",",
    "\\",
    '\\"',
    "\\u12",
    "\\ud800",
    "null",
    "True",
    "1e999",
    "NaN",
    "-0",
    "// note",
    "/*",
    "*/",
    "```",
    "```json\n",
    "``",
    "`",
    "> ",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "\t",
    "text ",
    "I call f.",
    "“",
    "”",
    "＜",
    "｜",
    "é",
    "\u0000",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\U0001f600",
    "<",
    "</",
    "<|",
    "|>",
    "&lt;",
    "&amp;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "$x",
    "<x>",
]
REASONS = st.sampled_from(["stop", "length", "tool_calls", None, "content_filter", "error", "aborted", "something_new"])
fragment = st.one_of(
    st.sampled_from(MARKS),
    st.sampled_from(PIECES),
    st.sampled_from(MARKS).flatmap(lambda mark: st.integers(1, len(mark)).map(lambda end: mark[:end])),
    st.text(max_size=6),
)
corpus_text = st.sampled_from([case.text for case in corpus()])
spliced = st.tuples(corpus_text, corpus_text, st.integers(0, 400), st.integers(0, 400)).map(lambda it: it[0][: it[2]] + it[1][it[3] :])
texts = st.one_of(st.lists(fragment, max_size=14).map("".join), spliced)
tools = st.sampled_from([None, TOOLS])
EXAMPLES = 150  # some seconds on two cores; the full tier makes more


def events_of(pieces: list[str], given_tools: object, reason: str | None, restore: bool = False) -> list[Event]:
    session = Session(tools=given_tools)  # type: ignore[arg-type]
    out: list[Event] = []
    for piece in pieces:
        if restore:
            session = Session.restore(session.snapshot(), tools=given_tools)  # type: ignore[arg-type]
        out += session.receive(piece)
    if restore:
        session = Session.restore(session.snapshot(), tools=given_tools)  # type: ignore[arg-type]
    return out + session.finish(reason)


def pieces_of(text: str, places: list[int]) -> list[str]:
    ends = sorted(min(place, len(text)) for place in places)
    return [text[begin:end] for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]


def check_one_text(text: str, given_tools: object, reason: str | None, places: list[int]) -> None:
    whole = events_of([text], given_tools, reason)
    pieces = pieces_of(text, places)
    assert merged(events_of(pieces, given_tools, reason)) == merged(whole)
    assert merged(events_of(pieces, given_tools, reason, restore=True)) == merged(whole)
    assert merged(events_of(list(text), given_tools, reason)) == merged(whole)
    assert [event.ordinal for event in whole if hasattr(event, "ordinal")] == list(range(sum(hasattr(event, "ordinal") for event in whole)))
    seen = 0
    for event in whole:
        if isinstance(event, FormatCandidate):
            assert event.content_offset <= seen, "it says where the opener stands, and comes behind the text that showed it"
        else:
            assert event.content_offset == seen
        if isinstance(event, Content):
            seen += len(event.text)
    assert isinstance(whole[-1], TurnEnd)
    assert sum(isinstance(event, TurnEnd) for event in whole) == 1


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(texts, tools, REASONS, st.lists(st.integers(0, 300), max_size=8))
@example("", None, "stop", [])
@example("\ud800<tool_call>\udfff", TOOLS, "stop", [1])
@example('<tool_call>{"name": "f", "arguments": ' + '{"x": [' * 200, TOOLS, "length", [50, 60])
def test_any_text(text: str, given_tools: object, reason: str | None, places: list[int]) -> None:
    check_one_text(text, given_tools, reason, places)


@pytest.mark.full
@pytest.mark.timeout(3600)  # 20,000 texts at every character take some ten minutes
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(texts, tools, REASONS, st.lists(st.integers(0, 300), max_size=8))
def test_any_text_for_long(text: str, given_tools: object, reason: str | None, places: list[int]) -> None:
    check_one_text(text, given_tools, reason, places)


deltas = st.fixed_dictionaries(
    {},
    optional={
        "index": st.one_of(st.integers(-1, 3), st.none(), st.text(max_size=2)),
        "id": st.one_of(st.none(), st.sampled_from(["a", "b", ""]), st.integers()),
        "type": st.just("function"),
        "function": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {},
                optional={
                    "name": st.one_of(st.none(), st.sampled_from(["f", "nope", ""]), st.integers()),
                    "arguments": st.one_of(st.none(), st.sampled_from(PIECES), st.dictionaries(st.text(max_size=2), st.integers(), max_size=2)),
                },
            ),
        ),
    },
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.lists(st.one_of(deltas, fragment), max_size=8), tools, REASONS)
def test_native_deltas_never_raise_and_survive_a_snapshot(steps: list[object], given_tools: object, reason: str | None) -> None:
    results = []
    for restore in (False, True):
        session, out = Session(tools=given_tools), []  # type: ignore[arg-type]
        for step in steps:
            out += session.receive(step) if isinstance(step, str) else session.receive_delta(step)  # type: ignore[arg-type]
            if restore:
                session = Session.restore(session.snapshot(), tools=given_tools)  # type: ignore[arg-type]
        results.append(merged(out + session.finish(reason)))
    assert results[0] == results[1]


@given(st.binary(max_size=60))
def test_a_foreign_snapshot_is_refused_by_name(state: bytes) -> None:
    from tamis.core import SnapshotError

    with pytest.raises(SnapshotError):
        Session.restore(state)


def test_transition_table_is_total_and_every_action_is_used() -> None:
    assert set(TRANSITIONS) == {(state, lexeme) for state in State for lexeme in Lexeme}
    assert {action for action, _ in TRANSITIONS.values()} == set(Action)
    assert all(state is None or isinstance(state, State) for _, state in TRANSITIONS.values())
    assert all(action is Action.REFUSE for (state, _), (action, _) in TRANSITIONS.items() if state is State.ENDED)
    assert all(TRANSITIONS[state, Lexeme.FINISH] == (Action.CLOSE, State.ENDED) for state in State if state is not State.ENDED)


@pytest.mark.parametrize(
    "unit",
    ["a ", "<", "<tool_call", "[{", "`", "```\n", "\n> ", "</think>", "<tool_call>{", '{"name": "', "<|tool_call_begin|>", "<invoke ", "“", '\\"'],
)
def test_near_misses_stay_linear(unit: str) -> None:
    """Twice the text may not cost four times the work; counted in calls of the interpreter, which no noisy machine can move."""
    import sys

    def work(size: int) -> int:
        text, count = unit * (size // len(unit)), 0

        def tick(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(tick)
        try:
            session = Session(tools=TOOLS)
            for at in range(0, len(text), 4):
                session.receive(text[at : at + 4])
            session.finish("stop")
        finally:
            sys.setprofile(None)
        return count

    small, large = work(4_000), work(8_000)
    assert large < 2.4 * small + 2_000


def test_parse_is_the_whole_text_feed() -> None:
    for case in corpus()[:20]:
        turn = parse(case.text, tools=list(case.tools), finish_reason=case.finish_reason)
        assert turn.to_dict()["diagnosis"] is not None
