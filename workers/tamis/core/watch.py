"""Looks at text that passes for openers that no dialect knows ("format E"): for people to review, never to act on.

What counts is a token or tag of unknown name with something call-like right behind it: JSON that has a name, or a declared tool's
name in front of a bracket. The finding holds marks only, never content, and is a function of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["RECENT", "UNKNOWN", "Watch"]

WINDOW = 192
"""Characters from an unknown token on in which it must show what it opens: a long tag, blanks, and the first key of an object."""
RECENT = 40
"""Characters of passed text that are kept, to find the token in front of a bracket: a long token and some blanks."""
UNKNOWN = r"<\|[^<>|\s]{2,48}\|>|<[A-Za-z_][\w:.|-]{1,48}(?:\s[^<>\n]{0,80})?>|\[[A-Za-z_]{3,48}\]"
"""A special token, a tag, or a word in square brackets."""
_FINDING = re.compile(
    rf"(?P<token>{UNKNOWN})\s{{0,8}}(?:[\[(]?\s{{0,4}}\{{\s{{0,8}}[\"'](?:name|tool_name|tool|function|action)[\"']\s{{0,4}}:\s{{0,4}}[\"'{{]"
    r"|(?P<name>[A-Za-z_][\w.:/-]{1,63})\s{0,4}[({<\n\[])"
)
_MARK = re.compile(rf"{UNKNOWN}|</[A-Za-z_][\w:.|-]{{1,48}}>|[{{}}\[\]():=,]|\"|'")
_TAG = re.compile(r"(</?[\w:.|-]*)[^>]*")


class Watch:
    """`begin` when something unknown stands in the text, then `take` what passes."""

    __slots__ = ("buffer", "declared", "offset", "open")

    def __init__(self, declared: Callable[[str], bool]) -> None:
        self.declared = declared
        self.open = False
        self.buffer = ""
        self.offset = 0

    def begin(self, before: str, offset: int) -> None:
        """Start with the text that has just passed; `offset` is the place of what comes next."""
        if not self.open:
            self.open, self.buffer, self.offset = True, before, offset

    @property
    def room(self) -> int:
        """Characters that are still looked at."""
        return WINDOW - len(self.buffer)

    def end(self) -> str | None:
        """Stop; the shape of what was found, or None."""
        text, self.open, self.buffer = self.buffer, False, ""
        for found in _FINDING.finditer(text):
            name = found["name"]
            if name is None or self.declared(name):
                return _shape(text[found.start() :])
        return None


def _shape(text: str) -> str:
    """The marks of a text: names of tags stay, attributes and everything between go."""
    return "".join(_TAG.sub(r"\1", found[0]) for found in _MARK.finditer(text))[:WINDOW]
