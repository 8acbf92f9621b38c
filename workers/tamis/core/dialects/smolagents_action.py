"""One JSON object behind each Action label."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="smolagents_action",
    family="bare_json",
    summary="label Action: then one JSON object per label",
    models=("models under smolagents",),
    closers=("<end_action>", "<end_code>"),
    example='Action:\n{"name": "get_tide", "arguments": {"port": "Brest"}}',
    sentinel=False,
)
