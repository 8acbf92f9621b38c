"""Bare JSON: where it stands, what stands behind it, whose name it has; and lists of it."""

from __future__ import annotations

import pytest

from core.reading import read

CALL = '{"name": "get_tide", "arguments": {"port": "B"}}'
WAS = "bare_json get_tide {'port': 'B'}"
NOPE = '{"name": "nope", "arguments": {}}'
REFUSED = "bare_json unknown_tool nope: no declared tool is named 'nope'"
CUT = "bare_json truncated get_tide: the text ends inside the call"
A_WORD = "bare_json malformed_json get_tide: a word stands where a value is due"
BROKEN = "bare_json malformed_json get_tide: the object breaks off where no JSON can go on"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CALL, [WAS]),
        (f"Hi.\n{CALL}\nThere.", ["Hi.\nThere.", WAS]),
        # what may stand behind it on its line, and what makes it a quotation
        (f"{CALL} is it", [f"{CALL} is it"]),
        (f"{CALL} ,;\t", [WAS]),
        (f"{CALL}; {CALL}", [WAS, WAS]),
        (f"{CALL}\u00a0\u200b", [WAS]),
        (f"{CALL}}}", [WAS]),
        (f"{CALL}]", [WAS]),
        (f"{CALL} }}", [WAS]),
        (f"{CALL}}}]", [f"{CALL}}}]"]),
        (f"{CALL},]}}", [f"{CALL},]}}"]),
        (f"{CALL} [1]", ["[1]", WAS]),
        (f"{CALL} `x`", ["`x`", WAS]),
        (f"{CALL} ~", ["~", WAS]),
        (f"{CALL} <b>", [f"{CALL} <b>"]),
        (f"{CALL} <", [f"{CALL} <"]),
        (f"{CALL}<|im_end|>", [WAS]),
        (f"{CALL}<think>so</think>", [WAS]),
        (f"{CALL}<tool_response>x</tool_response>", [WAS]),
        (f"{CALL}</think>Yes.", ["Yes."]),
        (f"{CALL}<tool_call>{CALL}</tool_call>", [WAS, "xml_sentinel get_tide {'port': 'B'}"]),
        # a closer whose opener was lost says which dialect it was
        (f"{CALL}</tool_call>", ["xml_sentinel get_tide {'port': 'B'}"]),
        (f"{CALL} </tool_call> ,\nDone.", ["Done.", "xml_sentinel get_tide {'port': 'B'}"]),
        (f"{CALL}\n\n</tool_call>", ["xml_sentinel get_tide {'port': 'B'}"]),
        (f"{CALL}</tool_call>}}", [f"{CALL}</tool_call>}}"]),
        (f'{CALL} ✿FUNCTION✿: f\n✿ARGS✿: {{"x": 1}}', [WAS, "qwen_fncall f {'x': 1}"]),
        (f"{CALL}</tool_call> it is", [f"{CALL}</tool_call> it is"]),
        (f"{CALL}\n<b>", ["<b>", WAS]),
        # the name
        (NOPE, [REFUSED]),
        (f"{NOPE} <|im_end|>", [REFUSED]),
        (f"Hi.\n{NOPE}", [f"Hi.\n{NOPE}"]),
        (f"{NOPE}\nHi.", [f"{NOPE}\nHi."]),
        ('{"name": "f"}', ["bare_json f {} [no_arguments]"]),
        ('{"name": "get_tide"}', ['{"name": "get_tide"}']),
        ('{"name": "Bergen", "country": "Norway"}', ['{"name": "Bergen", "country": "Norway"}']),
        ('{"tool_name": "f", "tool_args": {}}', ["agent_zero_json f {} [alias_key,alias_key]"]),
        ('{"tool_name": "f", "args": {}}', ["bare_json f {} [alias_key,alias_key]"]),
        ('{"name": "f", "tool_args": {}}', ["bare_json f {} [alias_key]"]),
        ('{"name": "f", "parameters": {}}', ["llama3_json f {}"]),
        ('{"tool": "f", "parameters": {}}', ["bare_json f {} [alias_key]"]),
        # cut and broken
        (CALL[:-1], [CUT]),
        (CALL[:-4], [CUT]),
        (NOPE[:-1], [NOPE[:-1]]),
        ('{"port": "B", "name": "get_ti', ['{"port": "B", "name": "get_ti']),
        ('{"name": "get_tide", "arguments": {"port": "x" y}} more\nText.', ["Text.", BROKEN]),
        ('{"name": "get_tide", "arguments": {"port": "x" y}} more', [BROKEN]),
        ('{"name": "nope", "arguments": {"port": "x" y}} more', ['{"name": "nope", "arguments": {"port": "x" y}} more']),
        ('{"name": "get_tide", "arguments": {"port": Brest}}', [A_WORD]),
        ('{"name": "nope", "arguments": {"port": Brest}}', ['{"name": "nope", "arguments": {"port": Brest}}']),
        (f'{{"a": "b" c\n{CALL}', ['{"a": "b" c', WAS]),
        # a quote that opened no string hides no call
        (f"{{'tis so:\n<tool_call>{CALL}</tool_call>\nit's \"x\" y", ["{'tis so:\n\nit's \"x\" y", "xml_sentinel get_tide {'port': 'B'}"]),
        (f"```json\n{CALL}\n```", ["json_fence get_tide {'port': 'B'}"]),
    ],
)
def test_an_object_on_its_line(text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[{CALL}]", [WAS]),
        (f"Hi.\n[ {CALL},\n {CALL} ]\nThere.", ["Hi.\nThere.", WAS, WAS]),
        (f"[{CALL} {CALL},]", [WAS, WAS]),
        (f"[{CALL},{CALL}]", [WAS, WAS]),
        (f"[{CALL}}}, {CALL}]", [WAS, WAS]),
        (f"[{CALL}}}]\nThere.", ["There.", WAS]),
        (f"[{{'tis so:\n<tool_call>{CALL}</tool_call>\nit's \"x\" y", ["[{'tis so:\n\nit's \"x\" y", "xml_sentinel get_tide {'port': 'B'}"]),
        (f'[{{"name": "get_tide", "arguments": {{"port": "x" y}}}},\n{{"id":\n{CALL},\n"b" c}}]', [
            f'[{{"name": "get_tide", "arguments": {{"port": "x" y}}}},\n{{"id":\n{CALL},\n"b" c}}]',
        ]),
        (f"[{CALL}; {CALL}]", [f"[{CALL}; {CALL}]"]),
        (f"[{CALL}] is it", [f"[{CALL}] is it"]),
        (f"[{CALL}]</tool_call>", ["xml_sentinel get_tide {'port': 'B'}"]),
        (f"[{CALL}]\n</tool_call>", ["xml_sentinel get_tide {'port': 'B'}"]),
        (f"[{CALL}, 3]", [f"[{CALL}, 3]"]),
        (f'[{CALL}, {{"a": 1}}]', [f'[{CALL}, {{"a": 1}}]']),
        (f'[\n{CALL},\n{{"a": "b" c}}]', [f'[\n{CALL},\n{{"a": "b" c}}]']),
        ("[]", ["[]"]),
        ("[ ", ["["]),
        ("[3]", ["[3]"]),
        ('[{"a": 1}]', ['[{"a": 1}]']),
        ('[{"tool_name": "f", "tool_args": {}}]', ["agent_zero_json f {} [alias_key,alias_key]"]),
        # names
        (f"[{NOPE}]", [REFUSED]),
        (f"[{CALL}, {NOPE}]<|im_end|>", [WAS, REFUSED]),
        (f"Hi.\n[{NOPE}]", [f"Hi.\n[{NOPE}]"]),
        (f"[{NOPE}]\nHi.", [f"[{NOPE}]\nHi."]),
        (f"[{CALL}, {NOPE}]\nHi.", [f"[{CALL}, {NOPE}]\nHi."]),
        # cut and broken: the others stand
        (f"[{CALL}", [WAS]),
        (f"[{CALL}, ", [WAS]),
        (f"[{CALL}, {CALL[:-1]}", [WAS, CUT]),
        (f"[{CALL[:-1]}", [CUT]),
        (f"[{NOPE[:-1]}", [f"[{NOPE[:-1]}"]),
        (f'[{CALL}, {{"na', [WAS, "bare_json truncated None: the text ends inside the call"]),
        (f'[{{"name": "get_tide", "arguments": {{"port": "x" y}}}}, {CALL}]', [BROKEN, WAS]),
        ('[{"name": "get_tide", "arguments": {"port": "x" y}}]', [BROKEN]),
        (f'[{{"name": "nope", "arguments": {{"port": "x" y}}}}, {CALL}]', [f'[{{"name": "nope", "arguments": {{"port": "x" y}}}}, {CALL}]']),
        (f'[{{"name": "get_tide", "arguments": {{"port": x}}}}, {CALL}]', [A_WORD, WAS]),
    ],
)
def test_a_list_of_objects(text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("denied", "text", "shown"),
    [
        (["bare_json"], CALL, True),
        (["bare_json"], f"[{CALL}]", True),
        (["bare_json"], '{"tool_name": "f", "tool_args": {}}', False),
        (["agent_zero_json"], CALL, False),
        (["agent_zero_json"], '{"tool_name": "f", "tool_args": {}}', True),
        (["agent_zero_json"], '[{"tool_name": "f", "tool_args": {}}]', True),
        (["bare_json", "agent_zero_json"], "[f(x=1)]", False),
        (["bare_json", "agent_zero_json", "pythonic_list"], "[f(x=1)]", True),
        (["bare_json", "pythonic_list"], '{"tool_name": "f", "tool_args": {}}', False),
        (["agent_zero_json", "pythonic_list"], CALL, False),
        (["xml_sentinel"], f"{CALL}</tool_call>", True),
        (["xml_sentinel"], f"[{CALL}]</tool_call>", True),
    ],
)
def test_what_the_policy_denies_is_text(denied: list[str], text: str, shown: bool) -> None:
    assert (read(text, policy={"dialects": {"deny": denied}}) == [text]) is shown


def test_a_list_of_a_tool_whose_name_begins_with_an_underscore() -> None:
    assert read("[_f(x=1)]", tools=[{"name": "_f"}]) == ["pythonic_list _f {'x': 1}"]


def test_without_a_catalogue_nothing_bare_is_a_call() -> None:
    for text in (CALL, f"[{CALL}]", CALL[:-1], "[f(x=1)]"):
        assert read(text, tools=None) == [text]
