"""Over how many groups lines are spread: by hand, and not more where there are only more lines."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.variety import LEAST, variety


def test_one_group_is_one_and_two_equal_ones_are_nearly_two() -> None:
    groups = [0] * 40 + [0, 1] * 200 + [-1] * 50
    values = ["talk"] * 40 + ["news"] * 400 + ["talk"] * 50
    news, talk = variety(groups, values)
    assert (news.value, news.count, news.drawn) == ("news", 400, 40)
    assert (talk.value, talk.count, talk.drawn) == ("talk", 40, 40)
    assert (talk.number, talk.low, talk.high) == (1, 1, 1)
    # The entropy of a sample falls short by (groups − 1) / 2n on average (Miller 1955).
    assert news.number == pytest.approx(2 * np.exp(-1 / 80), abs=0.01)
    assert news.low < news.number < news.high <= 2


def test_more_lines_alone_are_no_more_senses() -> None:
    random = np.random.default_rng(11)
    groups = random.choice(5, 2_300, p=[0.5, 0.3, 0.1, 0.07, 0.03])
    large, small = variety(groups.tolist(), ["written"] * 2_200 + ["spoken"] * 100)
    assert large.value == "written"
    assert large.low < small.number < large.high


def test_few_lines_and_one_value_are_not_compared() -> None:
    assert variety([0, 1] * LEAST, ["a"] * (2 * LEAST)) == ()
    assert variety([0] * 50, ["a"] * (50 - LEAST + 1) + ["b"] * (LEAST - 1)) == ()
    assert variety([], []) == ()
