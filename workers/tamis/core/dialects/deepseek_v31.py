"""The tokens of deepseek_v3 with the name in front of the separator and bare JSON behind it."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.deepseek_v3 import BEGIN, END, NAME, SECTION_END, SEPARATOR

_SECTION = Opener("section", guard=rf"{BEGIN}\s*(?:{NAME}\s*{SEPARATOR}\s*(?:\{{|{END})|(?!function\s*{SEPARATOR}){NAME}\s*{SEPARATOR})", rank=1)
_CALL = Opener("call", guard=rf"\s*{NAME}\s*{SEPARATOR}\s*\{{", rank=1)

DIALECT = Dialect(
    name="deepseek_v31",
    family="head_json",
    summary="the same tokens, name + separator + JSON, no fence",
    models=("DeepSeek-V3.1", "DeepSeek-V3.1-Terminus", "DeepSeek-V3.2-Exp"),
    openers={
        "<｜tool▁calls▁begin｜>": _SECTION, "<｜tool_calls_begin｜>": _SECTION, "<｜tool▁call▁begin｜>": _CALL, "<｜tool_call_begin｜>": _CALL,
    },
    closers=("<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
    options=HeadJson(call=rf"{BEGIN}\s*(?P<name>{NAME})\s*{SEPARATOR}", mark=BEGIN, section_end=SECTION_END, ends=(END,)),
    example='<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_tide<｜tool▁sep｜>{"port": "Brest"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    drift=("outer closer missing",),
)  # fmt: skip
