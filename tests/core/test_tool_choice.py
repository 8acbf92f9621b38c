"""What the host asked for: which calls it lets through, and what it says when none came."""

from __future__ import annotations

import pytest

from tamis.core import Session, UsageError, collect, parse

PORT = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
TOOLS = [{"name": name, "parameters": PORT} for name in ("get_tide", "moor")]
MARKED = '<tool_call>\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n</tool_call>'


def read(text: str, choice: object) -> tuple[list[str], list[str], str]:
    turn = parse(text, TOOLS, tool_choice=choice)
    return [call.name for call in turn.calls], [item.cause.value for item in turn.rejections], str(turn.diagnosis)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("auto", (["get_tide"], [], "recovered")),
        ("required", (["get_tide"], [], "recovered")),
        ("none", ([], ["calls_not_allowed"], "rejected")),
        ("get_tide", (["get_tide"], [], "recovered")),
        ("moor", ([], ["calls_not_allowed"], "rejected")),
        ({"type": "any"}, (["get_tide"], [], "recovered")),
        ({"type": "tool", "name": "moor"}, ([], ["calls_not_allowed"], "rejected")),
    ],
)
def test_a_marked_call(choice: object, expected: object) -> None:
    assert read(MARKED, choice) == expected


def test_none_takes_the_markup_out_and_keeps_the_words() -> None:
    turn = parse(f"So it is. {MARKED}", TOOLS, tool_choice="none")
    assert turn.content.strip() == "So it is."


@pytest.mark.parametrize("choice", ["none", "moor"])
def test_native_calls_obey_too(choice: str) -> None:
    session = Session(TOOLS, tool_choice=choice)
    events = session.receive_delta({"index": 0, "id": "a", "function": {"name": "get_tide", "arguments": '{"port": "Brest"}'}})
    turn = collect(events + session.finish("tool_calls"))
    assert ([call.name for call in turn.calls], [item.cause.value for item in turn.rejections]) == ([], ["calls_not_allowed"])


@pytest.mark.parametrize(("choice", "diagnosis"), [("auto", "prose_only"), ("none", "prose_only"), ("required", "no_call"), ("moor", "no_call")])
def test_words_alone(choice: str, diagnosis: str) -> None:
    assert read("High water is at six.", choice) == ([], [], diagnosis)


IN_SENTENCES = [
    'You would send {"name": "get_tide", "arguments": {"port": "Brest"}} to it, I think.',
    "An example is [get_tide(port='Brest')] and nothing else.",
    "It would read\n\n```json\n{\"name\": \"get_tide\", \"arguments\": {\"port\": \"Brest\"}}\n```\n\nin this case.",
    "[get_tide(port='Brest')] is what I call.",
]


@pytest.mark.parametrize("text", IN_SENTENCES)
def test_required_lets_the_place_not_count(text: str) -> None:
    assert read(text, "auto")[0] == []
    assert read(text, "required")[0] == ["get_tide"]


@pytest.mark.parametrize(
    "text",
    [
        'You would send {"name": "get_weather", "arguments": {"port": "Brest"}} to it.',
        'You would send {"name": "get_tide", "arguments": {"port": {"x": 1}}} to it.',
        'You would send {"name": "get_tide", "arguments": {}} to it.',
        'You would send {"name": "get_tide", "arguments": {"port": "Br',
        "Call get_tide for it.",
    ],
)
def test_required_never_relaxes_name_schema_or_truncation(text: str) -> None:
    assert read(text, "required")[0] == []


@pytest.mark.parametrize("text", [MARKED, *IN_SENTENCES])
@pytest.mark.parametrize("choice", ["none", "required", "moor"])
def test_any_cut_and_any_restore_give_the_same(text: str, choice: str) -> None:
    whole = parse(text, TOOLS, tool_choice=choice)
    session = Session(TOOLS, tool_choice=choice)
    events = []
    for char in text:
        events += session.receive(char)
        session = Session.restore(session.snapshot(), TOOLS)  # the snapshot knows the choice
    turn = collect(events + session.finish("stop"))
    assert (turn.content, turn.calls, turn.rejections, turn.diagnosis) == (whole.content, whole.calls, whole.rejections, whole.diagnosis)


@pytest.mark.parametrize("choice", ["sail", "", None, 5, {"type": "function"}, {"name": "moor"}])
def test_misuse_is_told_at_once(choice: object) -> None:
    with pytest.raises(UsageError, match="tool_choice"):
        Session(TOOLS, tool_choice=choice)  # type: ignore[arg-type]
