"""Typed, nesting value elements."""

from tamis.core.bodies.element_tree import ElementTree
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="cohere_cofl",
    family="element_tree",
    summary="<cofl:tool_call name=N> with typed, nesting <cofl:value>",
    models=("Command with the cofl template",),
    openers={
        "<cofl:tool_calls>": Opener("section", guard=r"<cofl:tool_call\s|</cofl:tool_calls>"),
        "<cofl:tool_call>": Opener("call", guard=r"<cofl:value|</cofl:tool_call>"),
    },
    closers=("</cofl:tool_calls>", "</cofl:tool_call>"),
    options=ElementTree(
        call=r"<cofl:tool_call(?P<attrs>\s[^<>]{0,300})>", call_end=r"</cofl:tool_call>", section_end=r"</cofl:tool_calls>",
        element=r"<cofl:value(?P<attrs>\s[^<>]{0,300})?>", element_end=r"</cofl:value>", containers=("dict", "list"),
    ),
    example=(
        '<cofl:tool_calls><cofl:tool_call id="0" name="get_tide"><cofl:value name="port" type="raw">Brest</cofl:value>'
        '</cofl:tool_call></cofl:tool_calls>'
    ),
)  # fmt: skip
