"""The worker on every broker that is here: chunks in, records out, as users see it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest
from harness import CALL, Out, environment, get, init_topics, response, stream, turns, worker

import brokers
from tamis.wire.schemas import problems

TEXT = CALL + "<tool_response>\nlow at noon\n</tool_response>\nDone."


def content(records: list[Out]) -> str:
    """The text stream of content records: what lies beyond the text that is there already."""
    text = ""
    for item in records:
        if item.value["kind"] == "content" and item.value["offset"] + len(item.value["text"]) > len(text):
            text += item.value["text"][len(text) - item.value["offset"] :]
    return text


async def test_chunks_in_records_out(broker: brokers.Broker) -> None:
    port = brokers.free_port()
    env = environment(broker, port, TAMIS_IDLE_SECONDS="3")
    init_topics(env)
    with worker(env):
        async with stream(broker) as line:
            await line.publish("one", *response("r", TEXT, turn=4))
            await line.publish("two", *response("r", TEXT))
            await line.publish("three", *response("r1", TEXT, size=9), *response("r2", TEXT, size=2))
            choices = [{"v": 1, "kind": "delta", "response_id": "c", "choice": index, "text": CALL} for index in (0, 1)]
            await line.publish("four", response("c", "")[0], *choices, {"v": 1, "kind": "end", "response_id": "c", "finish_reason": "stop"})
            await line.publish("bad", b"\xff no chunk")
            await line.publish("gap", *[item for item in response("r", CALL) if item.get("seq") != 8])
            await line.publish("named", {"v": 1, "kind": "start", "response_id": "r", "catalog": "cat-1"}, *response("r", CALL)[1:])
            await line.publish("idle", *response("r", CALL, end=False))
            first = {"index": 0, "id": "call_7", "function": {"name": "f", "arguments": '{"a"'}}
            chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m"}
            await line.publish(
                "openai",
                {"v": 1, "kind": "start", "response_id": "chatcmpl-1", "tools": [{"name": "f"}], "provider": "openai"},
                {**chunk, "choices": [{"index": 0, "delta": {"tool_calls": [first]}}]},
                {**chunk, "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
                {**chunk, "choices": [], "usage": {"total_tokens": 9}},
            )
            await line.until(turns("one", "two", "three", "four", "gap", "named", "idle", "openai"))
            await line.until(lambda seen: len(line.of("turns", "three")) == 2 and len(line.of("turns", "four")) == 2)
            await line.until(lambda seen: len(line.of("tool-calls")) == 8 and bool(line.of("raw-stream.dlq")))

            for topic in ("tool-calls", "rejections", "hallucinations", "content", "turns"):
                for item in line.of(topic):
                    assert problems(topic, item.value) == []
                    assert item.headers["ce_type"].startswith("io.tamis.")
                    assert item.headers["ce_subject"] == item.key
            (call,) = line.of("tool-calls", "one")
            assert (call.value["id"], call.value["name"], call.value["arguments"]) == ("lenient_4_0", "get_tide", {"port": "Brest"})
            assert content(line.of("content", "one")) == "Looking.\n\n\nDone."
            assert line.of("hallucinations", "one")[0].value["session_count"] == 1
            assert [item.value["session_count"] for item in line.of("hallucinations", "three")] == [1, 2]
            ids = {item.headers["ce_id"] for item in line.of("tool-calls")}
            assert len(ids) == 8, "two sessions, two responses and two choices never share an id"
            assert {item.value["choice"] for item in line.of("tool-calls", "four")} == {0, 1}
            assert line.of("turns", "gap")[0].value["end"] == "incomplete"
            assert {item.value["cause"] for item in line.of("rejections", "gap")} == {"truncated", "sequence_gap"}
            assert [item.value["cause"] for item in line.of("rejections", "named")] == ["catalog_unavailable"]
            assert line.of("turns", "idle")[0].value["end"] == "idle"
            native = line.of("tool-calls", "openai")[0].value
            assert (native["id"], native["format"], native["gated"], native["provider"]) == ("call_7", "native", True, "openai")
            assert len(line.of("turns", "openai")) == 1, "a usage chunk behind the finish opens no response"
            (dead,) = [item for item in line.seen if item.topic == "raw-stream.dlq"]
            assert (dead.raw, dead.headers["tamis.reason"]) == (b"\xff no chunk", "not_json")
            assert dead.headers["__streams.errors.topic"] == "raw-stream"
        status, metrics = get(port, "metrics")
        assert status == 200
        for name in ("tamis_chunks_total", "tamis_tool_calls_total", "tamis_rejections_total", "tamis_hallucinations_total", "tamis_turns_total",
                     "tamis_emit_latency_seconds_count"):  # fmt: skip
            assert f"{name}{{" in metrics
        assert get(port, "healthz")[0] == 200
        assert {get(port, page)[0] for page in ("table/", "router/")} == {404}


async def test_a_killed_worker_loses_and_doubles_nothing(broker: brokers.Broker) -> None:
    env = environment(broker, brokers.free_port(), TAMIS_APP_ID="killed")
    init_topics(env)
    first = [response("r", CALL + f"Part {number}. " * 20 + CALL, end=False) for number in range(5)]
    with worker(env) as process:
        async with stream(broker) as line:
            for number, records in enumerate(first):
                await line.publish(f"kill-{number}", *records[:30])
            await line.until(lambda seen: len([item for item in line.of("tool-calls") if (item.key or "").startswith("kill-")]) >= 5)
            await asyncio.sleep(1.5)  # several barriers and commits: the next worker has to live from the changelog
        process.send_signal(signal.SIGKILL)
        process.wait()
    with worker({**env, "TAMIS_WEB_PORT": str(brokers.free_port())}):
        async with stream(broker) as line:
            for number, records in enumerate(first):
                end = {"v": 1, "kind": "end", "response_id": "r", "seq": len(records) - 1, "finish_reason": "stop"}
                await line.publish(f"kill-{number}", *records[30:], end)
            names = [f"kill-{number}" for number in range(5)]
            await line.until(turns(*names), 60)
            for number, name in enumerate(names):
                assert [item.value["call_index"] for item in line.of("tool-calls", name)] == [0, 1]
                assert content(line.of("content", name)) == "Looking.\n\n" + f"Part {number}. " * 20 + "Looking.\n\n"
                (turn,) = line.of("turns", name)
                assert (turn.value["end"], len(turn.value["calls"])) == ("finished", 2)


@pytest.mark.kafka
async def test_the_same_text_gives_the_same_ids_on_a_fresh_broker() -> None:
    found = []
    for _ in range(2):
        with brokers.start("embedded") as fresh:
            env = environment(fresh, brokers.free_port())
            init_topics(env)
            with worker(env):
                async with stream(fresh) as line:
                    await line.publish("s", *response("r", TEXT))
                    await line.until(turns("s"))
                    await line.until(lambda seen, line=line: bool(line.of("tool-calls")) and bool(line.of("hallucinations")))
                    found.append({(item.topic, item.headers["ce_id"]) for item in line.seen if item.topic != "content"})
    assert found[0] == found[1]


def test_a_worker_refuses_to_start_on_wrong_topics(embedded: brokers.Broker) -> None:
    env = environment(embedded, brokers.free_port(), TAMIS_APP_ID="wrong", TAMIS_PREFIX="wrong.")
    command = [sys.executable, "-m", "tamis", "worker"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "tamis topics init" in done.stderr
    init_topics(env)
    done = subprocess.run(command, env={**env, "TAMIS_PARTITIONS": "3"}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "has 4 partitions" in done.stderr
    faust = [sys.executable, "-m", "faust", "-A", "tamis.app", "worker", "-l", "error", "--without-web"]
    done = subprocess.run(faust, env={**env, "TAMIS_PARTITIONS": "3"}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "has 4 partitions" in done.stderr
