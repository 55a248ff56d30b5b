from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
import pytest

import core
from core.examples.first_texts import OPENING
from core.records.sense_axis import SenseAxis
from ui.models import answers, model_cache


class Counting:
    """A model that records its queries."""

    def __init__(self, model: core.Model) -> None:
        self.model = model
        self.asked: list[str] = []
        self.seconds = 0.05

    def trace(
        self,
        text: str,
        second: str | None = None,
        *,
        masked: tuple[int, ...] = (),
        more: tuple[int, ...] = (),
    ) -> core.Trace:
        self.asked.append(text)
        time.sleep(self.seconds)
        if text == "refuse":
            raise core.NotSupported("refused")
        return self.model.trace(text, second)

    def trace_many(self, texts: list[str], *, keep: Literal["hidden"]) -> list[core.Trace]:
        self.asked.append(" | ".join(texts))
        time.sleep(0.05)
        return list(self.model.trace_many(texts, keep=keep))

    def sense_axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        self.asked.append(f"axis of {word}")
        time.sleep(0.05)
        return self.model.sense_axis(word, low, high)


@pytest.fixture
def model(minilm: core.Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    counting = Counting(minilm)
    monkeypatch.setattr(model_cache, "model", lambda name, engine=None: counting)
    answers._answer.cache_clear()
    answers._axis.cache_clear()
    yield counting
    answers._answer.cache_clear()
    answers._axis.cache_clear()


def together(ask: Callable[[], Any], n: int) -> list[Any]:
    gate = threading.Barrier(n)
    found: list[Any] = []

    def run() -> None:
        gate.wait(5)
        try:
            found.append(ask())
        except core.PolyseeError as error:
            found.append(error)

    threads = [threading.Thread(target=run) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return found


@pytest.mark.check
def test_the_first_visitors_at_once_share_one_answer(model: Counting) -> None:
    # Also the very first visitor, for whom the cache itself is made.
    found = together(lambda: answers.trace("m", "a river bank"), 7)
    assert model.asked == ["a river bank"]
    assert len(set(map(id, found))) == 1
    assert answers.trace("m", "a river bank") is found[0]
    assert len(model.asked) == 1


def test_the_first_visitors_at_once_share_the_cache(
    model: Counting, monkeypatch: pytest.MonkeyPatch, budget: Callable[[int], None]
) -> None:
    """While the budget's limit is being read as well."""
    from core import settings

    read = settings.read
    made: list[int] = []

    def slow() -> Any:
        made.append(1)
        time.sleep(0.1)
        return read()

    monkeypatch.setattr(settings, "read", slow)
    together(lambda: answers.trace("m", "a bank"), 5)
    assert made
    assert model.asked == ["a bank"]


def test_model_and_text_are_the_key(model: Counting) -> None:
    for _ in range(2):
        answers.trace("m", "bank")
        answers.trace("m", "Bank")
        answers.trace("n", "bank")
    assert len(model.asked) == 3


def test_path_is_that_of_the_place_asked_for(model: Counting) -> None:
    trace = model.model.trace("a bank by a bank")
    second = answers.path("m", "a bank by a bank", "bank", 1)
    np.testing.assert_array_equal(second.vectors[-1], trace.contextual[trace.find("bank", 1)[0]])
    with pytest.raises(core.WordNotFound):
        answers.path("m", "a bank by a bank", "bank", 2)


def test_other_texts_are_computed_meanwhile(model: Counting) -> None:
    model.seconds = 0.3
    start = time.monotonic()
    texts = iter([f"bank {i}" for i in range(5)])
    lock = threading.Lock()

    def ask() -> core.Trace:
        with lock:
            text = next(texts)
        return answers.trace("m", text)

    assert len(together(ask, 5)) == 5
    assert time.monotonic() - start < 5 * model.seconds


@pytest.mark.check
def test_bytes_are_bounded(model: Counting, budget: Callable[[int], None]) -> None:
    budget(10**6)
    one = answers.trace("m", "bank 0")
    room = 10**6 // one.nbytes
    assert 3 < room < 50
    for i in range(1, 2 * room):
        answers.trace("m", f"bank {i}")
    kept = answers._answer.cache
    assert sum(kept[key].nbytes for key in kept) <= kept.currsize <= 10**6
    assert len(kept) > 0.8 * room
    assert answers.cache_info()[2] == kept.currsize
    model.asked.clear()
    answers.trace("m", f"bank {2 * room - 1}")
    assert model.asked == []
    answers.trace("m", "bank 0")  # wanted longest ago
    assert model.asked == ["bank 0"]


def test_an_answer_larger_than_the_budget_is_given_and_not_kept(
    model: Counting, budget: Callable[[int], None]
) -> None:
    budget(10**6)
    long = "bank " * 200
    assert answers.trace("m", long).nbytes > 10**6
    answers.trace("m", long)
    assert len(model.asked) == 2
    assert answers._answer.cache.currsize == 0


def test_a_refusal_is_not_kept(model: Counting) -> None:
    found = together(lambda: answers.trace("m", "refuse"), 3)
    assert [str(error) for error in found] == ["refused"] * 3
    before = len(model.asked)
    with pytest.raises(core.NotSupported, match="refused"):
        answers.trace("m", "refuse")
    assert len(model.asked) == before + 1


def test_the_kept_trace_cannot_be_changed(model: Counting) -> None:
    trace = answers.trace("m", "bank")
    assert trace.hidden is not None
    with pytest.raises(ValueError, match="read-only"):
        trace.hidden[0, 0, 0] = 1


@pytest.mark.check
def test_an_axis_is_made_once_for_all_who_ask_it(model: Counting) -> None:
    ends = OPENING.low.words, OPENING.high.words
    found = together(lambda: answers.axis("m", "bank", *ends), 3)
    assert len(set(map(id, found))) == 1
    assert model.asked == ["axis of bank"]
    direct = model.model.sense_axis("bank", *ends)
    np.testing.assert_array_equal(found[0].halves, direct.halves)
    np.testing.assert_array_equal(found[0].midpoints, direct.midpoints)
    other = answers.axis("m", "bank", *ends[::-1])
    np.testing.assert_allclose(other.halves, -found[0].halves, atol=1e-6)
    answers.axis("m", "banks", *ends)
    assert model.asked == ["axis of bank", "axis of bank", "axis of banks"]


def test_a_position_is_that_of_the_place_asked_for(model: Counting) -> None:
    axis = answers.axis("m", "bank", ("money",), ("river",))
    typed = "The bank by the river bank"
    trace = model.model.trace(typed)
    for number in (0, 1):
        np.testing.assert_array_equal(
            answers.coordinates("m", typed, "bank", number, axis),
            axis.coordinates(trace, trace.find("bank", number)),
        )
    with pytest.raises(core.WordNotFound):
        answers.coordinates("m", typed, "bank", 2, axis)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ((), ("river",)),
        (("money",), ()),
        ((), ()),
        (("money",), ("money",)),
        (("\u200b",), ("river",)),
        (("",), ("river",)),
    ],
)
def test_what_makes_no_axis_is_refused_with_a_sentence(
    model: Counting, low: tuple[str, ...], high: tuple[str, ...]
) -> None:
    with pytest.raises(core.PolyseeError):
        answers.axis("m", "bank", low, high)


def test_the_word_the_is_not_the_one_of_the_frame(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_cache, "model", lambda *_: minilm)
    (found,) = answers.anchors("minilm, for the test of the", ("the",))
    trace = minilm.trace("the the .")
    assert trace.hidden is not None
    np.testing.assert_allclose(found.vectors[-1], trace.hidden[-1, 2], atol=1e-5)


def test_an_anchor_that_the_model_does_not_know_is_told(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_cache, "model", lambda *_: minilm)
    with pytest.raises(core.NotSupported, match="does not know “🎣”"):
        answers.anchors("minilm, for the test of fish", ("river", "🎣"))
