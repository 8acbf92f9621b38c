"""What waits is bounded, and what cannot be written is said to be: an abort, and nothing behind it."""

from __future__ import annotations

import asyncio

import pytest
from harness import CALL, TOOLS
from sink import Broker, frame, outbox, reply, shown

from tamis.clients.budget import Budget
from tamis.clients.envelope import MAX_VALUE
from tamis.clients.reply import Reply


async def test_a_slow_broker_holds_up_the_stream_and_then_costs_it_its_response() -> None:
    broker = Broker()
    broker.open.clear()
    box = outbox(broker, buffer_bytes=2000)
    line = reply(box, tools=TOOLS)
    while not line.given_up:
        await asyncio.wait_for(line.delta(CALL), 1)
        assert box._budget.held <= 2000
    await asyncio.wait_for(line.delta("more"), 0.01)  # what is given up holds up nobody
    other = reply(box, "r2")
    broker.open.set()
    await box.flush()
    assert (box.dropped, box._budget.held, line.given_up) == (1, 0, True)
    assert broker.bodies[-1] == {"v": 1, "kind": "abort", "response_id": "r"}
    result = shown(broker.got)
    assert [item["end"] for item in result["turns"]] == ["aborted"]
    assert len(result["tool-calls"]) == "".join(body.get("text", "") for body in broker.bodies).count("</tool_call>") > 0, "what was taken is written"
    await other.delta("still here")
    await other.end()
    await box.flush()
    assert [body["kind"] for body in broker.bodies[-2:]] == ["delta", "end"]
    await box.close(1)


async def test_room_that_comes_in_time_lets_all_go_on_in_turn() -> None:
    broker = Broker()
    broker.open.clear()
    box = outbox(broker, buffer_bytes=300, max_wait_seconds=5.0)
    lines = [reply(box, f"r{number}") for number in range(4)]

    async def speak(line: Reply) -> None:
        for number in range(20):
            await line.delta(f"{number:03} ")
        await line.end()

    speaking = asyncio.gather(*(speak(line) for line in lines))
    await asyncio.sleep(0.01)
    assert not speaking.done()
    broker.open.set()
    await speaking
    await box.flush()
    assert (box.dropped, box._budget.held) == (0, 0)
    result = shown(broker.got)
    for line in lines:
        text = "".join(item["text"] for item in result["content"] if item["response_id"] == line.response_id)
        assert text == "".join(f"{number:03} " for number in range(20))
    await box.close(1)


async def test_a_waiting_stream_that_is_cancelled_leaves_its_room_to_others() -> None:
    broker = Broker()
    broker.open.clear()
    box = outbox(broker, buffer_bytes=200, max_wait_seconds=5.0)
    line = reply(box)
    await line.delta("x" * 100)
    stuck = [asyncio.create_task(line.delta("y" * 100)) for _ in range(3)]
    await asyncio.sleep(0.01)
    for task in stuck[:2]:
        task.cancel()
    await asyncio.sleep(0)
    broker.open.set()
    await stuck[2]
    await line.end()
    await box.flush()
    assert "".join(body.get("text", "") for body in broker.bodies) == "x" * 100 + "y" * 100
    assert box._budget.held == 0
    await box.close(1)


@pytest.mark.parametrize("lost", range(4))
async def test_a_record_that_the_broker_does_not_take_ends_the_response(lost: int) -> None:
    broker = Broker()
    broker.refuse = {lost}
    box = outbox(broker)
    line = reply(box, tools=TOOLS)
    for at in range(0, len(CALL), 30):
        await line.delta(CALL[at : at + 30])
        await box.flush()
    await line.end()
    await box.flush()
    assert (box.dropped, line.given_up, broker.bodies[-1]["kind"]) == (1, True, "abort")
    assert shown(broker.got)["tool-calls"] == [] or lost == 3  # the end alone was lost: the call was complete
    await box.close(1)


async def test_an_abort_is_written_again_until_the_broker_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.clients.outbox.RETRY_SECONDS", 0.005)
    broker = Broker()
    broker.down = True
    box = outbox(broker)
    line = reply(box)
    await line.delta("x")
    await box.flush()
    await asyncio.sleep(0.02)
    assert broker.got == []
    assert broker.count > 2
    broker.down = False
    await asyncio.sleep(0.02)
    assert [body["kind"] for body in broker.bodies] == ["abort"]
    await box.close(1)


async def test_an_abort_that_waits_for_another_attempt_is_written_at_the_close() -> None:
    broker = Broker()
    broker.refuse = {0, 1}
    box = outbox(broker)
    line = reply(box)
    await line.delta("x")
    await box.flush()
    assert broker.got == []
    await box.close(1)
    assert [body["kind"] for body in broker.bodies] == ["abort"]


async def test_an_entry_too_long_for_any_record_ends_the_response() -> None:
    broker = Broker()
    box = outbox(broker, buffer_bytes=1 << 23)
    async with reply(box) as line:
        await line.tool_calls([{"index": 0, "function": {"name": "f", "arguments": "x" * MAX_VALUE}}])
        await line.end()
    await box.flush()
    assert [body["kind"] for body in broker.bodies] == ["abort"]
    assert box._budget.held == 0
    await box.close(1)


async def test_behind_a_lost_record_nothing_is_written_and_nothing_held() -> None:
    broker = Broker()
    broker.open.clear()
    gate = asyncio.Event()

    async def window(_: float) -> None:
        await gate.wait()

    box = outbox(broker, sleep=window)
    line = reply(box)
    for number in range(5):
        await line.frame(frame(f"{number} "), "openai.chat")
    await asyncio.sleep(0.01)
    broker.full = True
    broker.open.set()
    await line.delta("waits to be joined")
    await asyncio.sleep(0.01)
    gate.set()
    await box.close(1)
    assert [body["kind"] for body in broker.bodies] == ["abort"]
    assert (line.given_up, box._budget.held) == (True, 0)


async def test_a_budget_is_given_out_in_turn() -> None:
    budget = Budget(100)
    assert await budget.take(80, 0)
    assert not await budget.take(30, 0)
    large = asyncio.create_task(budget.take(90, 0.02))
    await asyncio.sleep(0)
    small = asyncio.create_task(budget.take(20, 5))
    await asyncio.sleep(0)
    assert not await large
    assert await asyncio.wait_for(small, 1)  # what stood before it has left
    assert budget.held == 100
    third = asyncio.create_task(budget.take(50, 5))
    await asyncio.sleep(0)
    budget.give(80)
    third.cancel()  # just when its turn has come
    with pytest.raises(asyncio.CancelledError):
        await third
    assert budget.held == 20
    budget.give(20)
    assert await budget.take(1000, 0)  # what never fits goes alone
    assert not await budget.take(1, 0)


@pytest.mark.parametrize("declared", [True, False])
async def test_frames_that_find_no_room_while_the_declaration_is_on_its_way(declared: bool) -> None:
    broker = Broker()
    broker.refuse = set() if declared else {0}
    broker.open.clear()
    box = outbox(broker, buffer_bytes=1000)
    line = reply(box, tools=TOOLS)
    while not line.given_up:
        await line.frame(frame("Looking. "), "openai.chat")
    broker.open.set()
    await box.flush()
    kinds = [body.get("kind", "frame") for body in broker.bodies]
    assert (kinds[0], kinds[-1], set(kinds[1:-1])) == ("start", "abort", {"frame"}) if declared else kinds == ["abort"]
    assert (box.dropped, box._budget.held) == (1, 0)
    await box.close(1)
