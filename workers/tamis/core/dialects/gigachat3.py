"""One JSON call behind a token or a role header."""

from tamis.core.dialects import Dialect, Opener

_JSON = Opener("open", guard=r"[\[{]")

DIALECT = Dialect(
    name="gigachat3",
    family="json_calls",
    summary="<|function_call|> or a 'function call' role header, then one JSON object",
    models=("GigaChat 3.x",),
    openers={"<|function_call|>": _JSON, "function call<|role_sep|>": _JSON},
    closers=("<|message_sep|>",),
    example='<|function_call|>{"name": "get_tide", "arguments": {"port": "Brest"}}</s>',
)
