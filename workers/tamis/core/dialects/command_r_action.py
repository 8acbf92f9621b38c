"""An array in a JSON fence behind the Action label."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="command_r_action",
    family="bare_json",
    summary="label Action: then a json fence with an array of tool_name/parameters",
    models=("Command R", "Command R+"),
    example='Action:\n```json\n[{"tool_name": "get_tide", "parameters": {"port": "Brest"}}]\n```',
    sentinel=False,
)
