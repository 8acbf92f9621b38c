"""Bytes to frames: every wire, every shape that is none, and JSON that orjson would change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import ROOT, load_json
from tamis.wire.frames import Frame, FrameError, Reason
from tamis.wire.inbound import read_key, read_record


def read(body: Any, headers: Any = ()) -> list[Frame]:
    return read_record(body if isinstance(body, bytes) else json.dumps(body).encode(), headers)


def kinds(frames: list[Frame]) -> list[tuple[str, Any]]:
    return [(frame.kind, frame.payload) for frame in frames]


CHUNK = {"id": "c", "object": "chat.completion.chunk", "model": "m"}


@pytest.mark.parametrize("path", sorted((ROOT / "schemas/examples/raw-stream/1/valid").glob("*.json")), ids=lambda path: path.stem)
def test_every_published_example_is_read(path: Any) -> None:
    assert read(load_json(path))


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({"v": 1, "kind": "start", "response_id": "r"}, [("start", None)]),
        ({"v": 1, "kind": "delta", "text": "a", "reasoning": "b"}, [("reasoning", "b"), ("text", "a")]),
        ({"v": 1, "kind": "delta", "tool_calls": [{"index": 0}]}, [("tool", {"index": 0})]),
        ({"v": 1, "kind": "end", "finish_reason": "stop", "usage": {"n": 1}}, [("usage", {"n": 1}), ("finish", "stop")]),
        ({"v": 1, "kind": "abort"}, [("abort", None)]),
        ({**CHUNK, "choices": [{"index": 0, "delta": {"role": "assistant"}}]}, [("start", None)]),
        ({**CHUNK, "choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}, [("text", "a"), ("finish", "stop")]),
        ({**CHUNK, "choices": [{"delta": {"content": [{"type": "text", "text": "a"}]}}]}, [("text", "a")]),
        ({**CHUNK, "choices": [{"delta": {"refusal": "no"}}]}, [("text", "no")]),
        ({**CHUNK, "choices": [{"delta": {"reasoning_content": "t"}}]}, [("reasoning", "t")]),
        ({**CHUNK, "choices": [{"delta": {"reasoning": "t"}}]}, [("reasoning", "t")]),
        ({**CHUNK, "choices": [{"delta": {"thinking": "t"}}]}, [("reasoning", "t")]),
        ({**CHUNK, "choices": [{"delta": {"function_call": {"name": "f"}}}]}, [("tool", {"index": 0, "function": {"name": "f"}})]),
        ({**CHUNK, "choices": [], "usage": {"n": 1}}, [("usage", {"n": 1})]),
        ({**CHUNK, "choices": []}, [("usage", None)]),
        ({"error": {"type": "overloaded_error", "message": "words"}}, [("error", "overloaded_error")]),
        ({"error": "out of memory"}, [("error", "error")]),
        ({"choices": [{"delta": {"content": "look-alike"}}]}, [("text", "look-alike")]),
    ],
)  # fmt: skip
def test_what_a_record_says(body: Any, wanted: Any) -> None:
    assert kinds(read(body)) == wanted


def test_choices_of_a_chunk_keep_their_index_or_get_their_place() -> None:
    choices = [{"index": 3, "delta": {"content": "a"}}, {"delta": {"content": "b"}}]
    assert [(frame.choice, frame.payload) for frame in read({**CHUNK, "choices": choices})] == [(3, "a"), (1, "b")]


def test_headers_win_over_the_body_and_name_the_wire() -> None:
    headers = [("x-provider", b"groq"), ("x-model", b"big"), ("x-response-id", b"mine"), ("x-catalog", b"cat"), ("other", None)]
    (frame,) = read({"v": 1, "kind": "delta", "text": "a", "response_id": "r", "model": "small"}, headers)
    assert frame.start is not None
    assert (frame.response_id, frame.start.provider, frame.start.model, frame.start.catalog) == ("mine", "groq", "big", "cat")
    assert read({"choices": []}, [("x-wire", b"openai.chat")])[0].wire == "openai.chat"


def test_a_schema_registry_frame_is_taken_off() -> None:
    assert kinds(read(b"\x00\x00\x00\x00\x2a" + b'{"v":1,"kind":"abort"}')) == [("abort", None)]


@pytest.mark.parametrize(
    ("value", "headers", "reason"),
    [
        (None, (), Reason.NO_VALUE),
        (b"", (), Reason.NOT_JSON),
        (b"nope", (), Reason.NOT_JSON),
        (b'{"v": NaN}', (), Reason.NOT_JSON),
        (b'{"v": NaN, "n": 12345678901234567890}', (), Reason.NOT_JSON),
        (b"[" * 100_000, (), Reason.NOT_JSON),
        (b'"\\u' + b"[" * 100_000, (), Reason.NOT_JSON),
        (b"7", (), Reason.NOT_A_CHUNK),
        (b"{}", (), Reason.NOT_A_CHUNK),
        (b'{"kind": []}', (), Reason.NOT_A_CHUNK),
        (b'{"v": 2, "kind": "abort"}', (), Reason.BAD_FIELD),
        (b'{"v": 1, "kind": "delta", "seq": true, "text": ""}', (), Reason.BAD_FIELD),
        (b'{"v": 1, "kind": "delta", "seq": -1, "text": ""}', (), Reason.BAD_FIELD),
        (b'{"v": 1, "kind": "delta", "choice": 1024, "text": ""}', (), Reason.BAD_FIELD),
        (b'{"v": 1, "kind": "start", "namespaces": [1]}', (), Reason.BAD_FIELD),
        (b"{}", [("x-wire", b"morse")], Reason.UNKNOWN_WIRE),
        (b'{"v": 1, "kind": "abort"}', [("x-response-id", b"x" * 513)], Reason.BAD_FIELD),
    ],
)
def test_what_is_no_chunk_says_why_without_its_content(value: bytes | None, headers: Any, reason: str) -> None:
    with pytest.raises(FrameError) as caught:
        read_record(value, headers)
    assert caught.value.reason == reason


def test_a_fault_names_the_response_that_it_is_about() -> None:
    for body, headers in (({"v": 1, "kind": "delta", "text": 5, "response_id": "r"}, ()), ({"kind": "?"}, [("x-response-id", b"r")])):
        with pytest.raises(FrameError) as caught:
            read(body, headers)
        assert caught.value.response_id == "r"


@pytest.mark.parametrize(("key", "reason"), [(None, "no_key"), (b"", "bad_key"), (b"x" * 257, "bad_key"), (b"\xff", "bad_key")])
def test_keys_that_are_no_session_id(key: bytes | None, reason: str) -> None:
    with pytest.raises(FrameError) as caught:
        read_key(key)
    assert caught.value.reason == reason
    assert read_key("é".encode()) == "é"


def test_numbers_and_half_characters_survive() -> None:
    (frame,) = read(b'{"v":1,"kind":"delta","tool_calls":[{"function":{"arguments":{"n":123456789012345678901234567890}}}]}')
    assert frame.payload["function"]["arguments"]["n"] == 123456789012345678901234567890
    assert kinds(read(b'{"v":1,"kind":"delta","text":"\\ud83d"}')) == [("text", "\ud83d")]


_REASONS = {value for name, value in vars(Reason).items() if name.isupper()}


def reason_of(value: bytes) -> str | None:
    """Why a record is no chunk; None when it is one."""
    try:
        frames = read_record(value)
    except FrameError as error:
        return error.reason
    assert len({frame.response_id for frame in frames}) == 1
    return None


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_a_fault_with_a_reason(value: bytes) -> None:
    assert reason_of(value) in {None, *_REASONS}


_INNER = st.sampled_from(["index", "id", "function", "name", "arguments", "content", "delta", "finish_reason", "tool_calls"])
_OUTER = st.sampled_from(
    ["v", "kind", "text", "reasoning", "tool_calls", "choice", "seq", "response_id", "tools", "namespaces", "policy", "choices", "error", "usage",
     "id", "object", "turn", "finish_reason"]
)  # fmt: skip
_LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_JSON = st.recursive(_LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_INNER, inner, max_size=3), max_leaves=8)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(_OUTER, _JSON | st.sampled_from([1, "delta", "start", "end", "abort", "chat.completion.chunk"])))
def test_any_object_is_frames_or_a_fault(body: dict[str, Any]) -> None:
    assert reason_of(json.dumps(body).encode()) in {None, *_REASONS}
