"""`<function name=NAME>` with `<argument name=KEY>` children."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener
from tamis.core.dialects.minicpm5_xml import FUNCTION

DIALECT = Dialect(
    name="function_argument",
    family="xml_params",
    summary="<function name=N> with <argument name=K> children",
    models=("chat models that leak native markup inside a JSON protocol",),
    openers={"<function>": Opener("call", guard=r"<argument")},
    closers=("</function>",),
    options=XmlParams(
        call=FUNCTION, call_end=r"</function\s*>",
        value=r"<?(?:param(?:eter)?(?!s)|arg(?:ument)?)(?P<attrs>(?:\s|(?=name))[^<>]{0,200}?)(?P<closed>/)?>",
        value_end=r"</(?:param(?:eter)?|arg(?:ument)?|(?P<own>[^<>\s/]{1,128}))\s*>",
    ),
    example='<function name="get_tide"><argument name="port">Brest</argument></function>',
    drift=("either quote style",),
)  # fmt: skip
