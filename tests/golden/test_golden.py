"""The golden run as a test: some 40 seconds on a quiet machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import brokers
from golden.run import EMPTY, golden
from golden.scraper import missing


@pytest.mark.kafka
@pytest.mark.timeout(600)  # on a machine that does other things all the while
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
async def test_every_panel_has_data_and_every_sum_is_the_topics(tmp_path: Path) -> None:
    reason = brokers.missing("embedded")
    if reason is not None:
        pytest.skip(reason)
    found = await golden()
    assert found.faults == []
    assert len(EMPTY) <= 5
    assert all(EMPTY.values()), "each with its reason"
    assert re.fullmatch(r"golden: \d{3} panels, \d{3} with data, \d allowed empty, sums equal", found.line())
    found.pictures(tmp_path)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}  # noqa: ASYNC240 - nothing else runs by now
    assert set(sizes) == {"overview.png", "nvidia-nim.png"}
    assert min(sizes.values()) > 20_000, "empty axes are smaller"
