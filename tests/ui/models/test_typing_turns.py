"""Of those who type, one is answered at a time, with a rest in between."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from ui.models.long_texts import LONG
from ui.models.typing_turns import TypingTurns

REST = 0.05
TEXT = "The capital of France"


def test_turns_follow_each_other_after_a_rest() -> None:
    turns = TypingTurns(1, REST)
    spans: list[tuple[float, float]] = []

    def typist() -> None:
        with turns.turn(TEXT):
            began = time.monotonic()
            time.sleep(0.01)
            spans.append((began, time.monotonic()))

    threads = [threading.Thread(target=typist) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(spans) == 4
    for (_, end), (began, _) in itertools.pairwise(spans):
        assert began - end > 0.9 * REST


def test_one_who_types_alone_and_slowly_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    now = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    turns = TypingTurns(1, 0.5)
    for _ in range(3):
        with turns.turn(TEXT):
            pass
    assert not slept


def test_a_long_text_waits_for_nobody_and_an_error_gives_the_turn_back() -> None:
    turns = TypingTurns(1, 0.0)
    with turns.turn(TEXT), turns.turn("a" * (LONG + 1)):  # within a turn, without waiting
        pass
    with pytest.raises(KeyError), turns.turn(TEXT):
        raise KeyError
    with turns.turn(TEXT):
        pass
