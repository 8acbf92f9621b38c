"""The invoke grammar behind the DSML mark, with a string attribute."""

from tamis.core.bodies.xml_params import XmlParams
from tamis.core.dialects import Dialect, Opener

_BLOCKS = ("function_calls", "tool_calls", "toolcalls", "tool_call", "calls", "tool")


def marked(mark: str) -> XmlParams:
    """The grammar behind a vendor's mark; the mark's bars vary, and a parameter's closer may lack it."""
    m = rf"[｜|‖]{{1,2}}{mark}[｜|‖]{{1,2}} ?"
    blocks = "|".join(_BLOCKS)
    return XmlParams(
        wrapper=rf"<{m}(?:{blocks}|\w{{2,24}}(?=>\s*<{m}invoke))>", wrapper_end=rf"</(?:{m})?(?:{blocks})\s*>",
        call=rf"<{m}(?:invoke(?P<attrs>(?:\s|(?=name))[^<>]{{0,200}}?)?(?P<closed>/)?|(?!(?:{blocks}|parameter|invoke)\b)(?P<name>[\w.:-]{{1,128}}))>",
        call_end=rf"</{m}(?!(?:{blocks}|parameter)>)[\w.:-]{{1,128}}\s*>",
        value=rf"<{m}parameter(?P<attrs>(?:\s|(?=name))[^<>]{{0,200}}?)?(?P<closed>/)?>",
        value_end=rf"</(?:{m})?(?:parameter|(?P<own>[^<>\s/｜|‖]{{1,128}}))\s*>",
        child=r"<(?P<key>[A-Za-z_][\w.-]{0,127})\s*>", child_end=r"</(?P<own>[^<>\s/]{1,128})\s*>", stop_word=False, lists=True,
    )  # fmt: skip


def marks(mark: str) -> dict[str, Opener]:
    """The opening markers behind a vendor's mark."""
    m = rf"<[｜|‖]{{1,2}}{mark}"
    wrapper = Opener("wrapper", guard=rf"{m}|</[｜|‖]{{1,2}}{mark}")
    return {**{f"<｜{mark}｜{block}>": wrapper for block in _BLOCKS}, f"<｜{mark}｜invoke>": Opener("call")}


def closing(mark: str) -> tuple[str, ...]:
    """The closing markers behind a vendor's mark."""
    return tuple(f"</｜{mark}｜{word}>" for word in ("invoke", *_BLOCKS))


DIALECT = Dialect(
    name="deepseek_dsml",
    family="xml_params",
    summary="invoke/parameter markup behind the DSML mark (V3.2, V4, spaced V4.1) with a string attribute",
    models=("DeepSeek V3.2", "DeepSeek V4", "DeepSeek V4.1"),
    openers={
        **marks("DSML"),
        "<｜DSML｜": (
            Opener("unnamed", guard=r" ?\w{2,24}>\s*<[｜|‖]{1,2}DSML[｜|‖]{1,2} ?invoke"),
            Opener("call", guard=r" ?[\w.:-]{1,128}>\s*<[A-Za-z_]", rank=1),
        ),
    },
    closers=closing("DSML"),
    options=marked("DSML"),
    example=(
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_tide">\n<｜DSML｜parameter name="port" string="true">'
        'Brest</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>'
    ),
    drift=("other bars or a blank beside the mark", "block name misspelt", "no block", "closer without mark", "JSON body", "the tool's name as tag"),
)
