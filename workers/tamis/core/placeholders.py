"""What stands where a value is to be filled in: `<user_id>`, or a comment alone in its brackets. A call with one is a template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tamis.core.events import Repair
from tamis.core.names import fold

__all__ = ["empty_but_for_comment", "placeholder"]

_MARK = re.compile(r"<([A-Za-z][\w -]{0,40})>\Z").match
_ONLY_COMMENT = re.compile(r"[\[{:]\s*(?:/\*[^*]*\*/|(?://|#)[^\n]*\n)\s*[\]},]").search


def placeholder(arguments: Mapping[str, Any]) -> str | None:
    """The key whose value is a name in angle brackets: several words, or the key itself. A lone tag may be meant as one."""
    for key, value in arguments.items():
        found = _MARK(value) if isinstance(value, str) else None
        if found is not None and (set(" _-") & set(found[1]) or fold(found[1]) in fold(key)):
            return key
    return None


def empty_but_for_comment(text: str, repairs: tuple[Repair, ...]) -> bool:
    """Whether a comment stands where a value was to come. `repairs` are those of reading `text`."""
    return any(repair.rule == "comment" for repair in repairs) and _ONLY_COMMENT(text) is not None
