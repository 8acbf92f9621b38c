"""Section tokens around calls whose id carries name and counter, with JSON arguments."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect

_SECTIONS = {
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",
    "<|tool_call_section_begin|>": "<|tool_call_section_end|>",
}

DIALECT = Dialect(
    name="kimi_special",
    family="head_json",
    summary="section tokens, id functions.NAME:N, JSON arguments",
    models=("Kimi K2", "Kimi K2-Thinking", "Kimi K2.5", "Kimi K2.6"),
    openers={**dict.fromkeys(_SECTIONS, "section"), "<|tool_call_begin|>": "call"},
    closers=("<|tool_call_end|>", *_SECTIONS.values()),
    parts=("<|tool_call_argument_begin|>",),
    options=HeadJson(sections=_SECTIONS, call="<|tool_call_begin|>", arguments="<|tool_call_argument_begin|>", call_end="<|tool_call_end|>"),
    example=(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_tide:0<|tool_call_argument_begin|>"
        '{"port": "Brest"}<|tool_call_end|><|tool_calls_section_end|>'
    ),
    drift=("singular section tokens", "no section tokens", "id without prefix", "bare counter as id", "arguments that are no JSON"),
)
