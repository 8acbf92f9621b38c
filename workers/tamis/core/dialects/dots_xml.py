"""The invoke grammar, or one JSON call, in `<dots_function_call>` tags."""

from dataclasses import replace

from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.xml_invoke import INVOKE

DIALECT = Dialect(
    name="dots_xml",
    family="xml_params",
    summary="invoke/parameter markup or one JSON call in <dots_function_call>",
    models=("dots.llm2", "dots.vlm2"),
    openers={
        "<dots_function_call>": (
            Opener("open", guard=r"[\[{]"), Opener("wrapper", guard=r"<(?:[^\s<>]{1,24}:)?(?:invoke|param)|</dots_function_call>"),
        )
    },
    closers=("</dots_function_call>",),
    options=replace(INVOKE, wrapper=r"<dots_function_call>", wrapper_end=r"</dots_function_call>", lists=False),
    example='<dots_function_call>\n<invoke name="get_tide">\n<parameter name="port">Brest</parameter>\n</invoke>\n</dots_function_call>',
    drift=("JSON body",),
)
