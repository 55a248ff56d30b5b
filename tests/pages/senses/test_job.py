"""A query over many sentences, in its thread: stopped, continued, abandoned, cached."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import TooLarge, WordNotFound
from core.memory import Budget, Cache
from core.pretrained.recording import WordVector
from core.records.finding import occurrence_spans
from core.records.spelling import UNCASED
from pages.senses.job import CHUNK, Job
from ui.models import word_vectors
from ui.models.word_vectors import OccurrenceQuery

LAYERS, WIDTH, LEARNED = 3, 5, 2


class Reader:
    """A stand-in for a model: its output identifies the sentence, and it can be paused."""

    spelling = UNCASED
    shape = SimpleNamespace(n_layers=LAYERS, d_model=WIDTH, d_embedding=LEARNED)

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = threading.Semaphore(0)
        self.began = threading.Semaphore(0)
        self.free = True

    def vectors(self, texts: Sequence[str], word: str) -> Iterator[WordVector]:
        if not self.free:
            self.began.release()
            self.go.acquire(timeout=30)
        self.asked += texts
        for i, text in enumerate(texts):
            for n, _ in enumerate(occurrence_spans(text, word, spelling=UNCASED)):
                number = float(text.split()[1]) + n / 10
                yield WordVector(np.full(LEARNED, 1.0), np.full((LAYERS, WIDTH), number), i, n)


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    word_vectors.forget()
    yield
    word_vectors.forget()


def texts(count: int) -> tuple[str, ...]:
    return tuple(f"Line {i} has {'a bank' if i % 3 else 'no such word'}." for i in range(count))


def begin(model: Any, query: OccurrenceQuery, present: Callable[[], bool] = lambda: True) -> Job:
    return Job(query, model, present)


def finished(model: Any, query: OccurrenceQuery) -> Job:
    job = begin(model, query)
    job.join(30)
    assert not job.active
    return job


def numbers(query: OccurrenceQuery) -> list[float]:
    cached = word_vectors.get(query)
    assert cached is not None
    return [float(value) for value in cached.occurrences.hidden[:, 1, 2]]


def test_all_occurrences_in_the_order_of_the_sentences() -> None:
    asked = OccurrenceQuery(
        "m", "bank", ("Line 4 bank, bank.", "Line 2 of none.", "Line 9 bank.", "Line 4 bank, bank.")
    )
    job = finished(Reader(), asked)
    assert (job.state, job.done, job.reached) == ("done", 4, asked)
    assert numbers(asked) == pytest.approx([4, 4.1, 9, 4, 4.1])
    found = word_vectors.get(asked)
    assert found is not None
    assert found.occurrences.texts == (0, 0, 2, 3, 3)
    assert found.occurrences.hidden.shape == (5, LAYERS, WIDTH)
    assert found.occurrences.learned.shape == (5, LEARNED)


def test_a_sentence_that_is_kept_is_not_read_again() -> None:
    model, first = Reader(), texts(300)
    finished(model, OccurrenceQuery("m", "bank", first))
    assert sorted(model.asked) == sorted(first)
    model.asked.clear()
    changed = (*first[:7], "Line 1000 by the bank.", *first[8:])
    job = finished(model, OccurrenceQuery("m", "bank", changed))
    assert model.asked == ["Line 1000 by the bank."]
    assert job.state == "done"
    assert numbers(job.query)[4] == 1000
    assert len(numbers(job.query)) == len([t for t in changed if "bank" in t])
    model.asked.clear()
    finished(model, OccurrenceQuery("other", "bank", first[:5]))  # another model is another matter
    assert len(model.asked) == 5


def test_stopped_it_keeps_what_it_has_and_goes_on_from_there() -> None:
    model, asked = Reader(), OccurrenceQuery("m", "bank", texts(5 * CHUNK))
    model.free = False
    job = begin(model, asked)
    model.began.acquire(timeout=30)
    model.go.release()  # the first hundred
    model.began.acquire(timeout=30)
    assert job.state == "working"
    assert job.seconds_left is not None
    job.stop()
    model.go.release()
    job.join(30)
    assert (job.state, job.done) == ("stopped", 2 * CHUNK)
    assert job.reached.texts == asked.texts[: 2 * CHUNK]
    assert len(numbers(job.reached)) == sum("bank" in text for text in job.reached.texts)
    assert word_vectors.get(asked) is None
    model.free = True
    read = len(model.asked)
    assert finished(model, asked).state == "done"
    assert len(model.asked) - read == 3 * CHUNK
    assert len(numbers(asked)) == sum("bank" in text for text in asked.texts)


def test_nothing_goes_on_for_a_visitor_who_has_gone() -> None:
    model, here = Reader(), [True]
    model.free = False
    job = begin(model, OccurrenceQuery("m", "bank", texts(5 * CHUNK)), lambda: here[0])
    model.began.acquire(timeout=30)
    here[0] = False
    model.go.release()
    job.join(30)
    assert (job.state, job.done) == ("stopped", CHUNK)


def test_two_visitors_do_not_disturb_each_other() -> None:
    one, other = Reader(), Reader()
    one.free = False
    slow = begin(one, OccurrenceQuery("m", "bank", texts(200)))
    one.began.acquire(timeout=30)
    quick = finished(other, OccurrenceQuery("m", "bank", texts(90)))
    assert quick.state == "done"
    assert slow.active
    slow.stop()
    one.go.release(10)
    slow.join(30)
    assert slow.state == "stopped"


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Budget:
    """A budget for these vectors alone."""
    made = Budget(10**6)
    monkeypatch.setattr(word_vectors, "BUDGET", made)
    monkeypatch.setattr(word_vectors, "_all", Cache(word_vectors._weigh, made))
    return made


def test_bytes_are_bounded(own: Budget) -> None:
    each = 4 * (LEARNED + LAYERS * WIDTH)
    query = OccurrenceQuery("m", "bank", tuple(f"Line {i} 0 bank." for i in range(40)))
    finished(Reader(), query)
    one = own.taken
    assert one > 40 * each  # beside its sentences, which are the larger part here
    own._limit = int(2.5 * one)
    asked = [
        OccurrenceQuery("m", "bank", tuple(f"Line {i} {k} bank." for i in range(40))) for k in range(3)
    ]
    for query in asked:
        assert finished(Reader(), query).state == "done"
    assert word_vectors.get(asked[0]) is None
    assert len(numbers(asked[1])) == len(numbers(asked[2])) == 40
    most = word_vectors.most_bytes() // each
    lines = tuple(f"Line {i} bank" for i in range(most + 1))
    job = finished(Reader(), OccurrenceQuery("m", "bank", lines))
    assert isinstance(job.error, TooLarge)
    assert f"Use {most:,} or fewer" in str(job.error)


def test_what_does_not_fit_with_its_sentences_is_refused_as_well(own: Budget) -> None:
    own._limit = 30_000
    long = tuple(f"Line {i} bank " + "and so on " * 200 for i in range(20))
    job = finished(Reader(), OccurrenceQuery("m", "bank", long))
    assert (job.state, type(job.error)) == ("failed", TooLarge)
    assert own.taken == 0


def test_a_word_that_is_nowhere() -> None:
    job = finished(Reader(), OccurrenceQuery("m", "lake", texts(7)))
    assert job.state == "failed"
    assert isinstance(job.error, WordNotFound)


def test_what_labels_tell_is_said_beside_both_guesses() -> None:
    lines = tuple(f"Line {i} bank." for i in range(8))
    asked = OccurrenceQuery("m", "bank", lines)
    finished(Reader(), asked)
    found = word_vectors.get(asked)
    assert found is not None
    told = found.label_accuracy(("a", "a", "a", "b", "b", "c", "", "a"))
    assert told is not None
    assert (told.labels, told.n_occurrences, told.chance, told.alone) == (("a", "b"), 6, 0.5, 2)
    assert told.commonest == pytest.approx(4 / 6)
    assert found.label_accuracy(("a",) * 8) is None
