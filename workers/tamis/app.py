"""The Faust app: topics, the sessions table, settings. No logic; the agents are found by name.

    faust -A tamis.app worker -l info
"""

from __future__ import annotations

import ssl
import tempfile
from pathlib import Path
from typing import Any

import faust
from mode import CrashingSupervisor

from tamis import coercers
from tamis.settings import Settings, load
from tamis.transport import BatchSchema, LowLatencyApp, NewestTable, scheduler
from tamis.wire.topics import Topic, topic_specs

__all__ = ["app", "build_app", "settings", "topic_name"]


def topic_name(settings: Settings, topic: str) -> str:
    """The name of a topic on the broker."""
    return settings.prefix + topic


def credentials(settings: Settings) -> Any:
    """What Faust and aiokafka need to reach a protected Kafka, or None."""
    kafka = settings.kafka
    context = ssl_context(settings)
    if kafka.security_protocol.startswith("SASL"):
        password = kafka.password.get_secret_value() if kafka.password is not None else ""
        return faust.SASLCredentials(username=kafka.username, password=password, ssl_context=context, mechanism=kafka.sasl_mechanism)
    return faust.SSLCredentials(context) if context is not None else None


def ssl_context(settings: Settings) -> ssl.SSLContext | None:
    """TLS as configured, or None."""
    kafka = settings.kafka
    if not kafka.security_protocol.endswith("SSL"):
        return None
    context = ssl.create_default_context(cafile=str(kafka.ca_file) if kafka.ca_file is not None else None)
    if kafka.cert_file is not None:
        password = kafka.key_password.get_secret_value() if kafka.key_password is not None else None
        context.load_cert_chain(kafka.cert_file, kafka.key_file, password)
    return context


def build_app(chosen: Settings) -> LowLatencyApp:
    """The app for these settings."""
    raw_name, results_name = (topic_name(chosen, topic) for topic in (Topic.RAW_STREAM, Topic.TOOL_RESULTS))
    size = int(topic_specs()[Topic.TOOL_CALLS].config["max.message.bytes"])
    made = LowLatencyApp(
        chosen.app_id,
        broker=chosen.faust_broker,
        broker_credentials=credentials(chosen),
        autodiscover=["tamis.agents"],
        origin="tamis.agents",  # else Faust guesses one from the program that was started
        store="memory://",
        datadir=Path(tempfile.gettempdir()) / f"{chosen.app_id}-data",  # Faust wants one; with the memory store nothing is kept in it
        topic_partitions=chosen.partitions,
        topic_disable_leader=True,  # the leader topic is for features that are not used here
        topic_allow_declare=False,  # topics are made by `tamis topics init`; a typo must not make one
        table_standby_replicas=0,  # standby rows would land in the same dictionary
        Table=NewestTable,
        ConsumerScheduler=scheduler(raw_name, results_name),
        agent_supervisor=CrashingSupervisor,
        stream_buffer_maxsize=16,  # counts lists of records, so 4096 would read a whole backlog into memory
        stream_wait_empty=False,  # acknowledgements come at barriers: a revoke must not wait for them
        consumer_auto_offset_reset="earliest",
        broker_commit_interval=chosen.commit_interval_seconds,
        broker_session_timeout=chosen.session_timeout_seconds,
        broker_heartbeat_interval=chosen.heartbeat_interval_seconds,
        broker_request_timeout=max(30.0, chosen.session_timeout_seconds),  # must not be below the session timeout
        broker_max_poll_interval=300.0,
        producer_linger=0.002,  # 2 ms: small batches meet, nobody waits
        producer_max_request_size=size,
        producer_max_batch_size=128 * 1024,
        producer_request_timeout=30.0,  # Faust's 20 minutes would hide a dead broker
        recovery_consistency_check=False,  # the embedded broker's end offsets are too low after a rebalance; recovery still reads all
        web_host=chosen.web_host,
        web_bind=chosen.web_host,
        web_port=chosen.web_port,
        web_enabled=True,
        web_tables_enabled=False,  # would serve the content of open responses
        web_router_enabled=False,
        worker_redirect_stdouts=False,
    )
    made.fetch_max_wait_ms = chosen.fetch_max_wait_ms
    return made


settings = load()
coercers.load()
app = build_app(settings)
raw_topic = app.topic(topic_name(settings, Topic.RAW_STREAM), schema=BatchSchema(), partitions=settings.partitions)
results_topic = app.topic(topic_name(settings, Topic.TOOL_RESULTS), schema=BatchSchema(), partitions=settings.partitions)
# the types, not a schema: without them Faust puts JSON over the schema's serializers, and no row could be read back
sessions_table = app.Table("sessions", partitions=settings.partitions, key_type=bytes, value_type=bytes)
"""Only the vehicle of the changelog: rows are written by the barrier and read when a partition is assigned."""
