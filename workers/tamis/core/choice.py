"""What the host asked the model for: any answer, a call, no call, or a call of one tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tamis.core.catalog import UNAVAILABLE, Catalog
from tamis.core.errors import UsageError

__all__ = ["ToolChoice", "choice_word"]

_WORDS = ("auto", "required", "none")
_OTHER_WORDS = {"any": "required"}  # as Anthropic and Mistral call it
_NAMED = ("function", "tool", "allowed")  # kinds of object that carry a tool's name


def choice_word(value: Any) -> str:
    """auto, required, none or a tool's name, from a string or from the object that providers take. Raises `UsageError`."""
    if isinstance(value, Mapping):
        kind = value.get("type")
        inner = value.get("function")
        name = value.get("name") or (inner.get("name") if isinstance(inner, Mapping) else None)
        value = name if kind in _NAMED and isinstance(name, str) else kind if kind in (*_WORDS, *_OTHER_WORDS) else None
    if not isinstance(value, str) or not value:
        raise UsageError('tool_choice is "auto", "required", "none" or the name of a tool')
    return _OTHER_WORDS.get(value, value)


class ToolChoice(NamedTuple):
    """`word` as the host gave it; `only` is the one tool that may be called, if it named one."""

    word: str = "auto"
    only: str | None = None

    @classmethod
    def of(cls, value: Any, catalog: Catalog) -> ToolChoice:
        """Raises `UsageError` for anything but a word or the name of a declared tool."""
        word = choice_word(value)
        if word in _WORDS:
            return cls(word)
        if catalog is not UNAVAILABLE and catalog.given and catalog.get(word) is None:
            near = ", ".join(catalog.suggest(word))
            raise UsageError(f"tool_choice names {word!r}, which is not declared; auto, required, none or a tool's name (near: {near})")
        return cls(word, word)

    @property
    def wanted(self) -> bool:
        """Whether a turn without a call is not what the host asked for."""
        return self.word not in ("auto", "none")

    def forbids(self, name: str | None) -> str:
        """Why a call of that declared name is not allowed, or ""."""
        if self.word == "none":
            return "the host asked for an answer without calls"
        return f"the host asked for a call of {self.only!r} alone" if self.only is not None and name is not None and name != self.only else ""
