"""An array of calls between two unused slots of the vocabulary."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="pangu_unused",
    family="json_calls",
    summary="[unused11][...][unused12]",
    models=("openPangu",),
    openers={"[unused11]": Opener("open", guard=r"[\[{]")},
    closers=("[unused12]",),
    example='[unused11][{"name": "get_tide", "arguments": {"port": "Brest"}}][unused12]',
)
