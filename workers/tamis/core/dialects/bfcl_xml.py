"""`<functions>` with param elements whose value is an escaped attribute."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.minicpm5_xml import FUNCTION

DIALECT = Dialect(
    name="bfcl_xml",
    family="xml_params",
    summary="<functions> with param elements whose value is an escaped attribute",
    models=("models under the BFCL XML prompt",),
    openers={"<functions>": Opener("wrapper", guard=r"<function\s*name")},
    closers=("</functions>",),
    options=XmlParams(
        wrapper=r"<functions>", wrapper_end=r"</functions>", call=FUNCTION, call_end=r"</function\s*>", skip=r"</?params\s*/?>",
        value=r'<param\s+name="(?P<key>[^"<>]{1,160})"\s+value="', value_end=r'"(?:\s+type="[^"<>]*")?\s*/>', anchor='"', spelling="xml",
    ),
    example='<functions><function name="get_tide"><params><param name="port" value="Brest" type="string"/></params></function></functions>',
)  # fmt: skip
