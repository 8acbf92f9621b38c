"""Calls and refusals name the dialect they were written in: that of their case, but where keys or place say otherwise."""

from __future__ import annotations

import pytest

from helpers import corpus
from tamis.core import parse
from tamis.core.cases import Case
from tamis.core.dialects import load

OTHERS = {
    # the keys are those of plain JSON
    "neg-envelope-missing-brace": "bare_json",
    "repair-arguments-absent": "bare_json",
    "repair-hopeless": "bare_json",
    # keys of a dialect in a fence
    "repair-fence-tilde": "agent_zero_json",
    "repair-fence-unclosed": "agent_zero_json",
    # the second call stands on its own name line
    "func32-two-calls": "glm4_name_json",
    # two dialects in one turn
    "mixed-dialects-one-turn": "kimi_special",
}


UNMARKED = frozenset({"pythonic_list", "bare_json", "glm4_name_json", "llama3_json", "json_fence", "gemma3_tool_code"})
"""Readings without a marker: what stands in a fence or in quotes is named after itself, not after what packs it."""


@pytest.mark.parametrize("case", [case for case in corpus() if case.dialect in load() and not case.contested], ids=lambda case: case.id)
def test_a_call_names_its_dialect(case: Case) -> None:
    turn = parse(case.text, [dict(tool) for tool in case.tools], finish_reason=case.finish_reason)
    named = {event.format for event in (*turn.calls, *turn.rejections)} - {None}  # a refusal of the whole turn has no dialect
    if case.dialect in ("json_fence", "bare_json"):
        assert named <= {*UNMARKED, OTHERS.get(case.id)}
        return
    assert named <= {case.dialect, OTHERS.get(case.id)}
    assert OTHERS.get(case.id, case.dialect) in named or not named
