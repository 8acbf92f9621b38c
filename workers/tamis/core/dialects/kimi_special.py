"""Section tokens around calls whose id carries name and counter, with JSON arguments."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

_SECTION = r"<\|tool_calls?_section_begin\|>"
_SECTION_END = r"<\|tool_calls?_section_end\|>"
_CALL = r"<\|tool_call_begin\|>"
_ARGUMENTS = r"<\|tool_call_argument_begin\|>"
_END = r"<\|tool_call_end\|>"
_ID = r"""[^\s<>{}\[\]"'`,]{1,160}"""
_OPEN = Opener("section", guard=rf"{_CALL}|{_SECTION_END}|{_ID}\s*{_ARGUMENTS}")

DIALECT = Dialect(
    name="kimi_special",
    family="head_json",
    summary="Kimi K2 section tokens, id functions.NAME:N, JSON arguments",
    models=("Kimi K2", "Kimi K2-Thinking", "Kimi K2.5", "Kimi K2.6"),
    openers={
        "<|tool_calls_section_begin|>": _OPEN, "<|tool_call_section_begin|>": _OPEN,
        "<|tool_call_begin|>": Opener("call", guard=rf"(?:{_ID}\s*)?(?:{_ARGUMENTS}|{_END})"),
    },
    closers=("<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"),
    parts=("<|tool_call_argument_begin|>",),
    options=HeadJson(
        call=rf"(?:{_CALL})?\s*(?P<name>{_ID})\s*{_ARGUMENTS}", empty=rf"{_CALL}\s*(?P<name>{_ID})\s*(?:{_ARGUMENTS}\s*)?{_END}", mark=_CALL,
        nameless=rf"{_CALL}\s*(?={_ARGUMENTS}|{_END})",
        section=_SECTION, section_end=_SECTION_END, ends=(_END,),
    ),
    example=(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_tide:0<|tool_call_argument_begin|>"
        '{"port": "Brest"}<|tool_call_end|><|tool_calls_section_end|>'
    ),
    drift=("singular section tokens", "no section tokens", "id without prefix", "bare counter as id", "arguments that are no JSON"),
)  # fmt: skip
