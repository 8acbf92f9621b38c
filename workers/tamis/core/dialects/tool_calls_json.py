"""A JSON array, or one object a line, in `<tool_calls>` tags."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="tool_calls_json",
    family="json_calls",
    summary="<tool_calls> around a JSON array or one object a line",
    models=("Jamba 1.5/1.6", "Hunyuan-A13B", "Apriel 1.5", "MiniMax-M1", "MiniMax-Text-01"),
    openers={"<tool_calls>": Opener("open", guard=r"[\[{]|</tool_calls>")},
    closers=("</tool_calls>",),
    options=JsonCalls(lists=True),
    example='<tool_calls>[{"name": "get_tide", "arguments": {"port": "Brest"}}]</tool_calls>',
    drift=("opener lost", "commas missing", "encoded arguments"),
)
