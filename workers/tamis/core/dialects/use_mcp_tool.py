"""Server, tool and JSON arguments as children of `<use_mcp_tool>`."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

_HEAD = r"<use_mcp_tool>\s*(?:<server_name>[^<>]{0,160}</server_name>\s*)?<tool_name>\s*(?P<name>[^<>\n]{1,160}?)\s*</tool_name>\s*"

DIALECT = Dialect(
    name="use_mcp_tool",
    family="head_json",
    summary="<use_mcp_tool> with server_name, tool_name and JSON arguments",
    models=("Cline, Roo and Kilo with MCP", "MiroThinker"),
    openers={"<use_mcp_tool>": Opener("call", guard=r"<(?:server_name|tool_name|arguments)>|</use_mcp_tool>")},
    closers=("</use_mcp_tool>",),
    options=HeadJson(
        call=rf"{_HEAD}<arguments>", empty=rf"{_HEAD}(?:<arguments>\s*</arguments>\s*)?</use_mcp_tool>", mark=r"<use_mcp_tool>",
        nameless=r"<use_mcp_tool>\s*(?:<server_name>[^<>]{0,160}</server_name>\s*)?(?=<arguments>|</use_mcp_tool>)",
        ends=(r"</arguments>", r"</use_mcp_tool>"),
    ),
    example=(
        "<use_mcp_tool>\n<server_name>harbour</server_name>\n<tool_name>get_tide</tool_name>\n"
        '<arguments>\n{"port": "Brest"}\n</arguments>\n</use_mcp_tool>'
    ),
)  # fmt: skip
