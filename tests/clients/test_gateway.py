"""What a gateway writes: joined, numbered, bounded; and what the workers make of it when some of it is lost."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest
from aiokafka.errors import KafkaTimeoutError
from harness import CALL, TOOLS
from test_memory import Raw

from tamis.agents.partition import Partition
from tamis.agents.sessions import Surroundings
from tamis.clients.budget import Budget
from tamis.clients.envelope import MAX_PIECE, MAX_START, MAX_VALUE, Envelope, Outgoing
from tamis.clients.gateway import Gateway
from tamis.clients.outbox import Outbox
from tamis.clients.reply import Reply
from tamis.core import UsageError
from tamis.settings import Settings
from tamis.wire.schemas import problems


class Broker:
    """Takes records, or does not: `down` makes it fail, `closed` makes it wait."""

    def __init__(self) -> None:
        self.got: list[Outgoing] = []
        self.refuse: set[int] = set()
        self.down = self.full = False
        self.open = asyncio.Event()
        self.open.set()
        self.count = 0

    async def send(self, key: bytes, record: Outgoing) -> asyncio.Future[Any]:
        assert key == b"s"
        await self.open.wait()
        if self.full:  # the client's own buffer
            self.count += 1
            raise KafkaTimeoutError
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.down or self.count in self.refuse:
            future.set_exception(KafkaTimeoutError())
        else:
            self.got.append(record)
            future.set_result(None)
        self.count += 1
        return future

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(record.value) for record in self.got]


async def nothing(_: float) -> None:
    await asyncio.sleep(0)


def outbox(broker: Broker, **options: Any) -> Outbox:
    chosen = Outbox(broker.send, **{"coalesce_seconds": 0.03, "buffer_bytes": 1 << 20, "max_wait_seconds": 0.05, "sleep": nothing, **options})
    chosen.open()
    return chosen


def reply(box: Outbox, response_id: str = "r", **start: Any) -> Reply:
    return Reply(box, b"s", Envelope(response_id, start))


def shown(records: list[Outgoing], skip: int | None = None) -> dict[str, list[Any]]:
    """What a worker publishes of these records, one of them lost."""
    kept = [record for number, record in enumerate(records) if number != skip]
    out = Partition(0, 1, Surroundings()).work([Raw(at, record.value, list(record.headers)) for at, record in enumerate(kept)])
    return {topic: [json.loads(record.value or b"") for _, record in out if record.topic == topic] for topic in ("tool-calls", "content", "turns")}


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


def frame(text: str | None, finish: str | None = None) -> dict[str, Any]:
    delta = {} if text is None else {"content": text}
    return {"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


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


# -- bounds


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
    broker.full = False
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
