"""`<function=NAME>` around one JSON object."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="function_tag_json",
    family="head_json",
    summary="<function=NAME>{JSON}</function>",
    models=("Functionary v3.1", "Llama function tag", "drift of Qwen and GLM"),
    openers={"<function=>": Opener("call", guard=r"\{")},
    closers=("</function>",),
    options=HeadJson(call=r"<function=(?P<name>[^<>\n]{1,160})>", mark=r"<function=", ends=(r"</function>",)),
    example='<function=get_tide>{"port": "Brest"}</function>',
)
