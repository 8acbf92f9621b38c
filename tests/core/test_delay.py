"""How long content may wait: never longer than the longest live marker, and the host may shorten that."""

from __future__ import annotations

import pytest

from tamis.core import Content, Session
from tamis.core.lexicon import LONGEST

TEXTS = ["word " * 200, "a < b [1] {x} <tool <|pipe [TOOL " * 40, "<invoke " + "x" * 400, "<" * 600,
          "List<String> and <b>bold</b> " * 40, "\u200b" * 600]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:12])
@pytest.mark.parametrize("held", [LONGEST, 40])
def test_content_waits_no_longer_than_a_marker_may(text: str, held: int) -> None:
    session, shown = Session(policy={"limits": {"held": held}}), 0
    for number, char in enumerate("Text. " + text, 1):
        shown += sum(len(event.text) for event in session.receive(char) if isinstance(event, Content))
        waiting = number - shown
        assert waiting <= (held if "\u200b" not in text else LONGEST) + 1
        assert session.buffered == waiting


def test_a_lower_bound_makes_text_of_longer_markers_whatever_the_cut() -> None:
    text = 'See <invoke name="get_tide_of_a_very_long_name_indeed_it_is"></invoke> there.'
    for size in (1, 5, len(text)):
        session = Session(policy={"limits": {"held": 20}})
        events = [event for at in range(0, len(text), size) for event in session.receive(text[at : at + size])]
        events += session.finish("stop")
        assert "".join(event.text for event in events if isinstance(event, Content)).startswith("See <invoke")
