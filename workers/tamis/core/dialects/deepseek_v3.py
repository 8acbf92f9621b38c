"""Fullwidth-bar tokens around a type word, the name and a JSON fence."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

BEGIN = r"<｜tool[▁_]call[▁_]begin｜>"
SEPARATOR = r"<｜tool[▁_]sep｜>"
END = r"<｜tool[▁_]call[▁_]end｜>"
SECTION_END = r"<｜tool[▁_]calls[▁_]end｜>"
NAME = r"""[^\s<>{}\[\]"'`,]{1,160}+"""  # possessive: a name that is still arriving is none
_SECTION = Opener("section", guard=rf"{BEGIN}|{SECTION_END}", rank=2)
_CALL = Opener("call", guard=rf"[^<>\n]{{0,160}}{SEPARATOR}\s*[^\s<]", rank=2)

DIALECT = Dialect(
    name="deepseek_v3",
    family="head_json",
    summary="fullwidth-bar tool tokens, 'function' + separator + name + json fence",
    models=("DeepSeek-V3", "DeepSeek-V3-0324", "DeepSeek-R1-0528", "Cogito"),
    openers={
        "<｜tool▁calls▁begin｜>": _SECTION, "<｜tool_calls_begin｜>": _SECTION, "<｜tool▁call▁begin｜>": _CALL, "<｜tool_call_begin｜>": _CALL,
    },
    closers=("<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
    parts=("<｜tool▁sep｜>",),
    options=HeadJson(
        call=rf"{BEGIN}\s*(?:function)?\s*{SEPARATOR}\s*(?P<name>{NAME})(?=[\s`{{<])\s*(?:```\w*\s*(?=[^\s\w])|(?=[^\s`]))",
        empty=rf"{BEGIN}\s*(?:function)?\s*{SEPARATOR}\s*(?P<name>{NAME})\s*(?:```\w*\s*```\s*)?{END}",
        mark=BEGIN, section_end=SECTION_END, ends=(r"```", END),
    ),
    example=(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_tide\n"
        '```json\n{"port": "Brest"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    drift=("opener with underscores", "raw line breaks in the JSON", "outer closer missing"),
)  # fmt: skip
