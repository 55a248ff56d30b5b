"""The roles of a model's heads: shipped for MiniLM, otherwise measured once for all visitors."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from core.measures import shipped_roles
from ui.models import head_roles, model_cache, session_models


@pytest.fixture(autouse=True)
def nothing_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_roles, "_measured", {})


def test_those_of_minilm_are_shipped() -> None:
    assert head_roles.of("minilm") is shipped_roles("minilm") is not None
    assert head_roles.of("other") is None


def test_a_model_trained_here_and_an_encoder_decoder_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_cache, "model", lambda name: SimpleNamespace(kind="encoder-decoder"))
    assert head_roles.why_none("pair")
    monkeypatch.setattr(model_cache, "model", lambda name: SimpleNamespace(kind="decoder"))
    assert not head_roles.why_none("gpt2")
    monkeypatch.setattr(session_models, "is_own", lambda name: True)
    assert head_roles.why_none("yours-1")


def test_they_are_measured_once_for_all_who_ask_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    told: list[tuple[int, int]] = []

    def slow(trace_many: Any, model: str, *, on_sentence: Any) -> Any:
        assert trace_many(["a"]) == ["a"]
        made.append(model)
        on_sentence(24, 240)
        time.sleep(0.1)
        return shipped_roles("minilm")

    def read(texts: list[str], *, keep: str) -> list[str]:
        assert keep == "attention"
        return texts

    monkeypatch.setattr(model_cache, "model", lambda name: SimpleNamespace(trace_many=read))
    monkeypatch.setattr(head_roles, "measure_roles", slow)

    def ask() -> None:
        head_roles.measure("other", lambda *done: told.append(done))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == ["other"]
    assert told == [(24, 240)]
    assert head_roles.of("other") is not None
