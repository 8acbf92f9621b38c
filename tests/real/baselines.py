"""Three plain readers of a whole text, as one writes them in an afternoon: what tamis has to be better than.

Each is `(text, tools) -> [(name, arguments)]`. They take what they find: no gates, no refusals, no places.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["BASELINES", "keyword_calls", "plain_json", "repaired_json"]

Call = tuple[str, dict[str, Any]]
Tools = Sequence[Mapping[str, Any]]
_TAGGED = re.compile(r"<(tool_call|function_call)>\s*(.*?)\s*(?=</\1>|<\1>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```\w*\n(.*?)(?:```|\Z)", re.DOTALL)


def _bodies(text: str) -> list[str]:
    """What stands between tags, else in fences, else everything."""
    return [found[1] for found in _TAGGED.findall(text)] or _FENCED.findall(text) or [text]


def _calls(value: Any) -> Iterator[Call]:
    if isinstance(value, list):
        for item in value:
            yield from _calls(item)
    elif isinstance(value, dict):
        if isinstance(value.get("tool_calls"), list):
            yield from _calls(value["tool_calls"])
            return
        name = value.get("name")
        arguments = value.get("arguments", value.get("parameters"))
        if isinstance(name, str) and isinstance(arguments, dict):
            yield name, arguments


def plain_json(text: str, tools: Tools) -> list[Call]:
    """`json.loads` of the text, or of what its tags or fences hold."""
    found: list[Call] = []
    for body in _bodies(text):
        try:
            found += _calls(json.loads(body))
        except ValueError:
            continue
    return found


def keyword_calls(text: str, tools: Tools) -> list[Call]:
    """`ast` on the text or its fences: one call, or a list of them, with keywords and literals."""
    found: list[Call] = []
    for body in _FENCED.findall(text) or [text]:
        try:
            tree = ast.parse(body.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in tree.elts if isinstance(tree, ast.List | ast.Tuple) else [tree]:
            if isinstance(node, ast.Call):
                try:
                    found.append((ast.unparse(node.func), {item.arg: ast.literal_eval(item.value) for item in node.keywords if item.arg}))
                except ValueError:
                    continue
    return found


def repaired_json(text: str, tools: Tools) -> list[Call]:
    """The json-repair library on the text, or on what its tags or fences hold."""
    import json_repair

    found: list[Call] = []
    for body in _bodies(text):
        found += _calls(json_repair.loads(body))
    return found


BASELINES: dict[str, Callable[[str, Tools], list[Call]]] = {
    "json.loads": plain_json, "keyword calls": keyword_calls, "json-repair": repaired_json,
}  # fmt: skip
