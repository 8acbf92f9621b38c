"""Structured tool-call deltas: put together by index, handed on untouched (format "native")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tamis.core.calljson import decoded
from tamis.core.errors import UsageError
from tamis.core.events import Repair
from tamis.core.jsontext import JSONFault, depth, load_strict

__all__ = ["NativeCall", "NativeCalls"]


class NativeCall:
    """One call while its fragments arrive."""

    __slots__ = ("arguments", "id", "index", "name", "size")

    def __init__(self, index: int) -> None:
        self.index = index
        self.id: str | None = None
        self.name = ""
        self.arguments: list[str] = []
        self.size = 0

    def read(self, nesting: int) -> tuple[dict[str, Any] | None, str, bool]:
        """(arguments, fault, whether the text looks cut). Exact JSON only: a native call is never repaired."""
        text = "".join(self.arguments)
        if not text.strip():
            return {}, "", False
        try:
            value, mended = load_strict(text)
        except JSONFault as fault:
            return None, str(fault), text.count("{") > text.count("}") or text.count('"') % 2 == 1
        if not isinstance(value, dict) or mended:
            return None, "the arguments are no JSON object", False
        if any(depth(item) > nesting for item in value.values()):
            return None, f"an argument is nested deeper than {nesting} levels", False
        return value, "", False


    def mend(self, nesting: int) -> tuple[dict[str, Any] | None, tuple[Repair, ...]]:
        """Arguments that are no exact JSON object, read as those of a call in text; None when there is no reading. Cut text has none."""
        value, repairs = decoded("".join(self.arguments))
        if not isinstance(value, dict) or any(depth(item) > nesting for item in value.values()):
            return None, ()
        return value, (Repair("decoded_arguments"), *repairs)


class NativeCalls:
    """Joins fragments by index. A call is complete at the next index or when the response finishes."""

    __slots__ = ("open", "seen")

    def __init__(self) -> None:
        self.open: NativeCall | None = None
        self.seen = -1

    def add(self, entry: Mapping[str, Any]) -> list[NativeCall]:
        """Take one entry of an OpenAI-shaped `tool_calls` delta; the calls that it completes."""
        if not isinstance(entry, Mapping):
            raise UsageError(f"a tool_calls entry must be a mapping with index, id and function, not {type(entry).__name__}")
        function = entry.get("function") or {}
        index, given, name, arguments = entry.get("index"), entry.get("id"), None, None
        if isinstance(function, Mapping):
            name, arguments = function.get("name"), function.get("arguments")
        if isinstance(arguments, Mapping):
            import json

            arguments = json.dumps(arguments, ensure_ascii=False)
        current = self.open
        if not isinstance(index, int) or isinstance(index, bool):
            # look-alike wires leave the index out: a new id or a second name begins a new call
            new = current is None or (bool(given) and current.id is not None and given != current.id)
            index = self.seen + 1 if new else self.seen
        elif current is not None and index == current.index and given and current.id is not None and given != current.id and name:
            index = self.seen + 1  # a constant index with new ids
        done: list[NativeCall] = []
        if current is None or index != current.index:
            if current is not None:
                done.append(current)
            current = self.open = NativeCall(index)
            self.seen = max(self.seen, index)
        if isinstance(given, str) and given and current.id is None:
            current.id = given
        if isinstance(name, str) and not (name == current.name and current.arguments):
            current.name += name
        if isinstance(arguments, str) and arguments:
            current.arguments.append(arguments)
            current.size += len(arguments)
        return done

    def finish(self) -> NativeCall | None:
        """The call that is still open, which the end of the response completes."""
        current, self.open = self.open, None
        return current

    def freeze(self) -> list[Any] | None:
        """The open call as JSON values."""
        call = self.open
        return [self.seen, None if call is None else [call.index, call.id, call.name, "".join(call.arguments)]]

    def thaw(self, state: list[Any]) -> None:
        """Take over what `freeze` wrote."""
        self.seen = state[0]
        if state[1] is not None:
            index, given, name, arguments = state[1]
            call = self.open = NativeCall(index)
            call.id, call.name, call.size = given, name, len(arguments)
            call.arguments = [arguments] if arguments else []
