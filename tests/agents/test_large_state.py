"""What snapshots cost: small between calls, and of a long argument in pieces a few times its size."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import CALL, response
from test_agent import Kept, make, rows_of
from test_partition import partition, raws

from tamis.agents import shelf as shelves
from tamis.agents.shelf import Shelf
from tamis.agents.store import encode

HEAD = '<tool_call>{"name": "get_tide", "arguments": {"port": "'


def pieces(count: int, size: int, start: int = 0) -> list[dict[str, Any]]:
    return [{"v": 1, "kind": "delta", "response_id": "r", "text": "x" * size} for _ in range(start, start + count)]


def test_a_session_between_calls_takes_less_than_a_kilobyte() -> None:
    part = partition()
    tools = [{"name": f"tool_{number}", "description": "x" * 500} for number in range(40)]
    part.work(raws(*response("r", CALL + "And now? ", end=False, tools=tools)))
    row, used = encode(part.sessions[b"s"])
    assert len(row) <= 1024
    assert len(used) == 1, "the declarations have a row of their own"


async def test_a_long_argument_in_pieces_is_written_a_few_times_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    engine, acknowledged, _ = make(kept, {})
    sizes: list[int] = []
    monkeypatch.setattr("tamis.agents.store._COMPRESS", 1 << 30)  # the text of this test would compress to nothing
    real = Shelf.cut

    def weighed(self: Shelf, *args: Any, **keywords: Any) -> Any:
        rows = real(self, *args, **keywords)
        sizes.append(sum(len(row.value or b"") for row in rows))
        return rows

    monkeypatch.setattr(Shelf, "cut", weighed)
    await engine.take(0, raws(*response("r", HEAD, end=False)), "start")
    at, total = len(response("r", HEAD, end=False)), 0
    for step in range(250):
        await engine.take(0, raws(*pieces(256, 4), start=at), f"list-{step}")
        at, total = at + 256, total + 1024
        await engine.barrier(0)
    assert total == 256_000
    assert sum(sizes) <= 5 * total
    assert len(acknowledged) < 240, "the commit is held back with the row"
    await engine.barrier(0, whole=True)
    assert acknowledged[-1] == "list-249", "and let go with it"
    await engine.release()


async def test_what_was_left_out_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is killed while a long row is older than what was applied: offsets are committed up to the row, not further."""
    monkeypatch.setattr(shelves, "_LARGE", 100)
    kept = Kept()
    engine, acknowledged, _ = make(kept, {})
    end = {"v": 1, "kind": "delta", "response_id": "r", "text": '"}}</tool_call>'}
    records = raws(*response("r", HEAD, end=False), *pieces(200, 4), end, {"v": 1, "kind": "end", "response_id": "r", "finish_reason": "stop"})
    other = raws(*response("q", CALL), key=b"t", start=len(records))
    lists = [records[at : at + 20] for at in range(0, len(records) - 2, 20)]
    for number, part in enumerate(lists):
        await engine.take(0, part, part[-1].offset + 1)
        if number % 2:
            await engine.barrier(0)
    committed = max(acknowledged)
    row = next(iter(engine.partitions[0].sessions.values()))
    assert committed < row.offset + 1, "something is held back"
    after = Kept()
    again, _, _ = make(after, rows_of(kept), committed=committed)
    done = [*records, *other]
    await again.take(0, [record for record in done if record.offset >= committed], "event")
    calls = [json.loads(value) for topic, value in after.log if topic == "tool-calls"]
    assert [len(call["arguments"]["port"]) for call in calls] == [800, 5]


async def test_long_rows_do_not_hold_others_commits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_LARGE", 100)
    monkeypatch.setattr(shelves, "_LARGE_SECONDS", 0.0)
    kept = Kept()
    engine, acknowledged, _ = make(kept, {})
    first = raws(*response("r", HEAD + "x" * 400, end=False))
    await engine.take(0, first, "one")
    await engine.barrier(0)
    await engine.take(0, raws(*pieces(1, 4), start=len(first)), "gap")
    await engine.barrier(0)
    assert acknowledged == ["one", "gap"]
