from __future__ import annotations

import pytest

from ui.serving.pace import Bucket


def test_a_full_bucket_lets_a_burst_through_and_then_one_at_a_time() -> None:
    bucket = Bucket(rate=2, most=3)
    assert [bucket.wait(100.0) for _ in range(3)] == [0, 0, 0]
    assert bucket.wait(100.0) == pytest.approx(0.5)
    assert bucket.wait(100.25) == pytest.approx(0.25)  # asking again costs nothing
    assert bucket.wait(100.5) == 0
    assert bucket.wait(100.5) == pytest.approx(0.5)


def test_no_more_than_it_holds_is_saved_up() -> None:
    bucket = Bucket(rate=5, most=2)
    assert bucket.wait(0.0) == 0
    assert [bucket.wait(1000.0) for _ in range(3)] == [0, 0, pytest.approx(0.2)]


@pytest.mark.parametrize("rate", [1 / 60, 0.7, 10.0])
def test_what_it_says_to_wait_is_enough(rate: float) -> None:
    bucket, now, taken = Bucket(rate=rate, most=1), 0.0, 0
    for _ in range(50):
        wait = bucket.wait(now)
        taken += not wait
        now += wait
    assert taken >= 24  # every second question at least: one wait is enough for one token
    assert taken - 1 <= rate * now + 1e-6  # and never more than flowed in


def test_a_clock_that_stands_still_gives_nothing() -> None:
    bucket = Bucket(rate=1, most=1)
    assert bucket.wait(5.0) == 0
    assert bucket.wait(4.0) > 0
