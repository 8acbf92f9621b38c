"""The tag is the tool, its children are the parameters; the patterns come from the catalogue."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="cline_xml",
    family="tool_tag",
    summary="the tag is the tool, its children are the parameters (catalogue needed)",
    models=("Cline, Roo and Kilo prompts and forks",),
    example="<get_tide>\n<port>Brest</port>\n</get_tide>",
    drift=("whole message HTML-escaped",),
    sentinel=False,
)
