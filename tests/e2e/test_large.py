"""As large as a producer or a model can make it: the worker goes on, and no output is beyond what its topic takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from harness import CALL, TOOLS, environment, init_topics, response, stream, turns, worker

import brokers

MIB = 1024 * 1024
LARGEST = 1572864 - 512  # of a raw-stream record, with room for key and frame
INVOKE = '<function_calls>\n<invoke name="get_tide">\n<parameter name="port">{}</parameter>\n</invoke>\n</function_calls>'


@pytest.fixture(scope="module")
def env(broker: brokers.Broker) -> Iterator[dict[str, str]]:
    made = environment(broker, brokers.free_port(), TAMIS_APP_ID="large")
    init_topics(made)
    with worker(made) as process:
        yield made
        assert process.poll() is None, "the worker ended by itself"


def start(**more: Any) -> dict[str, Any]:
    return {"v": 1, "kind": "start", "response_id": "r", "tools": TOOLS, **more}


def delta(**more: Any) -> dict[str, Any]:
    return {"v": 1, "kind": "delta", "response_id": "r", **more}


END = {"v": 1, "kind": "end", "response_id": "r", "finish_reason": "stop"}
MANY = [{"name": f"tool_{number}_{'x' * 40}", "parameters": {"type": "object"}} for number in range(12_000)]
NATIVE = {"index": 0, "id": "c", "function": {"name": "get_tide", "arguments": json.dumps({"port": "\U0001f600" * 110_000}, ensure_ascii=False)}}

CASES: dict[str, tuple[list[dict[str, Any]], dict[str, int]]] = {
    "one chunk of plain text": ([start(), delta(text="a" * (LARGEST - 100)), END], {"content": 1}),
    "control characters, six bytes each in JSON": ([start(), *[delta(text="\x01" * 200_000)] * 5, END], {"content": 1}),
    "a call of control characters": ([start(), delta(text=INVOKE.format("\x01" * 130_000)), delta(text=""), END], {"tool-calls": 1}),
    "the largest call, four bytes a character": ([start(), delta(text=INVOKE.format("\U0001f600" * 260_000)), END], {"tool-calls": 1}),
    "a call beyond the limit": ([start(), *[delta(text=INVOKE.format("x" * 200_000)[:-60])] * 2, END], {"rejections": 1}),
    "a native call of emoji": ([start(), delta(tool_calls=[NATIVE]), END], {"tool-calls": 1}),
    "a native call under a name of 300 kB": (
        [start(), delta(tool_calls=[{**NATIVE, "id": "c" * 300_000, "function": {"name": "n" * 300_000, "arguments": "{}"}}]), END], {"rejections": 1}
    ),
    "a refusal with twelve thousand tools available": (
        [start(tools=MANY), delta(text='<tool_call>{"name": "tool_z", "arguments": {}}</tool_call>'), END], {"rejections": 1}
    ),
    "hundred refusals of a long call": (
        [start(), *[delta(text=f'<tool_call>{{"name": "nope", "arguments": {{"a": "{"x" * 2000}"}}}}</tool_call>\n')] * 100, END], {"rejections": 100}
    ),
    "a model's name of a megabyte": ([start(model="m" * MIB), delta(text=CALL), END], {"tool-calls": 1}),
    "a response id of a megabyte": ([{**item, "response_id": "r" * MIB} for item in (start(), END)], {}),
    "usage of a megabyte": ([start(), delta(text=CALL), {**END, "usage": {"x": "u" * MIB}}], {"tool-calls": 1}),
    "a finish reason of a megabyte": ([start(), delta(text=CALL), {**END, "finish_reason": "f" * MIB}], {"tool-calls": 1}),
    "three thousand choices": ([start(), *[delta(choice=number, text="x") for number in range(3000)], END], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_large(broker: brokers.Broker, env: dict[str, str], name: str) -> None:
    records, wanted = CASES[name]
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, max_request_size=2 * MIB, linger_ms=5)
    await producer.start()
    try:
        async with stream(broker) as line:
            for record in records:
                await producer.send("raw-stream", json.dumps(record, ensure_ascii=False).encode(), key=name.encode())
            await producer.flush()
            await line.publish(f"after {name}", *response("r", CALL))
            await line.until(turns(f"after {name}"), 60)
            await line.until(lambda seen: any(item.topic in ("turns", "raw-stream.dlq") and item.key == name for item in seen), 60)
            for topic, count in wanted.items():
                await line.until(lambda seen, topic=topic, count=count: len(line.of(topic, name)) >= count, 30)
            assert max(len(item.raw or b"") for item in line.seen if item.topic != "raw-stream.dlq") <= 1572864
    finally:
        await producer.stop()
