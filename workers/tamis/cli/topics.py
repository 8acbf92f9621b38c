"""`tamis topics init|check`: the topics as `schemas/topics.yaml` says, on the broker."""

from __future__ import annotations

from typing import Annotated

import typer

from tamis.cli.broker import BrokerOption, locate, run
from tamis.cli.output import CommandError, Exit, Output, OutputOption, chosen, emit_json, note, table
from tamis.settings import Settings

__all__ = ["app", "create"]

app = typer.Typer(no_args_is_help=True, help="Make or check the topics.")

PartitionsOption = Annotated[int | None, typer.Option("--partitions", help="Of every session topic; the same everywhere.")]


async def create(settings: Settings) -> list[str]:
    """Makes the topics that are missing; the names of those made."""
    from tamis.agents.startup import create_topics

    return await create_topics(settings)


@app.command("init")
def init(ctx: typer.Context, broker: BrokerOption = None, partitions: PartitionsOption = None, output: OutputOption = None) -> None:
    """Make the topics that are missing; those that are there stay as they are. Exit 3 when one of them differs."""
    settings = locate(ctx.obj, broker, partitions=partitions)
    made = run(settings, create(settings))
    note(f"{len(made)} topics made" if made else "all topics were there")
    _report(settings, chosen(output))


@app.command("check")
def check(ctx: typer.Context, broker: BrokerOption = None, partitions: PartitionsOption = None, output: OutputOption = None) -> None:
    """Say which topics are missing or have another partition count; exit 3 when one does."""
    _report(locate(ctx.obj, broker, partitions=partitions), chosen(output))


def _report(settings: Settings, kind: Output) -> None:
    from tamis.agents.startup import check_topics, wanted_topics

    problems = {item.topic: item for item in run(settings, check_topics(settings))}
    found = {name: problems[name].found if name in problems else count for name, (count, _) in wanted_topics(settings).items()}
    if kind is Output.TABLE:
        wrong = {name: "missing" if item.found is None else f"should be {item.wanted}" for name, item in problems.items()}
        rows = [(name, "-" if count is None else str(count), wrong.get(name, "ok")) for name, count in found.items()]
        table(("topic", "partitions", "state"), rows)
    else:
        emit_json([{"topic": name, "partitions": count, "ok": name not in problems} for name, count in found.items()], kind)
    if problems:
        wrong_counts = any(item.found is not None for item in problems.values())
        mend = "set the partition count that is there, or drain and recreate the topic" if wrong_counts else "run `tamis topics init`"
        raise CommandError(f"not as they must be: {', '.join(problems)}", mend, Exit.CHECK_FAILED)
