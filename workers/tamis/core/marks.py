"""Marks that belong to no dialect of calls: thoughts, fabricated results, end tokens, wrappers of the answer (P31, P40, P45, P107)."""

from __future__ import annotations

from tamis.core.lexicon import Role

__all__ = ["MARKS", "PHRASES", "PHRASE_END", "RESULT_CONDITIONS"]

_THOUGHTS = ("think", "thinking")
_RESULTS = ("tool_response", "tool_result", "tool_output", "observation", "tool_use_result", "function_results", "function_result")
_WRAPPERS = ("answer", "response")
_ENDS = (
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "</s>", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|end|>",
    "<|return|>", "<turn|>", "<end_of_turn>", "<seed:eos>", "</longcat_s>", "[e~[", "<|end_of_msg|>", "<|eom|>", "<|eot|>",
)  # fmt: skip

MARKS: tuple[tuple[str, Role, str], ...] = (
    *((f"<{word}>", Role.THINK, word) for word in _THOUGHTS),
    *((f"</{word}>", Role.THINK_END, word) for word in _THOUGHTS),
    ("◁think▷", Role.THINK, "think"),
    ("◁/think▷", Role.THINK_END, "think"),
    ("[THINK]", Role.THINK, "think"),
    ("[/THINK]", Role.THINK_END, "think"),
    *((f"<{word}>", Role.RESULT, word) for word in _RESULTS),
    *((f"</{word}>", Role.RESULT_END, word) for word in _RESULTS),
    ("<details>", Role.RESULT, "details"),
    ("</details>", Role.RESULT_END, "details"),
    *((f"<{word}>", Role.WRAP, word) for word in _WRAPPERS),
    *((f"</{word}>", Role.WRAP, word) for word in _WRAPPERS),
    *((token, Role.END, token) for token in _ENDS),
    ("<tools>", Role.ECHO, "tools"),
    ("<br>", Role.BLANK, "br"),
)
"""(spelling, role, label) of every such mark; a tag also matches with a namespace prefix (`<seed:think>`)."""

RESULT_CONDITIONS: dict[str, dict[str, str]] = {"details": {"type": "tool_calls", "done": "true"}}
"""Attributes that a result's head must carry; the other markups need none (P45)."""

PHRASES = ("Here is my thought process:", "Here's my thought process:")
"""Sentences that open a thought at the very start of a turn (Granite 3.2)."""
PHRASE_END = ("Here is my response:", "Here's my response:")
"""Sentences that close such a thought."""
