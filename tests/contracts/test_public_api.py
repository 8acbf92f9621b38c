"""The public names. A change here is a change for users: CHANGELOG.md must say so."""

from __future__ import annotations

import inspect

import pytest

import tamis
from tamis import core

PACKAGE = [
    "Cause", "Content", "Diagnosis", "End", "Event", "FormatCandidate", "HallucinatedResult", "Limits", "NotAvailableError", "Policy", "Reasoning",
    "Reclassified", "Rejection", "Repair", "Session", "TamisError", "ToolCall", "Turn", "TurnEnd", "__version__", "build_tool_hint", "coercer",
    "collect", "consume", "format_tool_result", "hallucination_directive", "parse", "publish", "wrap", "wrap_sync",
]  # fmt: skip
CORE = [
    "UNAVAILABLE", "Catalog", "CatalogError", "Cause", "Content", "Diagnosis", "End", "Event", "FormatCandidate", "HallucinatedResult", "Limits",
    "NotAvailableError", "Policy", "Reasoning", "Reclassified", "Rejection", "Repair", "Session", "SnapshotError", "TamisError", "ToolCall", "Turn",
    "TurnEnd", "UsageError", "collect", "parse", "wrap", "wrap_sync",
]  # fmt: skip
KEYWORDS = {
    "namespaces": (), "history": (), "tool_choice": "auto", "thought_open": False, "format": None, "model": None, "provider": None, "session_id": "",
    "response_id": "", "choice": 0, "turn": None, "policy": None,
}  # fmt: skip


def test_names_are_pinned_and_there() -> None:
    assert sorted(tamis.__all__) == sorted(PACKAGE)
    assert sorted(core.__all__) == sorted(CORE)
    assert all(hasattr(tamis, name) for name in PACKAGE)
    assert all(hasattr(core, name) for name in CORE)


def test_session_takes_the_keywords_of_the_contract() -> None:
    parameters = inspect.signature(tamis.Session).parameters
    assert parameters["tools"].default is None
    assert {name: item.default for name, item in parameters.items() if item.kind is inspect.Parameter.KEYWORD_ONLY} == KEYWORDS


@pytest.mark.parametrize(
    "call",
    [
        lambda: tamis.Session().receive(b"bytes"),
        lambda: tamis.Session(policy={"moode": "strict"}),
        lambda: tamis.Session(policy=5),
        lambda: tamis.Session(tool_choice=None),
        lambda: tamis.Session(tool_choice={"type": "maybe"}),
        lambda: tamis.Session([{"name": "f"}], tool_choice="g"),
        lambda: tamis.Session(policy={"resolver": "nearest"}),
        lambda: tamis.Session(policy={"threshold": 0.8}),
        lambda: tamis.Session(policy={"resolver": "four_signal", "threshold": 1.5}),
        lambda: tamis.Session(policy={"destructive": "rm"}),
        lambda: tamis.Session(policy={"destructive": {"rm": "yes"}}),
        lambda: tamis.Session(format="reakt"),
        lambda: tamis.Session(policy={"dialects": ["reakt"]}),
        lambda: tamis.Session(policy={"dialects": {"only": ["react"]}}),
        lambda: tamis.Session(policy={"dialects": "react"}),
        lambda: tamis.Session(policy={"limits": {"text": 0}}),
        lambda: tamis.Session(policy={"limits": {"txt": 1}}),
        lambda: tamis.Session(policy={"coercion_rules": {"f": ["loose_bol"]}}),
        lambda: tamis.Session(policy={"coercion_rules": {"f": "loose_bool"}}),
        lambda: tamis.Session(policy={"coercion_rules": ["loose_bool"]}),
        lambda: tamis.Session(policy={"coercion": "registered", "coercion_rules": {"f": ["loose_bool"]}}),
        lambda: tamis.Session(history="hello"),
        lambda: tamis.coercer(""),
        lambda: tamis.format_tool_result(None, ""),
        lambda: tamis.build_tool_hint("m", [], mode="always"),
        lambda: tamis.build_tool_hint("m", [{"name": 5}]),
        lambda: tamis.hallucination_directive(-1),
        lambda: tamis.Session(tools="get_tide"),
        lambda: tamis.Session(tools=[{"name": 5}]),
        lambda: tamis.Session(tools=[{"name": "f", "parameters": {"$ref": "http://example.org/s.json"}}]),
        lambda: tamis.Session.restore(b"nonsense"),
    ],
)
def test_misuse_raises_one_kind_of_error_that_says_what_to_do(call: object) -> None:
    with pytest.raises(tamis.TamisError) as caught:
        call()  # type: ignore[operator]
    assert len(str(caught.value)) > 10


def test_feeding_after_the_end_raises() -> None:
    session = tamis.Session()
    session.finish("stop")
    for call in (lambda: session.receive("x"), lambda: session.finish("stop"), lambda: session.receive_delta({})):
        with pytest.raises(tamis.TamisError):
            call()


def test_events_are_frozen_and_slotted() -> None:
    for event in (tamis.ToolCall, tamis.Rejection, tamis.HallucinatedResult, tamis.FormatCandidate, tamis.TurnEnd, tamis.Reclassified, tamis.Repair):
        assert event.__dataclass_params__.frozen, event  # type: ignore[attr-defined]
        assert "__dict__" not in dir(event), event
    assert not hasattr(tamis.Content("a", 0), "__dict__")
