"""A Python list of dictionaries behind a token."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="sarashina_pylist",
    family="json_calls",
    summary="<|tool_calls|> then a Python list of dictionaries",
    models=("Sarashina 2.2",),
    openers={"<|tool_calls|>": Opener("open", guard=r"[\[{]")},
    closers=("<|/tool_calls|>",),
    example="<|tool_calls|>[{'name': 'get_tide', 'arguments': {'port': 'Brest'}}]",
)
