"""The worker of production, timed: process time from the first record fetched until outputs, snapshots and offsets are written.

Started by the benchmark as its own process; reads CHUNKS, prints one JSON line and ends. Nothing of it is in the package.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

from tamis.agents import parse, web
from tamis.app import app, settings
from tamis.transport import BatchRecord

CHUNKS = int(os.environ["CHUNKS"])
seen: dict[str, Any] = {"chunks": 0, "cpu": 0.0, "wall": 0.0, "busy": False}
_take = parse.engine.take


async def _timed(number: int, records: list[Any], event: Any) -> None:
    if not seen["chunks"]:
        seen["cpu"], seen["wall"] = time.process_time(), time.perf_counter()
    seen["chunks"] += len(records)
    await _take(number, records, event)
    if seen["chunks"] >= CHUNKS and not seen["busy"]:
        seen["busy"] = True
        asyncio.get_running_loop().create_task(_report())


async def _report() -> None:
    """One last barrier, then wait until Faust has committed what it acknowledged."""
    offsets = {number: part.next for number, part in parse.engine.partitions.items()}
    log = parse.BrokerLog(parse._RAW)
    await parse.engine.sweep()
    while True:
        committed = [await log.committed(number) for number in offsets]
        if committed == list(offsets.values()):
            break
        await asyncio.sleep(settings.commit_interval_seconds)
    cpu, wall = time.process_time() - seen["cpu"], time.perf_counter() - seen["wall"]
    os.write(1, json.dumps({"service": "tamis", "chunks": seen["chunks"], "cpu_us_a_chunk": round(cpu / seen["chunks"] * 1e6, 2),
                            "wall_us_a_chunk": round(wall / seen["chunks"] * 1e6, 2)}).encode() + b"\n")  # fmt: skip
    os._exit(0)


parse.engine.take = _timed  # type: ignore[method-assign]

if __name__ == "__main__":
    assert BatchRecord is not None
    assert web is not None
    sys.argv = ["tamis", "--quiet", "worker", "-l", "error", "--without-web"]
    app.main()
