"""What a caller may decide. A value that no code honours is refused, never accepted in silence."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tamis.core.coercion.rules import Rules
from tamis.core.errors import UsageError
from tamis.core.limits import DEFAULT_LIMITS, Limits

__all__ = ["DEFAULT_POLICY", "Policy"]

# key -> values
_CHOICES: dict[str, tuple[str, ...]] = {
    "mode": ("lenient", "strict"),
    "native": ("pass", "repair"),
    "resolver": ("cascade", "four_signal", "exact"),
    "coercion": ("schema", "registered", "off"),
    "schema_gate": ("refuse", "flag"),
}


SENTINEL_FREE = "sentinel_free"
"""Stands for all dialects without a marker in a policy's list."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Decisions of the host for one response; the same keys work as a dict.

    `resolver` says how an emitted name finds its tool: "cascade" (exact steps, then wrappers and words under guards), "exact" (the exact steps
    alone), or "four_signal" (one similarity against `threshold`, 0.7 unless given; it sends many names to a wrong tool). `destructive` is a list
    of tools, or a mapping of tools to booleans that goes before the declarations' hints: such tools are never taken by a guess.
    Arguments are mended by the schema's safe rules. `coercion="registered"` leaves these out, "off" the coercers of the host too;
    `coercion_rules` maps tools, or "tool.property", to optional rules (`tamis.core.coercion.rules`).
    `native="repair"` sends native calls through all of this.
    `mode="strict"` reads native calls and exact sentinel forms only: what would need a repair is refused. `dialects` are the names that may be
    read: a list, or a mapping with `allow` and `deny`; "sentinel_free" stands for all formats without a marker. None means all.
    `schema_gate="flag"` publishes a call that breaks its schema with a `schema_violation` repair entry.
    """

    mode: str = "lenient"
    native: str = "pass"
    resolver: str = "cascade"
    threshold: float | None = None
    destructive: Any = ()
    coercion: str = "schema"
    coercion_rules: Any = None
    schema_gate: str = "refuse"
    limits: Limits = DEFAULT_LIMITS
    dialects: Any = None

    def __post_init__(self) -> None:
        for key, values in _CHOICES.items():
            value = getattr(self, key)
            if value not in values:
                raise UsageError(f"policy {key}={value!r} is unknown; use one of: {', '.join(values)}")
        if self.threshold is not None:
            if self.resolver != "four_signal":
                raise UsageError(f'policy threshold belongs to resolver="four_signal", not {self.resolver!r}')
            if isinstance(self.threshold, bool) or not isinstance(self.threshold, int | float) or not 0 < self.threshold <= 1:
                raise UsageError(f"policy threshold must be a number above 0 and at most 1, not {self.threshold!r}")
        object.__setattr__(self, "destructive", _destructive(self.destructive))
        rules = Rules.of(self.coercion_rules or {})
        if rules and self.coercion != "schema":
            raise UsageError(f'policy coercion_rules add to the schema\'s own rules: they need coercion="schema", not {self.coercion!r}')
        object.__setattr__(self, "coercion_rules", rules)
        object.__setattr__(self, "dialects", allowed(self.dialects, strict=self.mode == "strict"))

    def allows(self, dialect: str) -> bool:
        """Whether a dialect may be read."""
        return self.dialects is None or dialect in self.dialects

    @classmethod
    def of(cls, value: Policy | Mapping[str, Any] | None) -> Policy:
        """A policy from a policy, a mapping with the same keys (`limits` as a mapping too), or None for the default."""
        if value is None:
            return DEFAULT_POLICY
        if isinstance(value, Policy):
            return value
        if not isinstance(value, Mapping):
            raise UsageError(f"policy must be a tamis.Policy or a mapping, not {type(value).__name__}")
        known = [item.name for item in fields(cls)]
        given = dict(value)
        for key in given:
            if key not in known:
                close = difflib.get_close_matches(str(key), known, 1)
                raise UsageError(f"unknown policy key {key!r}" + (f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(known)}"))
        if isinstance(given.get("limits"), Mapping):
            try:
                given["limits"] = Limits(**given["limits"])
            except TypeError as error:
                raise UsageError(f"policy limits: {error}; known: {', '.join(item.name for item in fields(Limits))}") from None
        return cls(**given)


def _destructive(value: Any) -> tuple[tuple[str, bool], ...]:
    """What the host says of its tools, as pairs. Raises `UsageError`."""
    said = value if isinstance(value, Mapping) else None
    if said is None and isinstance(value, list | tuple | set | frozenset):
        said = dict(item if isinstance(item, tuple) and len(item) == 2 else (item, True) for item in value)
    if said is None or not all(isinstance(name, str) and isinstance(word, bool) for name, word in said.items()):
        raise UsageError('policy destructive takes a list of tool names, or a mapping of tool names to true and false: {"drop_table": true}')
    return tuple(sorted(said.items()))


def allowed(rule: Any, *, strict: bool) -> frozenset[str] | None:
    """The names of the dialects that may be read, or None for all. Raises `UsageError` for a name that is none."""
    from tamis.core.dialects import load

    known = load()
    free = frozenset(name for name, item in known.items() if not item.sentinel)
    everything = frozenset(known) - (free if strict else frozenset())
    if rule is None:
        return everything if strict else None
    if isinstance(rule, Mapping):
        if unknown := sorted(rule.keys() - {"allow", "deny"}):
            raise UsageError(f"policy dialects takes a list of names, or a mapping with allow and deny, not {unknown[0]!r}")
        allow, deny = rule.get("allow"), rule.get("deny")
    elif isinstance(rule, list | tuple | set | frozenset):
        allow, deny = rule, ()
    else:
        raise UsageError("policy dialects takes a list of names, or a mapping with allow and deny")

    def names(part: Any) -> frozenset[str]:
        found: set[str] = set()
        for name in part:
            if name == SENTINEL_FREE:
                found |= free
            elif name in known:
                found.add(name)
            else:
                close = difflib.get_close_matches(str(name), [*known, SENTINEL_FREE], 1)
                hint = f"; did you mean {close[0]!r}?" if close else "; `tamis dialects list` shows the names"
                raise UsageError(f"policy dialects: {name!r} is no dialect{hint}")
        return frozenset(found)

    return ((everything if allow is None else names(allow)) - names(deny or ())) & everything


DEFAULT_POLICY = Policy()
