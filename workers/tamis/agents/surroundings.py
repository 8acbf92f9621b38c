"""What all sessions of a worker share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tamis.agents.declared import Catalogs

__all__ = ["Surroundings"]


class Surroundings:
    """What all sessions of a worker share: options, catalogues, and the seams to metrics."""

    __slots__ = ("catalogs", "observe", "policy", "raw", "seen", "source")

    def __init__(self, *, limits: dict[str, int] | None = None, raw: bool = True, observe: Callable[..., None] = lambda *_: None) -> None:
        self.policy: dict[str, Any] = {"limits": limits} if limits else {}
        self.raw = raw
        self.observe = observe
        self.catalogs = Catalogs()
        self.source = "/tamis"
        # [chunks, bytes] by provider, model and wire since the last look
        self.seen: defaultdict[tuple[str | None, str | None, str], list[int]] = defaultdict(lambda: [0, 0])
