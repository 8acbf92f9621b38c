"""`tamis parse`: golden output, and a reason with a next step for every bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

TOOLS = [{"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}]
KIMI = (
    "One moment.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_tide:0<|tool_call_argument_begin|>"
    '{"port": "Brest"}<|tool_call_end|><|tool_calls_section_end|>'
)


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS))
    return str(path)


def test_the_turn_is_printed_as_the_contract_says(tamis: Run, tools: str) -> None:
    result = tamis("parse", "-", "--tools", tools, "-o", "json", text=KIMI)
    assert result.exit_code == 0
    turn = json.loads(result.stdout)
    assert turn.pop("calls")[0].items() >= {
        "name": "get_tide", "arguments": {"port": "Brest"}, "format": "kimi_special", "emitted_name": "functions.get_tide:0",
    }.items()  # fmt: skip
    assert turn == {"content": "One moment.", "reasoning": None, "rejections": [], "hallucinated_results": 0, "diagnosis": "recovered"}
    assert result.stderr == ""


def test_json_is_the_default_where_stdout_is_no_terminal(tamis: Run, tools: str) -> None:
    assert json.loads(tamis("parse", "-", "--tools", tools, text=KIMI).stdout)["diagnosis"] == "recovered"


def test_jsonl_is_one_line(tamis: Run, tools: str) -> None:
    assert len(tamis("parse", "-", "--tools", tools, "-o", "jsonl", text=KIMI).stdout.splitlines()) == 1


def test_the_table_names_call_arguments_and_diagnosis(tamis: Run, tools: str) -> None:
    shown = tamis("parse", "-", "--tools", tools, "-o", "table", text=KIMI).stdout
    assert "One moment." in shown
    assert "get_tide" in shown
    assert "recovered · 1 call(s) · 0 refused" in shown


def test_a_refusal_is_no_failure_of_the_command(tamis: Run, tools: str) -> None:
    result = tamis("parse", "-", "--tools", tools, text='<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>')
    assert result.exit_code == 0
    refused = json.loads(result.stdout)["rejections"][0]
    assert refused.keys() == {"cause", "name", "detail", "feedback"}
    assert (refused["cause"], refused["name"]) == ("unknown_tool", "get_time")


def test_the_finish_reason_reaches_the_parser(tamis: Run, tools: str) -> None:
    result = tamis("parse", "-", "--tools", tools, "--finish-reason", "length", text=KIMI[:120])
    assert "length" in json.loads(result.stdout)["rejections"][0]["feedback"]


def test_terminal_escapes_of_a_model_are_shown_not_sent(tamis: Run) -> None:
    shown = tamis("parse", "-", "-o", "table", text="red \x1b[31m [bold]x[/bold]").stdout
    assert "\x1b" not in shown
    assert "[bold]x[/bold]" in shown


@pytest.mark.parametrize(
    ("data", "said"),
    [("{bad", "is no JSON (line 1, column 2"), ("3", "holds no list of declarations"), ("[1]", "holds no list"), ('[{"description": "x"}]', "")],
)
def test_a_bad_tools_file_is_refused_with_the_reason(tamis: Run, tmp_path: Path, data: str, said: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(data)
    result = tamis("parse", "-", "--tools", str(path), text="hello")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "error: " in result.stderr
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\x7fELF\x00\x01", "looks binary"), (b"caf\xe9", "is no UTF-8 text (byte 3)"), (None, "does not exist")],
)
def test_a_bad_input_file_is_refused_with_the_next_step(tamis: Run, tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "turn.txt"
    if content is not None:
        path.write_bytes(content)
    result = tamis("parse", str(path))
    assert result.exit_code == 2
    assert said in result.stderr
    assert "next: " in result.stderr


def test_a_folder_is_refused(tamis: Run, tmp_path: Path) -> None:
    assert "is a folder" in tamis("parse", str(tmp_path)).stderr


def test_parse_loads_no_kafka(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['tamis', 'parse', '-']\n"
        "from tamis.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.exit(str(sorted(name for name in sys.modules if name.split('.')[0] in ('faust', 'aiokafka', 'mode'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], input="hello", capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "[]"


def test_explain_says_why_each_span_was_read_so(tamis: Run, tools: str) -> None:
    spans = json.loads(tamis("parse", "-", "--tools", tools, "--explain", "-o", "json", text=KIMI).stdout)
    assert "".join(span["text"] for span in spans) == KIMI
    assert [(span["kind"], span["rule"]) for span in spans] == [("content", "P103"), ("call", "P3"), ("markup", "P109")]
    assert spans[1]["marker"] == "<|tool_calls_section_begin|>"
    shown = tamis("parse", "-", "--tools", tools, "--explain", "-o", "table", text=KIMI).stdout
    assert all(word in shown for word in ("became", "kimi_special", "P103"))


def test_a_dialect_is_shown_and_a_misspelt_one_suggested(tamis: Run) -> None:
    row = json.loads(tamis("dialects", "show", "glm_xml").stdout)
    assert (row["family"], row["sentinel"], list(row["openers"])) == ("key_value", True, ["<tool_call>"])
    assert "TeleChat" in tamis("dialects", "show", "glm_xml", "-o", "table").stdout
    wrong = tamis("dialects", "show", "glm_xm")
    assert wrong.exit_code == 2
    assert "did you mean 'glm_xml'?" in wrong.stderr


def test_histories_are_broken_down(tamis: Run, tools: str, tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    chat = {"messages": [{"role": "user", "content": "tide?"}, {"role": "assistant", "content": KIMI}]}
    history.write_text("\n".join(map(json.dumps, ["Just text.", chat, {"text": KIMI[:-70], "finish_reason": "length"}])))
    total = json.loads(tamis("diagnose", str(history), "--tools", tools).stdout)
    assert (total["turns"], total["calls"]) == (3, 1)
    assert total["diagnoses"] == {"prose_only": 1, "recovered": 1, "truncated": 1}
    assert total["files"][str(history)]["causes"] == {"truncated": 1}
    assert "prose_only" in tamis("diagnose", str(history), "--tools", tools, "-o", "table").stdout
    history.write_text('"fine"\n{"no": "text"}\n')
    wrong = tamis("diagnose", str(history))
    assert wrong.exit_code == 2
    assert "line 2" in wrong.stderr
