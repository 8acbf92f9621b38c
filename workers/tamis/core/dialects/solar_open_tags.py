"""A name and triples of start, value and end tokens."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="solar_open_tags",
    family="key_value",
    summary="<|tool_call:start|> with <|tool_arg:...|> triples",
    models=("Solar Open 2",),
    openers={"<|tool_call:start|>": Opener("body", guard=r"[\w.:/-]+\s*(?:\n|<|\{)")},
    closers=("<|tool_call:end|>",),
    options=KeyValue(
        call=r"<\|tool_call:start\|>", call_end=r"<\|tool_call:end\|>",
        key=r"<\|tool_arg:start\|>", key_end=r"(?=<\|tool_arg:value\|>)", value=r"<\|tool_arg:value\|>", value_end=r"<\|tool_arg:end\|>",
    ),
    example="<|tool_call:start|>get_tide\n<|tool_arg:start|>port<|tool_arg:value|>Brest<|tool_arg:end|>\n<|tool_call:end|>",
)  # fmt: skip
