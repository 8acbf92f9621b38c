"""`tamis hint`: the system-prompt hint for a model, as the library gives it."""

from __future__ import annotations

from typing import Annotated

import typer

from tamis.cli.inputs import read_tools
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_json, note, visible
from tamis.core.conversation.hint import MODES, build_tool_hint
from tamis.core.conversation.models import family
from tamis.core.errors import TamisError

__all__ = ["hint"]


def hint(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The model's name, as hosts spell it: moonshotai/kimi-k2, llama3.1:8b, …")],
    tools: Annotated[str, typer.Option("--tools", metavar="FILE", help="Declared tools (JSON list); - for stdin.")],
    mode: Annotated[str, typer.Option("--mode", help=f"{', '.join(MODES)}; force gives it to models that are not known to need it.")] = "auto",
    output: OutputOption = None,
) -> None:
    """Print the text for the system prompt that tells MODEL how to call the tools."""
    try:
        text = build_tool_hint(model, read_tools(tools), mode)
    except TamisError as error:
        raise CommandError(str(error), "", Exit.USAGE) from None
    known = family(model)
    if chosen(output) is not Output.TABLE:
        emit_json({"model": model, "family": known.name if known is not None else None, "hint": text}, chosen(output))
    elif text is not None:
        console().print(visible(text), markup=False, end="")
    else:
        note("no tool is declared" if known is not None or mode != "auto" else f"{model} is not known to need a hint; --mode force gives it anyway")
