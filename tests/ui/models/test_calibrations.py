"""The calibration of a model: shipped for MiniLM, otherwise measured once for all visitors."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from core.errors import NotSupported
from core.measures.senses.verdict import Calibration, shipped
from ui.models import calibrations, model_cache, session_models


@pytest.fixture(autouse=True)
def nothing_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrations, "_measured", {})


def test_that_of_minilm_is_shipped_and_not_measured_again() -> None:
    found = calibrations.of("minilm")
    assert found is not None
    assert found is shipped("minilm")
    assert not calibrations.can_measure("minilm")
    assert calibrations.measure("minilm", lambda done, total: None) is found


def test_another_model_has_none_before_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert calibrations.of("other") is None
    assert calibrations.can_measure("other")
    monkeypatch.setattr(session_models, "is_own", lambda name: True)
    assert not calibrations.can_measure("yours-1")  # it lacks the words of our sentences


def test_it_is_measured_once_for_all_who_ask_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    told: list[tuple[int, int]] = []
    minilm = shipped("minilm")
    assert minilm is not None

    def read(texts: list[str], *, keep: str) -> list[str]:
        assert keep == "hidden"
        return texts

    def slow(
        trace_many: Callable[[list[str]], list[str]], model: str, *, on_word: Callable[[int, int], None]
    ) -> Calibration:
        assert trace_many(["a", "b"]) == ["a", "b"]
        made.append(model)
        on_word(1, 12)
        time.sleep(0.1)
        return dataclasses.replace(minilm, model=model)

    monkeypatch.setattr(model_cache, "model", lambda name: SimpleNamespace(trace_many=read))
    monkeypatch.setattr(calibrations, "calibrate", slow)
    found: list[Calibration] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(
                calibrations.measure("other", lambda done, total: told.append((done, total)))
            )
        )
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert made == ["other"]
    assert told == [(1, 12)]
    assert len(found) == 3
    assert {id(one) for one in found} == {id(calibrations.of("other"))}
    assert not calibrations.can_measure("other")


def test_what_cannot_be_measured_can_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Calibration:
        raise NotSupported("It does not know our words.")

    monkeypatch.setattr(model_cache, "model", lambda name: SimpleNamespace(trace_many=None))
    monkeypatch.setattr(calibrations, "calibrate", refuse)
    for _ in range(2):
        with pytest.raises(NotSupported, match="our words"):
            calibrations.measure("other", lambda done, total: None)
    assert calibrations.of("other") is None
