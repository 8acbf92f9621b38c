"""Keys with corner-bracket values between request marks."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="vcp_request",
    family="xml_params",
    summary="<<<[TOOL_REQUEST]>>> with key:(start)value(end) corner-bracket pairs",
    models=("VCP toolbox prompt",),
    openers={"<<<[TOOL_REQUEST]>>>": Opener("call")},
    closers=("<<<[END_TOOL_REQUEST]>>>",),
    options=XmlParams(
        call=r"<<<\[TOOL_REQUEST\]>>>", call_end=r"<<<\[END_TOOL_REQUEST\]>>>", skip=r",",
        name=r"tool_name:「始」(?P<name>[^「」]{1,160})「末」",
        value=r"(?!tool_name:)(?P<key>[\w.-]{1,160}):「始」", value_end=r"「末」", anchor="「",
    ),
    example="<<<[TOOL_REQUEST]>>>\ntool_name:「始」get_tide「末」,\nport:「始」Brest「末」\n<<<[END_TOOL_REQUEST]>>>",
)  # fmt: skip
