"""Calls behind the ifm mark: JSON, pairs, or pairs with a type between."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="k2_horizon",
    family="key_value",
    summary="<ifm|tool_calls> with JSON, key/value or typed key/value bodies",
    models=("K2 Horizon", "K2-V3"),
    openers={
        "<ifm|tool_calls>": Opener("section", guard=r"<ifm\|tool_call>|</ifm\|tool_calls>"),
        "<ifm|tool_call>": Opener("body", guard=r"[\[{]|[\w.:/-]+\s*(?:\n|<|\{)"),
    },
    closers=("</ifm|tool_call>", "</ifm|tool_calls>"),
    options=KeyValue(
        section=r"<ifm\|tool_calls>", section_end=r"</ifm\|tool_calls>", call=r"<ifm\|tool_call>", call_end=r"</ifm\|tool_call>",
        key=r"<ifm\|arg_key>", key_end=r"</ifm\|arg_key>", value=r"<ifm\|arg_value>", value_end=r"</ifm\|arg_value>",
        type=r"<ifm\|arg_type>\s*(?P<type>[^<>]{1,64})</ifm\|arg_type>",
    ),
    example=(
        "<ifm|tool_calls>\n<ifm|tool_call>get_tide\n<ifm|arg_key>port</ifm|arg_key>\n<ifm|arg_value>"
        "Brest</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>"
    ),
    drift=("call without a section", "JSON body"),
)  # fmt: skip
