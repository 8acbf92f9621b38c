"""A JSON array in `<TOOLCALL>` tags."""

from tamis.core.bodies.json_calls import JsonCalls
from tamis.core.dialects import Dialect, Opener

_JSON = Opener("open", guard=r"[\[{]|</TOOLCALL>|</toolcall>")

DIALECT = Dialect(
    name="nemotron_toolcall",
    family="json_calls",
    summary="<TOOLCALL>[...]</TOOLCALL>",
    models=("Llama-Nemotron", "Nemotron Nano v2", "Deci", "BFCL prompt variant"),
    openers={"<TOOLCALL>": _JSON, "<toolcall>": _JSON},
    closers=("</TOOLCALL>", "</toolcall>"),
    options=JsonCalls(lists=True),
    example='<TOOLCALL>[{"name": "get_tide", "arguments": {"port": "Brest"}}]</TOOLCALL>',
    drift=("lower case with one object",),
)
