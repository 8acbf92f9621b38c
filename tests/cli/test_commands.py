"""Every command: exit codes, messages on stderr, data on stdout, nothing that looks like a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from helpers import CORPUS
from tamis.cli import demo, runfile
from tamis.cli.output import visible
from tamis.cli.records import Kind, detect, from_jsonl, from_sse, from_text
from tamis.core.dialects import load as load_dialects

Run = Callable[..., Result]

NOWHERE = "kafka://127.0.0.1:1"  # a port that nobody may listen on


def test_help_names_every_command(tamis: Run) -> None:
    shown = tamis("--help").stdout
    for name in ("up", "worker", "demo", "publish", "tail", "parse", "check", "topics", "dialects", "config"):
        assert name in shown


def test_version(tamis: Run) -> None:
    assert tamis("--version").stdout.startswith("tamis 0.")


def test_a_misspelt_command_is_usage(tamis: Run) -> None:
    result = tamis("prase")
    assert result.exit_code == 2
    assert "parse" in result.stderr


@pytest.mark.parametrize("args", [["tail", "tool-calls"], ["topics", "check"], ["topics", "init"], ["worker"], ["publish", "-"]])
def test_without_a_broker_the_next_step_is_named(tamis: Run, args: list[str]) -> None:
    result = tamis(*args, text="hello")
    assert result.exit_code == 4
    assert "start `tamis up` or give --broker" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("args", [["tail", "tool-calls"], ["topics", "check"], ["worker"], ["publish", "-"], ["demo"], ["up"]])
def test_a_broker_that_does_not_answer_is_exit_4(tamis: Run, args: list[str]) -> None:
    result = tamis(*args, "--broker", NOWHERE, text="hello")
    assert result.exit_code == 4
    assert "does not answer" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_environment_names_the_broker(tamis: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAMIS_BROKER", NOWHERE)
    assert NOWHERE in tamis("tail", "turns").stderr


def test_a_misspelt_topic_is_suggested(tamis: Run) -> None:
    result = tamis("tail", "tool-cals")
    assert result.exit_code == 2
    assert "did you mean tool-calls?" in result.stderr


def test_bad_settings_are_usage(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("partitons = 3")
    result = tamis("--config", str(path), "config", "show")
    assert result.exit_code == 2
    assert "did you mean partitions?" in result.stderr


def test_config_show_has_value_and_source_and_no_secret(tamis: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SECURITY_PROTOCOL", "SASL_SSL"), ("USERNAME", "me"), ("PASSWORD", "hunter2")):
        monkeypatch.setenv(f"TAMIS_KAFKA_{name}", value)
    result = tamis("config", "show", "-o", "json")
    rows = {row["key"]: row for row in json.loads(result.stdout)}
    assert rows["partitions"] == {"key": "partitions", "value": "12", "source": "default"}
    assert rows["kafka.password"] == {"key": "kafka.password", "value": "********", "source": "environment TAMIS_KAFKA_PASSWORD"}
    assert "hunter2" not in result.stdout + tamis("config", "show", "-o", "table").stdout


def test_dialects_are_those_of_the_registry(tamis: Run) -> None:
    assert [row["name"] for row in json.loads(tamis("dialects", "list").stdout)] == list(load_dialects())
    shown = tamis("dialects", "list", "-o", "table").stdout
    assert all(name in shown for name in load_dialects())


def test_check_counts_and_passes(tamis: Run) -> None:
    result = tamis("check", str(CORPUS / "kimi_special.jsonl"))
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert report["failed"] == []
    assert report["cases"] > 10
    assert "cases hold" in result.stderr


def case(**changes: object) -> str:
    expect = {"content": "hello", "reasoning": None, "calls": [], "hallucinated_results": 0, "rejections": []}
    whole = {"id": "a", "dialect": "prose", "class": "x", "text": "hello", "tools": [], "finish_reason": "stop", "expect": expect}
    return json.dumps({**whole, **changes})


def test_check_fails_with_3_and_says_why(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(case(text="other") + "\n")
    result = tamis("check", str(path))
    assert result.exit_code == 3
    assert json.loads(result.stdout)["failed"][0]["id"] == "a"
    assert tamis("check", str(path), "-o", "table").exit_code == 3


def test_a_contested_case_is_listed_apart_and_never_fails(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(case(text="other", contested=True) + "\n")
    result = tamis("check", str(path))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["contested"][0]["id"] == "a"


def recording(text: str, model: str = "gull-7b") -> str:
    tools = [{"name": "moor", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}]
    return json.dumps({"model": model, "tools": tools, "text": text, "truth": [{"name": "moor", "arguments": {"port": ["Brest"]}}]})


def test_check_scores_recordings_by_model(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "traffic.jsonl"
    path.write_text("\n".join([recording("moor(port='Brest')"), recording("No."), recording("[moor(port='Brest')]", "tern-1b")]) + "\n")
    result = tamis("check", str(path))
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert (report["turns"], report["right"]) == (3, 2)
    assert [(item["model"], item["right"], item["no_call"]) for item in report["models"]] == [("gull-7b", 1, 1), ("tern-1b", 1, 0)]
    assert "66.7 % of 3 turns are right" in result.stderr
    assert "50.0 %" in tamis("check", str(path), "-o", "table").stdout
    assert len(tamis("check", str(path), "-o", "jsonl").stdout.splitlines()) == 2
    assert tamis("check", str(path), "--at-least", "66").exit_code == 0
    assert tamis("check", str(path), "--at-least", "67").exit_code == 3


def test_a_bad_recording_is_usage_and_named(tamis: Run, tmp_path: Path) -> None:
    path = tmp_path / "traffic.jsonl"
    path.write_text(recording("No.") + "\n" + json.dumps({"text": "x", "truth": []}) + "\n")
    result = tamis("check", str(path))
    assert result.exit_code == 2
    assert "line 2: key 'tools' must be a list; it is missing" in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("line", ["{bad", "3", '{"id": "a"}', ""])
def test_a_bad_case_file_is_usage(tamis: Run, tmp_path: Path, line: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(line + "\n")
    result = tamis("check", str(path))
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


def test_publish_refuses_what_it_cannot_read(tamis: Run) -> None:
    assert tamis("publish", "-", "--broker", NOWHERE, text="").exit_code == 2
    assert "line 2 is no JSON object" in tamis("publish", "-", "--as", "jsonl", "--broker", NOWHERE, text='{"kind":"abort"}\nx\n').stderr
    assert "holds no JSON" in tamis("publish", "-", "--as", "sse", "--broker", NOWHERE, text="data: x\n\n").stderr
    assert tamis("publish", "-", "--session", "", "--broker", NOWHERE, text="hello").exit_code == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hello", Kind.TEXT),
        ("", Kind.TEXT),
        ('{"name": "f", "arguments": {}}', Kind.TEXT),
        ('{"v":1,"kind":"delta","text":"x"}\n\n', Kind.JSONL),
        (': ping\n\ndata: {"choices": []}\n\n', Kind.SSE),
        ("data: not at all", Kind.SSE),
        (": a line of prose", Kind.TEXT),
    ],
)
def test_input_is_told_apart_by_shape(text: str, kind: Kind) -> None:
    assert detect(text) is kind


def test_a_text_becomes_start_numbered_deltas_and_end() -> None:
    rows = [json.loads(item.value) for item in from_text("abcdef", {"model": "m"}, "r", "length", 4)]
    assert [row["kind"] for row in rows] == ["start", "delta", "delta", "end"]
    assert [row.get("seq") for row in rows] == [None, 0, 1, 2]
    assert "".join(row.get("text", "") for row in rows) == "abcdef"
    assert rows[-1]["finish_reason"] == "length"


def test_events_are_joined_and_done_is_left_out() -> None:
    text = ': hi\r\nevent: x\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: [DONE]\n\n'
    assert [json.loads(item.value) for item in from_sse(text, "x")] == [{"a": 1}]


def test_recordings_are_whole_and_each_is_a_file_for_publish() -> None:
    played = demo.recordings("t")
    assert len({item.session for item in played}) == len(played)
    folder = Path(demo.__file__).parent / "recordings"
    assert {path.name for path in folder.glob("*.jsonl")} == {entry["file"] for entry in json.loads((folder / "index.json").read_text())}
    for path in folder.glob("*.jsonl"):
        text = path.read_text("utf-8")
        assert detect(text) is Kind.JSONL
        assert list(from_jsonl(text, path.name))


def test_a_stale_run_file_is_ignored_and_removed() -> None:
    runfile.write(runfile.Running("kafka://127.0.0.1:1", "http://127.0.0.1:2", True, 2**22 + 1))
    assert runfile.path().exists()
    assert runfile.read() is None
    assert not runfile.path().exists()


def test_the_run_file_is_this_users_alone() -> None:
    import os

    runfile.write(runfile.Running("kafka://127.0.0.1:1", "http://127.0.0.1:2", True, os.getpid()))
    found = runfile.read()
    assert found is not None
    assert found.broker == "kafka://127.0.0.1:1"
    assert runfile.path().parent.stat().st_mode & 0o077 == 0
    runfile.path().parent.chmod(0o777)
    assert runfile.read() is None


def test_control_characters_are_shown() -> None:
    assert visible("a\x1b[31m\x9b") == "a\\x1b[31m\\x9b"
    assert visible("x" * 10, 5) == "xxxx…"


def test_a_bad_catalogue_is_not_published(tamis: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('[{"name": "f", "parameters": {"type": "nothing"}}]')
    result = tamis("catalog", "put", "c", "--tools", str(bad))
    assert result.exit_code == 2
    assert "nothing was published" in result.stderr
    bad.write_text('[{"name": "f"}]')
    (tmp_path / "policy.json").write_text('{"mood": "good"}')
    result = tamis("catalog", "put", "c", "--tools", str(bad), "--policy", str(tmp_path / "policy.json"))
    assert result.exit_code == 2
    assert "mood" in result.stderr


def test_a_result_is_looked_at_before_it_is_published(tamis: Run) -> None:
    assert tamis("result", "", "-", "--session", "s", text="low").exit_code == 2
    assert tamis("result", "c", "-", "--session", "", text="low").exit_code == 2
    unreachable = tamis("result", "c", "-", "--session", "s", text="low")
    assert unreachable.exit_code == 4
    assert "tamis up" in unreachable.stderr
