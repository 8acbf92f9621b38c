"""Tags behind a bracket mark, one element a key; nesting is structure."""

from tamis.core.bodies.element_tree import ElementTree
from tamis.core.dialects import Dialect, Opener

_M = r"\]<\]minimax\[>\[\s?"
_INVOKE = rf"{_M}<invoke\s"

DIALECT = Dialect(
    name="minimax_m3",
    family="element_tree",
    summary="tags behind the ]<]minimax[>[ mark, one element per key, nesting is structure",
    models=("MiniMax M3",),
    openers={
        "]<]minimax[>[<tool_call>": Opener("section", guard=rf"{_INVOKE}|{_M}</tool_call>"),
        "]<]minimax[>[ <tool_call>": Opener("section", guard=rf"{_INVOKE}|{_M}</tool_call>"),
        "]<]minimax[>[<invoke ": Opener("call", guard=r"name="),
    },
    closers=("]<]minimax[>[</tool_call>", "]<]minimax[>[</invoke>"),
    options=ElementTree(
        call=rf"{_M}<invoke(?P<attrs>\s[^<>]{{0,200}})>", call_end=rf"{_M}</invoke>", section_end=rf"{_M}</tool_call>",
        element=rf"{_M}<(?P<key>(?!invoke\s|tool_call>)[^<>/\s][^<>\n]{{0,159}})>",
        element_end=rf"{_M}</(?P<own>(?!invoke>|tool_call>)[^<>\n]{{1,160}})>",
        anchor="]",
    ),
    example=(
        ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_tide">]<]minimax[>[<port>Brest]<]minimax[>[</port>'
        ']<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>'
    ),
)  # fmt: skip
