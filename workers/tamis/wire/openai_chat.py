"""OpenAI chat chunks, as OpenAI, vLLM, SGLang, OpenRouter and their look-alikes send them."""

from __future__ import annotations

from typing import Any

from tamis.wire.frames import Frame, FrameError, Reason
from tamis.wire.native import read_start

__all__ = ["is_openai_chat", "read_openai_chat"]

WIRE = "openai.chat"
_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields of a delta that carry reasoning, by the names that servers have used; the first that holds text counts."""


def is_openai_chat(body: dict[str, Any]) -> bool:
    """Whether a record looks like a chat chunk, or like an error frame in its place."""
    return body.get("object") in ("chat.completion.chunk", "error") or isinstance(body.get("error"), dict) or (
        isinstance(body.get("choices"), list) and "kind" not in body
    )  # fmt: skip


def read_openai_chat(body: dict[str, Any]) -> list[Frame]:
    """The frames of one chunk, in order, each for its own choice. Raises `FrameError`."""
    given = body.get("id")
    response_id = given if isinstance(given, str) and given else None
    error = body.get("error")
    if isinstance(error, dict) or body.get("object") == "error":
        kind = (error if isinstance(error, dict) else body).get("type")
        return [Frame("error", kind if isinstance(kind, str) else "error", response_id, None, wire=WIRE)]
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise FrameError(Reason.NOT_A_CHUNK, "a chat chunk needs a list 'choices'")
    start = read_start({key: value for key, value in body.items() if key in ("model", "provider", "catalog", "tools", "turn")})
    frames: list[Frame] = []
    usage = body.get("usage")
    for number, choice in enumerate(choices):
        if not isinstance(choice, dict):
            raise FrameError(Reason.BAD_FIELD, "'choices' must hold objects")
        index = choice.get("index")
        at = index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else number
        _delta(choice.get("delta") or {}, at, response_id, frames)
        reason = choice.get("finish_reason")
        if reason:
            if isinstance(usage, dict):
                frames.append(Frame("usage", usage, response_id, at, wire=WIRE))
            frames.append(Frame("finish", str(reason), response_id, at, wire=WIRE))
    if not choices and isinstance(usage, dict):
        frames.append(Frame("usage", usage, response_id, None, wire=WIRE))
    if not frames:
        frames.append(Frame("usage", None, response_id, None, wire=WIRE))
    for frame in frames:
        frame.start = start
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
    entries = delta.get("tool_calls") or []
    legacy = delta.get("function_call")
    if isinstance(legacy, dict):
        entries = [*entries, {"index": 0, "function": legacy}]
    if not isinstance(entries, list):
        raise FrameError(Reason.BAD_FIELD, "'tool_calls' must be a list")
    frames += (Frame("tool", entry, response_id, choice, wire=WIRE) for entry in entries if isinstance(entry, dict))
