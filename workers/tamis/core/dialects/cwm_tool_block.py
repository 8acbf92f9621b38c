"""`<tool: NAME>` around JSON or one command."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="cwm_tool_block",
    family="head_json",
    summary="<tool: NAME> body </tool>, body JSON or one command",
    models=("CWM",),
    openers={"<tool: ": Opener("call", guard=r"[^\s<>]{1,160}>")},
    closers=("</tool>",),
    options=HeadJson(call=r"<tool:\s(?P<name>[^\s<>]{1,160})>", mark=r"<tool:\s", ends=(r"</tool>",), plain=r"</tool>"),
    example='<tool: get_tide>\n{"port": "Brest"}\n</tool>',
)
