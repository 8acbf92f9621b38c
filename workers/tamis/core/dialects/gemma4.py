"""`call:NAME{key:value}` with string tokens."""

from tamis.core.bodies.brace_dsl import BraceDsl
from tamis.core.dialects import Dialect, Opener

_CALL = r"(?:call)?\s*:\s*(?P<name>[^\s{}()<>]{1,160}?)\s*(?=[{(])"

DIALECT = Dialect(
    name="gemma4",
    family="brace_dsl",
    summary='<|tool_call>call:NAME{k:v}<tool_call|>, strings between <|"|> tokens',
    models=("Gemma 4",),
    openers={"<|tool_call>": Opener("body", guard=_CALL)},
    closers=("<tool_call|>",),
    options=BraceDsl(opener=r"<\|tool_call>", call=_CALL, call_end=r"<tool_call\|>", string='<|"|>', escaped=True),
    example='<|tool_call>call:get_tide{port:<|"|>Brest<|"|>}<tool_call|>',
    drift=("word call missing", "round brackets", "JSON quoting", "namespace before the name"),
)
