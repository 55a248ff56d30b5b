"""Heads that share keys are told by the keys alone, in either engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
    assert heads_per_key(trace) == size


def test_of_any_keys(minilm: Any) -> None:
    trace = minilm.trace("the bank")
    assert heads_per_key(trace) == 1
    assert heads_per_key(replace(trace, query=None, key=None, value=None)) == 1
    shared = np.repeat(trace.key[:, :1], 12, axis=1)
    assert heads_per_key(replace(trace, key=shared)) == 12
    odd = shared.copy()
    odd[3, 5] += 1  # five alike, and one that is not: no groups of five
    assert heads_per_key(replace(trace, key=odd)) == 1
