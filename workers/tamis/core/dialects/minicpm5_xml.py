"""`<function name=NAME>` with `<param name=KEY>` values; CDATA hides closers."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

FUNCTION = r"<function(?P<attrs>(?:\s|(?=name))[^<>]{0,200}?)(?P<closed>/)?>"

DIALECT = Dialect(
    name="minicpm5_xml",
    family="xml_params",
    summary="<function name=N> with <param name=K>, CDATA allowed",
    models=("MiniCPM5", "MiniCPM4.1"),
    openers={"<function>": Opener("call")},
    closers=("</function>",),
    options=XmlParams(
        call=FUNCTION, call_end=r"</function\s*>",
        value=r"<?(?:param(?:eter)?(?!s)|arg(?:ument)?)(?P<attrs>(?:\s|(?=name))[^<>]{0,200}?)(?P<closed>/)?>",
        value_end=r"</(?:param(?:eter)?|arg(?:ument)?|(?P<own>[^<>\s/]{1,128}))\s*>",
    ),
    example='<function name="get_tide"><param name="port">Brest</param></function>',
    drift=("blank lost in front of the attribute", "one param that holds the whole object"),
)  # fmt: skip
