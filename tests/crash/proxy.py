"""A way to the broker that can hold up what workers write.

A broker tells its clients where it is, so a proxy only works for a broker that was told to advertise the proxy's address; both brokers of
the suite can be. Only produce requests of Faust's clients are held up: fetches and the suite's own clients pass.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator

__all__ = ["Proxy"]

_PRODUCE = 0  # Kafka's key of that request
_HEAD = struct.Struct(">hhih")  # of a request: its key, version, number, length of the client's id
_WORKER = b"faust"  # what the ids of Faust's clients begin with


class Proxy:
    """Forwards bytes between a port of its own and the broker; `delay` is in seconds."""

    def __init__(self, target: int) -> None:
        self.delay = 0.0
        self.held = 0
        self._target = target
        self._open: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def listening(self, port: int) -> AsyncIterator[Proxy]:
        """Serve `port` of loopback."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", port)
        try:
            yield self
        finally:
            server.close()
            for task in self._open:
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._client(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            broker_reader, broker_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # the broker is away: so is this address
            writer.close()
            return
        back = asyncio.create_task(self._answers(broker_reader, writer))
        try:
            while True:
                size = await reader.readexactly(4)
                request = await reader.readexactly(int.from_bytes(size, "big"))
                if self.delay and self._is_write(request):
                    self.held += 1
                    await asyncio.sleep(self.delay)
                broker_writer.write(size + request)
                await broker_writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass  # one side has gone; the other one learns it here
        finally:
            back.cancel()
            broker_writer.close()
            writer.close()

    @staticmethod
    async def _answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    @staticmethod
    def _is_write(request: bytes) -> bool:
        key, _, _, length = _HEAD.unpack_from(request)
        return key == _PRODUCE and request[_HEAD.size : _HEAD.size + max(length, 0)].startswith(_WORKER)
