"""A name and pairs of key and value tags in `<tool_call>` tags."""

from tamis.core.bodies.key_value import KeyValue
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="glm_xml",
    family="key_value",
    summary="<tool_call>NAME then arg_key/arg_value (TeleChat: param_key/param_value) pairs",
    models=("GLM-4.5", "GLM-4.6", "GLM-4.7", "GLM-5", "Ling 3", "Laguna", "Spark 2.5", "HyperCLOVAX-SEED-Think", "TeleChat"),
    openers={"<tool_call>": Opener("body", guard=r"(?!function=)[\w.:/-]+[ \t]*(?:\r?\n|\\n|\{|<(?:/?(?:arg|param)_(?:key|value)|/tool_call))")},
    closers=("</tool_call>",),
    options=KeyValue(
        call=r"<tool_call>", call_end=r"</tool_call>",
        key=r"<(?:arg|param)_key>", key_end=r"</(?:arg|param)_key>", value=r"<(?:arg|param)_value>", value_end=r"</(?:arg|param)_value>",
    ),
    example="<tool_call>get_tide\n<arg_key>port</arg_key>\n<arg_value>Brest</arg_value>\n</tool_call>",
    drift=("no arguments", "JSON body behind the name", "one tag of the cycle missing or doubled", "name and key run together", "line break as \\n"),
)  # fmt: skip
