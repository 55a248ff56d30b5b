"""Whether memory is stable: a straight line through many readings, instead of only two."""

from __future__ import annotations

import pytest

from benchmarks.load import memory

TEXTS = range(0, 1_001, memory.EVERY)


def test_growth_is_that_of_the_second_half() -> None:
    readings = {n: 500.0 + min(n, 500) + 0.1 * max(0, n - 500) for n in TEXTS}
    assert memory.growth(readings) == pytest.approx(50 / 1_000)


def test_one_high_reading_at_the_end_is_no_growth() -> None:
    readings = dict.fromkeys(TEXTS, 1_000.0)
    readings[1_000] = 1_060
    assert 0 < memory.growth(readings) < 0.02


def test_what_grows_is_told_and_so_is_what_is_too_much() -> None:
    flat = memory.sentence(dict.fromkeys(TEXTS, 1_000.0))
    assert "1,000 texts" in flat
    assert "within 1,200 MB; over the second half flat (+0.0 %" in flat
    steep = memory.sentence({n: 400.0 + n for n in TEXTS})
    assert "At most 1400 MB, **above** 1,200 MB; over the second half **not flat** (+55.6 %" in steep
