"""Invoke and parameter tags, inside a `<function_calls>` envelope or bare; also the older form with child tags."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener
from tamis.core.lexicon import NAMESPACE

_N = f"(?:{NAMESPACE})?"
INVOKE = XmlParams(
    wrapper=rf"<{_N}(?:function|tool)_calls?\s*>", wrapper_end=rf"</{_N}(?:function|tool)_calls?\s*>", lists=True,
    call=rf"<{_N}invoke(?P<attrs>(?:\s|(?=name))[^<>]{{0,200}}?)?(?P<closed>/)?>", call_end=rf"</{_N}invoke\s*>",
    value=rf"<?{_N}param(?:eter)?(?!s)(?P<attrs>(?:\s|(?=name))[^<>]{{0,200}}?)?(?P<closed>/)?>",
    value_end=rf"</{_N}(?:param(?:eter)?|(?P<own>[^<>\s/:]{{1,128}}))\s*>",
    name=rf"<{_N}tool_name>(?P<name>[^<>]{{1,160}})</{_N}tool_name>",
    block=rf"<{_N}parameters>", block_end=rf"</{_N}parameters>",
    child=r"<(?P<key>[A-Za-z_][\w.-]{0,127})\s*>", child_end=r"</(?P<own>[^<>\s/]{1,128})\s*>", stop_word=False,
)  # fmt: skip

DIALECT = Dialect(
    name="xml_invoke",
    family="xml_params",
    summary="invoke/parameter markup inside or without a function_calls envelope, plain or namespaced, attribute or child-tag form",
    models=("Claude through text proxies", "DeepSeek and Kimi with their marks stripped", "models whose prompt shows it"),
    openers={
        "<function_calls>": Opener("wrapper", guard=rf"<{_N}(?:invoke|param)|</{_N}function_calls|<{_N}function_calls"),
        **dict.fromkeys(("<function_call>", "<tool_call>", "<tool_calls>"), Opener("wrapper", guard=rf"<{_N}invoke\s+name")),
        "<invoke>": Opener("call"),
    },
    closers=("</function_calls>", "</invoke>"),
    parts=("<parameter>", "</parameter>", "</param>", "</parameters>"),
    options=INVOKE,
    example='<function_calls>\n<invoke name="get_tide">\n<parameter name="port">Brest</parameter>\n</invoke>\n</function_calls>',
    drift=("envelope missing", "prefix on some tags", "value closed by the parameter's own name", "JSON body", "nameless call"),
)
