"""A list of Python calls, a JSON array, or a Python fence between call tokens."""

from tamis.core.bodies.py_call import CALLEE, PyCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="lfm2_pythonic",
    family="py_call",
    summary="<|tool_call_start|> around a call list, a JSON array or (MiniCPM3) a python fence",
    models=("LFM2", "LFM2.5", "MiniCPM3"),
    openers={
        "<|tool_call_start|>": (Opener("open", guard=r"\[?\s*\{|<\|tool_call_end\|>"), Opener("calls", guard=rf"\[\s*(?:{CALLEE}|\])|{CALLEE}|```"))
    },
    closers=("<|tool_call_end|>",),
    options=PyCalls(end=r"<\|tool_call_end\|>"),
    example='<|tool_call_start|>[get_tide(port="Brest")]<|tool_call_end|>',
    drift=("reserved words as keywords", "zero-padded integers", "the same quotes inside a string", "body repeated behind its closer"),
)
