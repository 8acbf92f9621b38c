"""Results and catalogues through a real broker: joined, bound, and the same after the worker was killed."""

from __future__ import annotations

import asyncio
import json
import signal
from typing import Any

from harness import CALL, TOOLS, Out, environment, init_topics, response, stream, worker

import brokers


def has(topic: str, count: int) -> Any:
    def done(seen: list[Out]) -> bool:
        return len({item.headers["ce_id"] for item in seen if item.topic == topic}) >= count

    return done


async def test_results_and_catalogues_outlive_a_killed_worker(broker: brokers.Broker) -> None:
    env = environment(broker, brokers.free_port())
    init_topics(env)
    named = [{name: value for name, value in item.items() if name != "tools"} for item in response("r", CALL, catalog="tides", turn=1)]
    async with stream(broker) as line:
        with worker(env) as process:
            await line.publish("one", *named)
            await asyncio.sleep(0.5)
            await line.send("tool-catalog", "tides", {"v": 1, "tools": TOOLS})
            await line.until(has("tool-calls", 1))
            process.send_signal(signal.SIGKILL)
            await asyncio.to_thread(process.wait)
        # published while nobody was there, one of them for a call that only a replay may know again
        await line.send("tool-catalog", "tides", {"v": 1, "tools": [{"name": "get_moon"}]})
        await line.send("tool-results", "one", {"v": 1, "call_id": "lenient_1_0", "result": {"height": 3}})
        with worker(env):
            await line.until(has("tool-messages", 1))
            again = [{**item, "response_id": "q", "turn": 2} for item in named]
            await line.publish("one", *again)
            await line.until(has("rejections", 1))
            await line.send("tool-results", "one", {"v": 1, "call_id": "lenient_1_0", "result": "again"})
            await line.publish("two", *response("e", "The end."))
            await line.until(lambda seen: any(item.key == "two" for item in seen if item.topic == "turns"))
    (call,) = line.of("tool-calls")
    assert call.value["name"] == "get_tide"
    (refused,) = line.of("rejections")
    assert refused.value["emitted_name"] == "get_tide"
    told = {item.value["for"]: item for item in line.of("tool-messages")}
    assert set(told) == {"result", "rejection"}
    assert json.dumps({"height": 3}) in told["result"].value["message"]["content"]
    assert told["result"].value["call_id"] == "lenient_1_0"
