"""Invoke and parameter tags, inside a `<function_calls>` envelope or bare; also the older form with child tags."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="xml_invoke",
    family="xml_params",
    summary="invoke/parameter markup inside or without a function_calls envelope, plain or namespaced, attribute or child-tag form",
    models=("Claude through text proxies", "DeepSeek and Kimi with their marks stripped", "models whose prompt shows it"),
    openers={"<function_calls>": "wrapper", "<invoke>": "call"},
    closers=("function_calls", "invoke"),
    parts=("<parameter>", "</parameter>", "<param>", "</param>", "<tool_name>", "</tool_name>", "<parameters>", "</parameters>"),
    options=XmlParams(wrapper="function_calls", call="invoke", parameters=("parameter", "param"), name="tool_name", block="parameters"),
    example='<function_calls>\n<invoke name="get_tide">\n<parameter name="port">Brest</parameter>\n</invoke>\n</function_calls>',
    drift=("envelope missing", "prefix on some tags", "value closed by the parameter's own name", "JSON body", "nameless call"),
)
