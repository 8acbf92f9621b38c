"""A session that is put away and taken up again stands where it stood."""

from __future__ import annotations

import pytest

from helpers import corpus, drift
from tamis.core import Catalog, Session, collect
from tamis.core.cases import Case

PIECES = 9  # of each text: with that many every state is met somewhere


@pytest.mark.parametrize("case", [*corpus()[::8], *drift()[::8]], ids=lambda case: case.id)
def test_a_snapshot_of_a_restored_session_is_the_same(case: Case) -> None:
    catalog = Catalog.of([dict(tool) for tool in case.tools])
    session = Session(catalog)
    step = max(1, len(case.text) // PIECES)
    for at in range(0, len(case.text), step):
        session.receive(case.text[at : at + step])
        state = session.snapshot()
        restored = Session.restore(state, catalog)
        assert restored.snapshot() == state
        assert restored.buffered == session.buffered


def test_a_word_that_waited_for_long_is_text_in_the_end() -> None:
    text = "call" + " " * 600 + '\n<invoke name="ring_bell"></invoke>'
    session, events = Session(), []
    for char in text:
        session = Session.restore(session.snapshot())
        events += session.receive(char)
    turn = collect([*events, *session.finish("stop")])
    assert (turn.content.split(), [call.name for call in turn.calls]) == (["call"], ["ring_bell"])
