"""The worker processes: started, killed, stopped for a while, started again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import brokers
from crash.traffic import PARTITIONS
from tamis.cli.embedded import die_with_parent

__all__ = ["SESSION_SECONDS", "Workers"]

SESSION_SECONDS = 6  # the least that Apache Kafka takes without being told otherwise
_TESTS = Path(__file__).resolve().parents[1]
_START_SECONDS = 90  # imports, a join of the group and recovery, on a machine that is busy otherwise
_TERM_SECONDS = 30


class Workers:
    """`count` workers on one broker. `build` names what is different about them (crash/sabotage.py); "" is the product."""

    def __init__(self, broker: brokers.Broker, count: int, folder: Path, *, idle_seconds: float, build: str = "", **more: str) -> None:
        self.deaths = 0  # of workers that ended by themselves
        self._folder, self._build = folder, build
        self._ports = [brokers.free_port() for _ in range(count)]
        path = os.pathsep.join([str(_TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.env = {
            **os.environ, "PYTHONPATH": path, "TAMIS_BROKER": broker.url, "TAMIS_PARTITIONS": str(PARTITIONS),
            "TAMIS_SESSION_TIMEOUT_SECONDS": str(SESSION_SECONDS), "TAMIS_BARRIER_INTERVAL_SECONDS": "0.5", "TAMIS_IDLE_SECONDS": str(idle_seconds),
            "TAMIS_CATALOG_WAIT_SECONDS": "300", "TAMIS_RESULT_WAIT_SECONDS": "600",  # nothing is given up for want of time
            **more,
        }  # fmt: skip
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * count
        self._paused: set[int] = set()
        self._busy: set[int] = set()  # being stopped: its end is no death
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the topics, start everybody, wait until one of them takes records."""
        init = [sys.executable, "-m", "tamis", "topics", "init"]
        await asyncio.to_thread(subprocess.run, init, env=self.env, check=True, capture_output=True, timeout=120)
        for number in range(len(self._processes)):
            self._spawn(number)
        self._watch = asyncio.create_task(self._revive())
        end = time.monotonic() + _START_SECONDS
        while not await asyncio.to_thread(self._ready):
            if time.monotonic() > end:
                raise RuntimeError(f"no worker was ready after {_START_SECONDS} s:\n{self.log()[-3000:]}")
            await asyncio.sleep(0.2)

    def _spawn(self, number: int) -> None:
        start = ["-m", "crash.sabotage", self._build] if self._build else ["-m", "tamis"]
        command = [sys.executable, *start, "worker", "--web-port", str(self._ports[number])]
        with (self._folder / f"worker-{number}.log").open("ab") as log:
            # a run that is killed itself leaves no worker behind
            process = subprocess.Popen(command, env=self.env, stdout=log, stderr=log, preexec_fn=die_with_parent(signal.SIGKILL))
        self._processes[number] = process

    def _ready(self) -> bool:
        for port in self._ports:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        return True
            except OSError:
                continue
        return False

    async def _revive(self) -> None:
        """What a supervisor does: a worker that ended by itself is started again."""
        while True:
            await asyncio.sleep(0.2)
            for number, process in enumerate(self._processes):
                if process is not None and number not in self._busy and process.poll() is not None:
                    self.deaths += 1
                    self._spawn(number)

    # -- faults

    async def stop(self, kind: str, number: int, seconds: float) -> bool:
        """Do it to that worker; False when it is not there to have it done. A pause ends by itself, the worker goes on as if nothing were."""
        process = self._processes[number]
        if process is None or process.poll() is not None or number in self._paused | self._busy:
            return False
        if kind == "pause":
            self._later(self._pause(number, process, SESSION_SECONDS + seconds))
        elif kind == "kill":
            process.kill()
            await asyncio.to_thread(process.wait)
            self._spawn(number)
        else:
            self._later(self._terminate(number, process))
        return True

    def _later(self, work: object) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pause(self, number: int, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._paused.add(number)
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            process.send_signal(signal.SIGCONT)
            self._paused.discard(number)

    async def _terminate(self, number: int, process: subprocess.Popen[bytes]) -> None:
        self._busy.add(number)
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(process.wait, _TERM_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
        self._spawn(number)
        self._busy.discard(number)

    # -- the end

    async def close(self) -> None:
        """End everybody, at once."""
        for task in [*self._tasks, *filter(None, [self._watch])]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for process in filter(None, self._processes):
            process.kill()
            process.wait()

    def log(self) -> str:
        """What the workers said."""
        return "\n".join(f"== {path.name}\n{path.read_text('utf-8', 'replace')}" for path in sorted(self._folder.glob("worker-*.log")))
