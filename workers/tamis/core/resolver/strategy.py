"""The strategies of `policy.resolver`: which declared tool an emitted name means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tamis.core.catalog import Catalog
from tamis.core.names import Match
from tamis.core.policy import Policy
from tamis.core.resolver.cascade import cascade
from tamis.core.resolver.four_signal import DEFAULT_THRESHOLD, best

__all__ = ["resolve"]


def resolve(emitted: str, arguments: Mapping[str, Any] | None, catalog: Catalog, policy: Policy) -> Match:
    """The declared name with the rule that found it, several that fit alike, or nothing.

    `arguments` are those that were emitted, before any of them is mended: None when they could not be read. Only a whole name is resolved,
    and only where text is known to be a call: whether it is one is decided by the exact steps alone.
    """
    if catalog.get(emitted) is not None:
        return Match(emitted, "exact")
    if policy.resolver == "four_signal":
        name, _ = best(emitted, catalog.names, DEFAULT_THRESHOLD if policy.threshold is None else policy.threshold)
        return Match(name, "name_similarity") if name is not None else Match(None)
    match = catalog.resolve(emitted, None if arguments is None else arguments.keys())
    if match.foreign and catalog.namespaces:
        match = Match(None)  # a host that names its server says that every other namespace is another server
    if match.name is not None or match.candidates or policy.resolver == "exact":
        return match
    found = cascade(emitted, arguments, catalog.index, catalog.namespaces, dict(policy.destructive))
    return Match(found.name, found.rule, found.candidates)
