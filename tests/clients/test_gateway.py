"""What a gateway writes: joined and numbered; and what the workers make of it when some of it is lost."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest
from harness import CALL, TOOLS
from sink import Broker, frame, outbox, reply, shown

from tamis.clients.envelope import MAX_PIECE, MAX_START, MAX_VALUE
from tamis.clients.gateway import Gateway
from tamis.core import UsageError
from tamis.settings import Settings
from tamis.wire.schemas import problems

# -- records


async def test_pieces_that_come_together_make_one_record() -> None:
    broker = Broker()
    gate = asyncio.Event()

    async def window(_: float) -> None:
        await gate.wait()

    box = outbox(broker, sleep=window)
    async with reply(box, tools=TOOLS, model="m") as line:
        for piece in ("Look", "ing", "."):
            await line.delta(piece)
        await asyncio.sleep(0.01)
        assert broker.got == []
        gate.set()
        await box.flush()
        await line.delta(" Now.")
        await line.end("stop", {"output_tokens": 4})
    await box.flush()
    first = {"v": 1, "kind": "delta", "response_id": "r", "tools": TOOLS, "model": "m", "seq": 1, "text": "Looking."}
    assert broker.bodies == [
        first,
        {"v": 1, "kind": "delta", "response_id": "r", "seq": 2, "text": " Now."},
        {"v": 1, "kind": "end", "response_id": "r", "seq": 3, "finish_reason": "stop", "usage": {"output_tokens": 4}},
    ]
    assert all(problems("raw-stream", body) == [] for body in broker.bodies)
    await box.close(1)


async def test_kinds_keep_their_order_and_choices_their_own_numbers() -> None:
    broker = Broker()
    box = outbox(broker)
    entry = {"index": 0, "id": "call_1", "function": {"name": "get_tide", "arguments": '{"port"'}}
    async with reply(box, tools=TOOLS) as line:
        await line.reasoning("Hm.")
        await line.delta("Look.")
        await line.delta("Other.", choice=1)
        await line.tool_calls([entry, {"index": 0, "function": {"arguments": ': "Brest"}'}}])
        await line.end("tool_calls")
    await box.flush()
    told = [(body.get("choice", 0), body["kind"], body["seq"], "tools" in body) for body in broker.bodies]
    assert sorted(told) == [(0, "delta", 1, True), (0, "delta", 2, False), (0, "delta", 3, False), (0, "end", 4, False), (1, "delta", 1, True),
                            (1, "end", 2, False)]  # fmt: skip
    assert all(problems("raw-stream", body) == [] for body in broker.bodies)
    result = shown(broker.got)
    assert [call["arguments"] for call in result["tool-calls"]] == [{"port": "Brest"}]
    assert sorted((item["choice"], item["end"]) for item in result["turns"]) == [(0, "finished"), (1, "finished")]
    await box.close(1)


@pytest.mark.parametrize("skip", range(5))
async def test_whichever_record_is_lost_no_call_is_built_across_the_hole(skip: int) -> None:
    broker = Broker()
    box = outbox(broker)
    async with reply(box, tools=TOOLS) as line:
        for at in range(0, len(CALL), math.ceil(len(CALL) / 4)):
            await line.delta(CALL[at : at + math.ceil(len(CALL) / 4)])
            await box.flush()
        await line.end("stop")
    await box.flush()
    assert len(broker.got) == 5
    assert [call["gated"] for call in shown(broker.got)["tool-calls"]] == [True]
    result = shown(broker.got, skip)
    if skip < 4:
        assert result["tool-calls"] == []
        assert [item["end"] for item in result["turns"]] == ["incomplete"]
    else:
        assert result["turns"] == []  # its end was lost: it is idle
    await box.close(1)


async def test_long_text_is_cut_and_halves_of_a_pair_meet_again() -> None:
    broker = Broker()
    box = outbox(broker, buffer_bytes=1 << 24)
    text = "\x01" * (2 * MAX_PIECE + 5)
    async with reply(box) as line:
        await line.delta(text)
        await line.delta("\ud83d")
        await box.flush()
        await line.delta("\udc1f")
        await line.end()
    await box.flush()
    assert max(len(record.value) for record in broker.got) + MAX_START < MAX_VALUE
    result = shown(broker.got)
    assert "".join(item["text"] for item in result["content"]) == text + "🐟"
    await box.close(1)


# -- frames




async def test_frames_go_verbatim_behind_what_is_declared() -> None:
    broker = Broker()
    broker.open.clear()
    box = outbox(broker)
    spaced = json.dumps(frame(CALL[:20]), indent=1).encode()
    async with reply(box, tools=TOOLS) as line:
        await line.frame(spaced, "openai.chat")
        await line.frame(frame(CALL[20:]), "openai.chat")
        await line.frame(json.dumps(frame(None, "stop")), "openai.chat")
    broker.open.set()
    await box.flush()
    assert broker.bodies[0] == {"v": 1, "kind": "start", "response_id": "r", "tools": TOOLS}
    assert broker.got[1].value == spaced
    assert broker.got[1].headers == (("x-wire", b"openai.chat"), ("x-response-id", b"r"))
    assert len(broker.got) == 4, "the provider's last frame has ended it"
    result = shown(broker.got)
    assert [(item["response_id"], item["name"], item["gated"]) for item in result["tool-calls"]] == [("r", "get_tide", True)]
    await box.close(1)


async def test_no_frame_is_written_when_what_is_declared_was_not() -> None:
    broker = Broker()
    broker.refuse = {0}
    box = outbox(broker)
    async with reply(box, tools=TOOLS) as line:
        for at in range(0, len(CALL), 9):
            await line.frame(frame(CALL[at : at + 9]), "openai.chat")
        await box.flush()
        assert line.given_up
        await line.frame(frame(None, "stop"), "openai.chat")
    await box.flush()
    assert [body["kind"] for body in broker.bodies] == ["abort"]
    assert box._budget.held == 0
    await box.close(1)


# -- ends


async def test_a_stream_that_breaks_off_is_aborted() -> None:
    broker = Broker()
    box = outbox(broker)

    async def relay() -> None:
        async with reply(box, tools=TOOLS) as line:
            await line.delta(CALL[:-20])
            raise ConnectionError("the provider is gone")

    with pytest.raises(ConnectionError):
        await relay()
    await box.flush()
    assert [body["kind"] for body in broker.bodies] == ["delta", "abort"]
    result = shown(broker.got)
    assert (result["tool-calls"], [item["end"] for item in result["turns"]]) == ([], ["aborted"])
    await box.close(1)


async def test_after_the_end_nothing_more_is_taken() -> None:
    box = outbox(Broker())
    line = reply(box)
    await line.delta("x")
    await line.end()
    with pytest.raises(UsageError, match="has ended"):
        await line.delta("y")
    line.abort()
    await box.close(1)


# -- misuse


@pytest.mark.parametrize(
    "call",
    [
        lambda gateway: gateway.start(""),
        lambda gateway: gateway.start("x" * 257),
        lambda gateway: gateway.start("\ud83d"),
        lambda gateway: gateway.start("s", response_id=""),
        lambda gateway: gateway.start("s", turn="four"),
        lambda gateway: gateway.start("s", tools={"name": "f"}),
        lambda gateway: gateway.start("s", tools=[{"name": "f", "description": "x" * MAX_START}]),
        lambda gateway: gateway.start("s", tools=[{"name": object()}]),
        lambda gateway: [gateway.start("s", response_id="r") for _ in range(2)],
    ],
)
async def test_what_cannot_be_started_is_told(call: Any) -> None:
    gateway = Gateway(Settings(broker="kafka://nowhere:9092"))
    with pytest.raises(UsageError, match="not open"):
        gateway.start("s")
    gateway._producer = object()
    with pytest.raises(UsageError):
        call(gateway)


async def test_what_cannot_be_a_piece_is_told() -> None:
    line = reply(outbox(Broker()))
    with pytest.raises(UsageError, match=r"known: .*openai\.chat"):
        await line.frame({}, "openai")
    with pytest.raises(UsageError, match="choice"):
        await line.delta("x", choice=-1)
    with pytest.raises(UsageError, match="objects"):
        await line.tool_calls(["f"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="JSON"):
        await line.tool_calls([{"index": object()}])
