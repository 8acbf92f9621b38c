"""A name in the markup and an object behind it: heads that are cut, broken or nameless, and bodies that are no object."""

from __future__ import annotations

import pytest

from core.reading import context_of, read
from tamis.core.bodies.head_json import head_json
from tamis.core.drafts import Fault
from tamis.core.source import Source

SECTION, SECTION_END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
CALL, ARGS, END = "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"
ONE, TWO = f'{CALL}f:0{ARGS}{{"x": 1}}{END}', f'{CALL}f:1{ARGS}{{"x": 2}}{END}'
FIRST, SECOND = "kimi_special f {'x': 1}", "kimi_special f {'x': 2}"
CUT_HEAD = "kimi_special truncated None: the text ends inside the head of the call"
NO_MARK = "kimi_special malformed_markup None: the call has no arguments mark behind its name"
NO_OBJECT = "kimi_special malformed_json f: the arguments are no JSON object"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ONE}{TWO}{SECTION_END}Hi", ["Hi", FIRST, SECOND]),
        (f"{ONE}{SECTION}{TWO}{SECTION_END}Hi", ["Hi", FIRST, SECOND]),
        (f"{ONE}{END}{END}{TWO}{SECTION_END}Hi", ["Hi", FIRST, SECOND]),
        (f"{SECTION_END}Hi", ["Hi"]),
        (f"\n{SECTION_END}Hi", ["Hi"]),
        (f"{CALL}f:0{END}{TWO}{SECTION_END}Hi", ["Hi", "kimi_special f {} [no_arguments]", SECOND]),
        (f"{CALL}f:0{ARGS} {END}{TWO}", ["kimi_special f {} [no_arguments]", SECOND]),
        # a word behind the calls is an answer, the beginning of a head is none
        (f"{ONE}Done", ["Done", FIRST]),
        (f"{ONE}Note:", ["Note:", FIRST]),
        (f"{ONE}Done. See you.", ["Done. See you.", FIRST]),
        (f"{ONE}functions.f:1", [FIRST, CUT_HEAD]),
        (f"{ONE}{CALL}", [FIRST, CUT_HEAD]),
        (f"{ONE}{CALL}f:1<|tool_ca", [FIRST, CUT_HEAD]),
        (CALL, [CUT_HEAD]),
        (f"{CALL}functions.f", [CUT_HEAD]),
        (f"{CALL}f:0<|tool_call_arg", [CUT_HEAD]),
        (f"{CALL}f:0{ARGS}", ["kimi_special truncated f: the text ends before the arguments"]),
        (f"{CALL}f:0{ARGS}\n", ["kimi_special truncated f: the text ends before the arguments"]),
        # nameless and without its mark: the next one stands
        (f'{CALL}{ARGS}{{"x": 3}}{END}{TWO}{SECTION_END}Hi', ["Hi", "kimi_special malformed_markup None: the call has no name", SECOND]),
        (f'{ONE}{CALL}{END}{TWO}', [FIRST, "kimi_special malformed_markup None: the call has no name", SECOND]),
        (f'{CALL}f:0{{"x": 3}}{END}{TWO}{SECTION_END}Hi', ["Hi", NO_MARK, SECOND]),
        (f"{CALL}some words {{", [NO_MARK]),
        (f"{CALL}{'a' * 600}", [NO_MARK]),
        (f"{ONE}{CALL}no <b> head{END}{TWO}", [FIRST, NO_MARK, SECOND]),
        # objects, fenced, escaped, closed too often
        (f'{CALL}f:0{ARGS}```json\n{{"x": 1}}\n```{END}{TWO}', [FIRST, SECOND]),
        (f'{CALL}f:0{ARGS}{{"x": 1}}}}{END}{TWO}', [FIRST + " [surplus_closer]", SECOND]),
        (f'{CALL}f:0{ARGS}{{"x": 1}}]{END}', [FIRST + " [surplus_closer]"]),
        (f'{CALL}f:0{ARGS}{{"x": 1]}}{END}', [FIRST + " [surplus_closer]"]),
        (f'{CALL}f:0{ARGS}{{\\"x\\": 1}}{END}', [FIRST + " [backslashed_quotes]"]),
        (f"{CALL}f:0{ARGS}{{&quot;x&quot;: 1}}]{END}", [FIRST + " [html_entities,surplus_closer]"]),
        (f"{CALL}f:0{ARGS}{{'x': 1}}}}{END}", [FIRST + " [single_quotes,surplus_closer]"]),
        (f'{CALL}f:0{ARGS}{{"x": 1', ["kimi_special truncated f: the text ends inside the arguments"]),
        (f'{CALL}f:0{ARGS}{{"x": 1{END}{TWO}', ["kimi_special malformed_json f: the arguments break off where no JSON can go on", SECOND]),
        (f'{CALL}f:0{ARGS}{{"x": "1{END}{TWO}', ["kimi_special malformed_json f: the arguments break off where no JSON can go on", SECOND]),
        (f'{CALL}f:0{ARGS}{{"x": y}}{END}{TWO}', ["kimi_special malformed_json f: a word stands where a value is due", SECOND]),
        (f"{CALL}f:0{ARGS}[1]{END}{TWO}", [NO_OBJECT, SECOND]),
        (f"{CALL}f:0{ARGS}words{END}{TWO}", [NO_OBJECT, SECOND]),
        (f"{CALL}f:0{ARGS}words", [NO_OBJECT]),
        (f"{CALL}f:0{ARGS}`words`{END}{TWO}", [NO_OBJECT, SECOND]),
        # null and strings in the place of the object
        (f"{CALL}f:0{ARGS}null{END}{TWO}", ["kimi_special f {} [null_arguments]", SECOND]),
        (f"{CALL}f:0{ARGS}nullable{END}{TWO}", [NO_OBJECT, SECOND]),
        (f'{CALL}f:0{ARGS}""{END}{TWO}', ["kimi_special f {} [null_arguments]", SECOND]),
        (f'{CALL}f:0{ARGS}" \\n"{END}', ["kimi_special f {} [null_arguments]"]),
        (f'{CALL}f:0{ARGS}"{{\\"x\\": 1}}"{END}{TWO}', [FIRST + " [decoded_arguments]", SECOND]),
        (f"{CALL}f:0{ARGS}\"{{'x': 1}}\"{END}", [FIRST + " [decoded_arguments,single_quotes]"]),
        (f'{CALL}f:0{ARGS}"{{\\"name\\": \\"\\\\\\"\\"}}"{END}', ["kimi_special f {'name': '\"'} [decoded_arguments]"]),
        (f'{CALL}f:0{ARGS}"[1]"{END}{TWO}', ["kimi_special malformed_json f: the string holds no JSON object", SECOND]),
        (f'{CALL}f:0{ARGS}"word"{END}', ["kimi_special malformed_json f: a word stands where a value is due"]),
        (f'{CALL}f:0{ARGS}"\\q"{END}{TWO}', ["kimi_special malformed_json f: a word stands where a value is due", SECOND]),
        (f'{CALL}f:0{ARGS}"{{\\"x\\": 1', ["kimi_special truncated f: the text ends inside the arguments"]),
        (f'{CALL}f:0{ARGS}"{{\\"x\\": 1}}\\', ["kimi_special truncated f: the text ends inside the arguments"]),
        (f'{CALL}f:0{ARGS}"{{\\"x\\": 1{END}{SECTION_END}', [NO_OBJECT]),
    ],
)
def test_a_section(text: str, expected: list[str]) -> None:
    assert read(SECTION + text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'functions.f:0{ARGS}{{"x": 1}}{END}', [FIRST]),
        (f'f:0{ARGS}{{"x": 1}}{END}{CALL}f:1{ARGS[:-3]}', [FIRST, CUT_HEAD]),
        (f"functions.f:0{ARGS[:-3]}", [f"functions.f:0{ARGS[:-3]}"]),
        ('[TOOL_CALLS]f{"x": 1}[TOOL_CALLS]f[CALL_ID]ab[ARGS]{"x": 2}[/TOOL_CALLS]Hi', ["Hi", "mistral f {'x': 1}", "mistral f {'x': 2}"]),
        ('[TOOL_CALLS]f{"x": 1}[TOOL_CALLS]f[AR', ["mistral f {'x': 1}", CUT_HEAD.replace("kimi_special", "mistral")]),
        ('[TOOL_CALLS]f[ARGS]words', ["mistral malformed_json f: the arguments are no JSON object"]),
        ('get_tide\n{"port": "B"}\nDone.', ["Done.", "glm4_name_json get_tide {'port': 'B'}"]),
        ('get_tide\n{"port": "B"}\nget_tide\n{"port": "C"}', ["glm4_name_json get_tide {'port': 'B'}", "glm4_name_json get_tide {'port': 'C'}"]),
        ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_ti", [CUT_HEAD.replace("kimi_special", "deepseek_v3")]),
        ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_ti", [CUT_HEAD.replace("kimi_special", "deepseek_v3")]),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n"
            '```json\n{"x": 1}\n```<｜tool▁call▁end｜>\n```\n```<｜tool▁calls▁end｜>Hi',
            ["Hi", "deepseek_v3 f {'x': 1}"],
        ),
        ('✿FUNCTION✿: f\n✿ARGS✿: {"x": 1}\n✿RESULT✿', ["qwen_fncall f {'x': 1}"]),
        ('✿FUNCTION✿: f\n✿ARGS✿: {"x": 1}\n✿FUNCTION✿: f\n✿ARGS✿: {"x": 2}', ["qwen_fncall f {'x': 1}", "qwen_fncall f {'x': 2}"]),
    ],
)
def test_other_heads(text: str, expected: list[str]) -> None:
    assert read(text) == expected


PLAIN = "cwm_tool_block run {'line': 'ls -l'} [plain_body$.line]"
CUT_BODY = "cwm_tool_block truncated run: the text ends inside the body"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\nls -l\n</tool>Hi", ["Hi", PLAIN]),
        ("ls -l</tool>", [PLAIN]),
        ("ls -l </tool> <b>", ["<b>", PLAIN]),
        ("\nls -l\n  </tool>Hi", ["Hi", PLAIN]),
        ("\n</tool>Hi", ["Hi", "cwm_tool_block run {} [no_arguments]"]),
        ("ls </tool> x\n</tool>Hi", ["Hi", "cwm_tool_block run {'line': 'ls </tool> x'} [plain_body$.line]"]),
        ("\nls </tool>x</tool>\n", ["cwm_tool_block run {'line': 'ls </tool>x'} [plain_body$.line]"]),
        ("ls </tool>Hi", [CUT_BODY]),
        ("ls -l", [CUT_BODY]),
        ("ls -l</to", [CUT_BODY]),
        ("ls -l\n" + "< " * 600 + "</too", [CUT_BODY]),
        ('{"line": "a"}</tool>Hi', ["Hi", "cwm_tool_block run {'line': 'a'}"]),
        ('"ls -l"</tool>', [PLAIN]),
        ('"a" > b\n</tool>', ['cwm_tool_block run {\'line\': \'"a" > b\'} [plain_body$.line]']),
        ('"{\\"line\\": \\"a\\"}"\n</tool>', ["cwm_tool_block run {'line': 'a'} [decoded_arguments]"]),
        ('"[1]"\n</tool>', ["cwm_tool_block run {'line': '\"[1]\"'} [plain_body$.line]"]),
        ("12\n</tool>", ["cwm_tool_block run {'line': '12'} [plain_body$.line]"]),
        ("null\n</tool>Hi", ["Hi", "cwm_tool_block run {} [null_arguments]"]),
    ],
)
def test_a_plain_body_fills_the_only_parameter(text: str, expected: list[str]) -> None:
    assert read("<tool: run>" + text) == expected


def test_a_plain_body_needs_one_parameter_and_an_end() -> None:
    assert read("<tool: f>\nls\n</tool>") == ["cwm_tool_block malformed_json f: the body is no JSON object, and the tool has not one parameter alone"]
    react = "Action: run\nAction Input: ls -l"
    for reason in ("stop", "tool_calls"):
        assert read(react, reason=reason) == ["react run {'line': 'ls -l'} [plain_body$.line]"]
    for reason in ("length", "max_tokens"):
        assert read(react, reason=reason) == ["react truncated run: the text ends inside the body"]
        assert read(react + "\nObservation: x", reason=reason) == ["react run {'line': 'ls -l'} [plain_body$.line]"]
    assert read("<tool: run>ls", reason="length") == [CUT_BODY]
    assert read(react.replace("ls -l", '"Brest"')) == ["react run {'line': 'Brest'} [plain_body$.line]"]
    assert read(react.replace("ls -l", '{"line": "a"}') + "\nAction: ru") == [
        "react run {'line': 'a'}", "react truncated None: the text ends inside the head of the call",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "detail"), [("f:0", "the text ends inside the head of the call"), ('f:0{"x": 1}', "the call has no arguments mark behind its name")]
)
def test_of_text_that_has_ended_only_a_head_is_cut(text: str, detail: str) -> None:
    source = Source()
    source.feed(CALL + text)
    source.ended = True
    assert [item.detail for item in head_json(source, context_of("kimi_special"), "section") if isinstance(item, Fault)] == [detail]
