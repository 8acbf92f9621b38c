"""Typed message blocks; one kind is a JSON call."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

_KIND = r"<\|content_{}\|>"

DIALECT = Dialect(
    name="inkling",
    family="json_calls",
    summary="typed message blocks; <|content_invoke_tool_json|>{name, args}<|end_message|>",
    models=("Inkling",),
    openers={
        "<|message_model|>": (
            Opener("open", guard=rf"[^<>\n]{{0,160}}{_KIND.format('invoke_tool_json')}\s*[\[{{]"),
            Opener("thought", guard=rf"[^<>\n]{{0,160}}{_KIND.format('thinking')}", rank=1),
            Opener("text", guard=rf"[^<>\n]{{0,160}}{_KIND.format('text')}", rank=1),
        ),
        "<|content_invoke_tool_json|>": Opener("open", guard=r"[\[{]"),
        "<|content_thinking|>": Opener("thought"),
        "<|content_text|>": Opener("text"),
    },
    closers=("<|end_message|>",),
    options=JsonCalls(lead=rf"[^<>\n{{}}\[\]]{{0,160}}{_KIND.format('invoke_tool_json')}"),
    example='<|message_model|>get_tide<|content_invoke_tool_json|>{"name": "get_tide", "args": {"port": "Brest"}}<|end_message|>',
)
