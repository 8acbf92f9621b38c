"""Marks in the text around a call that say what it is worth: an example, or a model that talks to itself behind its answer.

Both are lists of words as models write them; they only ever make less of a text a call, never more.
"""

from __future__ import annotations

import re

__all__ = ["CONTINUES", "CONTINUES_AT_MOST", "LEAD", "apart", "labelled", "only_example"]

LEAD = 240
"""Characters before a block that are looked at: a sentence or two."""
CONTINUES_AT_MOST = 64
"""Characters in which a mark of continuation shows itself."""
CONTINUES = (
    r"(?i:#{2,6}[ \t]*(?:instruction|response|input|question|user|human|assistant|system|example|test|output|answer|query|task)s?[\s:]"
    r"|#[ \t]?[\w./-]{1,48}\.(?:py|js|ts|md)\s"
    r"|(?:user|assistant|system|human|question|query|instruction|output|result|q|input)[ \t]*(?::|<\||\r?\n)"
    r"|(?:import|from)[ \t]+\w|(?:def|class)[ \t]+\w+[ \t]*[(:]|if[ \t]+__name__"
    r"|\"\"\"|'''|>>>[ \t])"
)
"""What begins a line where a model goes on with a conversation, a test or a program of its own; letters of any case."""
_APART = re.compile(r"(?::[*_ \t]*\r?\n|\n[ \t]*\r?\n)\s*\Z").search
_LABEL = re.compile(r":[*_]{0,3}[ \t]+\Z").search
_EXAMPLE = re.compile(
    r"\b(?:examples?|e\.g|would (?:look|be|read|need|have|call|use)|could (?:look|be|call|use)|might (?:look|be)|such as|hypothetical\w*"
    r"|(?:is|are|was|were) (?:not|wrong|invalid|incorrect)|invalid|incorrect|instead of|can ?not|can't|could(?: not|n't)|unable"
    r"|should(?: not|n't)|do(?:es)? not|do(?:es)?n't|never|suppose|if you (?:want|had|have|need|were))\b",
    re.IGNORECASE,
).search
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")


def apart(lead: str) -> bool:
    """Whether a block behind `lead` begins a paragraph of its own, or follows a label."""
    return not lead or _APART(lead) is not None


def labelled(lead: str) -> bool:
    """Whether the line so far is a label: a colon ends it, emphasis and blanks aside."""
    return _LABEL(lead) is not None


def only_example(lead: str) -> bool:
    """Whether the paragraph before a block speaks of an example, or of what is not so."""
    return _EXAMPLE(_PARAGRAPH.split(lead.rstrip())[-1]) is not None

