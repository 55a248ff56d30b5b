"""Long patching in a thread: stopped, gone on with, left, waited for; on a small decoder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import core
from core.pretrained.patching import Patches
from core.records.patching import Patching
from pages.next_word.prompts import computed
from pages.next_word.prompts.computed import Query
from pages.next_word.prompts.job import Job
from tests import visits
from tests.pages.next_word.prompts.test_prompts import A, B, model, name, shown, words  # noqa: F401
from tests.visits import said
from ui.models import long_texts

SECONDS = 30


@pytest.fixture
def query(
    name: str,  # noqa: F811
    words: tuple[str, str],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> Query:
    """One that counts as long."""
    monkeypatch.setattr(computed, "QUICK", -1)
    computed._patching.cache_clear()
    computed._begun.clear()
    return Query(name, A, B, words, "head", None)


class Gate:
    """Holds each row of a patching until the test lets it go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at, self.on = threading.Semaphore(0), threading.Semaphore(0)
        inner = Patches.patch

        def held(of: Patches, *args: Any, on_part: Callable[[Patching], object], **more: Any) -> Any:
            def row(part: Patching) -> None:
                self.at.release()
                assert self.on.acquire(timeout=SECONDS)
                on_part(part)

            return inner(of, *args, on_part=row, **more)

        monkeypatch.setattr(Patches, "patch", held)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.on.release(1_000)


def test_it_ends_with_the_result_for_all(query: Query) -> None:
    job = Job(query, lambda: True)
    job.join(SECONDS)
    assert (job.state, job.error) == ("done", None)
    found = computed.known(query)
    assert found is not None
    assert found.done == 1
    assert computed.begun(query) is None


def test_it_stops_after_a_row_and_goes_on_there(query: Query, gate: Gate) -> None:
    job = Job(query, lambda: True)
    assert gate.at.acquire(timeout=SECONDS)
    job.stop()
    gate.on.release()
    job.join(SECONDS)
    assert job.state == "stopped"
    part = computed.begun(query)
    assert part is not None
    assert 0 < part.done < 1
    gate.on.release(1_000)
    again = Job(query, lambda: True)
    again.join(SECONDS)
    assert again.state == "done"
    whole = computed.known(query)
    assert whole is not None
    there = np.isfinite(part.differences)
    np.testing.assert_array_equal(whole.differences[there], part.differences[there])


def test_a_visitor_who_has_left_keeps_nobody_busy(query: Query, gate: Gate) -> None:
    here = [True]
    job = Job(query, lambda: here[0])
    assert gate.at.acquire(timeout=SECONDS)
    here.clear()
    here.append(False)
    gate.on.release()
    job.join(SECONDS)
    assert job.state == "stopped"


def test_one_waits_for_a_turn_and_can_leave_the_queue(query: Query) -> None:
    queue = long_texts.queue()
    turns = [queue.turn(lambda position: None) for _ in range(queue.most)]
    for turn in turns:
        turn.__enter__()
    try:
        job = Job(query, lambda: True)
        for _ in range(300):
            if job.state == "waiting":
                break
            job.join(0.02)
        assert (job.state, job.queue_position) == ("waiting", 1)
        job.stop()
        job.join(SECONDS)
        assert job.state == "stopped"
    finally:
        for turn in turns:
            turn.__exit__(None, None, None)


def test_a_refusal_is_the_jobs_error(query: Query) -> None:
    job = Job(query._replace(b="a kid saw the big bank"), lambda: True)
    job.join(SECONDS)
    assert job.state == "failed"
    assert isinstance(job.error, core.NotSupported)


@pytest.mark.check
def test_the_page_shows_rows_as_they_come_then_all(query: Query, gate: Gate) -> None:
    url = {"m": query.model, "t": A, "t2": B, "wa": query.answers[0], "wb": query.answers[1]}
    app = visits.visit("next_word", p="prompts", pb="head", pa="-1", **url)
    assert any(button.label == "Stop" for button in app.button)
    assert not app.error
    gate.on.release(1)
    assert gate.at.acquire(timeout=SECONDS)
    assert gate.at.acquire(timeout=SECONDS)
    app = visits.run(app)
    header, numbers = shown(app, "patching")
    assert "hatched: not computed yet" in header["scale"]["notes"]
    rows = numbers.reshape(len(header["rows"]), -1)
    assert np.isnan(rows).all(axis=1).any()
    assert np.isfinite(rows[-1]).all()
    gate.on.release(1_000)
    for _ in range(100):
        if computed.known(query) is not None:
            break
        threading.Event().wait(0.05)
    app = visits.run(app)
    assert np.isfinite(shown(app, "patching")[1]).all()
    assert "alone" in said(app)


@pytest.mark.check
def test_a_visitor_stops_it_and_goes_on(
    query: Query, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = Job.stop

    def stop_within_a_row(job: Job) -> None:
        stop(job)
        gate.on.release()  # the row that it is at ends after the click, however late that is

    monkeypatch.setattr(Job, "stop", stop_within_a_row)
    url = {"m": query.model, "t": A, "t2": B, "wa": query.answers[0], "wb": query.answers[1]}
    app = visits.visit("next_word", p="prompts", pb="head", pa="-1", **url)
    next(button for button in app.button if button.label == "Stop").click()
    app = visits.run(app)
    assert "Stopped at" in said(app)
    assert "hatched: not computed yet" in shown(app, "patching")[0]["scale"]["notes"]
    gate.on.release(1_000)
    next(button for button in app.button if button.label == "Continue").click()
    app = visits.run(app)
    assert np.isfinite(shown(app, "patching")[1]).all()
