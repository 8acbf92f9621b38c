"""Elements between open, close and separator tokens; arguments carry key and type."""

from tamis.core.bodies.element_tree import ElementTree
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="kimi_k3_xtml",
    family="element_tree",
    summary="<|open|>TAG<|sep|> elements, arguments with key and type attributes",
    models=("Kimi K3",),
    openers={
        "<|open|>tools<|sep|>": Opener("section", guard=r"<\|open\|>call\s|<\|close\|>tools<\|sep\|>"),
        "<|open|>call ": Opener("call", guard=r"tool="),
    },
    closers=("<|close|>tools<|sep|>", "<|close|>call<|sep|>"),
    options=ElementTree(
        call=r"<\|open\|>call(?P<attrs>\s[^<>]{0,300})<\|sep\|>", call_end=r"<\|close\|>call<\|sep\|>", section_end=r"<\|close\|>tools<\|sep\|>",
        element=r"<\|open\|>argument(?P<attrs>\s[^<>]{0,300})<\|sep\|>", element_end=r"<\|close\|>argument<\|sep\|>",
        name="tool", key="key", containers=("-",),
    ),
    example=(
        '<|open|>tools<|sep|><|open|>call tool="get_tide" index="1"<|sep|><|open|>'
        'argument key="port" type="string"<|sep|>Brest<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
    ),
)  # fmt: skip
