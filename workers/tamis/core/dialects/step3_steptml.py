"""Steptml invokes inside fullwidth-bar tokens with ASCII underscores."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

_LEAD = r"<｜tool[▁_]call[▁_]begin｜>\s*(?:function)?\s*<｜tool[▁_]sep｜>"
_WRAPPER = Opener("wrapper", guard=rf"{_LEAD}\s*<steptml|<steptml")
_CALL = Opener("wrapper", guard=r"(?:function)?\s*<｜tool[▁_]sep｜>\s*<steptml")

DIALECT = Dialect(
    name="step3_steptml",
    family="xml_params",
    summary="<steptml:invoke> inside fullwidth-bar tokens with ASCII underscores",
    models=("Step-3",),
    openers={
        "<｜tool_calls_begin｜>": _WRAPPER, "<｜tool▁calls▁begin｜>": _WRAPPER, "<｜tool_call_begin｜>": _CALL, "<｜tool▁call▁begin｜>": _CALL,
        "<steptml:invoke>": Opener("call"),
    },
    closers=("<｜tool_calls_end｜>", "<｜tool_call_end｜>", "</steptml:invoke>"),
    parts=("<｜tool_sep｜>",),
    options=XmlParams(
        wrapper=r"<｜tool[▁_]calls[▁_]begin｜>", wrapper_end=r"<｜tool[▁_]calls[▁_]end｜>",
        lead=rf"{_LEAD}|(?:function)?\s*<｜tool[▁_]sep｜>",
        call=r"<steptml:invoke(?P<attrs>\s[^<>]{0,200}?)?(?P<closed>/)?>", call_end=r"</steptml:invoke\s*>", skip=r"<｜tool[▁_]call[▁_]end｜>",
        value=r"<steptml:parameter(?P<attrs>\s[^<>]{0,200}?)?(?P<closed>/)?>",
        value_end=r"</(?:steptml:)?(?:parameter|(?P<own>[^<>\s/:]{1,128}))\s*>",
    ),
    example=(
        '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_tide">'
        '<steptml:parameter name="port">Brest</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>'
    ),
)  # fmt: skip
