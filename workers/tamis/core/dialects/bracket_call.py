"""Square brackets in place of angle brackets."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="bracket_call",
    family="head_json",
    summary="[function_calls] around [call:NAME]{...}[/call]",
    models=("bridges over chats that eat angle brackets",),
    openers={
        "[function_calls]": Opener("section", guard=r"\[call:|\[/function_calls\]"),
        "[call:": Opener("call", guard=r"[^\[\]\s]{1,160}\]\s*(?:\{|\[/call\])"),
    },
    closers=("[/function_calls]", "[/call]"),
    options=HeadJson(
        call=r"\[call:\s*(?P<name>[^\[\]\s]{1,160})\s*\]", mark=r"\[call:", section_end=r"\[/function_calls\]", ends=(r"\[/call\]",),
    ),
    example='[function_calls]\n[call:get_tide]{"port": "Brest"}[/call]\n[/function_calls]',
)  # fmt: skip
