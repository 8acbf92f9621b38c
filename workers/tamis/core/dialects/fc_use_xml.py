"""A trigger line, then `<function_call>` with `<tool>` and one tag per argument."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="fc_use_xml",
    family="xml_params",
    summary="FC_USE line, <function_call> with <tool> and one tag per argument",
    models=("prompt bridges",),
    openers={"<function_call>": Opener("call", guard=r"<tool>")},
    closers=("</function_call>",),
    options=XmlParams(
        call=r"<function_call>", call_end=r"</function_call\s*>", value=r"(?!)", value_end=r"(?!)", name=r"<tool>(?P<name>[^<>]{1,160})</tool>",
        block=r"<args>", block_end=r"</args>",
        child=r"<(?P<key>[A-Za-z_][\w.-]{0,127})\s*>", child_end=r"</(?P<own>[^<>\s/]{1,128})\s*>",
    ),
    example="FC_USE\n<function_call>\n<tool>get_tide</tool>\n<args><port>Brest</port></args>\n</function_call>",
)  # fmt: skip
