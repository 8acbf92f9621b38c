"""The DSML grammar behind the GCML mark."""

from tamis.core.dialects import Dialect
from tamis.core.dialects.deepseek_dsml import closing, marked, marks

DIALECT = Dialect(
    name="gigachat_gcml",
    family="xml_params",
    summary="the DSML grammar behind the GCML mark",
    models=("GigaChat 3.5",),
    openers=marks("GCML"),
    closers=closing("GCML"),
    options=marked("GCML"),
    example=(
        '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="get_tide">\n<｜GCML｜parameter name="port" string="true">'
        'Brest</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>'
    ),
)
