"""Passes through large models take turns; those through small ones wait for nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from torch import nn

import core
from core.pretrained import cancellation
from core.pretrained.engines import passes

Made = Callable[..., Path]


class Unwanted(Exception):
    """Nobody awaits the work any more."""


@pytest.fixture(autouse=True)
def one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "_turns", passes.Turns(1))


def test_a_model_is_large_by_the_bytes_of_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    module = nn.Linear(10, 20)  # 220 numbers of 4 bytes
    monkeypatch.setattr(passes, "LARGE", 879)
    assert passes.is_large(module)
    monkeypatch.setattr(passes, "LARGE", 880)
    assert not passes.is_large(module)


def test_the_second_waits_for_the_first_and_a_small_one_does_not() -> None:
    inside, ended = threading.Event(), threading.Event()

    def second() -> None:
        with passes.turn(True):
            inside.set()
        ended.set()

    with passes.turn(True):
        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        with passes.turn(False):
            assert not inside.wait(0.3)
    assert ended.wait(10)
    thread.join(10)


def test_who_waits_is_asked_whether_the_work_is_still_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise Unwanted

    monkeypatch.setattr(cancellation, "_asks", [refuse])
    with passes.turn(True), pytest.raises(Unwanted), passes.turn(True):
        pass
    with passes.turn(True):  # what did not get a turn gives none back
        pass


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    turns, came = passes.Turns(1), list[int]()
    threads: list[threading.Thread] = []

    def pass_through(number: int) -> None:
        turns.take()
        came.append(number)
        turns.give_back()

    turns.take()
    for number in range(6):
        threads.append(threading.Thread(target=pass_through, args=(number,)))
        threads[-1].start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
    turns.give_back()
    for thread in threads:
        thread.join(10)
    assert came == [*range(6)]


def test_a_pass_that_fails_gives_its_turn_back() -> None:
    with pytest.raises(ZeroDivisionError), passes.turn(True):
        _ = 1 / 0
    with passes.turn(True):
        pass


def test_each_pass_of_a_large_decoder_takes_a_turn(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "LARGE", 1)
    asked: list[bool] = []
    turn = passes.turn

    def counted(large: bool) -> AbstractContextManager[None]:
        asked.append(large)
        return turn(large)

    monkeypatch.setattr(passes, "turn", counted)
    model = core.load(str(made("llama")))
    model.trace("On the river bank")
    assert asked == [True]
    written = list(model.generate("On the river bank", 3, temperature=0))
    assert asked == [True] * (1 + len(written))
    assert len(written) > 1
