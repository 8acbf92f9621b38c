"""One object with thoughts, a headline, the tool's name and its arguments; read by the gate of bare_json."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="agent_zero_json",
    family="bare_json",
    summary="no marker: one object keyed tool_name + tool_args, with thoughts/headline (catalogue needed)",
    models=("models under Agent Zero",),
    example='{"thoughts": ["Look it up."], "tool_name": "get_tide", "tool_args": {"port": "Brest"}}',
    drift=("every repair of JSON", "prose around", "escaped as a whole", "encoded arguments", "tool:method names"),
    sentinel=False,
)
