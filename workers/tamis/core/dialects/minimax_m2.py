"""The invoke grammar in `<minimax:tool_call>` tags; and the arrow block that the family drifts to."""

from dataclasses import replace

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.xml_invoke import INVOKE

_ARROW = XmlParams(
    call=r"""\[TOOL_CALL\]\s*\{\s*tool\s*=>\s*["'](?P<name>[^"'\n]{1,160})["']\s*,\s*args\s*=>\s*\{""", call_end=r"\}\s*\}\s*\[/TOOL_CALL\]",
    value=r"--(?P<key>[\w.-]{1,160})[ \t]", value_end=r"\n", anchor="\n", spelling="quoted", stop_word=False,
)  # fmt: skip

DIALECT = Dialect(
    name="minimax_m2",
    family="xml_params",
    summary="invoke/parameter markup in <minimax:tool_call>; [TOOL_CALL] arrow block as drift",
    models=("MiniMax M2", "MiniMax M2.1", "MiniMax M2.5", "MiniMax M2.7"),
    openers={
        "<minimax:tool_call>": Opener("wrapper", guard=r"<(?:[^\s<>]{1,24}:)?(?:invoke|param)|</minimax:tool_call>"),
        "[TOOL_CALL]": Opener("drift-call", guard=r"\{\s*tool\s*=>"),
    },
    closers=("</minimax:tool_call>", "[/TOOL_CALL]"),
    options=replace(INVOKE, wrapper=r"<minimax:tool_call>", wrapper_end=r"</minimax:tool_call>", lists=False, drift=_ARROW),
    example='<minimax:tool_call>\n<invoke name="get_tide">\n<parameter name="port">Brest</parameter>\n</invoke>\n</minimax:tool_call>',
    drift=("any quote style", "wrapper opener missing", "value closed by the parameter's name", "arrow block"),
)
