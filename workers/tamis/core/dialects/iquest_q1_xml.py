"""The body of glm_xml in `<iquest_tool_call>` tags."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="iquest_q1_xml",
    family="key_value",
    summary="the body of glm_xml in <iquest_tool_call>",
    models=("IQuest-Q1",),
    openers={"<iquest_tool_call>": (Opener("open", guard=r"[\[{]|</iquest_tool_call>"), Opener("body", guard=r"[\w.:/-]+\s*(?:\n|<|\{|\\n)"))},
    closers=("</iquest_tool_call>",),
    options=KeyValue(
        call=r"<iquest_tool_call>", call_end=r"</iquest_tool_call>",
        key=r"<arg_key>", key_end=r"</arg_key>", value=r"<arg_value>", value_end=r"</arg_value>",
    ),
    example="<iquest_tool_call>get_tide\n<arg_key>port</arg_key>\n<arg_value>Brest</arg_value>\n</iquest_tool_call>",
)  # fmt: skip
