"""`call:NAME{key:value}` with escape tokens around texts."""

from tamis.core.bodies.brace_dsl import BraceDsl
from tamis.core.dialects import Dialect, Opener

_CALL = r"(?:call)?\s*:\s*(?P<name>[^\s{}()<>]{1,160}?)\s*(?=[{(])"

DIALECT = Dialect(
    name="functiongemma",
    family="brace_dsl",
    summary="<start_function_call>call:NAME{k:<escape>v<escape>}<end_function_call>",
    models=("FunctionGemma",),
    openers={"<start_function_call>": Opener("body", guard=_CALL)},
    closers=("<end_function_call>",),
    options=BraceDsl(opener=r"<start_function_call>", call=_CALL, call_end=r"<end_function_call>", string="<escape>", escaped=None),
    example="<start_function_call>call:get_tide{port:<escape>Brest<escape>}<end_function_call>",
)
