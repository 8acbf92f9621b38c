"""Broken texts out of sound ones: cases of all dialects, spliced, cut, doubled, and sprinkled with marks."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tamis.core.dialects import load
from tamis.core.marks import MARKS

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
REASONS = ("stop", "stop", "length", "tool_calls", None, "content_filter")
LONGEST = 3000  # characters of one text: long enough for several calls, short enough for many runs
_PIECES = (
    "```", "`", "~~~", "\n", "\n\n", "\r\n", " ", '"', "'", '"""', "{", "}", "[", "]", "(", ")", "<", ">", "|", "\\",
    "//", "/*", "#", ",", ":", "=", ";", "<br>", "\u200b", "\ufeff", "\u00a0", "“", "’", "：", "> ", "court\n", "Action:",
    "Action: get_tide\nAction Input: ", "Thought: ", "Observation: ",
    "functions.get_tide:0", '{"name": "get_tide", "arguments": {"port": "x"}}', '[get_tide(port="x")]', "get_tide\n{", "<get_tide>", "</get_tide>",
    "<port>", "</port>", "```json\n", "```tool_code\n", "```tool\n", "json\n", "&lt;", "{&quot;", '{\\"', " to=get_tide<|message|>", "assistantfinal",
    "<function=get_tide>", "<parameter=port>", "</parameter>", '<invoke name="get_tide">', '<parameter name="port">', '<function name="get_tide">',
    "]]>", "<![CDATA[", "null", "True", "1e999", "\ud800", "é", "\U0001f600", "x",
)  # fmt: skip


@dataclass(slots=True)
class Sample:
    """One turn to try: what the session is made with, the text, and how it ends."""

    text: str
    tools: list[dict[str, Any]]
    reason: str | None
    options: dict[str, Any] = field(default_factory=dict)


@cache
def pool() -> tuple[dict[str, Any], ...]:
    """All cases of the corpus."""
    lines = (line for path in sorted(CORPUS.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(json.loads(line) for line in lines if line.strip())


@cache
def pieces() -> tuple[str, ...]:
    """What is sprinkled in: every marker of every dialect, and signs that mean something somewhere."""
    marks = {mark for dialect in load().values() for mark in (*dialect.openers, *dialect.closers, *dialect.parts)}
    return (*_PIECES, *sorted(marks), *(mark for mark, _, _ in MARKS), *(dialect.example for dialect in load().values()))


def mutate(chance: random.Random) -> Sample:
    """A text some edits away from a case; every fourth keeps its finish reason, so that the sound paths are met too."""
    case = chance.choice(pool())
    text = case["text"]
    for _ in range(chance.randint(0, 4)):
        at = chance.randint(0, len(text))
        end = min(len(text), at + chance.randint(1, 20))
        match chance.randint(0, 6):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + text[at:end] * 2 + text[end:]
            case 2:
                text = text[:at] + chance.choice(pieces()) + text[at:]
            case 3:
                text = text[:at]
            case 4:
                other = chance.choice(pool())["text"]
                start = chance.randint(0, len(other))
                text = text[:at] + other[start : start + chance.randint(1, 80)] + text[at:]
            case 5:
                text = text[:at] + chance.choice(pieces()) + chance.choice(pieces()) + text[at:]
            case _:
                text = text[:at] + chance.choice(pool())["text"] + text[at:]
    tools = case["tools"] if chance.random() < 0.7 else chance.choice(pool())["tools"]
    reason = case["finish_reason"] if chance.random() < 0.25 else chance.choice(REASONS)
    return Sample(text[:LONGEST], tools, reason, {"thought_open": True} if chance.random() < 0.1 else {})
