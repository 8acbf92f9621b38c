"""`<function=NAME>` with `<parameter=KEY>` values, in `<tool_call>` tags or bare."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

CODER = XmlParams(
    wrapper=r"<tool_call(?:\s[^<>]*)?>", wrapper_end=r"</tool_call>",
    call=r"<?function=[\"']?(?P<name>[^<>\n\"']{0,160})[\"']?>", call_end=r"</function>",
    value=r"<?parameter=[\"']?(?P<key>[^<>\n\"']{1,160})[\"']?>", value_end=r"</(?:parameter|(?P<own>[^<>\s/]{1,128}))\s*>",
)  # fmt: skip

DIALECT = Dialect(
    name="qwen3_coder_xml",
    family="xml_params",
    summary="<function=NAME> with <parameter=KEY> values, <tool_call> wrapper optional (OpenHands: none)",
    models=("Qwen3-Coder", "Qwen3.5-3.8", "Nemotron 3", "Step-3.5/3.7/5", "MiMo-V2", "Granite 4.2", "Nanbeige4", "InternS2", "OpenHands"),
    openers={
        "<tool_call>": Opener("wrapper", guard=r"<function[^_s]|function=|<parameter="),
        "<function=>": Opener("call", guard=r"<?parameter=|</function>|</tool_call>"),
    },
    closers=("</function>", "</tool_call>"),
    options=CODER,
    example="<tool_call>\n<function=get_tide>\n<parameter=port>\nBrest\n</parameter>\n</function>\n</tool_call>",
    drift=("wrapper opener lost", "closers lost or doubled", "lost < of an inner tag", "nameless function", "several functions in one wrapper"),
)
