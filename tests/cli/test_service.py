"""The embedded service as a user runs it: up, demo, tail, publish, down, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from brokers import missing

pytestmark = [pytest.mark.kafka, pytest.mark.skipif(missing("embedded") is not None, reason=str(missing("embedded")))]


def run(*args: str, text: str | None = None, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tamis", *args], input=text, capture_output=True, text=True, timeout=seconds, check=False)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{pid}/status").read_text() if Path("/proc").is_dir() else True


def children(pid: int) -> list[int]:
    return [int(item) for item in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def service() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-m", "tamis", "up"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if "Ctrl-C" in line:
            break
    assert process.poll() is None, "".join(said)
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def test_a_whole_session(service: subprocess.Popen[str], tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text('[{"name": "get_tide", "parameters": {"type": "object"}}]')
    text = 'Hi <tool_call>\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n</tool_call>'
    published = run("publish", "-", "--session", "s-é", "--tools", str(tools), "--provider", "vllm", "--model", "m", text=text)
    assert published.returncode == 0, published.stderr
    tail = run("tail", "tool-calls", "--from-beginning", "--follow", "-n", "1", "--session", "s-é", "--provider", "vllm", "--format", "xml_sentinel")
    assert tail.returncode == 0, tail.stderr
    record = json.loads(tail.stdout)
    assert record["value"]["arguments"] == {"port": "Brest"}
    assert record["headers"]["ce_subject"] == "s-é"
    assert run("tail", "tool-calls", "--from-beginning", "--provider", "nobody").stdout == ""
    assert run("topics", "check").returncode == 0
    assert run("topics", "check", "--partitions", "3").returncode == 3
    second = run("up")
    assert second.returncode == 1
    assert "already running" in second.stderr
    played = run("demo", "-o", "jsonl", "--rate", "1000", seconds=100)
    assert played.returncode == 0, played.stderr
    assert {json.loads(line)["topic"] for line in played.stdout.splitlines()} == {"tool-calls", "rejections", "hallucinations", "turns"}


def test_a_catalogue_a_call_and_its_result(service: subprocess.Popen[str], tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text('[{"name": "get_tide", "parameters": {"type": "object"}}]')
    put = run("catalog", "put", "tides", "--tools", str(tools), "-o", "json")
    assert put.returncode == 0, put.stderr
    version = json.loads(put.stdout)["version"]
    (listed,) = json.loads(run("catalog", "list", "-o", "json").stdout)
    assert (listed["catalog"], listed["tools"], listed["version"], listed["refused"]) == ("tides", 1, version, "")
    text = '<tool_call>{"name": "get_tide", "arguments": {"port": "Brest"}}</tool_call>'
    assert run("publish", "-", "--session", "s", "--catalog", "tides", "--turn", "4", text=text).returncode == 0
    call = json.loads(run("tail", "tool-calls", "--from-beginning", "--follow", "-n", "1", "-o", "jsonl").stdout)["value"]
    assert (call["name"], call["gated"], call["catalog"]) == ("get_tide", True, "tides")
    answered = run("result", call["id"], "-", "--session", "s", text='{"high_water": "06:12"}')
    assert answered.returncode == 0, answered.stderr
    message = json.loads(run("tail", "tool-messages", "--from-beginning", "--follow", "-n", "1", "-o", "jsonl").stdout)["value"]
    assert (message["call_id"], message["for"]) == (call["id"], "result")
    assert "06:12" in message["message"]["content"]
    assert run("catalog", "remove", "tides").returncode == 0
    assert json.loads(run("catalog", "list", "-o", "json").stdout) == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopping_leaves_no_process_and_no_run_file(service: subprocess.Popen[str], how: signal.Signals) -> None:
    left = children(service.pid)
    assert len(left) == 2
    service.send_signal(how)
    code = service.wait(40)
    end = time.monotonic() + 30  # after kill -9 worker and broker end by themselves
    while any(map(alive, left)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(alive, left))
    if how is signal.SIGKILL:
        assert run("tail", "turns").returncode == 4  # the stale run file is seen through
    else:
        assert code == 0
        assert service.stderr is not None
        assert "data is gone" in service.stderr.read()
    assert not (Path(os.environ["XDG_RUNTIME_DIR"]) / "tamis" / "run.json").exists()
