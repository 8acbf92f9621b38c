"""What an operator may decide, in one frozen object: defaults < TOML file < `TAMIS_*` environment < flags.

`load` reads every layer once, refuses keys nobody knows (with a suggestion) and remembers where each value came from;
`Settings(...)` alone is defaults plus the keywords given, which is what tests want. A key `kafka.password` is
`password` under `[kafka]` in the file and `TAMIS_KAFKA_PASSWORD` in the environment; a secret may also be named by a file
that holds it (`TAMIS_KAFKA_PASSWORD_FILE`, `password_file`), as container platforms mount them.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from tamis.core.errors import TamisError
from tamis.core.limits import Limits

__all__ = ["DEFAULT_FILE", "ENV_PREFIX", "KafkaSecurity", "Row", "Settings", "SettingsError", "load", "parse_broker"]

ENV_PREFIX = "TAMIS_"
DEFAULT_FILE = "tamis.toml"
MASK = "********"
# Variables with our prefix that are no settings: where the file is, and what the test runner is told.
_RESERVED = re.compile(r"TAMIS_(CONFIG|REQUIRE_[A-Z]+|TEST_[A-Z0-9_]+)")
# Kubernetes injects these for a Service that is named "tamis": not ours, and no reason to refuse to start.
_SERVICE_LINKS = re.compile(r"TAMIS_(?:[A-Z0-9_]+_)?(?:SERVICE_(?:HOST|PORT)[A-Z0-9_]*|PORT(?:_[0-9]+_(?:TCP|UDP)[A-Z_]*)?)")
_HOST = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")


class SettingsError(TamisError):
    """A setting that cannot be used; the text names the key, its source and what to do."""


class Row(NamedTuple):
    """One setting for display: dotted key, value as text with secrets masked, where it came from."""

    key: str
    value: str
    source: str


def parse_broker(value: str) -> list[str]:
    """`kafka://a:9092,b:9092` (scheme optional; comma or semicolon) as `["a:9092", "b:9092"]`; ValueError says what is wrong."""
    servers: list[str] = []
    for part in re.split(r"[,;]", value):
        scheme, found, rest = part.strip().rpartition("://")
        if found and scheme not in ("kafka", "aiokafka"):
            raise ValueError(f"scheme {scheme!r} is not known; write kafka://HOST:PORT")
        server = rest.rstrip("/")
        match = _HOST.fullmatch(server)
        if match is None or not 0 < int(match.group(1)) < 65536:
            raise ValueError(f"{server!r} is no HOST:PORT; write kafka://HOST:PORT, several with commas")
        servers.append(server)
    return servers


class KafkaSecurity(BaseModel):
    """How to reach a protected Kafka; passed through to the client as it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "PLAIN"
    username: str | None = None
    password: SecretStr | None = None
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None
    key_password: SecretStr | None = None

    @model_validator(mode="after")
    def _complete(self) -> KafkaSecurity:
        if self.security_protocol.startswith("SASL") and (self.username is None or self.password is None):
            raise ValueError(f"security_protocol {self.security_protocol} needs username and password")
        if (self.username is not None or self.password is not None) and not self.security_protocol.startswith("SASL"):
            raise ValueError("username and password need security_protocol SASL_SSL or SASL_PLAINTEXT; else they would be ignored")
        if (self.ca_file or self.cert_file) and not self.security_protocol.endswith("SSL"):
            raise ValueError("certificate files need security_protocol SSL or SASL_SSL; else they would be ignored")
        if (self.key_file is None) != (self.cert_file is None):
            raise ValueError("cert_file and key_file go together; set both or neither")
        for name in ("ca_file", "cert_file", "key_file"):
            path = getattr(self, name)
            if path is not None and not path.is_file():
                raise ValueError(f"{name} {str(path)!r} is no file")
        return self


class Settings(BaseSettings):
    """All settings; frozen. Times are in the unit that the name ends with, sizes in bytes."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    broker: str | None = None
    """Where Kafka is, `kafka://HOST:PORT` (several with commas); None: the command looks for a running `tamis up`."""
    app_id: str = Field(default="tamis", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    """Consumer group and name of the changelog; another id is another service with a state of its own."""
    prefix: str = Field(default="", pattern=r"^[A-Za-z0-9._-]{0,100}$")
    """Put before every topic name, as prefix ACLs want it (`acme.`)."""
    partitions: int = Field(default=12, ge=1, le=1024)
    """Of every session topic; 12 divides by 1, 2, 3, 4, 6 and 12 workers."""
    web_host: str = "127.0.0.1"
    """Loopback unless an operator decides otherwise: the pages have no authentication."""
    web_port: int = Field(default=6066, ge=1, le=65535)
    """Faust's own default."""
    commit_interval_seconds: float = Field(default=0.25, gt=0, le=60)
    """Short, because what is not committed is read again after a crash; cheap, because acknowledgements are ranges."""
    barrier_interval_seconds: float = Field(default=1.0, gt=0, le=60)
    """Between two snapshots of the open responses: one second of input is replayed in less than a second of work."""
    idle_seconds: float = Field(default=120.0, gt=0, le=86400)
    """A response without a record for so long has ended; past the slowest thinking pauses of real models."""
    catalog_wait_seconds: float = Field(default=5.0, ge=0, le=300)
    """A response that names a catalogue nobody has published waits for it so long; then its calls are refused."""
    result_wait_seconds: float = Field(default=30.0, ge=0, le=3600)
    """A result whose call is not known waits so long: past the replay of a worker that took over; then it is a dead letter."""
    fetch_max_wait_ms: int = Field(default=50, ge=1, le=5000)
    """Long poll of a fetch; the embedded broker answers only after a quarter of it, so it is latency."""
    session_timeout_seconds: float = Field(default=10.0, ge=1, le=300)
    """After so long without heartbeats the group goes on without a worker; `tamis up` takes 6 on its own broker."""
    raw_in_rejections: bool = True
    """The model's own words on `rejections`: nothing is lost; switch off where that topic may not hold content."""
    buffered_bytes: int = Field(default=256 * 1024 * 1024, ge=1024 * 1024)
    """Open text of one worker, 256 MiB; beyond it the response idle for longest is evicted."""
    known_providers: tuple[str, ...] = ()
    """Providers whose series exist from the start, at 0, so that their first refusal is a change that an alert sees."""
    known_models: tuple[str, ...] = ()
    """Models that keep a label of their own in metrics however many others come; of the others the first 50 do."""
    limits: Limits = Field(default_factory=Limits)
    """Bounds of one response (`tamis.core.limits`)."""
    kafka: KafkaSecurity = Field(default_factory=KafkaSecurity)
    """TLS and SASL."""

    _sources: dict[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("broker")
    @classmethod
    def _broker(cls, value: str | None) -> str | None:
        return None if not value else "kafka://" + ",".join(parse_broker(value))

    @field_validator("known_providers", "known_models", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return tuple(name for part in value.split(",") if (name := part.strip())) if isinstance(value, str) else value

    @field_validator("web_host")
    @classmethod
    def _web_host(cls, value: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9.:_-]+", value):
            raise ValueError("must be a host name or address without a port; the port is web_port")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Own layers only: the library's would drop unknown names in silence. Highest first."""
        return (init_settings, *(_LayerSource(settings_cls, layer) for layer in reversed(_LAYERS.get())))

    @property
    def bootstrap_servers(self) -> list[str]:
        """`["host:port", …]` for a Kafka client; empty when no broker is known."""
        return parse_broker(self.broker) if self.broker else []

    @property
    def faust_broker(self) -> str:
        """The broker as Faust spells it, `kafka://a:9092;kafka://b:9092`; Kafka's own port on loopback when none is known."""
        return ";".join(f"kafka://{server}" for server in self.bootstrap_servers or ["127.0.0.1:9092"])

    @property
    def heartbeat_interval_seconds(self) -> float:
        """A third of the session timeout (two may get lost), at most 3 s, as the Kafka clients advise."""
        return min(3.0, self.session_timeout_seconds / 3)

    def with_flags(self, **flags: object) -> Settings:
        """A copy in which `flags` (dotted keys with `_` for `.`; None is skipped) win, sources kept."""
        given = {key: value for key, value in flags.items() if value is not None}
        try:
            made = self.model_validate({**{name: getattr(self, name) for name in type(self).model_fields}, **given})
        except ValidationError as error:
            raise SettingsError(_explain(error, dict.fromkeys(given, "flag"))) from None
        made._sources = {**self._sources, **{key: f"flag --{key.replace('_', '-')}" for key in given}}
        return made

    def rows(self) -> list[Row]:
        """Every setting with its value (secrets masked) and source, in the order of this class."""
        return [Row(key, _shown(_value_at(self, key)), self._sources.get(key, "default")) for key in _KEYS]


class _Layer(NamedTuple):
    values: dict[str, Any]  # dotted key -> raw value
    sources: dict[str, str]  # dotted key -> where, for people


_LAYERS: ContextVar[tuple[_Layer, ...]] = ContextVar("tamis_settings_layers", default=())


class _LayerSource(PydanticBaseSettingsSource):
    """One layer as pydantic-settings wants it: nested under the sections."""

    def __init__(self, settings_cls: type[BaseSettings], layer: _Layer) -> None:
        super().__init__(settings_cls)
        self._layer = layer

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return self._layer.values.get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        nested: dict[str, Any] = {}
        for key, value in self._layer.values.items():
            section, _, name = key.rpartition(".")
            (nested.setdefault(section, {}) if section else nested)[name] = value
        return nested


def _keys() -> Iterator[str]:
    for name in Settings.model_fields:
        if name == "limits":
            yield from (f"limits.{item}" for item in Limits.__dataclass_fields__)
        elif name == "kafka":
            yield from (f"kafka.{item}" for item in KafkaSecurity.model_fields)
        else:
            yield name


_KEYS = tuple(_keys())
_SECRETS = frozenset({"kafka.password", "kafka.key_password"})
_SECRET_FILES = {f"{key}_file": key for key in _SECRETS}


def load(flags: Mapping[str, object] | None = None, *, config: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Settings out of every layer.

    `flags`: dotted keys of the command line, None where a flag was not given. `config`: the TOML file, else `TAMIS_CONFIG`, else
    `tamis.toml` of the working directory when there is one. `environ`: default the process's. Raises `SettingsError`.
    """
    environ = os.environ if environ is None else environ
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    flag_layer = _layer(given, {key: f"flag --{key.replace('.', '-').replace('_', '-')}" for key in given}, {key: key for key in given})
    layers = (_read_file(config, environ), _read_environment(environ), flag_layer)
    token = _LAYERS.set(layers)
    sources: dict[str, str] = {}
    for layer in layers:
        sources |= layer.sources
    try:
        settings = Settings()
    except ValidationError as error:
        raise SettingsError(_explain(error, sources)) from None
    finally:
        _LAYERS.reset(token)
    settings._sources = sources
    return settings


def _read_file(config: Path | None, environ: Mapping[str, str]) -> _Layer:
    named = config or (Path(environ["TAMIS_CONFIG"]) if environ.get("TAMIS_CONFIG") else None)
    path = named or Path(DEFAULT_FILE)
    if named is None and not path.is_file():
        return _Layer({}, {})
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"settings file {str(path)!r} does not exist; check --config or TAMIS_CONFIG") from None
    except OSError as error:
        raise SettingsError(f"settings file {str(path)!r} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {str(path)!r} is no TOML: {error}") from None
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    return _layer(flat, dict.fromkeys(flat, f"file {path}"), {key: key for key in flat})


def _read_environment(environ: Mapping[str, str]) -> _Layer:
    names = {_env_name(key): key for key in (*_KEYS, *_SECRET_FILES)}
    flat: dict[str, Any] = {}
    shown: dict[str, str] = {}
    for name, value in environ.items():
        if not name.startswith(ENV_PREFIX):
            continue
        if name in names:
            flat[names[name]] = value
            shown[names[name]] = name
        elif not _RESERVED.fullmatch(name) and not _SERVICE_LINKS.fullmatch(name):
            raise SettingsError(f"unknown environment variable {name}{_suggest(name, names)}; `tamis config show` lists all settings")
    return _layer(flat, {key: f"environment {name}" for key, name in shown.items()}, shown)


def _layer(flat: Mapping[str, Any], sources: Mapping[str, str], shown: Mapping[str, str]) -> _Layer:
    """Checks the keys of one layer and reads the files that hold secrets."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key, value in sorted(flat.items()):  # a secret comes before the file that holds it
        target = _SECRET_FILES.get(key, key)
        if target not in _KEYS:
            raise SettingsError(f"unknown setting {key!r} ({sources[key]}){_suggest(key, _KEYS)}; `tamis config show` lists all settings")
        if target in values:
            raise SettingsError(f"{target!r} is given twice, as itself and as a file ({sources[key]}); keep one")
        values[target] = value if target == key else _read_secret(shown[key], value)
        origins[target] = sources[key]
    return _Layer(values, origins)


def _read_secret(name: str, path: object) -> str:
    try:
        return Path(str(path)).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name}: cannot read the secret from that file: {getattr(error, 'strerror', None) or 'no UTF-8 text'}") from None


def _env_name(key: str) -> str:
    return ENV_PREFIX + key.replace(".", "_").upper()


def _suggest(given: str, known: Mapping[str, str] | tuple[str, ...]) -> str:
    close = difflib.get_close_matches(given, list(known), 1, 0.6)
    return f"; did you mean {close[0]}?" if close else ""


def _explain(error: ValidationError, sources: Mapping[str, str]) -> str:
    lines = []
    for item in error.errors(include_input=False, include_url=False):
        key = ".".join(str(part) for part in item["loc"])
        source = sources.get(key) or next((where for name, where in sources.items() if name.startswith(f"{key}.")), "")
        lines.append(f"setting {key}{f' ({source})' if source else ''}: {item['msg'].removeprefix('Value error, ')}")
    return "; ".join(lines)


def _value_at(settings: Settings, key: str) -> object:
    value: object = settings
    for part in key.split("."):
        value = getattr(value, part)
    return value


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
