"""The names of the rules and what each one asks for: for the policy, for refusals that say what nearly fired, and for the documentation."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.core.errors import UsageError

__all__ = ["OPTIONAL", "SAFE", "Rules"]

SAFE: dict[str, str] = {
    "decoded_arguments": "all arguments as one JSON text, at most twice encoded",
    "unwrapped_arguments": "one undeclared object around all arguments, alone or beside the tool's own name",
    "key_spelling": "the letters of exactly one declared key",
    "duplicate_key": "two spellings of a key with one value",
    "key_by_word": "another word for the one missing required key",
    "nest": "a key of exactly one declared object",
    "unnest": "a required key one level too deep",
    "flatten": "an undeclared object whose keys are all declared",
    "text_to_json": "a whole list or object written as text",
    "text_to_number": "a plain number, nothing to be rounded",
    "integral_float": "a whole number written with a fraction of zero",
    "integer_to_text": "a whole number for a text",
    "text_to_boolean": "true or false",
    "boolean_to_word": "an enum of exactly yes and no, on and off, or true and false",
    "null_word": "the word null where null is allowed",
    "list_split": "a listing of numbers, of an enum's members or of a format's words",
    "one_to_array": "one element without commas",
    "array_of_one": "an array of exactly one element",
    "enum_spelling": "the letters of exactly one member",
    "null_dropped": "null for an optional key",
    "only_value": "a const, the one member of an enum, or the default of a required key",
    "dropped_key": "an empty or commenting key in a closed schema",
}
"""Rules that are always on under `coercion="schema"`, in their order -> what each one asks for."""
OPTIONAL: dict[str, str] = {
    "loose_bool": "yes, no, on, off, 1 or 0 for a boolean",
    "float_to_string": "a fraction for a text",
    "enum_near_miss": "a misspelt member",
    "split_strings": "plain texts at commas or line breaks",
    "free_alias": "any other key for the missing required one",
    "to_text": "a list or an object for a text",
    "open_object": "undeclared keys into the missing object that takes any",
    "bare_value": "a bare value for a tool of one key",
    "guessed_nesting": "a text for an object with one key of prose",
    "schema_echo": "values inside an echo of the schema",
    "name_to_id": "a name that an earlier result gives an id",
}
"""Rules that change the meaning somewhere and therefore are named by tool: `coercion_rules={"tool": ["loose_bool"]}`."""


class Rules:
    """The optional rules by tool, or by property as "tool.property"."""

    __slots__ = ("_by_target",)

    def __init__(self, chosen: Mapping[str, Sequence[str]]) -> None:
        self._by_target = {target: frozenset(names) for target, names in chosen.items()}

    @classmethod
    def of(cls, value: Any) -> Rules:
        """The rules of a policy's `coercion_rules`. Raises `UsageError` for a rule that is none."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            raise UsageError('policy coercion_rules maps tools to lists of rules: {"tool": ["loose_bool"], "tool.property": ["split_strings"]}')
        for target, names in value.items():
            if not isinstance(target, str) or isinstance(names, str) or not isinstance(names, list | tuple | set | frozenset):
                raise UsageError(f"policy coercion_rules: {target!r} needs a list of rules")
            for name in names:
                if name not in OPTIONAL:
                    close = difflib.get_close_matches(str(name), list(OPTIONAL), 1)
                    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(OPTIONAL)}"
                    raise UsageError(f"policy coercion_rules: {name!r} is no optional rule; {hint}")
        return cls(value)

    def __bool__(self) -> bool:
        return bool(self._by_target)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._by_target == other._by_target

    def __hash__(self) -> int:
        return hash(frozenset(self._by_target.items()))

    def switch(self, tool: str) -> _Switch | None:
        """Which rules are on for a tool; None when none is."""
        own = f"{tool}."
        by_key = {target.removeprefix(own): names for target, names in self._by_target.items() if target.startswith(own)}
        everywhere = self._by_target.get(tool, frozenset())
        return _Switch(everywhere, by_key) if everywhere or by_key else None


class _Switch:
    """(rule, path) -> whether the rule is on at a path of this tool: everywhere, or under one of its properties."""

    __slots__ = ("_by_key", "_everywhere")

    def __init__(self, everywhere: frozenset[str], by_key: Mapping[str, frozenset[str]]) -> None:
        self._everywhere = everywhere
        self._by_key = by_key

    def __call__(self, rule: str, path: str) -> bool:
        if rule in self._everywhere:
            return True
        inner = path.removeprefix("$.")
        return any(rule in names and (inner == key or inner.startswith((f"{key}.", f"{key}["))) for key, names in self._by_key.items())
