"""`tamis.consume`: the records of output topics, each once, committed when the next one is asked for.

One record is on its way at a time. When the group rebalances, the partitions are given up after the handler has finished and its
record is committed, so that no other member gets it again; a handler that takes longer than the handover does not hold up the group.
"""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import logging
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import CommitFailedError, IllegalStateError

from tamis.clients.connection import broker_errors, connection_options, locate, require_topics
from tamis.clients.memory import DEFAULT_SIZE
from tamis.clients.place import Place
from tamis.clients.received import OUTPUTS, Received
from tamis.core.errors import UsageError
from tamis.settings import Settings
from tamis.wire.topics import Topic

__all__ = ["Consumer", "consume"]

log = logging.getLogger(__name__)

POLL_MS = 200  # between two looks at what is neither record nor error: a partition that could not be taken over, an overdue commit
HANDOVER_SECONDS = 20.0  # a rebalance waits so long for a handler: more than most tools take, less than the group's patience
REBALANCE_SECONDS = 30.0  # that patience; a member that is not back by then is left behind
CLOSE_SECONDS = 5.0  # for the last commit: a broker that is gone must not keep a process alive


def consume(
    *topics: str,
    group: str,
    broker: str | None = None,
    settings: Settings | None = None,
    from_beginning: bool = False,
    remember: int = DEFAULT_SIZE,
    commit_interval_seconds: float = 0.0,
    max_handler_seconds: float = 300.0,
) -> Consumer:
    """The records of one or more output topics, as an async iterator; use it with `async with`.

    `group` is the name under which it is remembered what was handled; members of one group share the partitions, and a session's records
    of all the topics come to the same member. A new group begins with the next record, or `from_beginning`. Duplicates are dropped when
    at most `remember` records of their partition lie between. What was handed out is committed when the next record is asked for, at
    most every `commit_interval_seconds`: 0 means that after a crash one record comes again, the one that was being handled; more is
    cheaper where records are many and small. A handler may take `max_handler_seconds`; after that another member gets its record.

    `broker` is `kafka://HOST:PORT`; else, as all other settings, from `settings` or environment and file. Raises `UsageError` here, and
    `BrokerError` when iterating.
    """
    known = [str(topic) for topic in sorted(OUTPUTS)]
    for topic in topics:
        if topic not in OUTPUTS:
            close = difflib.get_close_matches(topic, known, 1, 0.5)
            raise UsageError(f"{topic!r} is no output topic{f'; did you mean {close[0]}?' if close else ''}; they are {', '.join(known)}")
    if not topics:
        raise UsageError(f"name a topic: {', '.join(known)}")
    chosen = locate(broker, settings)
    if not group or group == chosen.app_id:
        raise UsageError(f"group {group!r} cannot be used: give a name of your own, and not that of the workers, {chosen.app_id!r}")
    if remember < 1 or commit_interval_seconds < 0 or max_handler_seconds <= 0:
        raise UsageError("remember must be at least 1, commit_interval_seconds not negative, max_handler_seconds above 0")
    return Consumer(
        chosen, [Topic(topic) for topic in dict.fromkeys(topics)], group, from_beginning=from_beginning, remember=remember,
        commit_interval_seconds=commit_interval_seconds, max_handler_seconds=max_handler_seconds,
    )  # fmt: skip


class Consumer:
    """See `consume`. Of one task: two that iterate over it would take each other's records for handled."""

    def __init__(
        self, settings: Settings, topics: Iterable[Topic], group: str, *, from_beginning: bool = False, remember: int = DEFAULT_SIZE,
        commit_interval_seconds: float = 0.0, max_handler_seconds: float = 300.0, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._topics = {settings.prefix + topic: topic for topic in topics}
        self._group = group
        self._from_beginning = from_beginning
        self._remember = remember
        self._commit_interval = commit_interval_seconds
        self._max_handler_seconds = max_handler_seconds
        self._clock = clock
        self._kafka: Any = None
        self._places: dict[TopicPartition, Place] = {}
        self._hand: tuple[Place, Received] | None = None  # what the handler has now
        self._free = asyncio.Event()  # nothing is in the hand
        self._free.set()
        self._settled = False  # the partitions are ours, and where to begin in them is known
        self._failure: BaseException | None = None  # of a rebalance: raised where the caller sees it
        self._committing = asyncio.Lock()
        self._committed_at = clock()
        self._closed = False

    # -- iterating

    async def __aenter__(self) -> Consumer:
        await self._begin()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    def __aiter__(self) -> Consumer:
        return self

    async def __anext__(self) -> Received:
        self._let_go()
        if self._closed:
            raise StopAsyncIteration
        with broker_errors(self._settings):
            await self._begin()
            await self._commit_when_due()
            while True:
                await asyncio.sleep(0)  # records that are there already come without waiting: heartbeats need a turn as well
                record = await self._poll()
                if record is None:
                    await self._commit_when_due()
                elif not self._settled:
                    await asyncio.sleep(POLL_MS / 1000)  # fetched before it was known where to begin: it is read again
                else:
                    place = self._places[TopicPartition(record.topic, record.partition)]
                    found = place.take(record)
                    if found is not None:
                        self._hand = place, found
                        self._free.clear()
                        return found

    async def commit(self) -> None:
        """Say that the record in the hand is handled, without asking for the next one: before a `break`, for instance."""
        self._let_go()
        with broker_errors(self._settings):
            await self._commit()

    async def aclose(self) -> None:
        """Commit what was handled, leave the group, end the iteration. The record in the hand is not committed."""
        if self._closed:
            return
        self._closed = True
        self._hand = None
        self._free.set()
        if self._kafka is None:
            return
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._commit()
        except Exception as error:  # noqa: BLE001 - whatever it is: the client must be stopped, and the records come again
            log.warning("the last commit of group %s failed (%s); its records come again", self._group, type(error).__name__)
        await self._kafka.stop()

    async def _begin(self) -> None:
        if self._kafka is not None:
            return
        with broker_errors(self._settings):
            await require_topics(self._settings, self._topics, "consume")
            self._kafka = self._client()
            self._kafka.subscribe(list(self._topics), listener=_Listener(self))
            try:
                await self._kafka.start()  # joins the group, and with that calls `assigned`
            except BaseException:
                await self._kafka.stop()
                self._kafka = None
                raise

    def _client(self) -> Any:
        options = connection_options(self._settings, "consume")
        # a join takes as long as the slowest member's handover: to give up on it before would begin it again, for ever
        options["request_timeout_ms"] = int((REBALANCE_SECONDS + 10) * 1000)
        timeout_ms = int(self._settings.session_timeout_seconds * 1000)
        return AIOKafkaConsumer(
            **options,
            group_id=self._group,
            enable_auto_commit=False,
            auto_offset_reset="earliest",  # only for offsets that the broker has dropped: nothing that is still there is skipped
            partition_assignment_strategy=[RangePartitionAssignor],  # the same partition of several topics to one member
            session_timeout_ms=timeout_ms,
            heartbeat_interval_ms=int(self._settings.heartbeat_interval_seconds * 1000),
            rebalance_timeout_ms=int(max(REBALANCE_SECONDS * 1000, timeout_ms)),
            max_poll_interval_ms=int(self._max_handler_seconds * 1000),
            fetch_max_wait_ms=self._settings.fetch_max_wait_ms,
        )

    async def _poll(self) -> Any:
        """One raw record, or None when there is none for a moment."""
        found = await self._kafka.getmany(timeout_ms=POLL_MS, max_records=1)
        if self._failure is not None:
            raise self._failure
        return next((records[0] for records in found.values() if records), None)

    def _let_go(self) -> None:
        if self._hand is not None:
            place, record = self._hand
            place.handled(record)
            self._hand = None
            self._free.set()

    # -- commits

    async def _commit_when_due(self) -> None:
        if self._clock() - self._committed_at >= self._commit_interval:
            await self._commit()

    async def _commit(self) -> None:
        async with self._committing:  # else an older commit might come behind a newer one
            self._committed_at = self._clock()
            told = {tp: place.done for tp, place in self._places.items() if place.done > place.committed}
            if not told:
                return
            places = dict(self._places)
            try:
                await self._kafka.commit(told)
            except (CommitFailedError, IllegalStateError):
                # the group has moved on without this member: whoever has the partitions now reads these records again
                log.warning("group %s has rebalanced before %s partitions were committed; their last records come again", self._group, len(told))
                return
            for tp, offset in told.items():
                places[tp].committed = offset

    # -- rebalances; the client library awaits these, and would only log what they raise

    async def revoked(self) -> None:
        """Before partitions are given up: let the handler finish, and commit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HANDOVER_SECONDS):
                await self._free.wait()
        self._settled = False
        try:
            await self._commit()
        except Exception as error:  # noqa: BLE001 - it must not stop the rebalance; the records come again
            log.warning("group %s could not commit before a rebalance (%s)", self._group, type(error).__name__)

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Find out where to begin in each partition, and read from there."""
        try:
            self._places = {tp: await self._place(tp) for tp in sorted(partitions)}
            for tp, place in self._places.items():
                self._kafka.seek(tp, place.next)
            self._settled = True
        except Exception as error:  # noqa: BLE001 - handed to whoever iterates
            self._failure = error

    async def _place(self, tp: TopicPartition) -> Place:
        committed = await self._kafka.committed(tp)
        kept = self._places.get(tp)
        if committed is None:
            ends = await (self._kafka.beginning_offsets([tp]) if self._from_beginning else self._kafka.end_offsets([tp]))
            committed = ends[tp]
            # at once: else a member that comes before the first commit would begin somewhere else
            await self._kafka.commit({tp: committed})
        if kept is not None and kept.committed <= committed <= kept.next:
            kept.committed, kept.done = committed, max(committed, kept.done)
            return kept  # nobody else has had it meanwhile, or nobody got further
        return Place(self._topics[tp.topic], committed, self._remember)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # the client library carries no types
    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        await self._consumer.revoked()

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        await self._consumer.assigned(assigned)
