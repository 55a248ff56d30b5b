from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import core
from ui.models import model_cache


def is_ready(name: str, engine: Any = None) -> bool:
    """Whether the model is in the cache."""
    slot = model_cache._slots.get((name, engine))
    return slot is not None and slot.future.done()


class Made:
    """Stands in for a loaded model."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fitted(self) -> Made:
        return self


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty cache; afterwards, it contains again what other tests loaded."""
    before = model_cache._slots.copy()
    model_cache._slots.clear()
    monkeypatch.setattr(model_cache, "limit_threads", lambda n: None)
    for slow in ("collect", "freeze"):
        monkeypatch.setattr(gc, slow, lambda: 0)
    yield
    model_cache._slots.clear()
    model_cache._slots.update(before)


def together(ask: Callable[[int], Any], n: int) -> list[Any]:
    """The results or errors of `ask` in `n` threads that start at once."""
    gate = threading.Barrier(n)
    found: list[Any] = [None] * n

    def run(i: int) -> None:
        gate.wait(5)
        try:
            found[i] = ask(i)
        except Exception as error:
            found[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    return found


def test_simultaneous_visitors_load_a_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str | None]] = []

    def load(name: str, *, engine: str | None, progress: Any, paths: bool) -> Made:
        calls.append((name, engine))
        time.sleep(0.2)
        return Made(name)

    monkeypatch.setattr(model_cache, "load", load)
    found = together(lambda i: model_cache.model("m"), 7)
    assert calls == [("m", None)]
    assert len(set(map(id, found))) == 1
    again: Any = model_cache.model("m")
    assert again is found[0]
    assert isinstance(again, Made)
    assert len(calls) == 1


def test_each_engine_has_a_model_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_cache, "load", lambda name, **kwargs: Made(f"{name} {kwargs['engine']}"))
    assert model_cache.model("m").name == "m None"
    assert model_cache.model("m", "huggingface").name == "m huggingface"
    assert is_ready("m")
    assert not is_ready("m", "scratch")


def test_a_load_that_fails_is_told_to_all_who_wait_and_can_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []

    def load(name: str, **kwargs: Any) -> Made:
        calls.append(name)
        time.sleep(0.1)
        if len(calls) == 1:
            raise core.ModelNotFound("not yet")
        return Made(name)

    monkeypatch.setattr(model_cache, "load", load)
    found = together(lambda i: model_cache.model("m"), 3)
    assert [type(error) for error in found] == [core.ModelNotFound] * 3
    assert calls == ["m"]
    assert not is_ready("m")
    assert model_cache.model("m").name == "m"
    assert calls == ["m", "m"]


def test_settings_that_are_wrong_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_THREADS", "many")
    with pytest.raises(core.SettingError, match="POLYSEE_THREADS"):
        model_cache.model("m")
    assert not model_cache._slots


def test_the_model_wanted_longest_ago_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def load(name: str, **kwargs: Any) -> Made:
        calls.append(name)
        return Made(name)

    monkeypatch.setattr(model_cache, "load", load)
    names = [f"m{i}" for i in range(model_cache.MOST_MODELS)]
    for name in names:
        model_cache.model(name)
    model_cache.model(names[0])  # wanted again: now the second is the oldest
    model_cache.model("one more")
    assert len(model_cache._slots) == model_cache.MOST_MODELS
    assert not is_ready(names[1])
    assert all(map(is_ready, [names[0], *names[2:], "one more"]))
    model_cache.model(names[1])
    assert calls.count(names[1]) == 2


def test_a_model_that_makes_room_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_cache, "load", lambda name, **kwargs: Made(name))
    gone = weakref.ref(model_cache.model("first"))
    for i in range(model_cache.MOST_MODELS):
        model_cache.model(f"m{i}")
    deadline = time.monotonic() + 5  # the thread that loaded it may not have ended yet
    while gone() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert gone() is None


@pytest.mark.check
def test_many_at_once_end_with_a_cache_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, **kwargs: Any) -> Made:
        time.sleep(0.2)
        return Made(name)

    monkeypatch.setattr(model_cache, "load", load)
    n = 2 * model_cache.MOST_MODELS + 3
    found = together(lambda i: model_cache.model(f"m{i}").name, n)
    assert found == [f"m{i}" for i in range(n)]
    deadline = time.monotonic() + 5
    while len(model_cache._slots) > model_cache.MOST_MODELS and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(model_cache._slots) <= model_cache.MOST_MODELS


def test_progress_of_a_download_is_drawn_and_a_name_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    go_on = threading.Event()

    def load(name: str, *, progress: Callable[[int, int], None], **kwargs: Any) -> Made:
        progress(3_000_000, 12_000_000)
        go_on.wait(5)
        return Made(name)

    def page() -> None:
        import streamlit as st

        from ui.models import model_cache

        st.write(model_cache.model("*x*").name)

    class Bar:
        def progress(self, share: float, words: str) -> None:
            drawn.append(f"{share} {words}")
            go_on.set()

        def empty(self) -> None:
            drawn.append("gone")

    monkeypatch.setattr(model_cache, "load", load)
    monkeypatch.setattr(st, "empty", Bar)
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert drawn[0] == r"0.25 Downloading \*x\*: 3 of 12 MB"
    assert drawn[-1] == "gone"


def test_models_are_loaded_a_few_at_a_time_and_the_next_ones_know_their_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, begun = threading.Event(), list[str]()

    def load(name: str, **_: Any) -> Any:
        begun.append(name)
        gate.wait(10)
        return Made(name)

    monkeypatch.setattr(model_cache, "load", load)
    slots = []
    for name in "abcd":
        slots.append(model_cache._slot((name, None)))
        while not (name in begun or slots[-1].queue_position):
            time.sleep(0.005)
    assert begun == ["a", "b"]
    assert [slot.queue_position for slot in slots] == [0, 0, 1, 2]
    gate.set()
    assert [slot.future.result(10).name for slot in slots] == ["a", "b", "c", "d"]
    assert [slot.queue_position for slot in slots] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("minilm", "MiniLM"),
        ("distilbert", "DistilBERT"),
        ("somebody/a-model", "somebody/a-model"),
        ("own-of-nobody", "own-of-nobody"),
    ],
)
def test_a_sentence_calls_a_model_by_its_title(name: str, title: str) -> None:
    assert model_cache.title(name) == title
