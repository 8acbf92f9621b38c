"""An array of objects whose only key is the tool's name."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="apertus_prefix",
    family="json_calls",
    summary="<|tools_prefix|>[{NAME: ARGS}]<|tools_suffix|>, the key is the name",
    models=("Apertus 2509",),
    openers={"<|tools_prefix|>": Opener("open", guard=r"[\[{]")},
    closers=("<|tools_suffix|>",),
    options=JsonCalls(named_by_key="name_as_key"),
    example='<|tools_prefix|>[{"get_tide": {"port": "Brest"}}]<|tools_suffix|>',
    drift=("call inside the thought",),
)
