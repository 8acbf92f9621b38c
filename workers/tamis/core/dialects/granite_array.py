"""A JSON array behind the call token; its closer is optional."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="granite_array",
    family="json_calls",
    summary="<|tool_call|> then a JSON array that ends itself; <|/tool_call|> optional (Granite 3, Phi-4-mini)",
    models=("Granite 3.0-3.3", "Phi-4-mini"),
    openers={"<|tool_call|>": Opener("open", guard=r"[\[{]")},
    closers=("<|/tool_call|>",),
    example='<|tool_call|>[{"name": "get_tide", "arguments": {"port": "Brest"}}]',
)
