"""Catalogues of their own topic: waited for, bound to a version, reloaded, refused with reasons."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from harness import CALL, TOOLS, response
from test_agent import Kept, make, rows_of
from test_partition import Raw, made, partition, raws, restored

from tamis.agents.catalog_topic import take
from tamis.agents.declared import Catalogs
from tamis.agents.partition import Partition

MOON = [{"name": "get_moon", "parameters": {"type": "object", "properties": {}}}]


def put(catalogs: Catalogs, tools: Any = TOOLS, key: bytes = b"c", **more: Any) -> bool:
    return take(catalogs, key, json.dumps({"v": 1, "tools": tools, **more}).encode(), lambda *_: None)


def named(response_id: str = "r", text: str = CALL, start: int = 0, *, catalog: str = "c", end: bool = True, key: bytes = b"s") -> list[Raw]:
    """A response that names a catalogue and declares nothing itself."""
    values = response(response_id, text, catalog=catalog, end=end)
    return raws(*({name: value for name, value in item.items() if name != "tools"} for item in values), start=start, key=key)


def outcome(out: list[Any]) -> list[tuple[str, str]]:
    return [(topic, item["emitted_name"]) for topic in ("tool-calls", "rejections") for item in made(out, topic)]


def test_a_known_catalogue_is_used_at_once() -> None:
    part = partition()
    assert put(part.around.catalogs)
    (call,) = made(part.work(named()), "tool-calls")
    assert (call["name"], call["gated"], call["catalog"]) == ("get_tide", True, "c")


def test_a_response_waits_for_its_catalogue_and_no_other_session_waits_with_it() -> None:
    part = partition()
    records = named()
    assert part.work(records[:8]) == []
    assert outcome(part.work(raws(*response("q", CALL), key=b"t", start=100))) == [("tool-calls", "get_tide")]
    assert part.work(records[8:]) == [], "records behind the first one wait too"
    assert part.resume(seconds=60) == [], "not yet"
    put(part.around.catalogs, MOON, key=b"other")
    assert part.resume(seconds=60) == []
    put(part.around.catalogs)
    out = part.resume(seconds=60)
    assert outcome(out) == [("tool-calls", "get_tide")]
    assert made(out, "turns")[0]["end"] == "finished"
    assert not part.waiting


def test_what_waits_in_one_session_keeps_its_order_over_two_catalogues() -> None:
    part = partition()
    part.work([*named("r1"), *named("r2", start=100, catalog="d")])
    put(part.around.catalogs)
    assert [item["response_id"] for item in made(part.resume(seconds=60), "turns")] == ["r1"]
    put(part.around.catalogs, key=b"d")
    assert [item["response_id"] for item in made(part.resume(seconds=60), "turns")] == ["r2"]


def test_too_much_waiting_is_decided_at_once() -> None:
    part = partition()
    long = named(text=CALL + "x" * 1_200_000, end=False)
    pieces = named(text=CALL + "x" * 1000, end=False)[:-1]
    more = raws(*({"v": 1, "kind": "delta", "response_id": "r", "text": "x" * 60_000} for _ in range(30)), start=len(pieces))
    assert long
    out = part.work([*pieces, *more])
    assert outcome(out) == [("rejections", "get_tide")]
    assert not part.waiting


def test_a_replay_of_what_waits_is_not_there_twice() -> None:
    part = partition()
    records = named()
    part.work(records[:5])
    part.work(records[3:])
    put(part.around.catalogs)
    assert outcome(part.resume(seconds=60)) == [("tool-calls", "get_tide")]


@pytest.mark.parametrize("seen", [3, 9])
def test_a_response_keeps_the_version_that_it_was_bound_to(seen: int) -> None:
    part = partition()
    put(part.around.catalogs)
    records = named()
    out = part.work(records[:seen])
    put(part.around.catalogs, MOON)
    part = restored(part)
    out += part.work(records[seen:])
    assert outcome(out) == [("tool-calls", "get_tide")]
    assert outcome(part.work(named("next", start=100))) == [("rejections", "get_tide")], "a new response gets the new version"
    part.around.catalogs.remove("c")
    assert part.work(named("last", start=200)) == [], "a removed one is waited for"


async def test_the_version_is_written_before_anything_that_depends_on_it() -> None:
    kept = Kept()
    engine, _, _ = make(kept, {})
    put(engine._around.catalogs)
    records = named()
    await engine.take(0, records, "event")
    topics = [topic for topic, _ in kept.log]
    assert "log" in topics[: topics.index("tool-calls")]
    after = Kept()
    again, _, _ = make(after, rows_of(kept))  # killed before its barrier; the catalogue has changed since
    put(again._around.catalogs, MOON)
    await again.take(0, records, "event")
    calls = [[value for topic, value in one.log if topic == "tool-calls"] for one in (kept, after)]
    assert calls[0] == calls[1] != []


async def test_that_a_catalogue_did_not_come_is_a_decision_too() -> None:
    kept = Kept()
    engine, acknowledged, _ = make(kept, {}, wait=0.0)
    records = named()
    await engine.take(0, records, "event")
    await engine.barrier(0)
    assert acknowledged == [], "nothing is committed while records wait"
    await engine.sweep()
    assert acknowledged == ["event"]
    topics = [topic for topic, _ in kept.log]
    shown = topics.index("rejections")
    before = Kept()
    before.log = kept.log[:shown]
    after = Kept()
    again, _, _ = make(after, rows_of(before))
    put(again._around.catalogs)  # it is there now, too late
    await again.take(0, records, "event")
    assert [value for topic, value in after.log if topic == "rejections"] == [kept.log[shown][1]]


async def test_a_revoke_gives_back_what_waits() -> None:
    kept, rows = Kept(), {}
    engine, _, _ = make(kept, rows)
    await engine.take(0, [*raws(*response("q", CALL), key=b"t"), *named(start=50)], "event")
    offsets, _ = await engine.release()
    assert offsets == {0: 50}
    again, _, _ = make(kept, rows, committed=50)
    put(again._around.catalogs)
    await again.take(0, named(start=50), "event")
    assert [json.loads(value)["session_id"] for topic, value in kept.log if topic == "tool-calls"] == ["t", "s"]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        (b"c", b"nope", "no JSON"),
        (b"c", b'{"tools":[{"name":"f"}]}', "'v'"),
        (b"c", b'{"v":1,"tools":[]}', "tools"),
        (b"c", b'{"v":1,"tools":[{"title":"f"}]}', "name"),
        (b"c", b'{"v":1,"tools":[{"name":"f","parameters":{"type":"nothing"}}]}', "schema"),
        (b"c", b'{"v":1,"tools":[{"name":"f"}],"namespaces":"gh"}', "namespaces"),
        (b"c", b'{"v":1,"tools":[{"name":"f"}],"aliases":{"g":1}}', "aliases"),
        (b"c", b'{"v":1,"tools":[{"name":"f"}],"policy":{"mood":"good"}}', "mood"),
        (None, b'{"v":1,"tools":[{"name":"f"}]}', "key"),
    ],
)
def test_a_bad_catalogue_is_refused_with_reasons_and_the_old_one_stays(
    key: bytes | None, value: bytes, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    catalogs = Catalogs()
    put(catalogs)
    old = catalogs.get("c")
    seen: list[Any] = []
    with caplog.at_level(logging.WARNING):
        assert not take(catalogs, key, value, lambda *event: seen.append(event))
    assert said in caplog.text
    assert seen == [("catalog", "refused")]
    assert catalogs.get("c") is old


def test_declarations_of_every_shape_and_a_policy_hold() -> None:
    schema = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": "a", "parameters": schema}}, {"name": "b", "input_schema": schema},
             {"name": "c", "inputSchema": schema}, {"functionDeclarations": [{"name": "d", "parameters": schema}]}, {"name": "e"}]  # fmt: skip
    part: Partition = partition()
    assert put(part.around.catalogs, tools, policy={"dialects": {"deny": ["xml_sentinel"]}}, namespaces=["gh"])
    found = part.around.catalogs.get("c")
    assert found is not None
    assert sorted(found.catalog.names) == ["a", "b", "c", "d", "e"]
    out = part.work(named(text='<tool_call>{"name": "a", "arguments": {}}</tool_call>'))
    assert made(out, "tool-calls") == [], "the catalogue's policy denies the dialect"


def test_a_tombstone_removes_a_catalogue() -> None:
    catalogs = Catalogs()
    put(catalogs)
    assert take(catalogs, b"c", None, lambda *_: None)
    assert "c" not in catalogs
