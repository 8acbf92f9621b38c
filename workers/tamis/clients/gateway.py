"""`tamis.publish`: model responses into `raw-stream`, as they come from their providers.

A gateway serves its users first: publishing may hold up a stream for a moment and never breaks one. What waits is bounded; where the
broker is too slow for too long a response is given up, and is said to be, so that no call is ever built of what is left of it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

from aiokafka import AIOKafkaProducer

from tamis.clients.connection import broker_errors, connection_options, locate, require_topics
from tamis.clients.envelope import MAX_START, Envelope, Outgoing, encode
from tamis.clients.outbox import Outbox
from tamis.clients.reply import Reply
from tamis.core.errors import UsageError
from tamis.settings import Settings
from tamis.wire.frames import FrameError
from tamis.wire.inbound import MAX_ID
from tamis.wire.native import read_start
from tamis.wire.topics import Topic, topic_specs

__all__ = ["Gateway", "publish"]

log = logging.getLogger(__name__)

MAX_KEY = 256  # bytes of a session id, as the workers take them
CLOSE_SECONDS = 10.0  # for what waits when a gateway closes: past a leader election, within an orchestrator's patience


def publish(
    *,
    broker: str | None = None,
    settings: Settings | None = None,
    coalesce_ms: float = 30.0,
    buffer_bytes: int = 16 * 1024 * 1024,
    max_wait_seconds: float = 1.0,
    idempotent: bool = False,
) -> Gateway:
    """A gateway's line to `raw-stream`; one for the whole process, used with `async with` in its event loop.

    Pieces of a response are joined for `coalesce_ms` (0 to 1000; 20 to 50 nobody sees, and it makes several pieces one record). At most
    `buffer_bytes` wait to be written; a piece waits for room up to `max_wait_seconds` (0: not at all), then its response is given up.
    `idempotent` has the broker drop what a retry wrote twice: switch it on with Apache Kafka where frames are published; other pieces
    carry numbers, by which the workers do it. The broker is `broker`, else that of `settings`, else that of environment or file.
    Raises `UsageError` here, and `BrokerError` when entered.
    """
    if not 0 <= coalesce_ms <= 1000 or buffer_bytes < 1 or max_wait_seconds < 0:
        raise UsageError("coalesce_ms must be from 0 to 1000, buffer_bytes at least 1, max_wait_seconds not negative")
    return Gateway(
        locate(broker, settings), coalesce_ms=coalesce_ms, buffer_bytes=buffer_bytes, max_wait_seconds=max_wait_seconds, idempotent=idempotent
    )


class Gateway:
    """See `publish`."""

    def __init__(
        self, settings: Settings, *, coalesce_ms: float = 30.0, buffer_bytes: int = 16 * 1024 * 1024, max_wait_seconds: float = 1.0,
        idempotent: bool = False,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._topic = settings.prefix + Topic.RAW_STREAM
        self._idempotent = idempotent
        self._outbox = Outbox(self._send, coalesce_seconds=coalesce_ms / 1000, buffer_bytes=buffer_bytes, max_wait_seconds=max_wait_seconds)
        self._producer: Any = None
        self._open: WeakValueDictionary[tuple[str, str], Reply] = WeakValueDictionary()
        self._closed = False

    @property
    def dropped(self) -> int:
        """How many responses were given up so far."""
        return self._outbox.dropped

    # -- life

    async def __aenter__(self) -> Gateway:
        with broker_errors(self._settings):
            await require_topics(self._settings, [self._topic], "publish")
            self._producer = self._client()
            try:
                await self._producer.start()
            except BaseException:
                await self._producer.stop()
                raise
        self._outbox.open()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed = True
        for reply in list(self._open.values()):
            reply.abort()
        await self._outbox.close(CLOSE_SECONDS)
        await self._producer.stop()
        if self._outbox.unwritten:
            log.warning("%s records for %s were not written before the gateway closed", self._outbox.unwritten, self._topic)

    async def flush(self) -> None:
        """Wait until all that was handed over has been written or given up."""
        await self._outbox.flush()

    def _client(self) -> Any:
        size = int(topic_specs()[Topic.RAW_STREAM].config["max.message.bytes"])
        return AIOKafkaProducer(  # its default partitioner is Java's murmur2, by which the workers find a session
            **connection_options(self._settings, "publish"),
            acks="all",
            enable_idempotence=self._idempotent,
            linger_ms=2,  # records of several sessions meet in one request; pieces have been joined before
            max_request_size=size,
            max_batch_size=128 * 1024,
        )

    async def _send(self, key: bytes, record: Outgoing) -> asyncio.Future[Any]:
        sent: asyncio.Future[Any] = await self._producer.send(self._topic, record.value, key, headers=list(record.headers))
        return sent

    # -- responses

    def start(
        self,
        session: str,
        *,
        response_id: str | None = None,
        turn: int | None = None,
        provider: str | None = None,
        model: str | None = None,
        tools: list[Any] | None = None,
        catalog: str | None = None,
        history: list[Any] | None = None,
        namespaces: Iterable[str] = (),
        tool_choice: str | None = None,
        thought_open: bool = False,
        format: str | None = None,
        policy: Mapping[str, Any] | None = None,
        traceparent: str | None = None,
    ) -> Reply:
        """A response of `session` begins (1 to 256 bytes, the record key). A new `response_id` is made unless the provider's is given.

        The other arguments are the fields of a `start` record. Nothing is written before the first piece. Raises `UsageError`.
        """
        if self._producer is None or self._closed:
            raise UsageError("the gateway is not open; use it with `async with tamis.publish() as gateway`")
        try:
            key = session.encode()
        except UnicodeEncodeError:
            key = b""
        if not 1 <= len(key) <= MAX_KEY:
            raise UsageError(f"a session id has 1 to {MAX_KEY} bytes of UTF-8")
        name = response_id if response_id is not None else f"r-{secrets.token_hex(8)}"
        if not 1 <= len(name) <= MAX_ID:
            raise UsageError(f"a response id has 1 to {MAX_ID} characters")
        known = self._open.get((session, name))
        if known is not None and not known.ended:
            raise UsageError(f"response {name!r} of this session is open already; two would mix their numbers")
        told = {
            "turn": turn, "provider": provider, "model": model, "catalog": catalog, "tools": tools, "history": history,
            "namespaces": list(namespaces) or None, "tool_choice": tool_choice, "thought_open": thought_open or None, "format": format,
            "policy": dict(policy) if policy else None,
        }  # fmt: skip
        fields = {key: value for key, value in told.items() if value is not None}
        try:
            read_start(fields)
        except FrameError as error:
            raise UsageError(f"the workers would not take this response: {error}") from None
        if len(encode(fields)) > MAX_START:
            raise UsageError(f"what a response declares may have {MAX_START} bytes: publish the tools as a catalogue, and shorten the history")
        reply = self._open[session, name] = Reply(self._outbox, key, Envelope(name, fields, traceparent))
        return reply
