"""A JSON call between the plugin's start and end tokens."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="internlm_plugin",
    family="json_calls",
    summary="<|action_start|><|plugin|> JSON <|action_end|>",
    models=("InternLM2", "InternLM2.5", "InternLM3", "Intern-S1"),
    openers={"<|action_start|>": Opener("open", guard=r"<\|plugin\|>\s*(?:[\[{]|<\|action_end\|>)")},
    closers=("<|action_end|>",),
    options=JsonCalls(lead=r"<\|plugin\|>"),
    example='<|action_start|><|plugin|>\n{"name": "get_tide", "parameters": {"port": "Brest"}}<|action_end|>',
)
