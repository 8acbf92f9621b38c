"""A list of Python calls as the message, on a line of its own, or between tokens."""

from tamis.core.bodies.py_call import CALLEE, PyCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="pythonic_list",
    family="py_call",
    summary="[f(a=1), g()] as the message or on its own line; <|python_start|> optional (catalogue needed)",
    models=("Llama 3.2", "Llama 4", "ToolACE", "BFCL prompt"),
    openers={"<|python_start|>": Opener("calls", guard=rf"\[\s*{CALLEE}")},
    closers=("<|python_end|>",),
    options=PyCalls(end=r"<\|python_end\|>"),
    example='[get_tide(port="Brest")]',
    drift=(
        "JSON words",
        "signs",
        "tuples",
        "print around a call",
        "no brackets, or several lists",
        "calls inside quotes or braces",
        "escaped underscores",
        "an object as the only argument",
        "strings without quotes",
        "; + and between calls",
        "x = in front of a call",
        "a subscript behind it",
    ),
    sentinel=False,
)
