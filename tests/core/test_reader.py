"""The reader between two pieces of text: what a snapshot keeps, what waits, what comes out at once, and where a call gets too long."""

from __future__ import annotations

from typing import Any

import pytest

from tamis.core import Cause, Content, End, Event, Reasoning, Rejection, Session, ToolCall, TurnEnd, collect
from tamis.core.cases import merged
from tamis.core.lexicon import LONGEST
from tamis.core.state import State

BELL = {"name": "ring_bell", "parameters": {"type": "object", "properties": {"times": {"type": "integer"}, "tune": {"type": "string"}}}}
DOCK = {"name": "ping_dock", "parameters": {"type": "object", "properties": {}}}
TOOLS = [BELL, DOCK]
JSON = '{"name": "ring_bell", "arguments": {"times": 2, "tune": "a <b> \\" }"}}'
CALL = f"<tool_call>\n{JSON}\n</tool_call>"
PLACES = {
    "a call": f"One.\n{CALL}\n<tool_response>rang</tool_response>\nTwo. <tool_response> is a tag",
    "several in one envelope": f"<tool_call>[{JSON}, {JSON}, {JSON}]</tool_call> end",
    "several in one section": "<|tool_calls_section_begin|><|tool_call_begin|>functions.ping_dock:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    '<|tool_call_begin|>functions.ring_bell:1<|tool_call_argument_begin|>{"times": 2}<|tool_call_end|><|tool_calls_section_end|>',
    "a head with attributes": '<x:function_calls>\n<x:invoke name="ring_bell" id=7>\n<x:parameter name="times">2</x:parameter>\n</x:invoke>\n'
    '<x:invoke name="ping_dock"/>\n</x:function_calls>',
    "a mark before its tags": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="ring_bell">\n<｜DSML｜parameter name="times" string="false">2'
    "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    "bare objects": f"{JSON}\n{JSON}\nand {JSON}",
    "data": '{"k": [1, 2]}\n[1, 2]\n<b>x</b>\n{"name": 4}',
    "a fence": f"See:\n```json\n{JSON}\n```\nwhich is an example.\n~~~\n{CALL}\n~~~",
    "a fence that is the message": f"```json\n{JSON}\n```",
    "code": f"`ring_bell` and ``{CALL}`` and `lone <tool_call>\n\n{CALL} and so on",
    "quotes": f'> {CALL}\nHe wrote "<tool_call>" and "<tool_call>{{}}</tool_call>" here.',
    "an echo": f"<tools>\n{JSON}\n</tools>\n{CALL}",
    "a thought": f"<think>\n<think>Maybe {CALL} or so.</think>\nYes.",
    "a thought that means it": f"<think>Now.\n{CALL}\n{CALL}</think>",
    "two thoughts": "<think>a</think>b<think>c</think>d</think>e",
    "a labelled thought": "<|channel>thought\nLoud.<channel|>Fine.<|channel>thought",
    "a fixed sentence": "Here is my thought process: loud. Here is my response: fine. Here is my response: twice.",
    "a wrapped answer": "<answer>Six <answer></answer> and not </answer>",
    "messages": "<|channel|>analysis<|message|>Loud <tool_call>.<|end|><|start|>assistant<|channel|>commentary<|message|>Now.<|end|>"
    '<|start|>assistant<|channel|>commentary to=functions.ring_bell <|constrain|>json<|message|>{"times": 2}<|call|>',
    "messages to oneself": "<|start|>assistant to=self<|message|>Loud.<|eom|><|start|>assistant to=user<|message|>Fine to=you.<|eom|>",
    "labels": 'Thought: loud\nAction: ring_bell\nAction Input: {"times": 2}\nObservation: rang\nFinal Answer: fine',
    "names on lines": 'Two.<|assistant|>ring_bell\n{"times": 2}\nring_bell\n{"times": 3}',
    "an unknown opener": f"Ten chars.<|weird|>ring_bell{{'times': 1}} and [CALL] {JSON} " + "so on, " * 40 + "<new>ping_dock(",
    "what is cut": f"One.\n{CALL}<tool_call>" + '{"name": "ring_bell", "arguments": {"times": 2',
    "what is broken": '<tool_call>{"name": "ring_bell", "arguments": {]]}</tool_call>' + CALL + "<tool_call>nothing</tool_call>",
    "an escaped envelope": CALL.replace("<", "&lt;").replace(">", "&gt;"),
    "blanks": f"\ufeff\u200b\n <br>{CALL}<br />\u200b\n\nx\u200b",
}


def fed(pieces: list[str], **keywords: Any) -> list[list[Event]]:
    """The events of each piece, and those of the end."""
    session = Session(TOOLS, **keywords)
    out = [session.receive(piece) for piece in pieces]
    return [*out, [] if session.ended else session.finish("stop")]


def flat(events: list[list[Event]]) -> list[Event]:
    return merged([event for some in events for event in some])


@pytest.mark.parametrize("thought_open", [False, True])
@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_snapshot_between_any_two_characters_changes_nothing(text: str, thought_open: bool) -> None:
    if thought_open:
        text = text[:60]  # what follows is as it would be without
    session, going_on = Session(TOOLS, thought_open=thought_open), Session(TOOLS, thought_open=thought_open)
    state = session.snapshot()
    for char in text:
        session = Session.restore(state, tools=TOOLS)
        assert session.snapshot() == state
        assert (session.buffered, session.open) == (going_on.buffered, going_on.open)
        assert merged(session.receive(char)) == merged(going_on.receive(char))
        state = session.snapshot()
        assert going_on.snapshot() == state
    assert Session.restore(state, tools=TOOLS).finish("stop") == going_on.finish("stop")
    assert flat(fed(list(text), thought_open=thought_open)) == flat(fed([text], thought_open=thought_open))


@pytest.mark.parametrize("text", [PLACES["several in one section"], PLACES["several in one envelope"], PLACES["labels"]])
def test_what_came_out_before_a_snapshot_comes_once(text: str) -> None:
    whole = flat(fed([text]))
    for place in range(1, len(text)):
        session = Session(TOOLS)
        events = session.receive(text[:place])
        session = Session.restore(session.snapshot(), tools=TOOLS)
        assert merged([*events, *session.receive(text[place:]), *session.finish("stop")]) == whole, text[:place]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("= a", "= a"),
        ("a <b> {x} {'", "a <b> {x} {'"),
        ("<think>Hm", "Hm"),
        ("<|channel>Hm", "Hm"),
        ("<|channel>thought\nHm", "Hm"),
        (f"{CALL}So it", "So it"),
        ("> quoted", "> quoted"),
        ("Word\n```\n= fenced", "Word\n```\n= fenced"),
        ("``so", "``so"),
        ("So ``code", "So ``code"),
        ("`a` is a key, see", "`a` is a key, see"),
        ("<think>`a` is", "`a` is"),
        ("= So <<x y", "= So <<x y"),
        ("<answer>= So", "= So"),
        ("Ten <|weird|>x", "Ten <|weird|>x"),
    ],
)
def test_what_is_certain_comes_out_at_once(text: str, shown: str) -> None:
    for pieces in ([text], list(text)):
        session = Session(TOOLS)
        events = [event for piece in pieces for event in session.receive(piece)]
        got = "".join(event.text for event in events if isinstance(event, Content | Reasoning)).strip("\n")
        if text.startswith("``"):
            assert got == ""  # at the start of a message it may still be packaging
        else:
            assert got == shown.strip("\n")
            assert session.buffered == 0


def test_reasoning_on_its_own_side_of_the_wire_is_no_text_of_the_reader() -> None:
    states = []
    for texts in (["Some words. ", "More words. "], ["Some words. More words. "], list("Some words. More words. ")):
        session = Session(TOOLS)
        session.receive_reasoning("Hm, ")
        for text in texts:
            session.receive(text)
        session = Session.restore(session.snapshot(), tools=TOOLS)
        session.receive_reasoning("so be it.")
        session.receive("<tool_call>")
        session.receive("{")
        states.append(session.snapshot())
        assert session._reader.source.offset == len("Some words. More words. <tool_call>")
    assert len(set(states)) == 1


@pytest.mark.parametrize("piece", ["a <<think>x", "a < <think>x", "{<think>x", "a <|<think>x", "`<` <think>x"])
def test_a_near_marker_hides_no_marker_behind_it(piece: str) -> None:
    assert flat(fed(["= So ", piece])) == flat(fed(["= So " + piece])) == flat(fed(list("= So " + piece)))
    assert collect(flat(fed(["= So ", piece]))).reasoning == "x"


def test_a_block_that_is_read_counts_as_waiting_from_behind_its_mark() -> None:
    session = Session(TOOLS)
    session.receive("So: <tool_call>")
    assert (session.buffered, session.open) == (0, True)
    session.receive('{"name"')
    assert session.buffered == 7
    session.receive(": ")
    assert session.buffered == 9
    assert Session.restore(session.snapshot(), tools=TOOLS).buffered == 9


def test_elements_of_an_envelope_that_came_out_wait_no_more() -> None:
    session = Session(TOOLS)
    assert session.receive(f"<tool_call>[{JSON}, {JSON}, ")
    assert session.buffered < 4


@pytest.mark.parametrize("before", ["", "So: ", "word " * 30, "<think>"])
def test_a_call_may_be_as_long_as_its_limit_and_no_longer_whatever_the_cut(before: str) -> None:
    body = '{"name": "ring_bell", "arguments": {"tune": "la"}}</tool_call>'
    text, refused = f"{before}<tool_call>{body} fine", []
    for limit in range(len(body) - 16, len(body) + 2):
        policy = {"limits": {"call": limit}}
        events = flat(fed([text], policy=policy))
        for size in (1, 3, 7, limit, limit + 1, limit + 2):
            assert flat(fed([text[at : at + size] for at in range(0, len(text), size)], policy=policy)) == events
        if [event.cause for event in events if hasattr(event, "cause")] == [Cause.LIMIT_EXCEEDED]:
            refused.append(limit)
            end = events[-1]
            assert isinstance(end, TurnEnd)
            assert (end.end, end.calls) == (End.LIMIT, ())
        else:
            assert len(collect(events).calls) == (before != "<think>")  # text behind the thought's call: it was only considered
    assert refused == list(range(len(body) - 16, refused[-1] + 1))
    assert refused[-1] < len(body)


def test_an_open_call_is_refused_with_the_first_character_past_its_limit() -> None:
    for pieces in (list('{"name": "ring_be'), ['{"name": "ring_b', "e"], ['{"name": "ring_', "be"]):
        session = Session(TOOLS, policy={"limits": {"call": 16}})
        assert session.receive("So. <tool_call>")
        assert [session.receive(piece) for piece in pieces[:-1]] == [[]] * (len(pieces) - 1)
        assert not session.ended
        assert [type(event) for event in session.receive(pieces[-1])] == [Rejection, TurnEnd]
        assert session.receive("more") == []


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("block", ["```json\n{}\n```\n", "{}\n", "`{}`"])
def test_a_block_that_may_be_a_call_is_text_past_the_limit_whatever_the_cut(size: int, block: str) -> None:
    text = block.replace("{}", JSON)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    turn = collect(flat(fed(pieces, policy={"limits": {"call": 40}})))
    assert (turn.content, turn.calls, turn.rejections) == (text, [], [])
    session = Session(TOOLS, policy={"limits": {"call": 40}})
    given = [session.receive(char) for char in text[:41]]
    assert given[:-1] == [[]] * 40
    assert [event.text for event in given[-1] if isinstance(event, Content)] == [text[:41]]
    assert (session.open, session.buffered) == (False, 0)


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_the_last_call_that_a_response_may_make_stands(size: int) -> None:
    text = f"{CALL}\n{CALL}\n{CALL}\n{CALL.replace('ring_bell', 'ring_gong')}"
    events = flat(fed([text[at : at + size] for at in range(0, len(text), size)], policy={"limits": {"calls": 2}}))
    turn = collect(events)
    assert (len(turn.calls), [item.cause for item in turn.rejections]) == (2, [Cause.LIMIT_EXCEEDED])


def test_a_session_past_its_limit_stays_so_when_it_is_restored() -> None:
    policy = {"limits": {"call": 20}}
    session = Session(TOOLS, policy=policy)
    assert session.receive("<tool_call>" + '{"name": "ring_bell", ')[-1].__class__ is TurnEnd
    again = Session.restore(session.snapshot(), tools=TOOLS, policy=policy)
    assert again.ended
    assert again.receive(CALL) == []
    assert again.snapshot() == session.snapshot()


@pytest.mark.parametrize("ticks", [1, 2, 3, LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST])
def test_a_run_of_backticks_waits_no_longer_than_a_marker_and_means_the_same_in_every_cut(ticks: int) -> None:
    text = "So " + "`" * ticks + "<think> " + "`" * ticks + " and <think>x"
    whole = flat(fed([text]))
    for size in (1, 3, LONGEST - 1):
        assert flat(fed([text[at : at + size] for at in range(0, len(text), size)])) == whole
    session = Session(TOOLS)
    session.receive("So " + "`" * ticks)
    assert session.buffered == {LONGEST: 0, LONGEST + 1: 1, 2 * LONGEST: LONGEST}.get(ticks, ticks)


def test_a_thought_that_the_prompt_had_opened_may_open_itself_once_more() -> None:
    for text in ("<think>\nLoud.</think>Fine.", "\n<think>Loud.</think>Fine.", "Loud.</think>Fine."):
        turn = collect(flat(fed([text], thought_open=True)))
        assert ((turn.reasoning or "").strip(), turn.content) == ("Loud.", "Fine.")
    turn = collect(flat(fed(["Loud <think> mark.</think>Fine."], thought_open=True)))
    assert (turn.reasoning, turn.content) == ("Loud <think> mark.", "Fine.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (CALL, [("P3", "<tool_call>")]),
        ("<tool_call>" * 2 + JSON + "</tool_call>", [("P3", "<tool_call>")]),
        (JSON, [("P19", "")]),
        (f"```json\n{JSON}\n```", [("P13", "")]),
        (f"`{JSON}`", [("P13", "")]),
        ("<|observation|>rang<|assistant|>ping_dock\n{}", [("P45", "<|observation|>"), ("P28", "")]),
        ("Action: ping_dock\nAction Input: {}\nObservation: done", [("P29", ""), ("P45", "")]),
        (f"json\n{JSON}", [("P109", "")]),
        ("So.\nfunctions.ping_dock:0<|tool_call_argument_begin|>{}<|tool_call_end|>", [("P7", "")]),
        ("FC_USE\n<function_call><tool>ping_dock</tool></function_call>", [("P3", "<function_call>")]),
        (f"<tool_call>[{JSON}, {JSON}]</tool_call>", [("P3", "<tool_call>")] * 2),
    ],
)
def test_each_verdict_says_its_rule_and_its_mark(text: str, told: list[tuple[str, str]]) -> None:
    events = flat(fed([text]))
    assert [(event.rule, event.marker) for event in events if hasattr(event, "marker")] == told
    assert all(event.format for event in events if isinstance(event, ToolCall))


def test_a_decoder_that_waits_behind_the_end_is_a_fault_of_ours() -> None:
    session = Session(TOOLS)
    session.receive("<tool_call>{")
    reader = session._reader
    assert reader.state is State.BODY
    reader._decoder = (None for _ in range(1))  # type: ignore[assignment]
    with pytest.raises(AssertionError, match="fault of the decoder"):
        session.finish("stop")
