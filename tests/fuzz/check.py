"""What must hold for every text, and the smallest text that breaks it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from fuzz.mutate import Sample
from tamis.core import Event, Session
from tamis.core.cases import merged
from tamis.core.catalog import Catalog

_STEPS = (1, 2, 3, 4, 7)


def read(sample: Sample, parts: Iterable[str], catalog: Catalog, restored: random.Random | None = None) -> list[Event]:
    """All events of the sample fed in `parts`; with `restored` the session goes through snapshots at random places."""
    session, out = Session(catalog, **sample.options), []
    for part in parts:
        if restored is not None and restored.random() < 0.3:
            session = Session.restore(session.snapshot(), catalog, **sample.options)
        out += session.receive(part)
    return merged([*out, *session.finish(sample.reason)])


def fault(sample: Sample, seed: int) -> str | None:
    """What is wrong with the reading of a sample, or None: an exception, or events that depend on cuts or on a snapshot."""
    chance = random.Random(seed)
    step = chance.choice(_STEPS)
    catalog = Catalog.of(sample.tools)
    try:
        whole = read(sample, [sample.text], catalog)
        cut = [sample.text[at : at + step] for at in range(0, len(sample.text), step)]
        other = read(sample, cut, catalog, chance if chance.random() < 0.5 else None)
    except Exception as error:  # noqa: BLE001 - any exception at all is the finding
        return f"{type(error).__name__}: {error}"
    if whole == other:
        return None
    pair = next(((one, two) for one, two in zip(whole, other, strict=False) if one != two), (len(whole), len(other)))
    return f"cut by {step}: {pair[0]!r} became {pair[1]!r}"


def shrunk(sample: Sample, seed: int, still: Callable[[Sample, int], str | None] = fault) -> Sample:
    """The sample with all text taken out that is not needed for a fault of the same kind at the same cut."""
    text, size = sample.text, max(1, len(sample.text) // 2)
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if still(Sample(shorter, sample.tools, sample.reason, sample.options), seed):
                text = shorter
            else:
                at += size
        size //= 2
    return Sample(text, sample.tools, sample.reason, sample.options)
