"""`tamis parse`: one model turn from a file, read without any broker."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from tamis import coercers
from tamis.cli.inputs import read_text, read_tools
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, console, emit_json, table, visible
from tamis.core import Turn
from tamis.core import parse as parse_turn
from tamis.core.errors import TamisError
from tamis.core.explain import explain

__all__ = ["parse"]

SHOWN = 60  # characters of a span in a table: both ends tell which it is, -o json has all of it


def parse(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The raw text of one turn; - for stdin.")],
    tools: Annotated[str | None, typer.Option("--tools", metavar="FILE", help="Declared tools (JSON list); without it the gate is off.")] = None,
    finish_reason: Annotated[str, typer.Option("--finish-reason", help="What the provider said: stop, length, tool_calls, …")] = "stop",
    tool_choice: Annotated[str, typer.Option("--tool-choice", help="What the host asked for: auto, required, none or a tool's name.")] = "auto",
    why: Annotated[bool, typer.Option("--explain", help="Show, span by span, what the text became and by which rule.")] = False,
    output: OutputOption = None,
) -> None:
    """Read the raw text of one model turn and print its calls, refusals and clean text."""
    text = read_text(file)
    declared = read_tools(tools) if tools else None
    if why:
        _explain(text, declared, finish_reason, tool_choice, chosen(output))
        return
    try:
        coercers.load()
        turn = parse_turn(text, tools=declared, finish_reason=finish_reason, tool_choice=tool_choice)
    except TamisError as error:
        raise CommandError(str(error), "", Exit.USAGE) from None
    kind = chosen(output)
    if kind is Output.TABLE:
        _show(turn)
    else:
        emit_json(turn.to_dict(), kind)


def _explain(text: str, tools: list[dict[str, object]] | None, finish_reason: str, tool_choice: str, kind: Output) -> None:
    try:
        spans = explain(text, tools, finish_reason=finish_reason, tool_choice=tool_choice)
    except TamisError as error:
        raise CommandError(str(error), "", Exit.USAGE) from None
    if kind is Output.TABLE:
        rows = [(span.kind, span.rule, span.marker, visible(_short(text[span.start : span.end])).replace("\n", "\\n"), span.why) for span in spans]
        table(("became", "rule", "marker", "text", "why"), rows)
    else:
        emit_json([{**asdict(span), "text": text[span.start : span.end]} for span in spans], kind)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]} … {text[-SHOWN // 3 :]}"


def _show(turn: Turn) -> None:
    if turn.content.strip():
        console().print(visible(turn.content.strip()), markup=False)
    if turn.calls:
        rows = [
            (call.name, call.arguments, call.format, ", ".join(dict.fromkeys(repair.rule for repair in call.repairs)), call.id) for call in turn.calls
        ]
        table(("call", "arguments", "format", "repairs", "id"), rows)
    if turn.rejections:
        table(("refused", "cause", "detail"), [(item.name or "(no name)", item.cause.value, item.detail) for item in turn.rejections])
    suppressed = f" · {turn.hallucinated_results} made-up result(s) taken out" if turn.hallucinated_results else ""
    console().print(f"{turn.diagnosis} · {len(turn.calls)} call(s) · {len(turn.rejections)} refused{suppressed}", markup=False)
