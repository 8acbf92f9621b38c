"""A JSON call, or a name with pairs, in `<longcat_tool_call>` tags."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="longcat",
    family="key_value",
    summary="<longcat_tool_call> with a JSON call, or with a name and longcat_arg_key/longcat_arg_value pairs",
    models=("LongCat-Flash",),
    openers={"<longcat_tool_call>": (Opener("open", guard=r"[\[{]|</longcat_tool_call>"), Opener("body", guard=r"[\w.:/-]+\s*(?:\n|<|\{|\\n)"))},
    closers=("</longcat_tool_call>",),
    options=KeyValue(
        call=r"<longcat_tool_call>", call_end=r"</longcat_tool_call>",
        key=r"<longcat_arg_key>", key_end=r"</longcat_arg_key>", value=r"<longcat_arg_value>", value_end=r"</longcat_arg_value>",
    ),
    example='<longcat_tool_call>\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n</longcat_tool_call>',
    drift=("pairs instead of JSON",),
)  # fmt: skip
