"""Whatever is published: nothing falls over, ids are unique, and where a worker was replaced shows nowhere."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_partition import partition, raws, restored

from tamis.wire.records import Record

EXACT = ("tool-calls", "turns", "rejections", "tool-messages", "hallucinations", "raw-stream.dlq")  # `content` may be cut elsewhere

_ENTRY = {"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}
_NATIVE = st.fixed_dictionaries(
    {"v": st.just(1), "kind": st.sampled_from(["delta", "start", "end", "abort"])},
    optional={
        "response_id": st.sampled_from(["r", "q", None]),
        "text": st.sampled_from(["a", '<tool_call>{"name":"f"', "}</tool_call>", "<think>"]),
        "reasoning": st.just("t"),
        "choice": st.sampled_from([0, 1]),
        "seq": st.integers(0, 3),
        "finish_reason": st.sampled_from(["stop", "length"]),
        "tools": st.sampled_from([[], [{"name": "f"}], [{}]]),
        "tool_calls": st.lists(st.sampled_from([_ENTRY, {}, {"index": 1, "function": None}, {"function": {"arguments": {"a": 1}}}]), max_size=2),
    },
)
_DELTA = st.fixed_dictionaries({}, optional={"content": st.just("x"), "tool_calls": st.just([_ENTRY])})
_CHOICE = st.fixed_dictionaries(
    {}, optional={"index": st.sampled_from([0, 1]), "delta": _DELTA, "finish_reason": st.sampled_from(["stop", None])}
)
_OPENAI = st.fixed_dictionaries(
    {"object": st.just("chat.completion.chunk")},
    optional={
        "id": st.sampled_from(["r", "q", None]),
        "choices": st.lists(_CHOICE, max_size=2),
        "usage": st.just({"n": 1}),
        "error": st.just({"type": "x"}),
    },
)


def values(out: list[tuple[bytes, Record]], topic: str) -> list[bytes | None]:
    return [record.value for _, record in out if record.topic == topic]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_NATIVE | _OPENAI, min_size=1, max_size=12), st.integers(0, 12))
def test_any_records_at_any_hand_over(bodies: list[dict[str, Any]], cut: int) -> None:
    records = raws(*bodies)
    whole = partition().work(records)
    assert b"poison" not in [dict(record.headers).get("tamis.reason") for _, record in whole]
    ids = [dict(record.headers)["ce_id"] for _, record in whole if record.topic != "raw-stream.dlq"]
    assert len(ids) == len(set(ids))
    assert all(json.loads(record.value) for _, record in whole if record.value is not None)

    first = partition()
    out = first.work(records[:cut]) if records[:cut] else []
    second = restored(first)
    if records[cut:]:
        out += second.work(records[cut:])
    for topic in EXACT:
        assert values(out, topic) == values(whole, topic)
