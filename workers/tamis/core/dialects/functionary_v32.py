"""A recipient line behind three angle brackets, then the body."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="functionary_v32",
    family="head_json",
    summary=">>>RECIPIENT line, then the body; 'all' is the user",
    models=("Functionary v3.2",),
    openers={">>>": (Opener("call", guard=r"(?P<name>[\w.:/-]{1,160})[ \t]*\r?\n\s*\{"), Opener("text", guard=r"all[ \t]*\r?\n"))},
    options=HeadJson(call=r">>>\s*(?P<name>[\w.:/-]{1,160})[ \t]*\r?\n\s*(?=\{)", mark=r"(?!)"),
    sentinel=False,
    example='>>>get_tide\n{"port": "Brest"}',
)
