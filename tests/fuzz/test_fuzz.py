"""A short run of `make fuzz`: the same texts at every run, so that a failure is a change of ours."""

from __future__ import annotations

import random

import pytest

from fuzz.check import fault, shrunk
from fuzz.mutate import Sample, mutate

SEED, TEXTS = 20261201, 1500


@pytest.mark.parametrize("part", range(4))
def test_mutated_texts_hold(part: int) -> None:
    chance = random.Random(SEED + part)
    for _ in range(TEXTS // 4):
        sample = mutate(chance)
        cut = chance.randrange(1 << 30)
        wrong = fault(sample, cut)
        assert wrong is None, f"{shrunk(sample, cut).text!r} finish={sample.reason!r}: {wrong}"


def test_the_check_sees_what_depends_on_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.core import Content, Session

    monkeypatch.setattr(Session, "receive", lambda self, text: [Content(str(len(text)), 0)])
    assert fault(Sample("some text of a few words", [], "stop"), 1) is not None


def test_shrinking_keeps_the_fault_and_loses_the_rest() -> None:
    def broken(sample: Sample, seed: int) -> str | None:
        return "x" if "ab" in sample.text else None

    assert shrunk(Sample("lorem ab ipsum", [], "stop"), 1, broken).text == "ab"
