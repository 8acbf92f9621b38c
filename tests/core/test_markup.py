"""Tag, pair, element, brace and Python bodies: what a refusal says, when a call comes out, and grammars that nobody can change."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tamis.core import Content, Session, ToolCall, parse
from tamis.core.dialects import Dialect, load

TOOLS = [
    {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}},
    {"name": "ping", "parameters": {"type": "object", "properties": {}}},
]
FAMILIES = {"xml_params", "element_tree", "key_value", "brace_dsl", "py_call"}
MARKED = [dialect for dialect in load().values() if dialect.family in FAMILIES and dialect.sentinel]


@pytest.mark.parametrize(
    ("text", "cause", "name", "detail"),
    [
        ("<invoke>\n<parameter name=\"port\">Brest</parameter>\n</invoke>", "malformed_markup", None, "the call has no name"),
        ('<invoke name="get_tide">\n<parameter>Brest</parameter>\n</invoke>', "malformed_markup", "get_tide", "a parameter has no name"),
        ('<invoke name="get_tide">\nto Brest\n</invoke>', "malformed_markup", "get_tide", "text stands between the parameters"),
        ('<invoke name="get_tide">\n<parameter name="port">Bre', "truncated", "get_tide", "the text ends inside a parameter"),
        ('<invoke name="get_tide">\n<parameter na', "truncated", "get_tide", "the text ends inside the call"),
        ("<atem:function_calls>\n</atem:function_calls>", "malformed_markup", None, "the call envelope is empty"),
        ("<cofl:tool_call id=\"0\"><cofl:value name=\"a\">1</cofl:value></cofl:tool_call>", "malformed_markup", None, "the call has no name"),
        ('<cofl:tool_call name="ping"><cofl:value>1</cofl:value></cofl:tool_call>', "malformed_markup", "ping", "an argument has no name"),
        ('<cofl:tool_call name="ping"><cofl:value name="a">1', "truncated", "ping", "the text ends inside a value"),
        ("<tool_call>get_tide\n<arg_key>port</arg_key>\n<arg_value>Bre", "truncated", "get_tide", "the text ends inside a value"),
        ("<tool_call>get_tide\n<arg_key>port</arg_key>\n</tool_call>", "malformed_markup", "get_tide", "a key has no value"),
        ("<tool_call>get_tide\nto Brest\n</tool_call>", "malformed_markup", "get_tide", "text stands between the pairs"),
        ("<tool_call>pingport</arg_key><arg_value>1</arg_value></tool_call>", "malformed_markup", "pingport", "no single split fits"),
        ("<|tool_call>call:ping{a:}<tool_call|>", "malformed_markup", "ping", "a value is missing"),
        ("<|tool_call>call:ping{a:[1}<tool_call|>", "malformed_markup", "ping", "break off where they cannot go on"),
        ("<function_calls>\nping(a=[1)\n</function_calls>", "malformed_markup", "ping", "brackets of the call do not match"),
        ("<function_calls>\nping(1)\n</function_calls>", "unresolved_value", "ping", "no keyword"),
        ("<function_calls>\nping(a=" + "[" * 3000 + "]" * 3000 + ")\n</function_calls>", "malformed_markup", "ping", "nested too deep"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_with_which_tool(text: str, cause: str, name: str | None, detail: str) -> None:
    [refusal] = parse(text, TOOLS).rejections
    assert (refusal.cause, refusal.name) == (cause, name)
    assert detail in refusal.detail


@pytest.mark.parametrize(("reason", "calls"), [("stop", 1), ("length", 0)])
def test_the_closer_of_a_bare_call_may_be_the_stop_string_but_not_at_a_limit(reason: str, calls: int) -> None:
    turn = parse('<function name="get_tide"><param name="port">Brest</param>', TOOLS, finish_reason=reason)
    assert (len(turn.calls), len(turn.rejections)) == (calls, 1 - calls)


@pytest.mark.parametrize("dialect", MARKED, ids=lambda item: item.name)
def test_a_call_and_the_text_behind_it_come_out_before_the_turn_ends(dialect: Dialect) -> None:
    session = Session(TOOLS)
    events = session.receive(dialect.example + "\n\nDone, as you asked; the tide turns in an hour.\n" + "More of it. " * 40)
    assert [event.arguments for event in events if isinstance(event, ToolCall)] == [{"port": "Brest"}]
    assert "as you asked" in "".join(event.text for event in events if isinstance(event, Content))


@pytest.mark.parametrize("dialect", [item for item in load().values() if item.options is not None], ids=lambda item: item.name)
def test_a_grammar_is_shared_by_all_sessions_and_cannot_be_changed(dialect: Dialect) -> None:
    options: Any = dialect.options
    for shared in (options, getattr(options, "values", options)):  # the marks around a value are made from it
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(shared, dataclasses.fields(shared)[0].name, "")
        assert not hasattr(shared, "__dict__")


@pytest.mark.parametrize(("characters", "calls"), [(4096, 1), (4097, 2)])
def test_an_echo_is_looked_for_behind_short_bodies_alone(characters: int, calls: int) -> None:
    body = "[get_tide(port='" + "x" * (characters - 19) + "')]"
    assert len(body) == characters
    turn = parse(f"<|tool_call_start|>{body}<|tool_call_end|>{body}<|tool_call_end|>", TOOLS)
    assert len(turn.calls) == calls


@pytest.mark.parametrize("text", ["[get_tide(port='Brest')]", "[get_tide(port='Brest')", "[ping()]<|im_end|>"])
def test_a_denied_list_of_python_calls_is_text(text: str) -> None:
    turn = parse(text, TOOLS, policy={"dialects": {"deny": ["pythonic_list"]}})
    assert (turn.calls, turn.rejections) == ([], [])
    assert turn.content == text.removesuffix("<|im_end|>")
