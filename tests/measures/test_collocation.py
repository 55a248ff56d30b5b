"""Measures of association, by hand and against SciPy's tests of tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.measures.collocation import (
    deviation_of_proportions,
    expected,
    log_dice,
    log_likelihood,
    log_ratio,
    mutual_information,
)

# together, window, frequency, total
TABLES = ((20, 731, 1_950, 508_233), (1, 10, 1, 1_000), (0, 50, 40, 900), (3, 600, 5, 1_000))


def test_log_dice_by_hand() -> None:
    # Rychlý 2008: 14 where they never stand apart, and one point less for half of it.
    np.testing.assert_allclose(log_dice([8, 4, 1], 8, [8, 8, 56]), [14, 13, 14 + math.log2(2 / 64)])
    assert log_dice(0, 3, 4) == -math.inf


def test_mutual_information_by_hand() -> None:
    assert expected(10, 100, 1_000) == 1
    np.testing.assert_allclose(mutual_information([1, 8, 0], 10, 100, 1_000), [0, 3, -math.inf])


@pytest.mark.parametrize("table", TABLES)
def test_log_likelihood_is_that_of_scipy(table: tuple[int, int, int, int]) -> None:
    from scipy.stats import chi2_contingency  # a second

    a, window, frequency, total = table
    cells = [[a, window - a], [frequency - a, total - window - frequency + a]]
    wanted = chi2_contingency(cells, correction=False, lambda_="log-likelihood")
    found = float(log_likelihood(*table))
    assert abs(found) == pytest.approx(wanted.statistic, rel=1e-9)
    assert (found > 0) == (a > wanted.expected_freq[0, 0])


def test_log_likelihood_of_what_is_as_by_chance_is_nothing() -> None:
    assert log_likelihood(5, 50, 100, 1_000) == pytest.approx(0, abs=1e-9)
    found = log_likelihood([20, 5], [100, 50], [100, 100], [1_000, 1_000])
    assert found[0] > 7
    assert found[1] == pytest.approx(0, abs=1e-9)


def test_log_ratio_by_hand() -> None:
    from scipy.stats.contingency import odds_ratio

    np.testing.assert_allclose(log_ratio([8, 1, 4], 100, [2, 4, 0], [100, 400, 200]), [2, 0, 4])
    # In large texts, it is the logarithm of the ratio of odds.
    odds = odds_ratio([[30, 99_970], [10, 99_990]], kind="sample").statistic
    assert float(log_ratio(30, 100_000, 10, 100_000)) == pytest.approx(math.log2(odds), abs=1e-3)


def test_the_deviation_of_proportions_by_hand() -> None:
    # Gries 2008: five parts of one size, the word in one of them alone; and as the texts are.
    assert deviation_of_proportions([9, 0, 0, 0, 0], [2] * 5) == pytest.approx(0.8)
    assert deviation_of_proportions([1, 2, 7], [10, 20, 70]) == pytest.approx(0)
    assert deviation_of_proportions([18, 9, 0], [9, 10, 10]) == pytest.approx(
        (abs(18 / 27 - 9 / 29) + abs(9 / 27 - 10 / 29) + 10 / 29) / 2
    )
    for counts, sizes in (([0, 0], [1, 2]), ([1], [0])):
        with pytest.raises(ValueError, match="does not occur"):
            deviation_of_proportions(counts, sizes)
