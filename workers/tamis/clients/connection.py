"""How a client reaches the broker, and what it says when that does not work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from aiokafka.errors import KafkaError

from tamis.core.errors import TamisError, UsageError
from tamis.settings import Settings, load

__all__ = ["REQUEST_TIMEOUT_MS", "BrokerError", "broker_errors", "connection_options", "locate", "require_topics"]

REQUEST_TIMEOUT_MS = 15_000
"""A broker that has not answered for so long will not: healthy ones take milliseconds, a leader election some seconds."""


class BrokerError(TamisError):
    """The broker cannot be reached, or refuses; the text says which one and what to do."""


def locate(broker: str | None, settings: Settings | None) -> Settings:
    """Settings with a broker: the argument, else the settings given, else environment and file. Raises `UsageError`, `SettingsError`."""
    chosen = load({"broker": broker}) if settings is None else settings.with_flags(broker=broker)
    if chosen.broker is None:
        raise UsageError("no broker is known: give broker='kafka://HOST:PORT', or set TAMIS_BROKER")
    return chosen


def connection_options(settings: Settings, name: str) -> dict[str, Any]:
    """Keywords for any aiokafka client called `name`: address, security, and a bound on waiting."""
    kafka = settings.kafka
    options: dict[str, Any] = {
        "bootstrap_servers": settings.bootstrap_servers,
        "request_timeout_ms": REQUEST_TIMEOUT_MS,
        "client_id": f"{settings.app_id}-{name}",
        "security_protocol": kafka.security_protocol,
    }
    if kafka.security_protocol.startswith("SASL"):
        options["sasl_mechanism"] = kafka.sasl_mechanism
        options["sasl_plain_username"] = kafka.username
        options["sasl_plain_password"] = kafka.password.get_secret_value() if kafka.password else None
    if kafka.security_protocol.endswith("SSL"):
        from aiokafka.helpers import create_ssl_context

        options["ssl_context"] = create_ssl_context(
            cafile=str(kafka.ca_file) if kafka.ca_file else None,
            certfile=str(kafka.cert_file) if kafka.cert_file else None,
            keyfile=str(kafka.key_file) if kafka.key_file else None,
            password=kafka.key_password.get_secret_value() if kafka.key_password else None,
        )
    return options


@contextlib.contextmanager
def broker_errors(settings: Settings) -> Iterator[None]:
    """Turns what the client library raises into `BrokerError`."""
    try:
        yield
    except KafkaError as error:
        said = f"broker {settings.broker}: {type(error).__name__}: {error}"
        raise BrokerError(f"{said}; check that it runs, the address, and the kafka settings") from error


async def require_topics(settings: Settings, names: Iterable[str], client: str) -> None:
    """Raises `BrokerError` for a topic that is not there: to read or write it could make it, with another number of partitions."""
    from aiokafka.admin import AIOKafkaAdminClient

    admin = AIOKafkaAdminClient(**connection_options(settings, client))
    try:
        await admin.start()
        there = set(await admin.list_topics())
    finally:
        await admin.close()
    missing = [name for name in names if name not in there]
    if missing:
        raise BrokerError(f"topic {', '.join(missing)} is not on the broker {settings.broker}; run `tamis topics init`")
