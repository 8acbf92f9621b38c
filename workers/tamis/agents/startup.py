"""Topics as they must be: made by an init step, checked before a worker takes a record."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import for_code

from tamis.app import ssl_context
from tamis.core.errors import TamisError
from tamis.settings import Settings
from tamis.wire.topics import CHANGELOG, topic_specs

__all__ = ["Problem", "TopicError", "check_topics", "client_options", "create_topics", "refuse_wrong_topics", "wanted_topics"]

_SHOWN_TRIES, _SHOWN_SECONDS = 50, 0.2  # ten seconds in all: metadata travels in milliseconds on a healthy cluster
_EXISTS = 36  # Kafka's error code for a topic that is there already


class TopicError(TamisError):
    """The topics are not as they must be; the text says how to mend it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One topic that is missing (`found` None) or has another partition count."""

    topic: str
    wanted: int
    found: int | None

    def __str__(self) -> str:
        if self.found is None:
            return f"topic {self.topic!r} is missing; run `tamis topics init`"
        return (
            f"topic {self.topic!r} has {self.found} partitions, the setting says {self.wanted}; set partitions={self.found} everywhere, "
            "or drain and recreate the topic"
        )


def client_options(settings: Settings) -> dict[str, Any]:
    """Keywords of every aiokafka client for these settings."""
    kafka = settings.kafka
    options: dict[str, Any] = {"bootstrap_servers": settings.bootstrap_servers, "security_protocol": kafka.security_protocol}
    context = ssl_context(settings)
    if context is not None:
        options["ssl_context"] = context
    if kafka.security_protocol.startswith("SASL"):
        password = kafka.password.get_secret_value() if kafka.password is not None else None
        options |= {"sasl_mechanism": kafka.sasl_mechanism, "sasl_plain_username": kafka.username, "sasl_plain_password": password}
    return options


def wanted_topics(settings: Settings) -> dict[str, tuple[int, dict[str, str]]]:
    """Name on the broker -> (partitions, configuration) of every topic."""
    found = {}
    for name, spec in topic_specs().items():
        real = f"{settings.app_id}-sessions-changelog" if name == CHANGELOG else settings.prefix + name
        found[real] = (spec.count(settings.partitions), spec.config)
    return found


async def create_topics(settings: Settings) -> list[str]:
    """Make the topics that are missing; the names of those made. Replication is the broker's default. Raises `TopicError`."""
    wanted = wanted_topics(settings)
    admin = AIOKafkaAdminClient(**client_options(settings))
    await admin.start()
    try:
        there = set(await admin.list_topics())
        made = []
        for name, (count, config) in wanted.items():
            if name in there:
                continue
            code, message = await _create(admin, name, count, -1, config)
            if code not in (0, _EXISTS):
                # a broker that knows no default replication is a single one
                code, message = await _create(admin, name, count, 1, config)
            if code not in (0, _EXISTS):
                raise TopicError(f"topic {name!r} could not be made: {message or for_code(code).__name__}")
            made.append(name)
        # a cluster tells its brokers of new topics one after the other: wait until they show, so that a check right behind is right
        for _ in range(_SHOWN_TRIES):
            if set(wanted) <= set(await admin.list_topics()):
                break
            await asyncio.sleep(_SHOWN_SECONDS)
        return made
    finally:
        await admin.close()


async def _create(admin: Any, name: str, count: int, replication: int, config: dict[str, str]) -> tuple[int, str]:
    topic = NewTopic(name, count, 1, topic_configs=config)
    topic.replication_factor = replication  # the constructor refuses -1, which the protocol has for "the broker's default"
    answer = await admin.create_topics([topic])
    code, message = 0, ""
    for item in answer.topic_errors:
        code, message = item[1], str(item[2] or "") if len(item) > 2 else ""
    return code, message


async def check_topics(settings: Settings) -> list[Problem]:
    """What is missing or has another partition count."""
    wanted = wanted_topics(settings)
    admin = AIOKafkaAdminClient(**client_options(settings))
    await admin.start()
    try:
        there = set(await admin.list_topics())
        names = [name for name in wanted if name in there]
        found = {item["topic"]: len(item["partitions"]) for item in await admin.describe_topics(names)} if names else {}
    finally:
        await admin.close()
    return [Problem(name, count, found.get(name)) for name, (count, _) in wanted.items() if found.get(name) != count]


async def refuse_wrong_topics(settings: Settings) -> None:
    """Raises `TopicError` that says how to mend it, unless all topics are as they must be."""
    problems = await check_topics(settings)
    if problems:
        raise TopicError("the worker does not start: " + "; ".join(map(str, problems)))
