"""Flower-marked lines for name, arguments, result and answer."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="qwen_fncall",
    family="head_json",
    summary="flower-marked FUNCTION / ARGS / RESULT / RETURN lines",
    models=("Qwen 1.x", "Qwen2 under Qwen-Agent"),
    openers={"✿FUNCTION✿": Opener("call", guard=r"[:：]")},
    parts=("✿ARGS✿",),
    options=HeadJson(
        call=r"✿FUNCTION✿\s*[:：]\s*(?P<name>[^\s✿{}]{1,160})\s*✿ARGS✿\s*[:：]", mark=r"✿FUNCTION✿", ends=(r"(?=✿(?:RESULT|RETURN|FUNCTION)✿)",),
    ),
    example='✿FUNCTION✿: get_tide\n✿ARGS✿: {"port": "Brest"}\n✿RESULT✿',
)  # fmt: skip
