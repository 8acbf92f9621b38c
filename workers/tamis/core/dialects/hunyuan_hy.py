"""Calls with pairs in a `<tool_calls>` section; each tag may carry the suffix of its checkpoint."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

_SECTION = Opener("section", guard=r"<tool_call[>:\s]|</tool_calls")
_CALL = Opener("body", guard=r"[\w.:/-]+\s*<")

DIALECT = Dialect(
    name="hunyuan_hy",
    family="key_value",
    summary="<tool_calls> and <tool_call> with pairs; every tag may carry one :suffix; v3 has <tool_sep>",
    models=("Hunyuan Hy3", "Hunyuan Hy4"),
    openers={"<tool_calls>": _SECTION, "<tool_calls:*>": _SECTION, "<tool_call:*>": _CALL},
    closers=("</tool_calls>", "</tool_calls:*>", "</tool_call:*>"),
    options=KeyValue(
        section=r"<tool_calls{s}>", section_end=r"</tool_calls{s}>", call=r"<tool_call{s}>", call_end=r"</tool_call{s}>",
        separator=r"<tool_sep{s}>",
        key=r"<arg_key{s}>", key_end=r"</arg_key{s}>", value=r"<arg_value{s}>", value_end=r"</arg_value{s}>",
    ),
    example=(
        "<tool_calls>\n<tool_call>get_tide<tool_sep>\n<arg_key>port</arg_key>\n<arg_value>Brest</arg_value>\n"
        "</tool_call>\n</tool_calls>"
    ),
    drift=("suffix on every tag", "no separator"),
)  # fmt: skip
