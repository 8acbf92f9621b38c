"""An array of calls with ids between action tokens."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="cohere_action",
    family="json_calls",
    summary="<|START_ACTION|>[{tool_call_id, tool_name, parameters}]<|END_ACTION|>",
    models=("Command R7B", "Command A", "Command A Reasoning", "Command A Plus"),
    openers={"<|START_ACTION|>": Opener("open", guard=r"[\[{]|<\|END_ACTION\|>")},
    closers=("<|END_ACTION|>",),
    options=JsonCalls(lists=True),
    example='<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_tide", "parameters": {"port": "Brest"}}]<|END_ACTION|>',
    drift=("commas missing", "closer missing"),
)
