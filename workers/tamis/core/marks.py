"""Marks that belong to no dialect of calls: thoughts, fabricated results, end tokens, wrappers of the answer (P31, P40, P45, P107)."""

from __future__ import annotations

from typing import NamedTuple

from tamis.core.lexicon import Role

__all__ = ["ENDING", "MARKS", "PHRASES", "RESULT_CONDITIONS", "RESULT_SHAPES", "Phrase", "ResultShape"]

# each family's opener with the closers of its members: a thought may close with a sibling's (P32)
_THOUGHT_TAGS = ("<think>", "<think:*>", "<thinking>", "<ifm|think>", "<ifm|think_fast>", "<ifm|think_faster>")
_THOUGHT_TOKENS = (
    ("◁think▷", "◁/think▷"), ("[THINK]", "[/THINK]"), ("<|channel>", "<channel|>"), ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"), ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"), ("<|thought_start|>", "<|thought_end|>"),
)  # fmt: skip
_RESULTS = ("tool_response", "tool_result", "tool_output", "observation", "tool_use_result", "function_results", "function_result")
_WRAPPERS = ("answer", "response")
_ENDS = (
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "</s>", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|end|>",
    "<|return|>", "<turn|>", "<end_of_turn>", "<seed:eos>", "<seed:bos>", "</longcat_s>", "[e~[", "<|end_of_msg|>", "<|eom|>", "<|eot|>",
    "<|plamo:tag|>", "<|message_sep|>", "<|content_model_end_sampling|>", "<|user|>", "<|assistant|>", "<|python_end|>",
    # answer wrappers in tokens: only the token goes (P40)
    "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>", "<|open|>response<|sep|>", "<|close|>response<|sep|>",
    "<|close|>message<|sep|>", "✿RETURN✿:",
    # role headers of the model's own turn
    "<|im_start|>assistant", "<|im_start|>user", "<|start_header_id|>assistant<|end_header_id|>",
    "<|im_assistant|>", "<|im_middle|>", "<|pad|>", "<pad>",
)  # fmt: skip


ENDING = frozenset({"<|call|>", "<|end_message|>", "<|message_sep|>", "<|eom_id|>"})
"""Closers of dialects that end a turn or a message as well: never shown (P107)."""


class ResultShape(NamedTuple):
    """How a fabricated result ends: patterns for its end and for one of its kind inside it; `{tag}` is the tag it began with.

    A pattern is bounded: it may wait for what completes it.

    `keeps_end` is true where the end belongs to what follows. `anywhere` markups need no line start and no call before them.
    """

    end: str
    nest: str = ""
    name: str = ""
    anywhere: bool = True
    keeps_end: bool = False


_ROLE = r"<\|(?:user|assistant|system|im_start|start_header_id|START_OF_TURN_TOKEN)\|>|<\|start\|>assistant"
RESULT_SHAPES: dict[str, ResultShape] = {
    "element": ResultShape(end=r"</{tag}\s{0,16}>", nest=r"<{tag}(?:\s[^<>]{0,200}[^/<>])?>", anywhere=False),
    "<｜tool▁outputs▁begin｜>": ResultShape(end=r"<｜tool[▁_]outputs[▁_]end｜>", name="tool_outputs"),
    "<｜tool_outputs_begin｜>": ResultShape(end=r"<｜tool[▁_]outputs[▁_]end｜>", name="tool_outputs"),
    "<｜tool▁output▁begin｜>": ResultShape(end=r"<｜tool[▁_]output[▁_]end｜>", name="tool_outputs"),
    "<|START_TOOL_RESULT|>": ResultShape(end=r"<\|END_TOOL_RESULT\|>", name="tool_result"),
    "[TOOL_RESULTS]": ResultShape(end=r"\[/TOOL_RESULTS\]", name="tool_results"),
    "[TOOL_RESULT]": ResultShape(end=r"\[END_TOOL_RESULT\]", name="tool_result"),
    "<|tool_response>": ResultShape(end=r"<tool_response\|>", name="tool_response"),
    "<|observation|>": ResultShape(end=_ROLE, name="observation", keeps_end=True),
    "<|start_header_id|>ipython<|end_header_id|>": ResultShape(end=r"<\|(?:eot_id|eom_id)\|>|" + _ROLE, name="ipython"),
    "<|start_header_id|>tool<|end_header_id|>": ResultShape(end=r"<\|(?:eot_id|eom_id)\|>|" + _ROLE, name="ipython"),
    "<|im_start|>tool": ResultShape(end=r"<\|im_end\|>|" + _ROLE, name="tool_message"),
    "<|im_start|>user\n<tool_response>": ResultShape(end=r"<\|im_end\|>|" + _ROLE, name="tool_message"),
    "✿RESULT✿": ResultShape(end=r"✿RETURN✿\s{0,16}[:：]|✿FUNCTION✿", name="flower_result", keeps_end=True),
    "message": ResultShape(end=r"<\|(?:end|call|return)\|>|<\|start\|>", name="function_message"),
    "fence": ResultShape(end=r"```|~~~", name="tool_output_fence"),
    "label": ResultShape(end=r"\n(?=[ \t]{0,8}(?:Action|Thought|Final Answer|Observation)[ \t]{0,8}:)", name="observation_label"),
}
"""Markups of results by their mark; see the table in P45."""

MARKS: tuple[tuple[str, Role, str], ...] = (
    *((tag, Role.THINK, "think") for tag in _THOUGHT_TAGS),
    *((f"</{tag[1:]}", Role.THINK_END, "think") for tag in _THOUGHT_TAGS),
    *((opener, Role.THINK, "think") for opener, _ in _THOUGHT_TOKENS),
    *((closer, Role.THINK_END, "think") for _, closer in _THOUGHT_TOKENS),
    *((f"<{word}>", Role.RESULT, word) for word in _RESULTS),
    *((f"</{word}>", Role.RESULT_END, word) for word in _RESULTS),
    ("<details>", Role.RESULT, "details"),
    ("</details>", Role.RESULT_END, "details"),
    *((mark, Role.RESULT, shape.name) for mark, shape in RESULT_SHAPES.items() if shape.anywhere and mark not in ("message", "label", "fence")),
    *((f"<{word}>", Role.WRAP, word) for word in _WRAPPERS),
    *((f"</{word}>", Role.WRAP, word) for word in _WRAPPERS),
    *((token, Role.END, token) for token in _ENDS),
    ("<tools>", Role.ECHO, "tools"),
    ("<br>", Role.BLANK, "br"),
)
"""(spelling, role, label) of every such mark; a tag also matches with a namespace prefix (`<seed:think>`)."""

RESULT_CONDITIONS: dict[str, dict[str, str]] = {"details": {"type": "tool_calls", "done": "true"}}
"""Attributes that a result's head must carry; the other markups need none (P45)."""


class Phrase(NamedTuple):
    """A sentence that opens a thought at the very start of a turn, and those that close it."""

    starts: tuple[str, ...]
    ends: tuple[str, ...]
    follows: str = ""  # classes of character of which one must follow at once: "upper"


PHRASES: tuple[Phrase, ...] = (
    Phrase(("Here is my thought process:", "Here's my thought process:"), ("Here is my response:", "Here's my response:")),  # Granite 3.2
    Phrase(("analysis",), ("assistantfinal", "assistantcommentary"), "upper"),  # harmony whose tokens were stripped (P43)
)
"""Fixed sentences around thoughts."""
