"""Tests of `ui.models.precedence`."""

from __future__ import annotations

import threading

import pytest

from ui.models.precedence import Precedence

LONG = 20.0  # seconds: a test that waits so long fails


def test_a_page_waits_until_no_run_goes_first() -> None:
    runs = Precedence(patience=LONG)
    order: list[str] = []
    began, may_end = threading.Event(), threading.Event()

    def small() -> None:
        with runs.run():
            began.set()
            may_end.wait(LONG)
            order.append("small")

    def large() -> None:
        runs.let_pass()
        order.append("large")

    first = threading.Thread(target=small)
    first.start()
    assert began.wait(LONG)
    second = threading.Thread(target=large)
    second.start()
    second.join(0.02)
    assert second.is_alive()
    assert order == []
    may_end.set()
    for one in (first, second):
        one.join(LONG)
    assert order == ["small", "large"]


def test_a_page_waits_no_longer_than_its_patience() -> None:
    runs = Precedence(patience=0.01)
    began, over = threading.Event(), threading.Event()

    def small() -> None:
        with runs.run():
            began.set()
            over.wait(LONG)

    other = threading.Thread(target=small)
    other.start()
    assert began.wait(LONG)
    runs.let_pass()  # returns, though the other still runs
    assert runs.first == 1
    over.set()
    other.join(LONG)


def test_a_run_that_lets_others_pass_goes_first_no_longer_and_waits_not_for_itself() -> None:
    runs = Precedence(patience=LONG)
    with runs.run():
        assert runs.first == 1
        with runs.run():  # a part of it
            assert runs.first == 1
        assert runs.first == 1
        runs.let_pass()
        assert runs.first == 0
        runs.let_pass()
    assert runs.first == 0


def test_a_run_that_fails_goes_first_no_longer() -> None:
    runs = Precedence()
    with pytest.raises(RuntimeError), runs.run():
        raise RuntimeError
    assert runs.first == 0
