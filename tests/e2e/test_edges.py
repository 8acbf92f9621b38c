"""What real producers also send: several choices, hostile names, compressed batches, records that are no chunk, records too late."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from harness import CALL, Out, environment, get, init_topics, response, stream, turns, worker
from prometheus_client.parser import text_string_to_metric_families

import brokers

SECRET = "kelp-9-lantern"  # planted in text, arguments and tools; must show up nowhere but in records
LARGEST = 1572864 - 1024  # a raw-stream record just under its topic's max.message.bytes: key and frame take some of it


def frame(response_id: str, *choices: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": response_id, "object": "chat.completion.chunk", "model": "m", "choices": list(choices), **more}


def delta(index: int, text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"index": index, "delta": {} if text is None else {"content": text}, "finish_reason": finish}


def dead(seen: list[Out]) -> list[Out]:
    return [item for item in seen if item.topic == "raw-stream.dlq"]


@pytest.fixture(scope="module")
def env(broker: brokers.Broker) -> dict[str, str]:
    made = environment(broker, brokers.free_port(), TAMIS_APP_ID="edges")
    init_topics(made)
    return made


@pytest.fixture(scope="module")
def log(env: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The log, at its most talkative, of the one worker that all these tests share."""
    path = tmp_path_factory.mktemp("worker") / "log"
    with path.open("wb") as out, worker(env, "-l", "debug", out=out) as process:
        yield path
        assert process.poll() is None, "the worker ended by itself"


async def test_choices_of_one_stream_of_openai_chunks(broker: brokers.Broker, log: Path) -> None:
    start = response("chatcmpl-9", "")[0]
    pieces = [CALL[at : at + 6] for at in range(0, len(CALL), 6)]
    async with stream(broker) as line:
        both = [frame("chatcmpl-9", delta(0, piece), delta(1, "no call, " if at == 0 else "x")) for at, piece in enumerate(pieces)]
        await line.publish("n", start, *both, frame("chatcmpl-9", delta(0, None, "stop")))
        await line.until(lambda seen: bool(line.of("turns", "n")))
        (first,) = line.of("turns", "n")
        assert (first.value["choice"], first.value["diagnosis"]) == (0, "recovered")
        usage = frame("chatcmpl-9", usage={"completion_tokens": 31})
        await line.publish("n", frame("chatcmpl-9", delta(1, None, "stop")), usage, usage, frame("chatcmpl-9", delta(0, "too late")))
        await line.publish("after", *response("r", CALL))  # read behind the above only if on the same partition, so wait a little as well
        await line.until(turns("after"))
        await line.until(lambda seen: len(line.of("turns", "n")) == 2)
        await asyncio.sleep(0.5)
        await line.until(lambda seen: True)
        ends = {item.value["choice"]: item.value for item in line.of("turns", "n")}
        assert {choice: value["diagnosis"] for choice, value in ends.items()} == {0: "recovered", 1: "prose_only"}
        assert len(line.of("turns", "n")) == 2, "late frames open no new response"
        assert [item.value["choice"] for item in line.of("tool-calls", "n")] == [0]
        assert not any("too late" in item.value["text"] for item in line.of("content", "n"))


async def test_a_call_is_published_before_its_turn_ends(broker: brokers.Broker, log: Path) -> None:
    async with stream(broker) as line:
        records = response("early", CALL + "And now I wait.")
        await line.publish("early", *records[:-1])
        await line.until(lambda seen: bool(line.of("tool-calls", "early")))
        assert line.of("turns", "early") == []
        await line.publish("early", records[-1])
        await line.until(turns("early"))


async def test_no_chunk_at_all_goes_to_the_dead_letters_verbatim(broker: brokers.Broker, log: Path) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, max_request_size=2 * 1024 * 1024)
    await producer.start()
    large = b'{"v": 1, "kind": "delta", "text": ' + b"\xff" * (LARGEST - 100)
    values: list[tuple[bytes | None, bytes | None, list[tuple[str, bytes]]]] = [
        (None, b'{"v":1,"kind":"delta","text":"x"}', []), (b"k1", None, []), (b"", b'{"v":1,"kind":"delta","text":"x"}', []),
        (b"k" * 257, b"{}", []), (b"\xff\xfe", b'{"v":1,"kind":"delta","text":"x"}', []), (b"k2", b"[1]", []),
        (b"k3", b'{"v":7,"kind":"delta","text":"x"}', []),
        (b"k4", b"", []), (b"k5", b'{"v":1,"kind":"delta","text":5}', [("x-wire", b"\xff")]), (b"k6", large, []), (b"k7", b"[" * 100_000, []),
        (b"k8", b'{"v":1,"kind":"start","choice":-1}', []), (b"k9", b"{}", [(f"h{number}", b"x") for number in range(300)]),
    ]  # fmt: skip
    try:
        async with stream(broker) as line:
            for key, value, headers in values:
                await producer.send_and_wait("raw-stream", value, key=key, headers=headers)
            await line.until(lambda seen: len(dead(seen)) >= len(values))
            found = {item.raw for item in dead(line.seen)}
            assert {value for _, value, _ in values if value} <= found
            assert all({"tamis.reason", "__streams.errors.offset"} <= set(item.headers) for item in dead(line.seen))
            (carried,) = [item for item in dead(line.seen) if "h299" in item.headers]
            assert carried.headers["h0"] == "x", "the input's own headers stay"
            await line.publish("alive", *response("r", CALL))
            await line.until(turns("alive"))
    finally:
        await producer.stop()


@pytest.mark.parametrize("codec", ["gzip", "lz4", "snappy", "zstd"])
async def test_compressed_batches(broker: brokers.Broker, log: Path, codec: str) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, compression_type=codec, linger_ms=20)
    await producer.start()
    try:
        async with stream(broker) as line:
            for item in response("r", CALL):
                await producer.send("raw-stream", json.dumps(item).encode(), key=f"codec-{codec}".encode())
            await producer.flush()
            # another topic may be read first: wait for both, then count
            await line.until(turns(f"codec-{codec}"))
            await line.until(lambda seen: bool(line.of("tool-calls", f"codec-{codec}")))
            assert len(line.of("tool-calls", f"codec-{codec}")) == 1
    finally:
        await producer.stop()


async def test_several_open_and_none_named_is_a_dead_letter_and_ends_them(broker: brokers.Broker, log: Path) -> None:
    async with stream(broker) as line:
        both = [*response("r1", CALL, end=False), *response("r2", CALL, end=False)]
        await line.publish("open", *both, {"v": 1, "kind": "delta", "text": "whose?"})
        await line.until(lambda seen: any(item.key == "open" for item in dead(seen)) and len(line.of("turns", "open")) == 2)
        assert {item.value["end"] for item in line.of("turns", "open")} == {"incomplete"}


async def test_no_content_in_log_or_metrics_and_hostile_names_do_no_harm(broker: brokers.Broker, env: dict[str, str], log: Path) -> None:
    text = f'{SECRET} <tool_call>{{"name": "get_tide", "arguments": {{"port": "{SECRET}"}}}}</tool_call>'
    text += f'<tool_call>{{"name": "{SECRET}", "arguments": {{}}}}</tool_call>'
    async with stream(broker) as line:
        for number, model in enumerate(["\ud800", "m" * 100_000, 'x"} 1\nevil{', "", "a\x00b"]):
            await line.publish(f"hostile-{number}", *response("r", text, model=model, provider=model))
        await line.publish("hostile", f"no chunk {SECRET}".encode())
        await line.until(turns(*(f"hostile-{number}" for number in range(5))))
    status, page = get(int(env["TAMIS_WEB_PORT"]), "metrics")
    assert status == 200
    assert SECRET not in page
    assert len(page) < 500_000
    assert list(text_string_to_metric_families(page)), "a scraper reads the page to its end"
    assert SECRET.encode() not in await asyncio.to_thread(log.read_bytes)


async def test_an_open_response_outlives_a_clean_restart(broker: brokers.Broker) -> None:
    env = environment(broker, brokers.free_port(), TAMIS_APP_ID="restart")
    init_topics(env)
    records = response("r", "Before. " + CALL + "After.", size=4)
    async with stream(broker) as line:
        for part, some in enumerate((records[:9], records[9:15], records[15:])):
            with worker(env):
                await line.publish("restart", *some)
                if part < 2:
                    await asyncio.sleep(1)  # long enough that it is read, far too short for the response to be idle
                else:
                    await line.publish("calm", *records)
                    await line.until(turns("restart", "calm"))
                    await line.until(lambda seen: all(line.of("tool-calls", name) for name in ("restart", "calm")))
        for topic in ("tool-calls", "turns"):
            found = [line.of(topic, session) for session in ("restart", "calm")]
            assert [len(items) for items in found] == [1, 1]
            one, other = ({**items[0].value, **dict.fromkeys(("session_id", "source", "time_ms", "id", "calls"))} for items in found)
            assert one == other, "stops in between change nothing"
