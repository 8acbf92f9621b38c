"""A fence with the word tool_code; one Python call a line."""

from tamis.core.bodies.py_call import PyCalls
from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="gemma3_tool_code",
    family="py_call",
    summary="```tool_code fence with Python calls",
    models=("Gemma 3",),
    options=PyCalls(end=r"```|~~~"),
    example='```tool_code\nget_tide(port="Brest")\n```',
    drift=("print around the call",),
)
