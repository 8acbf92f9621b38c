"""`tamis hint` and `tamis learn`: what they print, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import tamis as library
from tamis.wire.records import About, event_record

Run = Callable[..., Result]
TIDE: dict[str, Any] = {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([TIDE]))
    return str(path)


def test_the_hint_is_printed_as_the_library_gives_it(tamis: Run, tools: str) -> None:
    expected = library.build_tool_hint("kimi-k2", [TIDE])
    assert tamis("hint", "kimi-k2", "--tools", tools, "-o", "table").stdout == expected
    assert json.loads(tamis("hint", "kimi-k2", "--tools", tools).stdout) == {"model": "kimi-k2", "family": "Kimi", "hint": expected}
    assert json.loads(tamis("hint", "gpt-4o", "--tools", tools, "--mode", "force").stdout) == {"model": "gpt-4o", "family": None, "hint": expected}


def test_no_hint_says_why(tamis: Run, tools: str) -> None:
    result = tamis("hint", "gpt-4o", "--tools", tools, "-o", "table")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "--mode force" in result.stderr
    assert json.loads(tamis("hint", "gpt-4o", "--tools", tools).stdout)["hint"] is None


def test_a_bad_mode_or_tool_is_a_usage_error(tamis: Run, tools: str, tmp_path: Path) -> None:
    assert tamis("hint", "kimi-k2", "--tools", tools, "--mode", "always").exit_code == 2
    (tmp_path / "bad.json").write_text('[{"name": 5}]')
    assert tamis("hint", "kimi-k2", "--tools", str(tmp_path / "bad.json")).exit_code == 2


@pytest.fixture
def logs(tmp_path: Path) -> tuple[str, str]:
    """What `tamis tail -o jsonl` printed: two refusals, each put right by a later call."""
    files: dict[str, list[str]] = {"tool-calls": [], "rejections": []}
    for number in range(4):
        text = f'<tool_call>{{"name": "{("tide_table", "get_tide")[number % 2]}", "arguments": {{"port": "Brest"}}}}</tool_call>'
        turn = library.parse(text, tools=[TIDE])
        for event in [*turn.calls, *turn.rejections]:
            record = event_record(event, About("s", f"r{number}", 0, None, "vllm", "qwen3", None, 0, 0, time_ms=1000 * number))
            files[record.topic].append(json.dumps({"topic": record.topic, "offset": number, "key": "s", "value": json.loads(record.value)}))
    for name, lines in files.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return str(tmp_path / "tool-calls.jsonl"), str(tmp_path / "rejections.jsonl")


def test_aliases_are_proposed_with_counts_and_places_and_no_values(tamis: Run, logs: tuple[str, str]) -> None:
    for args in (("--from", logs[0], "--from", logs[1]), ("--from", ",".join(logs))):
        result = tamis("learn", *args)
        assert result.exit_code == 0
        found = json.loads(result.stdout)
        assert found["aliases"] == {"tide_table": "get_tide"}
        assert [(row["count"], row["corrected"], len(row["examples"])) for row in found["evidence"]] == [(2, 2, 2)]
        assert (found["contested"], found["read"]) == ([], {"calls": 2, "rejections": 2})
        assert "Brest" not in result.stdout
    assert library.core.Catalog.of([TIDE], aliases=found["aliases"]).declares("tide_table")


def test_the_table_says_that_nothing_was_applied(tamis: Run, logs: tuple[str, str]) -> None:
    shown = tamis("learn", "--from", ",".join(logs), "-o", "table").stdout
    assert "tide_table" in shown
    assert "1 alias(es) proposed, none applied" in shown
    assert "0 alias(es) proposed" in tamis("learn", "--from", ",".join(logs), "--least", "3", "-o", "table").stdout


def test_bare_values_from_stdin_will_do(tamis: Run, logs: tuple[str, str]) -> None:
    text = "\n".join(json.dumps(json.loads(line)["value"]) for path in logs for line in Path(path).read_text().splitlines())
    assert json.loads(tamis("learn", "--from", "-", text=text).stdout)["aliases"] == {"tide_table": "get_tide"}


def test_what_is_no_record_is_named(tamis: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"a": 1}\nnot json\n')
    result = tamis("learn", "--from", str(tmp_path / "bad.jsonl"))
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert tamis("learn", "--from", "missing.jsonl").exit_code == 2
    assert tamis("learn").exit_code == 2


def test_topics_are_read_from_the_broker(tamis: Run) -> None:
    result = tamis("learn", "--from", "tool-calls,rejections")
    assert result.exit_code != 0
    assert "tamis up" in result.stderr, "without a broker it says how to get one"
