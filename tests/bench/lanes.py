"""Lanes beyond the shared workloads: one long call of each decoder family, and shapes whose cost must stay linear."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import workloads

__all__ = ["FAMILIES", "GROWTH", "family_call"]

def _object(body: str) -> str:
    return json.dumps({"name": "write_file", "arguments": {"path": "t.py", "content": body}})


def _arguments(body: str) -> str:
    return json.dumps({"path": "t.py", "content": body})


FAMILIES: dict[str, Callable[[str], str]] = {
    "json_calls": lambda body: f'<tool_call>\n{_object(body)}\n</tool_call>',
    "head_json": lambda body: "[TOOL_CALLS]write_file[ARGS]" + _arguments(body),
    "xml_params": lambda body: (
        f"<tool_call>\n<function=write_file>\n<parameter=path>\nt.py\n</parameter>\n<parameter=content>\n{body}\n</parameter>\n</function>\n</tool_call>"
    ),
    "key_value": lambda body: (
        f"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>t.py</arg_value>\n<arg_key>content</arg_key>\n<arg_value>{body}</arg_value>\n</tool_call>"
    ),
    "element_tree": lambda body: (
        '<|open|>tools<|sep|><|open|>call tool="write_file" index="1"<|sep|>'
        '<|open|>argument key="path" type="string"<|sep|>t.py<|close|>argument<|sep|>'
        f'<|open|>argument key="content" type="string"<|sep|>{body}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
    ),
    "brace_dsl": lambda body: f'<|tool_call>call:write_file{{path:<|"|>t.py<|"|>,content:<|"|>{body}<|"|>}}<tool_call|>',
    "py_call": lambda body: f"<|tool_call_start|>[write_file(path='t.py', content={body!r})]<|tool_call_end|>",
    "bare_json": _object,
}  # fmt: skip
"""A call whose argument is the given source code, one for each family of decoders."""


def family_call(family: str, size: int) -> str:
    """A turn with one call of about `size` characters."""
    return FAMILIES[family](workloads.code(size))


_CALL = '<tool_call>{"name": "count_crates", "arguments": {"pier": "x"}}</tool_call>\n'
_VALUE = '<invoke name="write_file"><parameter name="content">'
GROWTH: dict[str, Callable[[int], str]] = {
    "prose": workloads.prose,
    "spiky prose": workloads.spiky_prose,
    **{f"one call, {name}": partial(family_call, name) for name in FAMILIES},
    "small calls": lambda size: _CALL * (size // len(_CALL)),
    "near openers": lambda size: "<tool_cal" * (size // 9),
    "openers": lambda size: "<tool_call>" * (size // 11),
    "opener and blanks": lambda size: "<tool_call>" + " " * size,
    "nested brackets": lambda size: '<tool_call>{"name": "write_file", "arguments": ' + "[" * size,
    "bracket lines": lambda size: '[{"a":\n' * (size // 7),
    "Python brackets": lambda size: "<|tool_call_start|>[write_file(path=" + "[" * size,
    "unterminated fence": lambda size: '```json\n{"a": ' + "x" * size,
    "fences": lambda size: "```\n{\n" * (size // 6),
    "backticks": lambda size: "`" * size,
    "backtick pairs": lambda size: "` " * (size // 2),
    "tildes": lambda size: "~" * size,
    "unterminated thought": lambda size: "<think>" + "word " * (size // 5),
    "thought with calls": lambda size: "<think>" + _CALL * (size // len(_CALL)),
    "nested results": lambda size: "\n<tool_response>" * (size // 16),
    "invisible": lambda size: "\u200b" * size,
    "invisible lines": lambda size: "\u200b\n" * (size // 2),
    "line tags": lambda size: "<br>" * (size // 4),
    "brackets in a value": lambda size: _VALUE + "<" * size,
    "heads in a value": lambda size: _VALUE + '\n<parameter name="q" z="1">' * (size // 26),
    "closers in a value": lambda size: _VALUE + "</parameter> x" * (size // 14),
    "blanks behind a closer": lambda size: _VALUE + "</parameter>" + " " * size,
    "broken calls": lambda size: '<tool_call>{"a": b}</tool_call>\n' * (size // 31),
    "unterminated strings": lambda size: '<tool_call>{"name": "x</tool_call>\n' * (size // 36),
    "backslashes": lambda size: '<tool_call>{"a": "' + "\\" * size,
    "comments": lambda size: "<tool_call>{" + "// c\n" * (size // 5),
    "labels": lambda size: "Action: x\n" * (size // 10),
    "thought labels": lambda size: "Thought: x\n" * (size // 11),
    "headers": lambda size: "<|channel|>analysis<|message|>" * (size // 30),
    "recipients": lambda size: "<|channel|>analysis<|message|>" + " to=x" * (size // 5),
    "flowers": lambda size: "✿FUNCTION✿: " * (size // 12),
    "marks": lambda size: "<｜DSML｜" * (size // 7),
    "name lines": lambda size: "count_crates\n" * (size // 13),
    "tool tags": lambda size: "<count_crates>\n" * (size // 15),
    "escaped": lambda size: "&lt;count_crates&gt;" * (size // 20),
    "quote lines": lambda size: "> <tool_call>\n" * (size // 14),
}  # fmt: skip
"""Texts of about a given size; the time for them must grow like their size."""
