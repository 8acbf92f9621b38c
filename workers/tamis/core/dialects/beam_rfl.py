"""Harmony framing with parameter elements as body."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.harmony import NOBODY

_TO = rf"to=\s*(?P<name>(?!{NOBODY})[^\s<>]{{1,160}})\s*<\|channel\|>\s*\w{{0,32}}\s*(?:<\|constrain\|>\s*)?"
_XML = r"(?:xml\s*<\|message\|>|\w{0,32}\s*<\|message\|>\s*(?=<rfl:parameter))"

DIALECT = Dialect(
    name="beam_rfl",
    family="xml_params",
    summary="harmony framing with <rfl:parameter> elements as body",
    models=("Beam",),
    openers={
        "<|start|>": Opener("call", guard=rf"(?:assistant)?\s*{_TO}{_XML}"),
        " to=": Opener("call", guard=rf"{_TO.removeprefix('to=')}{_XML}"),
    },
    options=XmlParams(
        call=rf"(?:<\|start\|>(?:assistant)?)?\s*{_TO}{_XML}", call_end=r"<\|(?:call|end|return)\|>",
        value=r"<rfl:parameter(?P<attrs>\s[^<>]{0,200}?)?(?P<closed>/)?>",
        value_end=r"</(?:rfl:)?(?:parameter|(?P<own>[^<>\s/:]{1,128}))\s*>",
    ),
    example=' to=get_tide<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="port">\nBrest\n</rfl:parameter><|call|>',
)  # fmt: skip
