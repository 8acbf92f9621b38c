"""The body of qwen3_coder_xml in `<seed:tool_call>` tags."""

from dataclasses import replace

from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.qwen3_coder_xml import CODER

DIALECT = Dialect(
    name="seed_oss_xml",
    family="xml_params",
    summary="the body of qwen3_coder_xml in <seed:tool_call>",
    models=("Seed-OSS",),
    openers={"<seed:tool_call>": Opener("wrapper", guard=r"<function[^_s]|function=|<parameter=|</seed:tool_call>")},
    closers=("</seed:tool_call>",),
    options=replace(CODER, wrapper=r"<seed:tool_call>", wrapper_end=r"</seed:tool_call>"),
    example="<seed:tool_call>\n<function=get_tide>\n<parameter=port>Brest</parameter>\n</function>\n</seed:tool_call>",
)
