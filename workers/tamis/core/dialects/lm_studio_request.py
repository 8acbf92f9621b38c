"""A JSON call between request marks."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="lm_studio_request",
    family="json_calls",
    summary="[TOOL_REQUEST]{...}[END_TOOL_REQUEST]",
    models=("models under LM Studio's default prompt",),
    openers={"[TOOL_REQUEST]": Opener("open", guard=r"[\[{]|\[END_TOOL_REQUEST\]")},
    closers=("[END_TOOL_REQUEST]",),
    example='[TOOL_REQUEST]{"name": "get_tide", "arguments": {"port": "Brest"}}[END_TOOL_REQUEST]',
)
