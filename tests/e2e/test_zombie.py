"""A worker that slept past its session timeout wakes up beside the one that took its place, and harms nothing."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess

from harness import CALL, environment, init_topics, response, stream, turns, worker

import brokers


async def test_a_worker_that_wakes_behind_its_session_timeout_writes_nothing_wrong(embedded: brokers.Broker) -> None:
    env = environment(embedded, brokers.free_port())
    init_topics(env)
    records = response("r", CALL + "and\n" + CALL, turn=1)
    async with stream(embedded) as line:
        with worker(env) as old:
            await line.publish("one", *records[:12])
            await asyncio.sleep(1)
            old.send_signal(signal.SIGSTOP)
            try:
                with worker(environment(embedded, brokers.free_port())):
                    await line.publish("one", *records[12:])
                    await line.until(turns("one"), seconds=90)
                    old.send_signal(signal.SIGCONT)
                    await line.publish("two", *records)
                    await line.until(turns("two"), seconds=90)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        await asyncio.to_thread(old.wait, 20)
            finally:
                old.send_signal(signal.SIGCONT)
    assert old.returncode in (70, 0), "it stopped, or found its way back into the group and was told to end"
    for session in ("one", "two"):
        first: dict[str, bytes] = {}
        for item in line.seen:
            if item.key == session and item.topic in ("tool-calls", "turns", "rejections"):
                assert first.setdefault(item.headers["ce_id"], item.raw) == item.raw
        assert len(line.of("tool-calls", session)) == 2
        assert len(line.of("turns", session)) == 1
        assert line.of("rejections", session) == []
