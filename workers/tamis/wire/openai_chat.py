"""OpenAI chat chunks, as OpenAI, vLLM, SGLang, OpenRouter and their look-alikes send them."""

from __future__ import annotations

from typing import Any

from tamis.wire.frames import Frame, FrameError, Reason
from tamis.wire.native import MAX_CHOICE, read_entries, read_start

__all__ = ["is_openai_chat", "read_openai_chat"]

WIRE = "openai.chat"
_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields of a delta that carry reasoning, by the names that servers have used; the first that holds text counts."""


_DELTA = frozenset({"role", "content", "refusal", "tool_calls", "function_call", *_REASONING})
_CHOICE = frozenset({"index", "delta", "finish_reason", "logprobs"})
_UNREAD = 8  # names of one record: a row of invented ones must not cost more than a real one


def is_openai_chat(body: dict[str, Any]) -> bool:
    """Whether a record looks like a chat chunk, or like an error frame in its place."""
    return body.get("object") in ("chat.completion.chunk", "error") or (
        "kind" not in body and (isinstance(body.get("error"), dict | str) or isinstance(body.get("choices"), list))
    )


def read_openai_chat(body: dict[str, Any]) -> list[Frame]:
    """The frames of one chunk, in order, each for its own choice. Raises `FrameError`."""
    given = body.get("response_id") or body.get("id")
    response_id = given if isinstance(given, str) and given else None
    error = body.get("error")
    if (error and isinstance(error, dict | str)) or body.get("object") == "error":
        kind = (error if isinstance(error, dict) else body).get("type")
        return [Frame("error", kind if isinstance(kind, str) else "error", response_id, None, wire=WIRE)]
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise FrameError(Reason.NOT_A_CHUNK, "a chat chunk needs a list 'choices'")
    frames: list[Frame] = []
    usage = body.get("usage")
    unread: list[str] = []
    for number, choice in enumerate(choices):
        if not isinstance(choice, dict):
            raise FrameError(Reason.BAD_FIELD, "'choices' must hold objects")
        index = choice.get("index")
        at = index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else number
        if at > MAX_CHOICE:
            raise FrameError(Reason.BAD_FIELD, f"the index of a choice is above {MAX_CHOICE}")
        before = len(frames)
        delta = choice.get("delta") or {}
        _delta(delta, at, response_id, frames)
        unread += (key for key in (*choice.keys() - _CHOICE, *delta.keys() - _DELTA))
        reason = choice.get("finish_reason")
        if reason:
            if isinstance(usage, dict):
                frames.append(Frame("usage", usage, response_id, at, wire=WIRE))
            frames.append(Frame("finish", str(reason)[:64], response_id, at, wire=WIRE))  # 64: the words known have some 15
        if len(frames) == before:
            frames.append(Frame("start", None, response_id, at, wire=WIRE))  # a role alone: the choice is there, nothing is said yet
    if not choices:
        # a usage chunk, or one that only carries a provider's own notes
        frames.append(Frame("usage", usage if isinstance(usage, dict) else None, response_id, None, wire=WIRE))
    frames[0].unread = tuple(sorted(unread)[:_UNREAD])
    frames[0].start = read_start({key: value for key, value in body.items() if key in ("model", "provider", "catalog", "tools", "turn")})
    return frames


def _delta(delta: Any, choice: int, response_id: str | None, frames: list[Frame]) -> None:
    if not isinstance(delta, dict):
        raise FrameError(Reason.BAD_FIELD, "'delta' must be an object")
    reasoning = next((delta[key] for key in _REASONING if isinstance(delta.get(key), str) and delta[key]), None)
    if reasoning:
        frames.append(Frame("reasoning", reasoning, response_id, choice, wire=WIRE))
    for key in ("content", "refusal"):
        text = delta.get(key)
        if isinstance(text, list):  # content parts
            text = "".join(part.get("text") or "" for part in text if isinstance(part, dict) and isinstance(part.get("text"), str))
        if isinstance(text, str) and (text or key == "content"):
            frames.append(Frame("text", text, response_id, choice, wire=WIRE))
    entries = read_entries(delta)
    legacy = delta.get("function_call")
    if isinstance(legacy, dict):
        entries = [*entries, {"index": 0, "function": legacy}]
    frames += (Frame("tool", entry, response_id, choice, wire=WIRE) for entry in entries)
