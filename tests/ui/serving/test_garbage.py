from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from ui.serving.garbage import Sweep

PATIENCE = 10.0


class Circle:
    """What only a collection of garbage frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """No collection but those of the sweep; what other tests set apart stays apart."""
    gc.disable()
    yield
    gc.enable()


def left() -> tuple[weakref.ref[Circle], threading.Event]:
    """A circle that nobody holds, and a sign that it has gone."""
    gone, circle = threading.Event(), Circle()
    return weakref.ref(circle, lambda _: gone.set()), gone


def test_what_was_left_behind_goes_after_a_while() -> None:
    circle, gone = left()
    assert circle() is not None
    Sweep(after=0.01).soon()
    assert gone.wait(PATIENCE)


def test_many_calls_are_one_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    swept = threading.Semaphore(0)
    monkeypatch.setattr(gc, "collect", lambda *_: swept.release())
    sweep = Sweep(after=0.1)
    for _ in range(50):
        sweep.soon()
    assert swept.acquire(timeout=PATIENCE)
    assert not swept.acquire(timeout=0.3)
    sweep.soon()  # what is done later is swept later
    assert swept.acquire(timeout=PATIENCE)


def test_what_was_set_apart_while_it_lived_goes_in_a_deep_sweep() -> None:
    circle, gone = left()
    gc.freeze()
    gc.collect()
    assert circle() is not None  # set apart: nobody looks there
    Sweep(after=0.01, deep=1).soon()
    assert gone.wait(PATIENCE)
