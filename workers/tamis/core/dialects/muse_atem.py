"""Messages with a recipient; a tool's body is a block of invokes."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

_BLOCK = r"\s*<atem:(?:function_calls>|invoke\s)"
_TO = r"(?:\s*to=[^\s<>]{1,160}\s*)?(?:<\|channel\|>[^<>]{0,64})?<\|message\|>"

DIALECT = Dialect(
    name="muse_atem",
    family="xml_params",
    summary="to=RECIPIENT messages; a tool body is an <atem:function_calls> block",
    models=("Muse Glimmer", "Muse Spark"),
    openers={
        "<|start|>": Opener("lead", guard=rf"(?:assistant)?(?!\s*to=(?:self|user|commentary)\b){_TO}{_BLOCK}"),
        " to=": Opener("lead", guard=rf"(?!(?:self|user|commentary)\b)[^\s<>]{{1,160}}\s*(?:<\|channel\|>[^<>]{{0,64}})?<\|message\|>{_BLOCK}"),
        "<atem:function_calls>": Opener("wrapper", guard=r"<atem:invoke|</atem:function_calls>"),
    },
    closers=("</atem:function_calls>", "</atem:invoke>"),
    options=XmlParams(
        wrapper=r"<atem:function_calls>", wrapper_end=r"</atem:function_calls>", lead=rf"(?:<\|start\|>(?:assistant)?)?{_TO}(?={_BLOCK})",
        call=r"<(?:atem:)?invoke(?P<attrs>\s[^<>]{0,200}?)?(?P<closed>/)?>", call_end=r"</(?:atem:)?invoke\s*>",
        value=r"<(?:atem:)?parameter(?P<attrs>\s[^<>]{0,200}?)?(?P<closed>/)?>",
        value_end=r"</(?:atem:)?(?:parameter|(?P<own>[^<>\s/:]{1,128}))\s*>",
    ),
    example=(
        ' to=get_tide<|message|><atem:function_calls>\n<atem:invoke name="get_tide">\n<atem:parameter name="port">Brest</atem:parameter>\n'
        "</atem:invoke>\n</atem:function_calls><|eom|>"
    ),
    drift=("doubled name", "thought without its end mark", "missing recipient"),
)  # fmt: skip
