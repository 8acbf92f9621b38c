"""One Python call a line in `<function_calls>` tags."""

from tamis.core.bodies.py_call import CALLEE, PyCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="olmo3_functions",
    family="py_call",
    summary="<function_calls> with one Python call a line",
    models=("OLMo 3",),
    openers={"<function_calls>": Opener("calls", guard=rf"\[?\s*{CALLEE}")},
    closers=("</function_calls>",),
    options=PyCalls(end=r"</function_calls>"),
    example='<function_calls>get_tide(port="Brest")</function_calls>',
)
