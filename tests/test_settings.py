"""Settings: the order of the layers, refusals with a suggestion, secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from tamis.settings import Settings, SettingsError, load, parse_broker


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("TAMIS_")]:
        monkeypatch.delenv(name)


def source(settings: Settings, key: str) -> str:
    return next(row.source for row in settings.rows() if row.key == key)


def test_each_layer_wins_over_the_one_below(tmp_path: Path) -> None:
    Path("tamis.toml").write_text('partitions = 4\nidle_seconds = 60\nweb_port = 7000\n[limits]\ntext = 1000\n[kafka]\nsecurity_protocol = "SSL"\n')
    environ = {"TAMIS_WEB_PORT": "7001", "TAMIS_IDLE_SECONDS": "61", "TAMIS_LIMITS_CALLS": "3"}
    settings = load({"web_port": 7002, "broker": None}, environ=environ)
    assert (settings.partitions, settings.idle_seconds, settings.web_port) == (4, 61.0, 7002)
    assert (settings.limits.text, settings.limits.calls, settings.limits.name) == (1000, 3, 128)
    assert settings.kafka.security_protocol == "SSL"
    assert source(settings, "app_id") == "default"
    assert source(settings, "partitions") == "file tamis.toml"
    assert source(settings, "idle_seconds") == "environment TAMIS_IDLE_SECONDS"
    assert source(settings, "web_port") == "flag --web-port"


def test_the_file_is_named_by_flag_or_environment(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text("partitions = 1")
    two.write_text("partitions = 2")
    assert load(environ={"TAMIS_CONFIG": str(one)}).partitions == 1
    assert load(config=two, environ={"TAMIS_CONFIG": str(one)}).partitions == 2


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings().partitions = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"TAMIS_BROKR": "x"}, "did you mean TAMIS_BROKER?"),
        ({"TAMIS_PARTITIONS": "many"}, "setting partitions (environment TAMIS_PARTITIONS)"),
        ({"TAMIS_PARTITIONS": "0"}, "greater than or equal to 1"),
        ({"TAMIS_WEB_PORT": "99999"}, "web_port"),
        ({"TAMIS_WEB_HOST": "http://x"}, "the port is web_port"),
        ({"TAMIS_LIMITS_TEXT": "0"}, "limits.text must be a whole number"),
        ({"TAMIS_BROKER": "http://x:1"}, "scheme 'http' is not known"),
        ({"TAMIS_PREFIX": "a b"}, "prefix"),
        ({"TAMIS_CONFIG": "absent.toml"}, "does not exist"),
        ({"TAMIS_KAFKA_USERNAME": "u"}, "security_protocol"),
        ({"TAMIS_KAFKA_SECURITY_PROTOCOL": "SASL_SSL"}, "needs username and password"),
        ({"TAMIS_KAFKA_CA_FILE": "absent.pem", "TAMIS_KAFKA_SECURITY_PROTOCOL": "SSL"}, "is no file"),
        ({"TAMIS_KAFKA_PASSWORD_FILE": "absent"}, "cannot read the secret"),
        ({"TAMIS_KAFKA_PASSWORD_FILE": "absent", "TAMIS_KAFKA_PASSWORD": "x"}, "given twice"),
    ],
)
def test_bad_environment_is_refused_with_the_reason(environ: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(environ=environ)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("partitons = 3", "did you mean partitions?"),
        ("[kafka]\npasword = 'x'", "did you mean kafka.password?"),
        ("[kafka.deep]\nx = 1", "unknown setting"),
        ("partitions = ", "is no TOML"),
    ],
)
def test_bad_file_is_refused_with_the_reason(text: str, said: str) -> None:
    Path("tamis.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(environ={})
    assert said in str(caught.value)


def test_kubernetes_service_links_are_not_ours() -> None:
    load(environ={"TAMIS_SERVICE_HOST": "10.0.0.1", "TAMIS_PORT": "tcp://10.0.0.1:80", "TAMIS_PORT_6066_TCP_ADDR": "10.0.0.1"})


def test_a_secret_comes_from_a_file_and_is_never_shown() -> None:
    Path("password").write_text("hunter2\n")
    environ = {"TAMIS_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT", "TAMIS_KAFKA_USERNAME": "me", "TAMIS_KAFKA_PASSWORD_FILE": "password"}
    settings = load(environ=environ)
    assert settings.kafka.password is not None
    assert settings.kafka.password.get_secret_value() == "hunter2"
    row = next(row for row in settings.rows() if row.key == "kafka.password")
    assert row.value == "********"
    assert row.source == "environment TAMIS_KAFKA_PASSWORD_FILE"
    assert "hunter2" not in repr(settings) + str(settings.rows())


def test_a_bad_secret_is_not_in_the_error() -> None:
    with pytest.raises(SettingsError) as caught:
        load(environ={"TAMIS_KAFKA_USERNAME": "me", "TAMIS_KAFKA_PASSWORD": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_with_flags_keeps_values_and_sources() -> None:
    settings = load(environ={"TAMIS_PARTITIONS": "3"}).with_flags(broker="localhost:9092", web_port=None)
    assert (settings.partitions, settings.broker) == (3, "kafka://localhost:9092")
    assert source(settings, "partitions") == "environment TAMIS_PARTITIONS"
    with pytest.raises(SettingsError):
        settings.with_flags(broker="nonsense")


@pytest.mark.parametrize(
    ("given", "servers"),
    [("a:1", ["a:1"]), ("kafka://a:1,b:2", ["a:1", "b:2"]), ("kafka://a:1;kafka://b:2/", ["a:1", "b:2"]), ("[::1]:9092", ["[::1]:9092"])],
)
def test_brokers_are_read_in_every_usual_spelling(given: str, servers: list[str]) -> None:
    assert parse_broker(given) == servers
    assert Settings(broker=given).bootstrap_servers == servers
    assert Settings(broker=given).faust_broker == ";".join(f"kafka://{server}" for server in servers)
