"""JSON calls behind the Python tag; also the built-in form `NAME.call(…)`."""

from tamis.core.bodies.py_call import CALLEE, PyCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="llama3_json",
    family="py_call",
    summary="<|python_tag|> then JSON, or a bare object keyed name + parameters; ';' or line break between calls",
    models=("Llama 3.1-3.3", "Llama 4 in JSON mode", "merges of them"),
    openers={"<|python_tag|>": (Opener("open", guard=r"\[?\s*\{"), Opener("calls", guard=CALLEE))},
    closers=("<|eom_id|>",),
    options=PyCalls(end=r"<\|eom_id\|>", gate="declared"),
    example='<|python_tag|>{"name": "get_tide", "parameters": {"port": "Brest"}}',
    drift=("type key", "Python dictionary", "semicolons between calls"),
)
