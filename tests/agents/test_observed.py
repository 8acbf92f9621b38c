"""What the metrics hear of responses: each fact once, whatever the wire and however many choices."""

from __future__ import annotations

import json
from typing import Any

from harness import CALL, TOOLS, response
from test_partition import Raw, raws, restored

from tamis.agents.partition import Partition
from tamis.agents.surroundings import Surroundings


class Heard:
    """A partition, and everything that it says."""

    def __init__(self) -> None:
        self.said: list[tuple[Any, ...]] = []
        self.part = Partition(0, 1, Surroundings(observe=lambda *details: self.said.append(details)))

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        return [details[1:] for details in self.said if details[0] == kind]


def timed(records: list[Raw], *times: int) -> list[Raw]:
    for record, at in zip(records, times, strict=True):
        record.timestamp = 1_700_000_000_000 + at
    return records


def chunk(**more: Any) -> dict[str, Any]:
    return {"id": "chat-1", "object": "chat.completion.chunk", "model": "m", **more}


def test_times_are_those_of_the_records() -> None:
    heard = Heard()
    records = raws(*response("r", "Hello." + CALL, size=40))
    heard.part.work(timed(records, 0, 100, 150, 2150, *range(2160, 2160 + len(records) - 4)))
    ((_, provider, model, declared, seconds, gap, spent),) = heard.of("turn")
    assert (provider, model, declared) == ("vllm", "m", None)
    assert seconds == (records[-1].timestamp - records[1].timestamp) / 1000
    assert gap == 2.0
    assert 0 < spent < 1
    ((_, _, first),) = heard.of("first_call")
    assert 0 < first <= seconds


def test_usage_that_stands_for_all_choices_is_counted_once() -> None:
    heard = Heard()
    both = [{"index": index, "delta": {"content": "x"}} for index in (0, 1)]
    ends = [{"index": index, "delta": {}, "finish_reason": "stop"} for index in (0, 1)]
    heard.part.work(raws(chunk(choices=both), chunk(choices=ends, usage={"prompt_tokens": 3})))
    assert heard.of("usage") == [(None, "m", {"prompt_tokens": 3})]


def test_usage_behind_the_finish_is_counted_once_and_is_no_duplicate() -> None:
    heard = Heard()
    end = chunk(choices=[{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}])
    late = chunk(choices=[], usage={"prompt_tokens": 3})
    heard.part.work(raws(end, late, late, chunk(choices=[{"index": 0, "delta": {"content": "late"}}])))
    assert heard.of("usage") == [(None, "m", {"prompt_tokens": 3})]
    assert heard.of("duplicate") == [("late",)]


def test_fields_nobody_reads_are_named() -> None:
    heard = Heard()
    delta = {"role": "assistant", "content": "x", "reasoning_content": "y", "brand_new": 1}
    heard.part.work(raws(chunk(choices=[{"index": 0, "delta": delta, "native_finish_reason": None}])))
    assert heard.of("unknown_field") == [("openai.chat", "brand_new"), ("openai.chat", "native_finish_reason")]


def test_bytes_and_chunks_of_every_record() -> None:
    heard = Heard()
    records = raws(*response("r", "Some words.", size=4))
    heard.part.work(records)
    (seen,) = heard.part.around.seen.values()
    assert seen == [3, sum(len(record.value or b"") for record in records)]


def test_a_restored_response_has_no_begin() -> None:
    heard = Heard()
    records = raws(*response("r", CALL, tools=TOOLS))
    heard.part.work(records[:4])
    restored(heard.part).work(records[4:])
    ((_, _, _, _, seconds, _, _),) = heard.of("turn")
    assert seconds is None
    assert heard.of("first_call") == []
    assert json.loads(records[0].value or b"{}")["kind"] == "start"
