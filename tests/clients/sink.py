"""A broker that takes records, or does not, and what a worker makes of them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiokafka.errors import KafkaTimeoutError
from test_memory import Raw

from tamis.agents.partition import Partition
from tamis.agents.sessions import Surroundings
from tamis.clients.envelope import Envelope, Outgoing
from tamis.clients.outbox import Outbox
from tamis.clients.reply import Reply

__all__ = ["Broker", "frame", "outbox", "reply", "shown"]


class Broker:
    """Takes records, or does not: `down` makes it fail, `closed` makes it wait."""

    def __init__(self) -> None:
        self.got: list[Outgoing] = []
        self.refuse: set[int] = set()
        self.down = self.full = False
        self.open = asyncio.Event()
        self.open.set()
        self.count = 0

    async def send(self, key: bytes, record: Outgoing) -> asyncio.Future[Any]:
        assert key == b"s"
        await self.open.wait()
        if self.full:  # the client's own buffer
            self.full = False
            raise KafkaTimeoutError
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.down or self.count in self.refuse:
            future.set_exception(KafkaTimeoutError())
        else:
            self.got.append(record)
            future.set_result(None)
        self.count += 1
        return future

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(record.value) for record in self.got]


async def nothing(_: float) -> None:
    await asyncio.sleep(0)


def outbox(broker: Broker, **options: Any) -> Outbox:
    chosen = Outbox(broker.send, **{"coalesce_seconds": 0.03, "buffer_bytes": 1 << 20, "max_wait_seconds": 0.05, "sleep": nothing, **options})
    chosen.open()
    return chosen


def reply(box: Outbox, response_id: str = "r", **start: Any) -> Reply:
    return Reply(box, b"s", Envelope(response_id, start))


def shown(records: list[Outgoing], skip: int | None = None) -> dict[str, list[Any]]:
    """What a worker publishes of these records, one of them lost."""
    kept = [record for number, record in enumerate(records) if number != skip]
    out = Partition(0, 1, Surroundings()).work([Raw(at, record.value, list(record.headers)) for at, record in enumerate(kept)])
    return {topic: [json.loads(record.value or b"") for _, record in out if record.topic == topic] for topic in ("tool-calls", "content", "turns")}


def frame(text: str | None, finish: str | None = None) -> dict[str, Any]:
    delta = {} if text is None else {"content": text}
    return {"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
