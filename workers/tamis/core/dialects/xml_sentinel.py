"""A JSON call, or several, in `<tool_call>` or `<function_call>` tags."""

from tamis.core.dialects import Dialect, Opener

_JSON = Opener("open", guard=r"[\[{]|</tool_call>|</function_call>|<tool_call|<function_call>")

DIALECT = Dialect(
    name="xml_sentinel",
    family="json_calls",
    summary="one JSON call (or an array) in <tool_call> or <function_call> tags; the closer is optional",
    models=("Hermes 2-4", "Qwen2.5", "Qwen3", "QwQ", "EXAONE 4", "Granite 3.1/4", "Granite-20B-FC", "ERNIE 4.5", "Trinity", "Nanbeige", "Arch"),
    openers={"<tool_call>": _JSON, "<function_call>": _JSON},
    closers=("</tool_call>", "</function_call>"),
    parts=("<code>", "</code>"),
    example='<tool_call>\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n</tool_call>',
    drift=("opener or closer lost", "several objects in one envelope", "Python dictionary", "empty envelope", "code block behind the JSON"),
)
