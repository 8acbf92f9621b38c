"""No marker at all: a JSON object or array at a line start that names a declared tool."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="bare_json",
    family="bare_json",
    summary="no marker: an object or array with name/arguments or alias keys (catalogue needed)",
    models=("xLAM", "Hammer", "guided decoding", "API shapes written as text", "JSON agents"),
    example='{"name": "get_tide", "arguments": {"port": "Brest"}}',
    drift=(
        "alias keys",
        "wrappers",
        "encoded arguments",
        "the name as the key",
        "name and object in a list",
        "arguments beside the name",
        "orphan closer of another dialect behind it",
    ),
    sentinel=False,
)
