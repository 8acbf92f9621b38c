"""Name and JSON arguments as children of `<tool_use>`."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="cherry_tool_use",
    family="head_json",
    summary="<tool_use><name/><arguments>JSON</arguments></tool_use>",
    models=("models under the Cherry Studio prompt and its copies",),
    openers={"<tool_use>": Opener("call", guard=r"<(?:name|n|arguments|args)>|</tool_use>")},
    closers=("</tool_use>",),
    options=HeadJson(
        call=r"<tool_use>\s*<(?:name|n)>\s*(?P<name>[^<>\n]{1,160}?)\s*</(?:name|n)>\s*<(?:arguments|args)>", mark=r"<tool_use>",
        nameless=r"<tool_use>\s*(?=<(?:arguments|args)>|</tool_use>)",
        empty=r"<tool_use>\s*<(?:name|n)>\s*(?P<name>[^<>\n]{1,160}?)\s*</(?:name|n)>\s*(?:<(?:arguments|args)>\s*</(?:arguments|args)>\s*)?</tool_use>",
        ends=(r"</(?:arguments|args)>", r"</tool_use>"),
    ),
    example='<tool_use>\n<name>get_tide</name>\n<arguments>{"port": "Brest"}</arguments>\n</tool_use>',
    drift=("shortened tags", "raw line breaks in strings"),
)  # fmt: skip
