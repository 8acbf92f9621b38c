"""`make bench`: core and service beside floor, naive service and ceiling, all in one run. Only the ratios count: machines are noisy.

    python -m tests.bench [--out FILE] [--rounds N] [--chunks N]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import floor  # noqa: E402
import workloads  # noqa: E402
from adapter import Parser  # noqa: E402

import brokers  # noqa: E402

PARTITIONS = 4
NAIVE_SHARE = 5  # the naive service reads a fifth of the chunks: at some 400 us each the rest would only be waiting


def core(rounds: int) -> list[dict[str, object]]:
    """Parser and floor on every lane, interleaved."""
    lanes = {name: workloads.chunks(text) for name, text in workloads.LANES.items()}
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for name, pieces in lanes.items():
            times.setdefault((name, "floor"), []).append(floor.nanoseconds_a_chunk(floor.Floor, pieces))
            times.setdefault((name, "core"), []).append(floor.nanoseconds_a_chunk(Parser, pieces))
    rows: list[dict[str, object]] = []
    for name in lanes:
        least = statistics.median(times[name, "floor"]) / 1000
        ours = statistics.median(times[name, "core"]) / 1000
        rows += [row(name, "floor", least, 1.0, "floor"), row(name, "core", ours, ours / least, "floor")]
    return rows


def row(lane: str, what: str, cost: float, ratio: float, to: str) -> dict[str, object]:
    return {"lane": lane, "what": what, "us_a_chunk": round(cost, 3), "ratio": round(ratio, 2), "to": to}


def growth(rounds: int) -> float:
    """Exponent of total time between one argument of 20 kB and of 200 kB, fed 4 characters at a time."""
    total = {}
    for size in (20_000, 200_000):
        text = workloads.one_call(size)
        pieces = [text[at : at + 4] for at in range(0, len(text), 4)]
        total[size] = statistics.median(floor.nanoseconds_a_chunk(Parser, pieces) * len(pieces) for _ in range(rounds))
    return math.log10(total[200_000] / total[20_000])


def _run(command: list[str], env: dict[str, str]) -> float:
    path = os.pathsep.join(filter(None, (str(HERE), env.get("PYTHONPATH"))))
    done = subprocess.run([sys.executable, *command], env={**env, "PYTHONPATH": path}, capture_output=True, text=True, timeout=600, cwd=HERE)
    # Faust's spinner may put control characters in front of the line
    lines = [line[line.index('{"service"') :] for line in done.stdout.splitlines() if '{"service"' in line]
    if done.returncode or not lines:
        raise SystemExit(f"{command} failed ({done.returncode}):\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    return float(json.loads(lines[-1]).get("cpu_us_a_chunk", 0.0))


def service(chunks: int) -> list[dict[str, object]]:
    """The full service beside the naive one and the ceiling with the same parser, on one fresh embedded broker."""
    with brokers.start("embedded") as broker:
        env = {**os.environ, "TAMIS_BROKER": broker.url, "TAMIS_PARTITIONS": str(PARTITIONS), "TAMIS_SESSION_TIMEOUT_SECONDS": "6",
               "TAMIS_WEB_PORT": str(brokers.free_port()), "CHUNKS": str(chunks), "BROKER": broker.address}  # fmt: skip
        _check([sys.executable, "-m", "tamis", "topics", "init", "-o", "json"], env)
        _check([sys.executable, str(HERE / "load.py"), "--broker", broker.address, "--chunks", str(chunks), "--partitions", str(PARTITIONS)], env)
        tamis = _run([str(HERE / "service.py")], env)
        ceiling = _run([str(HERE / "ceiling.py"), "--broker", broker.address, "--chunks", str(chunks), "--parser", "adapter:Parser"], env)
        naive = _run([str(HERE / "naive_service.py")], {**env, "CHUNKS": str(chunks // NAIVE_SHARE)})
    return [
        row("service", "tamis", tamis, tamis / ceiling, "ceiling"),
        row("service", "ceiling", ceiling, 1.0, "ceiling"),
        row("service", "naive", naive, naive / tamis, "tamis"),
    ]


def _check(command: list[str], env: dict[str, str]) -> None:
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise SystemExit(f"{command} failed ({done.returncode}):\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", help="write the rows as JSON too")
    parser.add_argument("--rounds", type=int, default=9, help="of the core lanes; medians")
    parser.add_argument("--chunks", type=int, default=100_000, help="of the service lane")
    chosen = parser.parse_args()
    rows = core(chosen.rounds)
    rows += service(chosen.chunks)
    print(f"{'lane':20} {'what':8} {'us a chunk':>10} {'ratio':>7}  to")
    for item in rows:
        print(f"{item['lane']:20} {item['what']:8} {item['us_a_chunk']:>10} {item['ratio']:>7}  {item['to']}")
    exponent = growth(3)
    print(f"growth exponent of one argument, 20 kB to 200 kB, 4 characters at a time: {exponent:.3f} (goal: at most 1.1)")
    if chosen.out:
        Path(chosen.out).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
