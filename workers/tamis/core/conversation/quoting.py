"""Text of a tool inside markup that a model reads: it may neither end its block nor pass for a call, and nothing of it is lost.

A tool's text is data of a stranger: a web page may hold `</function_results>` and a call behind it. So the first character of each mark
that means something to a chat template or to this parser is written as an escape, and nothing else is touched. JSON has escapes of its
own (`\\u003c`), which every reader decodes. In other text the escapes are those of HTML, and the tag around it says so:

    <output escaped="html">
    a &lt;/output> that ends nothing, and R&amp;D
    </output>
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tamis.core.dialects import lexicon
from tamis.core.lexicon import Role

__all__ = ["element", "json_line", "one_line"]

_OWN = (
    r"</?(?:[^\s<>/]*:)?"
    r"(?:function_results?|result|tool_name|tool_call_id|call_id|output|stdout|content|name|tool|id)(?![\w.-])"
)
"""Tags that the readers of result blocks know (`tamis.core.coercion.history`), in any case and under any namespace."""
_CHAT = r"<(?:[|｜‖]|start_of_turn>|/?SYS>)|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]"
"""Special tokens of chat templates that no dialect of calls uses: servers make tokens of them wherever they stand."""
_MORE = re.compile(f"{_OWN}|{_CHAT}", re.IGNORECASE)
_FIRST = re.compile(r"[<\[\]◁✿]")
"""What special tokens and tags begin with. Other openers (`functools[`, a label, bare JSON) are words: inside a block they open nothing."""
_HARMLESS = frozenset({Role.PART, Role.WRAP, Role.BLANK})
"""Roles of marks that have a meaning inside a call alone, or are common in pages of the web (`<br>`, `<code>`)."""


def element(tag: str, text: str, *, lines: bool = False) -> str:
    """`text` inside `<tag>`, its marks escaped; `escaped="html"` tells that `html.unescape` gives it back. `lines`: on lines of its own."""
    written, escaped = _written(text)
    head = f'{tag} escaped="html"' if escaped else tag
    return f"<{head}>\n{written}\n</{tag}>" if lines else f"<{head}>{written}</{tag}>"


def one_line(text: str) -> str:
    """`text` as a JSON string on one line of ASCII, in which no mark begins."""
    return re.sub(r"[<\[\]]", lambda found: _as_json(found[0]), json.dumps(text))


def json_line(value: Any) -> str:
    """A JSON value on one line of ASCII, in whose texts no mark stands."""
    text = json.dumps(value)
    return _replaced(text, list(_places(text)), lambda plain: plain, _as_json)


def _as_json(char: str) -> str:
    return f"\\u{ord(char):04x}"


def _written(text: str) -> tuple[str, bool]:
    """The text as it may stand in a block, and whether it has to be unescaped as HTML."""
    places = list(_places(text))
    if not places:
        return text, False
    if _is_json(text):
        escaped = _replaced(text, places, lambda plain: plain, _as_json)
        if _is_json(escaped):  # else a mark begins with a bracket of the JSON itself
            return escaped, False
    return _replaced(text, places, lambda plain: plain.replace("&", "&amp;"), lambda char: "&lt;" if char == "<" else f"&#{ord(char)};"), True


def _places(text: str) -> Iterator[int]:
    """Where marks begin, in order."""
    lexis = lexicon()
    for found in _FIRST.finditer(text):
        here = found.start()
        marker = lexis.at(text, here, True)
        if (marker is not None and marker is not True and marker.role not in _HARMLESS) or _MORE.match(text, here) is not None:
            yield here


def _replaced(text: str, places: list[int], plain: Callable[[str], str], mark: Callable[[str], str]) -> str:
    """The text with `mark` of the character at each place, and `plain` of what lies between."""
    parts: list[str] = []
    done = 0
    for here in places:
        parts += (plain(text[done:here]), mark(text[here]))
        done = here + 1
    return "".join([*parts, plain(text[done:])])


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
