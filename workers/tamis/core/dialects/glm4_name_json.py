"""A declared name alone on its line, the object of arguments on the next."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="glm4_name_json",
    family="head_json",
    summary="a declared name alone on its line, JSON on the next (catalogue needed)",
    models=("GLM-4-9B", "GLM-4-0414"),
    options=HeadJson(call=r"(?:<\|assistant\|>\s*)?(?P<name>[\w.:/-]{1,160})[ \t]*\r?\n\s*(?=\{)", mark=r"<\|assistant\|>\s*(?=\w)"),
    example='get_tide\n{"port": "Brest"}',
    drift=("several, one behind another", "a colon or a blank instead of the line break"),
    sentinel=False,
)
