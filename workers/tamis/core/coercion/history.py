"""What a session remembers of earlier results: the last 50, at most 64 kB, in both shapes in which hosts put them into a conversation.

    {"role": "tool", "tool_call_id": "c1", "name": "source_list", "content": "[…]"}        for native calls
    {"role": "user", "content": "<function_results>…</function_results>"}                  for calls that were read from text
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["KEPT", "KEPT_BYTES", "Result", "recent", "results"]

KEPT = 50  # results: a long task makes some 30 calls, and a name that was listed before that has been listed again
KEPT_BYTES = 64 * 1024  # of JSON: one of fifty listings is then a page of some thirty rows; small beside a changelog record of 1 MiB
_BLOCK = re.compile(r"<(?:[\w-]+:)?function_results?\b([^>]*)>(.*?)</(?:[\w-]+:)?function_results?>", re.DOTALL)
_ENTRY = re.compile(r"<result\b([^>]*)>(.*?)</result>", re.DOTALL)
_TAG = re.compile(r"<(tool_name|name|tool|id|call_id|tool_call_id|output|stdout|content)( escaped=\"html\")?>(.*?)</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*["']([^"']*)["']""")
_NAME, _ID, _BODY = ("tool_name", "name", "tool"), ("tool_call_id", "call_id", "id"), ("output", "stdout", "content")


@dataclass(frozen=True, slots=True)
class Result:
    """One earlier result: the tool that gave it ("" when nobody says), the call's id, and its value (text that is no JSON stays text)."""

    tool: str
    call_id: str
    value: Any


def recent(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """The messages that are kept of a conversation, oldest first: results, and what names their tools. Newest results win.

    Anything that is no message is left out. Raises nothing: a history is data of others.
    """
    found: list[dict[str, Any]] = []
    count = size = 0
    for message in reversed(list(messages)):
        kept = _slim(message) if isinstance(message, Mapping) else None
        if kept is None:
            continue
        try:
            size += len(json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace"))
        except (TypeError, ValueError, RecursionError):
            continue
        count += kept["role"] != "assistant"
        if count > KEPT or size > KEPT_BYTES:
            break
        found.append(kept)
    return found[::-1]


def _slim(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """A message without what no rule asks for, or None when it carries no result."""
    role, content = message.get("role"), _text(message.get("content"))
    if role == "tool" and content is not None:
        about = {key: message[key] for key in ("tool_call_id", "name") if isinstance(message.get(key), str)}
        return {"role": "tool", **about, "content": content}
    if role == "user" and content is not None and _BLOCK.search(content) is not None:
        return {"role": "user", "content": "".join(match[0] for match in _BLOCK.finditer(content))}
    calls = message.get("tool_calls")
    if role == "assistant" and isinstance(calls, list):
        slim = [{"id": given, "function": {"name": name}} for given, name in map(_named, calls) if given is not None]
        return {"role": "assistant", "tool_calls": slim} if slim else None
    return None


def _named(call: Any) -> tuple[str, str] | tuple[None, str]:
    """A call's id and its tool."""
    function = call.get("function") if isinstance(call, Mapping) else None
    given, name = (call.get("id"), function.get("name")) if isinstance(function, Mapping) else (None, None)
    return (given, name) if isinstance(given, str) and isinstance(name, str) else (None, "")


def _text(content: Any) -> str | None:
    if isinstance(content, list):
        parts = [part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
        return "".join(parts) if parts else None
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False, default=str)
    return content if isinstance(content, str) else None


def results(history: Sequence[Any]) -> list[Result]:
    """The results in a history, oldest first, in either shape."""
    found: list[Result] = []
    names: dict[str, str] = {}
    for message in history:
        if not isinstance(message, Mapping):
            continue
        role, content = message.get("role"), _text(message.get("content"))
        calls = message.get("tool_calls")
        if role == "assistant" and isinstance(calls, list):
            names |= {given: name for given, name in map(_named, calls) if given is not None}
        elif role == "tool" and content is not None:
            given = message.get("tool_call_id")
            call_id = given if isinstance(given, str) else ""
            name = message.get("name")
            found.append(Result(name if isinstance(name, str) else names.get(call_id, ""), call_id, _value(content)))
        elif role == "user" and content is not None:
            for block in _BLOCK.finditer(content):
                entries = [(*entry.groups(),) for entry in _ENTRY.finditer(block[2])]
                found += [_entry(attributes, body) for attributes, body in entries or [(block[1], block[2])]]
    return found


def _entry(attributes: str, body: str) -> Result:
    """One result of a block: who gave it stands in attributes or in tags, its value in a tag of its own or as all that is left."""
    told = dict(_ATTRIBUTE.findall(attributes))
    tags = {name: _inner(name, html.unescape(text) if escaped else text) for name, escaped, text in _TAG.findall(body)}
    rest = next((tags[name] for name in _BODY if name in tags), None)
    if rest is None:
        rest = _TAG.sub("", body).strip()
    about = told | {name: text for name, text in tags.items() if name in (*_NAME, *_ID)}
    return Result(next((about[key] for key in _NAME if key in about), ""), next((about[key] for key in _ID if key in about), ""), _value(rest))


def _inner(tag: str, text: str) -> str:
    """The text of a tag: a value keeps its white space but for the line breaks beside the tags."""
    return text.removeprefix("\n").removesuffix("\n") if tag in _BODY else text.strip()


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
