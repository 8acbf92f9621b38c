"""A JSON array, or a name with arguments, behind the call token."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

_NAME = r"""[^\s<>{}\[\]"'`,]{1,160}"""

DIALECT = Dialect(
    name="mistral",
    family="head_json",
    summary="[TOOL_CALLS] then a JSON array/object, or NAME [CALL_ID]ID [ARGS]{...} repeated",
    models=("Mistral 7B v0.3", "Mistral Nemo", "Mixtral", "Mistral Small 3.x", "Magistral", "Devstral", "Ministral 3"),
    openers={
        "[TOOL_CALLS]": (
            Opener("open", guard=r"\{|\[\s*(?:\{|\])"),
            Opener("call", guard=rf"(?:\[TOOL_CALLS\]\s*)*{_NAME}\s*(?:\[CALL_ID\]|\[ARGS\]|\{{)", rank=1),
        )
    },
    closers=("[/TOOL_CALLS]",),
    parts=("[ARGS]", "[CALL_ID]"),
    options=HeadJson(
        call=rf"(?:\[TOOL_CALLS\]\s*)+(?P<name>{_NAME})\s*(?:\[CALL_ID\]\s*[\w-]{{1,64}}\s*)?(?:\[ARGS\]|(?=\{{))",
        mark=r"\[TOOL_CALLS\]", section_end=r"\[/TOOL_CALLS\]",
    ),
    example='[TOOL_CALLS]get_tide[ARGS]{"port": "Brest"}',
    drift=("repeated marker", "single quotes", "id in the object", "text behind [ARGS]"),
)  # fmt: skip
