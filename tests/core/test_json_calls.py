"""Envelopes of JSON calls: several, fenced, cut, broken, closed too often, and what stands behind one."""

from __future__ import annotations

import pytest

from core.reading import read

OPEN, CLOSE = "<tool_call>", "</tool_call>"
ONE, TWO = '{"name": "f", "arguments": {"x": 1}}', '{"name": "f", "arguments": {"x": 2}}'
FIRST, SECOND = "xml_sentinel f {'x': 1}", "xml_sentinel f {'x': 2}"
BROKEN = "xml_sentinel malformed_json f: the object breaks off where no JSON can go on"
NO_CALLS = "xml_sentinel malformed_json None: the array holds something else than call objects"
CUT_ARRAY = "xml_sentinel truncated None: the text ends inside the array of calls"
EMPTY = "None empty_completion None: the turn holds neither text nor a call"
CODE = '{"name": "f", "arguments": {"code": ""}}'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{ONE}{CLOSE}Hi", ["Hi", FIRST]),
        (f"{ONE}{TWO}{CLOSE}", [FIRST, SECOND]),
        (f"{ONE}, {TWO}{CLOSE}", [FIRST, SECOND]),
        (f"{ONE}\n;{TWO};{CLOSE}", [FIRST, SECOND]),
        (f"[{ONE}, {TWO}]{CLOSE}Hi", ["Hi", FIRST, SECOND]),
        (f"[{ONE}]{TWO}{CLOSE}Hi", ["Hi", "xml_sentinel f {'x': 1}", SECOND]),
        (f"{OPEN}\n{OPEN}{ONE}{CLOSE}", [FIRST]),
        (f"{ONE}{OPEN}{TWO}{CLOSE}", [FIRST, SECOND]),
        (f"{ONE} and{CLOSE}", [f"and{CLOSE}", FIRST]),
        # empty
        (CLOSE, ["xml_sentinel malformed_markup None: the call envelope is empty"]),
        (f" \n{CLOSE}Hi", ["Hi", "xml_sentinel malformed_markup None: the call envelope is empty"]),
        (f"[]{CLOSE}", [EMPTY]),
        (f"[ ]{CLOSE}Hi", ["Hi"]),
        (f"[3, {ONE}]{CLOSE}Hi", ["Hi", NO_CALLS]),
        (f"[{CLOSE}", [NO_CALLS]),
        # a fence around it, or a lone mark behind it
        (f"```json\n{ONE}\n```{CLOSE}Hi", ["Hi", FIRST]),
        (f"```\n{ONE}\n{TWO}\n```{CLOSE}Hi", ["Hi", FIRST, SECOND]),
        (f"```json\n[{ONE}, {TWO}]```{CLOSE}Hi", ["Hi", FIRST, SECOND]),
        (f"```json\n{ONE}{CLOSE}Hi", ["Hi", FIRST]),
        (f"```json\n{ONE}```\n{TWO}```{CLOSE}", [f"```{CLOSE}", FIRST, SECOND]),
        (f"{ONE}```{CLOSE}", [f"```{CLOSE}", FIRST]),
        (f"```json\n{ONE}`{CLOSE}", [f"`{CLOSE}", FIRST]),
        (f"`{ONE}`{CLOSE}", [f"{OPEN}`{ONE}`{CLOSE}"]),
        # closers too many
        (f"{ONE}}}{CLOSE}Hi", ["Hi", FIRST + " [surplus_closer]"]),
        (f"{ONE} ]{CLOSE}Hi", ["Hi", FIRST + " [surplus_closer]"]),
        (f"[{ONE}}}, {TWO}]{CLOSE}Hi", ["Hi", FIRST + " [surplus_closer]", SECOND]),
        (f"[{ONE}]]{CLOSE}Hi", ["Hi", FIRST]),
        (f"{ONE[:-2]}]}}}}{CLOSE}Hi", ["Hi", FIRST + " [surplus_closer]"]),
        # cut
        (f"{ONE}", [FIRST]),
        (f"{ONE},", [FIRST]),
        (f"{ONE}</tool", [FIRST]),
        (f"{ONE}<", [FIRST]),
        (f"[{ONE}", [FIRST]),
        (f"[{ONE},", [FIRST, CUT_ARRAY]),
        (f"[{ONE};", [FIRST]),
        (f"[{ONE}, {TWO} ,\n", [FIRST, SECOND, CUT_ARRAY]),
        (f"[{ONE}, {TWO}", [FIRST, SECOND]),
        (f"[{ONE}],", [FIRST]),
        ("[", [CUT_ARRAY]),
        (ONE[:-1], ["xml_sentinel truncated f: the text ends inside the call"]),
        ('{"na', ["xml_sentinel truncated None: the text ends inside the call"]),
        # broken: the others stand
        (f"{ONE[:-1]}{CLOSE}Hi", ["Hi", BROKEN]),
        (f'{{"name": "f", "arguments": {{"x": "1{CLOSE}{OPEN}{TWO}{CLOSE}', [BROKEN, SECOND]),
        (f'{{"name": "f", "arguments": {{"x": "1{CLOSE}', [BROKEN]),
        (f'{{"name": "f", "arguments": {{"x": "1{CLOSE} and', ["xml_sentinel truncated f: the text ends inside the call"]),
        (f'[{{"name": "f", "arguments": {{"x": "a" b}}}}, {TWO}]{CLOSE}Hi', ["Hi", BROKEN, SECOND]),
        (f'{{"name": "f", "arguments": {{"x": y}}}}{CLOSE}', ["xml_sentinel malformed_json f: a word stands where a value is due"]),
        # escaped as a whole
        (f'{{\\"name\\": \\"f\\", \\"arguments\\": {{}}}}{CLOSE}', ["xml_sentinel f {} [backslashed_quotes]"]),
        (f'{{\\"name\\": \\"f\\", \\"arguments\\": {{}}}}}}{CLOSE}', ["xml_sentinel f {} [backslashed_quotes,surplus_closer]"]),
        (f"{{&quot;name&quot;: &quot;f&quot;, &quot;arguments&quot;: {{}}}}{CLOSE}", ["xml_sentinel f {} [html_entities]"]),
        ('{\\"name\\": \\"f\\", \\"argu', ["xml_sentinel truncated f: the text ends inside the call"]),
        # a code block fills an empty argument
        (f"{CODE}<code>\na\n\n</code>{CLOSE}Hi", ["Hi", "xml_sentinel f {'code': 'a\\n'} [code_block$.code]"]),
        (f"{CODE} <code>a\n</code>\n{CLOSE}", ["xml_sentinel f {'code': 'a\\n'} [code_block$.code]"]),
        (f"{CODE}}}<code></cod</code>{CLOSE}", ["xml_sentinel f {'code': '</cod'} [code_block$.code,surplus_closer]"]),
        (f"{CODE}<code>a</cod", ["xml_sentinel truncated f: the text ends inside the code block"]),
        (f"{CODE}</code>{CLOSE}", [f"</code>{CLOSE}", "xml_sentinel f {'code': ''}"]),
        (f"{CODE}<b>{CLOSE}", [f"<b>{CLOSE}", "xml_sentinel f {'code': ''}"]),
        (f'{CODE.replace("code", "name")}<code>a</code>', ["<code>a</code>", "xml_sentinel f {'name': ''}"]),
        ('{"name": "f", "arguments": {"code": "z"}}<code>a</code>', ["<code>a</code>", "xml_sentinel f {'code': 'z'}"]),
        # a call that is refused, with a closer too many
        (f'{{"name": "f", "arguments": [1]}}}}{CLOSE}Hi', ["Hi", "xml_sentinel schema_violation f: the arguments are no object"]),
        # no call follows: the opener was text
        ("", [OPEN]),
        ("3", [f"{OPEN}3"]),
        ('"x"', [f'{OPEN}"x"']),
    ],
)
def test_an_envelope(body: str, expected: list[str]) -> None:
    assert read(OPEN + body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"f": {"x": 1}}, {"f": null}]', ["apertus_prefix f {'x': 1}", "apertus_prefix f {}"]),
        ('{"f": "{}"}', ["apertus_prefix f {} [decoded_arguments]"]),
        ('[{"f": 3}, {"f": {}, "g": {}}]', ["apertus_prefix malformed_json None: the call object has no name"] * 2),
        (f"[{ONE}]", ["apertus_prefix f {'x': 1}"]),
        (
            '[{"f": {"x": "a" b}}, {"f": {"x": 2}}]',
            ["apertus_prefix malformed_json None: the object breaks off where no JSON can go on", "apertus_prefix f {'x': 2}"],
        ),
        ("[]", [EMPTY]),
    ],
)
def test_objects_whose_key_is_the_name(text: str, expected: list[str]) -> None:
    assert read(f"<|tools_prefix|>{text}<|tools_suffix|>") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<TOOLCALL>[]</TOOLCALL>Hi", ["Hi"]),
        ("<TOOLCALL></TOOLCALL>Hi", ["Hi"]),
        (f"<TOOLCALL>[{ONE}]</TOOLCALL>Hi", ["Hi", "nemotron_toolcall f {'x': 1}"]),
        (f"<|action_start|><|plugin|>\n{ONE}<|action_end|>Hi", ["Hi", "internlm_plugin f {'x': 1}"]),
        (f"[TOOL_CALLS][{ONE}]Hi", ["Hi", "mistral f {'x': 1}"]),
        (f"<longcat_tool_call>{ONE}]</longcat_tool_call>Hi", ["Hi", "longcat f {'x': 1} [surplus_closer]"]),
        (f'<tool_call id="1"><tool_call>{ONE}</tool_call>Hi', ["Hi", FIRST]),
        (f"<function_call><tool_call>{ONE}</tool_call>Hi", ["<function_call>Hi", FIRST]),
    ],
)
def test_envelopes_with_a_lead_and_those_that_list(text: str, expected: list[str]) -> None:
    assert read(text) == expected
