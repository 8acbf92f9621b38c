"""What only counts at a line start: words without a catalogue, invisible characters, and how soon plain lines come out."""

from __future__ import annotations

import pytest

from tamis.core import Content, Session, collect, parse
from tamis.core.lexicon import LONGEST

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}}}
INVOKE = '<invoke name="ring_bell">\n<parameter name="times">2</parameter>\n</invoke>'
HIDDEN = "\u200b"


@pytest.mark.parametrize(
    "text",
    [
        "FC_USE\n<function_call>\n<tool>ring_bell</tool>\n<args><times>2</times></args>\n</function_call>",
        'functions.ring_bell:0<|tool_call_argument_begin|>{"times": 2}',
        *(f"{word}\n{INVOKE}" for word in ("court", "count", "call")),
        'to=functions.ring_bell<|channel|>commentary<|message|>{"times": 2}',
    ],
)
@pytest.mark.parametrize("tools", [[], [BELL]])
def test_words_of_marked_dialects_need_no_catalogue(text: str, tools: list[dict[str, object]]) -> None:
    turn = parse(text, tools)
    assert ([call.name for call in turn.calls], turn.content) == (["ring_bell"], "")


@pytest.mark.parametrize("text", ["all\nhands on deck", 'json\n{"name": "ring_bell", "arguments": {}}', "Action: ring_bell\nAction Input: {}"])
def test_the_others_are_words_without_one(text: str) -> None:
    turn = parse(text)
    assert (turn.calls, turn.rejections, turn.content) == ([], [], text)


@pytest.mark.parametrize("name", ["call_port", "counts", "court.x", "FC_USER", "json_dump", "JSON2", "allow", "functions_list", "_ring", "2ring"])
def test_a_declared_name_may_begin_with_such_a_word(name: str) -> None:
    (call,) = parse(name + '\n{"times": 2}', [BELL | {"name": name}]).calls
    assert (call.name, call.arguments, call.format) == (name, {"times": 2}, "glm4_name_json")


@pytest.mark.parametrize(("count", "shown"), [(1, 0), (LONGEST, 0), (LONGEST + 1, LONGEST)])
def test_invisible_characters_before_a_marker_are_layout(count: int, shown: int) -> None:
    for opener in (INVOKE, '{"name": "ring_bell", "arguments": {}}', "```\nring_bell\n{}\n```", "~~~\nring_bell\n{}\n~~~"):
        turn = parse(HIDDEN * count + opener, [BELL])
        assert (len(turn.calls), turn.content) == (1, HIDDEN * shown)


def test_before_anything_else_they_are_text() -> None:
    for text in (HIDDEN * 600 + "Ahoy", f"So, hm.\n{HIDDEN}Ahoy", f"{HIDDEN}<b>", f"{HIDDEN}> {INVOKE}", f"{HIDDEN}call"):
        for size in (1, len(text)):
            session = Session([BELL])
            events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
            turn = collect([*events, *session.finish("stop")])
            assert (turn.calls, turn.content) == ([], text)


@pytest.mark.parametrize("text", ["Action: ring_bell\nAction Input: {}", "<ring_bell>\n</ring_bell>", "ring_bell\n{}", f"call\n{INVOKE}"])
def test_words_and_names_count_behind_them(text: str) -> None:
    turn = parse(HIDDEN + text, [BELL])
    assert ([call.name for call in turn.calls], turn.content) == (["ring_bell"], HIDDEN)


@pytest.mark.parametrize(
    "text",
    [
        *(f"So, hm.\n{line}" for line in ("   ", "\n", "~a", "<b>x", "functioned well", "Actor", "> so", "[1] so", "`a")),
        "analysis so",
        "Here is my tide",
    ],
)
def test_plain_lines_come_out_at_once(text: str) -> None:
    for size in (1, len(text)):
        session = Session([BELL])
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
        assert "".join(event.text for event in events if isinstance(event, Content)) == text
