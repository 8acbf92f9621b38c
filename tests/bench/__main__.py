"""`make bench`: core and service beside floor, naive service and ceiling, all in one run. Only the ratios count: machines are noisy.

    python -m tests.bench [--out FILE] [--rounds N] [--chunks N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import names  # noqa: E402

import brokers  # noqa: E402
import core  # noqa: E402 - the path has to be set first
from core import row  # noqa: E402

PARTITIONS = 4
NAIVE_SHARE = 5  # the naive service reads a fifth of the chunks: at some 400 us each the rest would only be waiting


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
    parser.add_argument("--chunks", type=int, default=100_000, help="of the service lane; 0 leaves it out")
    parser.add_argument("--peer", action="append", default=[], metavar="MODULE:CALLABLE", help="another reader of a whole text to compare with")
    chosen = parser.parse_args()
    rows = core.core(chosen.rounds) + core.families(chosen.rounds) + [core.closing(chosen.rounds), core.native(chosen.rounds)]
    rows += core.one_shot(chosen.rounds, (*core.PEERS, *chosen.peer))
    rows += names.names()
    if chosen.chunks:
        rows += service(chosen.chunks)
    print(f"{'lane':26} {'what':38} {'us':>10} {'ratio':>7}  to (goal)")
    for item in rows:
        goal = f" ({item['goal']})" if item["goal"] else ""
        print(f"{item['lane']:26} {item['what']:38} {item['us']:>10} {item['ratio']:>7}  {item['to']}{goal}")
    exponents = core.growth(3)
    print("growth exponent of the total time, 20 kB to 200 kB, 4 characters at a time (goal: at most 1.05)")
    for name, exponent in exponents:
        print(f"  {name:26} {exponent:.3f}")
    if chosen.out:
        rows += [{"lane": name, "growth": round(value, 3)} for name, value in exponents]
        Path(chosen.out).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
