"""Heads that share keys are told by the keys alone, in either engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.measures.attention.shared_keys import heads_per_key


@pytest.mark.parametrize("engine", ["scratch", "huggingface"])
@pytest.mark.parametrize(("kind", "size"), [("llama", 3), ("gpt2", 1)])
def test_of_a_model(made: Callable[..., Path], kind: str, size: int, engine: Any) -> None:
    trace = core.load(str(made(kind)), engine=engine).trace("the bank")
    assert heads_per_key(trace.key) == size


def test_of_any_keys(minilm: Any) -> None:
    trace = minilm.trace("the bank")
    assert heads_per_key(trace.key) == 1
    assert heads_per_key(None) == 1
    shared = np.repeat(trace.key[:, :1], 12, axis=1)
    assert heads_per_key(shared) == 12
    odd = shared.copy()
    odd[3, 5] += 1  # five alike, and one that is not: no groups of five
    assert heads_per_key(odd) == 1
