"""The word functools directly in front of a bracket."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="functools_json",
    family="json_calls",
    summary="the word functools directly followed by [ or {",
    models=("Phi-4-mini", "FireFunction v2"),
    openers={"functools[": Opener("open", guard=r"\{", keep=1), "functools{": Opener("open", guard=r"[\"']", keep=1)},
    example='functools[{"name": "get_tide", "arguments": {"port": "Brest"}}]',
)
