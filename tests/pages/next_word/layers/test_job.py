"""The thread that fits a lens: it ends when its visitor stops it or leaves, and says why it failed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from core.errors import NotSupported
from pages.next_word.layers.job import BROKE, Job


class Endless:
    """A model that reads tokens until it is told not to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def fit_lens(
        self, texts: list[str], *, fitted_on: str, on_progress: Callable[[int, int], None]
    ) -> None:
        assert (texts, fitted_on) == (["a text"], "a file")
        if self.error is not None:
            raise self.error
        for done in range(10_000):
            on_progress(done, 10_000)
            time.sleep(0.01)


def begun(model: Any, present: Callable[[], bool] = lambda: True) -> Job:
    return Job("model", model, "a text", "a file", present)


def test_its_visitor_can_stop_it() -> None:
    job = begun(Endless())
    while not job.done:
        time.sleep(0.01)
    assert (job.state, job.total) == ("working", 10_000)
    job.stop()
    job.join(5)
    assert (job.state, job.active, job.lens, job.error) == ("stopped", False, None, None)


def test_it_ends_when_its_visitor_has_left() -> None:
    job = begun(Endless(), lambda: False)
    job.join(5)
    assert job.state == "stopped"


@pytest.mark.parametrize(
    ("error", "said"), [(NotSupported("Too short."), "Too short."), (ZeroDivisionError(), BROKE)]
)
def test_a_failure_is_said_in_a_sentence(error: Exception, said: str) -> None:
    job = begun(Endless(error))
    job.join(5)
    assert job.state == "failed"
    assert str(job.error) == said
