"""Of those who type, one is answered at a time, with a rest in between."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from ui.models import typing_turns
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
    turns = TypingTurns(1, 0.01)
    monkeypatch.setattr(turns, "_free_at", time.monotonic() - 1)
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
    with turns.page(), turns.page(), turns.turn(TEXT):  # the own page is no other one
        assert not turns._others()


def test_another_page_comes_first_within_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, drawn, order = TypingTurns(1, 0.0), threading.Event(), list[str]()
    monkeypatch.setattr(typing_turns, "PATIENCE", 20.0)
    monkeypatch.setattr(typing_turns, "SHORT", 20.0)

    def other() -> None:
        with turns.page():
            drawn.set()
            time.sleep(0.05)
            order.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    drawn.wait()
    with turns.page(), turns.turn(TEXT):
        order.append("typist")
    thread.join()
    assert order == ["other", "typist"]
    turns._pages[-1] = time.monotonic() - 30  # one that takes long
    with turns.turn(TEXT):
        assert not turns._others()


def test_a_long_text_waits_for_nobody_and_an_error_gives_the_turn_back() -> None:
    turns = TypingTurns(1, 0.0)
    with turns.turn(TEXT), turns.turn("a" * (LONG + 1)):  # within a turn, without waiting
        pass
    with pytest.raises(KeyError), turns.turn(TEXT):
        raise KeyError
    with turns.turn(TEXT):
        pass
