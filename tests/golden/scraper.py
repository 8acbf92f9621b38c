"""A Prometheus of our own for one run, with the configuration and rules that are shipped, and questions to it."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import brokers
from helpers import ROOT

__all__ = ["QueryError", "Scraper", "Series", "missing", "running"]

FOLDER = ROOT / "deploy" / "prometheus"
_SECONDS = 60  # to listen: five on a quiet machine


class QueryError(AssertionError):
    """Prometheus refuses an expression."""


@dataclass(frozen=True, slots=True)
class Series:
    """One series of an answer: its labels, and the finite values with their times."""

    labels: dict[str, str]
    points: list[tuple[float, float]]


def missing() -> str | None:
    """Why there is no Prometheus here, or None; asked for by name, its absence is a failure."""
    absent = [program for program in ("prometheus", "promtool") if shutil.which(program) is None]
    if absent and os.environ.get("TAMIS_REQUIRE_PROMETHEUS") == "1":
        raise AssertionError(f"Prometheus is promised here, and {' and '.join(absent)} cannot be found")
    return f"no {' and no '.join(absent)} on the PATH (Debian: apt-get install prometheus)" if absent else None


class Scraper:
    """A running Prometheus."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, path: str, **parameters: Any) -> Any:
        """The data of an answer of its API. Raises `QueryError`."""
        text = urllib.parse.urlencode(parameters, doseq=True)
        try:
            with urllib.request.urlopen(f"http://{self._address}/api/v1/{path}?{text}", timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise QueryError(f"{parameters}: {error.read().decode()[:500]}") from None

    def at(self, expr: str, when: float) -> list[Series]:
        """An expression at one moment."""
        found = self.ask("query", query=expr, time=when)
        if found["resultType"] == "scalar":
            return [Series({}, _finite([found["result"]]))]
        return [Series(item["metric"], _finite([item["value"]])) for item in found["result"]]

    def over(self, expr: str, start: float, end: float, step: float = 1) -> list[Series]:
        """An expression over a span."""
        found = self.ask("query_range", query=expr, start=start, end=end, step=step)
        return [Series(item["metric"], _finite(item["values"])) for item in found["result"]]


def _finite(points: list[list[Any]]) -> list[tuple[float, float]]:
    return [(float(when), float(value)) for when, value in points if math.isfinite(float(value))]


@contextlib.contextmanager
def running(folder: Path, target: str) -> Iterator[Scraper]:
    """A Prometheus that scrapes `target` every second; its files go into `folder`."""
    config = yaml.safe_load((FOLDER / "prometheus.yml").read_text("utf-8"))
    config["global"] |= {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(FOLDER / "rules" / "*.yml")]
    (job,) = config["scrape_configs"]
    job["static_configs"] = [{"targets": [target]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(config))
    address = f"127.0.0.1:{brokers.free_port()}"
    command = ["prometheus", f"--config.file={path}", f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address={address}"]
    with (folder / "prometheus.log").open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        end = time.monotonic() + _SECONDS
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://{address}/-/ready", timeout=1):
                break
            assert process.poll() is None, (folder / "prometheus.log").read_text()[-2000:]
            assert time.monotonic() < end, "Prometheus does not get ready"
            time.sleep(0.1)
        yield Scraper(address)
    finally:
        process.terminate()
        process.wait(15)
