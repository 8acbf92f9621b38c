"""The plain readers that recordings are measured beside: each reads its own kind, and nothing else."""

from __future__ import annotations

import pytest

from real.baselines import BASELINES

CALL = ("moor", {"port": "Brest"})
JSON = '{"name": "moor", "arguments": {"port": "Brest"}}'


@pytest.mark.parametrize(
    ("reader", "text", "expected"),
    [
        ("json.loads", JSON, [CALL]),
        ("json.loads", f"[{JSON}, {JSON}]", [CALL, CALL]),
        ("json.loads", f"<tool_call>\n{JSON}\n</tool_call>\n<tool_call>{JSON}</tool_call>", [CALL, CALL]),
        ("json.loads", f"<function_call> {JSON} <function_call> {JSON}", [CALL, CALL]),
        ("json.loads", f"```json\n{JSON}\n```", [CALL]),
        ("json.loads", "{'name': 'moor'}", []),
        ("keyword calls", "[moor(port='Brest'), moor(port='Brest')]", [CALL, CALL]),
        ("keyword calls", "moor(port='Brest')", [CALL]),
        ("keyword calls", "moor(port=town)", []),
        ("keyword calls", JSON, []),
        ("json-repair", JSON[:-1] + ",}", [CALL]),
    ],
)
def test_each_reads_its_own_kind(reader: str, text: str, expected: object) -> None:
    if reader == "json-repair":
        pytest.importorskip("json_repair", reason="a peer of the measurements, not needed for anything else")
    assert BASELINES[reader](text, []) == expected
