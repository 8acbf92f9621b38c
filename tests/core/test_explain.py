"""Why a text was read as it was: spans cover it, name rule and mark, and agree with the events."""

from __future__ import annotations

import pytest

from helpers import corpus
from tamis.core import Session, parse
from tamis.core.cases import Case
from tamis.core.explain import explain

TIDE = {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}
CALL = '<tool_call>{"name": "get_tide", "arguments": {"port": "Brest"}}</tool_call>'


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.id)
def test_spans_cover_the_text_and_agree_with_the_turn(case: Case) -> None:
    tools = [dict(tool) for tool in case.tools]
    spans = explain(case.text, tools, finish_reason=case.finish_reason)
    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])] if spans else not case.text
    assert not spans or spans[-1].end == len(case.text)
    assert all(span.rule.startswith("P") and span.why for span in spans)
    turn = parse(case.text, tools, finish_reason=case.finish_reason)
    kinds = [span.kind for span in spans]
    assert (kinds.count("call"), kinds.count("result")) == (len(turn.calls), turn.hallucinated_results)
    shown = "".join(case.text[span.start : span.end] for span in spans if span.kind == "content")
    if "</think>" not in case.text and "NBSP" not in case.why:  # a lone closer makes a thought of what was shown
        assert "".join(turn.content.split()) in "".join(shown.split()) or "".join(shown.split()) in "".join(turn.content.split())


def test_a_call_in_a_thought_is_told_as_what_became_of_it() -> None:
    considered = explain(f"<think>Maybe {CALL} or not.</think>No.", [TIDE])
    assert [(span.kind, span.rule) for span in considered if "get_tide" in span.why] == [("reasoning", "P34")]
    meant = explain(f"<think>Now. {CALL}</think>", [TIDE])
    assert [(span.kind, span.rule) for span in meant if "get_tide" in span.why] == [("call", "P35")]


@pytest.mark.parametrize(
    ("text", "rule", "marker"),
    [
        (CALL, "P3", "<tool_call>"),
        ('{"name": "get_tide", "arguments": {}}', "P19", ""),
        ("<get_tide>\n<port>x</port>\n</get_tide>", "P27", ""),
        ("Action: get_tide\nAction Input: {}", "P29", ""),
        ("get_tide\n{}", "P28", ""),
        ("```json\n" + CALL + "\n```", "P13", ""),
    ],
)
def test_events_say_which_rule_and_mark_made_them(text: str, rule: str, marker: str) -> None:
    (call,) = parse(text, [TIDE]).calls
    assert (call.rule, call.marker) == (rule, marker)


def test_refusals_and_results_say_so_too() -> None:
    turn = [*(session := Session([TIDE])).receive(CALL.replace("get_tide", "nope") + "\n<tool_response>x</tool_response>"), *session.finish("stop")]
    assert [(event.rule, event.marker) for event in turn if hasattr(event, "marker")] == [("P3", "<tool_call>"), ("P45", "<tool_response>")]


@pytest.mark.parametrize("end", ["{", "<", "`", "<|", "{'", "[", "<answer", "\u200b"])
def test_spans_end_where_the_text_ends(end: str) -> None:
    for start in ("= So ", "= So\n", ""):
        spans = explain(start + end, [TIDE])
        assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
        assert spans[-1].end == len(start + end)
