"""A fence with the word tool; name and arguments on marked lines."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="continue_tool_block",
    family="xml_params",
    summary="```tool fence with TOOL_NAME and BEGIN_ARG/END_ARG lines",
    models=("models under Continue",),
    options=XmlParams(
        call=r"TOOL_NAME:[ \t]*(?P<name>[^\s`]{1,160})[ \t]*\r?\n", call_end=r"```|~~~",
        value=r"BEGIN_ARG:[ \t]*(?P<key>[^\n]{1,160}?)[ \t]*\r?(?=\n)", value_end=r"\nEND_ARG[ \t]*\r?(?=\n)", anchor="\n",
    ),
    example="```tool\nTOOL_NAME: get_tide\nBEGIN_ARG: port\nBrest\nEND_ARG\n```",
)  # fmt: skip
