"""Broker, topics and worker as one thing that starts and stops: what `tamis up` and `tamis demo` run."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

from tamis.cli import runfile
from tamis.cli.embedded import EmbeddedBroker, Reserved, die_with_parent, reserve, stop
from tamis.cli.output import CommandError
from tamis.settings import Settings

__all__ = ["Service", "interruptible"]

READY_SECONDS = 90.0  # the first group join takes about half the session timeout, a loaded machine some seconds more
STOP_SECONDS = 20.0  # the worker's last barrier and commit
# The embedded broker makes each join wait half the session timeout; 6 s is the least that brokers allow by default.
EMBEDDED_SESSION_SECONDS = 6.0


class Service:
    """One process tree. `start` returns when the worker takes chunks; `stop` leaves nothing behind."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.embedded = settings.broker is None
        self._broker = EmbeddedBroker()
        self._worker: subprocess.Popen[bytes] | None = None
        self._reserved: Reserved | None = None

    @property
    def web(self) -> str:
        """Base address of the worker's pages."""
        host = self.settings.web_host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.settings.web_port}"

    def start(self) -> None:
        """Starts what is needed; on any failure everything is stopped again. Raises `CommandError`."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        from tamis.cli.broker import run
        from tamis.cli.topics import create

        if self.embedded:
            address = self._broker.start()
            self.settings = self.settings.with_flags(broker=f"kafka://{address}")
            if not self._chosen("session_timeout_seconds"):
                self.settings = self.settings.with_flags(session_timeout_seconds=EMBEDDED_SESSION_SECONDS)
        if not self._chosen("web_port"):
            self._reserved = reserve(self.settings.web_port)
            self.settings = self.settings.with_flags(web_port=self._reserved.port)
        run(self.settings, create(self.settings))
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "tamis", "worker"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # only the spinner of Faust; what matters goes to stderr
            start_new_session=True,
            # When we die hard the embedded broker dies too: a worker that then tried to stop cleanly would wait for it in vain.
            preexec_fn=die_with_parent(signal.SIGKILL if self.embedded else signal.SIGTERM),
            env=self._environment(),
        )
        self._wait_ready()
        runfile.write(runfile.Running(broker=str(self.settings.broker), web=self.web, embedded=self.embedded, pid=os.getpid()))

    def failed(self) -> str | None:
        """What has stopped by itself, or None while all is well."""
        if self._worker is not None and self._worker.poll() is not None:
            return f"the worker stopped with exit code {self._worker.returncode}"
        if self.embedded and not self._broker.running:
            return "the embedded broker stopped"
        return None

    def wait(self) -> str:
        """Blocks while all is well; returns what has failed. Ctrl-C raises through it."""
        while (failure := self.failed()) is None:
            time.sleep(0.1)
        return failure

    def stop(self) -> None:
        """Worker first, so that its last outputs and commits still find the broker."""
        runfile.remove(os.getpid())
        if self._worker is not None:
            stop(self._worker, signal.SIGTERM, STOP_SECONDS)
            self._worker = None
        self._broker.stop()
        if self._reserved is not None:
            self._reserved.release()
            self._reserved = None

    def _chosen(self, key: str) -> bool:
        return any(row.key == key and row.source != "default" for row in self.settings.rows())

    def _environment(self) -> dict[str, str]:
        # Not flags: a broker's address may be longer than a process list should show. Secrets stay where they were.
        return {
            **os.environ,
            "TAMIS_BROKER": str(self.settings.broker),
            "TAMIS_WEB_PORT": str(self.settings.web_port),
            "TAMIS_SESSION_TIMEOUT_SECONDS": str(self.settings.session_timeout_seconds),
        }

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        said = "no answer"
        while time.monotonic() < deadline:
            if (failure := self.failed()) is not None:
                raise CommandError(failure, "its own message is above; `tamis topics check` looks at the topics")
            status, said = self._ask_ready()
            if status == http.client.OK:
                return
            time.sleep(0.1)
        raise CommandError(f"the worker was not ready in {READY_SECONDS:.0f} s ({said})", f"look at {self.web}/readyz")

    def _ask_ready(self) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.settings.web_host, self.settings.web_port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            return answer.status, answer.read(200).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)
        finally:
            connection.close()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM raises KeyboardInterrupt as Ctrl-C does, so that one way of cleaning up serves both."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
