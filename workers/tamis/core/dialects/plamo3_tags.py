"""Request, name and argument tags of several tokens each, with JSON arguments."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener


def _tag(word: str) -> str:
    return rf"<\|plamo:{word}:plamo\|>"


_CALL = (
    rf"(?:{_tag('begin_tool_request')}\s*)?{_tag('begin_tool_name')}\s*(?P<name>[^<>\s]{{1,160}})\s*{_tag('end_tool_name')}\s*"
    rf"{_tag('begin_tool_arguments')}\s*(?:<\|plamo:constrain\|>\s*\w{{0,32}}\s*)?(?:<\|plamo:msg\|>|(?=\{{))"
)

DIALECT = Dialect(
    name="plamo3_tags",
    family="head_json",
    summary="<|plamo:...:plamo|> request, name and argument tags, JSON arguments",
    models=("PLaMo 3",),
    openers={
        "<|plamo:begin_tool_requests:plamo|>": Opener("section", guard=rf"{_tag('begin_tool_request')}|{_tag('end_tool_requests')}"),
        "<|plamo:begin_tool_request:plamo|>": Opener("call", guard=_tag("begin_tool_name")),
    },
    closers=("<|plamo:end_tool_requests:plamo|>", "<|plamo:end_tool_request:plamo|>"),
    options=HeadJson(
        call=_CALL, mark=_tag("begin_tool_request"), section_end=_tag("end_tool_requests"),
        ends=(_tag("end_tool_arguments"), _tag("end_tool_request")),
    ),
    example=(
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_tide<|plamo:end_tool_name:plamo|>"
        '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"port": "Brest"}<|plamo:end_tool_arguments:plamo|>'
        "<|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>"
    ),
)  # fmt: skip
