"""What was computed for a visitor ends when the visitor leaves; what others wait for, they compute."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import cachetools
import pytest
from streamlit.runtime.scriptrunner import StopException

from core import Model
from core.pretrained import cancellation
from ui import abandoned_work, callbacks
from ui.models import session_models

TEXTS = [f"The bank number {i}." for i in range(12)]


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[int, int]]:
    """How many more runs each thread's visitor stays for; a thread that is not named has no visitor."""
    left: dict[int, int] = {}

    def present() -> bool:
        here = threading.get_ident()
        left[here] -= 1
        return left[here] >= 0

    def context(**_: bool) -> Any:
        return SimpleNamespace() if threading.get_ident() in left else None

    monkeypatch.setattr(abandoned_work, "get_script_run_ctx", context)
    monkeypatch.setattr(session_models, "presence", lambda: present)
    abandoned_work.end_work()
    yield left
    cancellation._asks.clear()


def test_work_ends_before_the_next_run_of_the_model(minilm: Model, visits: dict[int, int]) -> None:
    visits[threading.get_ident()] = 2
    with pytest.raises(StopException):
        minilm.trace_many(TEXTS, batch_size=2)
    assert visits[threading.get_ident()] == -1  # it was not asked again
    visits[threading.get_ident()] = 2
    with pytest.raises(StopException):
        list(minilm.vectors(TEXTS, "bank", batch_size=2))


def test_work_of_a_server_or_a_callback_goes_on(minilm: Model, visits: dict[int, int]) -> None:
    assert len(minilm.trace_many(TEXTS, batch_size=2)) == len(TEXTS)
    visits[threading.get_ident()] = 0
    now = callbacks._running.set(True)
    try:
        assert len(minilm.trace_many(TEXTS, batch_size=2)) == len(TEXTS)
    finally:
        callbacks._running.reset(now)


def test_who_waits_for_the_same_computes_it(minilm: Model, visits: dict[int, int]) -> None:
    begun = threading.Event()
    found: list[object] = []

    @cachetools.cached(cachetools.LRUCache(4), condition=threading.Condition())
    def computed(name: str) -> int:
        begun.set()
        return len(minilm.trace_many(TEXTS, batch_size=2))

    def leaves() -> None:
        visits[threading.get_ident()] = 3
        try:
            computed("texts")
        except StopException:
            found.append("ended")

    def waits() -> None:
        begun.wait(10)
        found.append(computed("texts"))

    both = [threading.Thread(target=one) for one in (leaves, waits)]
    for one in both:
        one.start()
    for one in both:
        one.join(30)
    assert sorted(map(str, found)) == [str(len(TEXTS)), "ended"]
