"""Traces made by hand: 2 layers, 3 heads of 5, d_model 7, d_embedding 11."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from core.records.trace import Attention, Trace

LAYERS, HEADS, D_HEAD, D_MODEL, D_EMBEDDING = 2, 3, 5, 7, 11
MARKS = ("[CLS]", "[SEP]")


@pytest.fixture
def make_trace() -> Callable[..., Trace]:
    """A trace of these tokens, with all numbers different; `weights` and other fields are replaced."""

    def make(tokens: Sequence[str], *, weights: Any = None, **other: Any) -> Trace:
        n = len(tokens)
        numbers = np.random.default_rng(n)
        if weights is None:
            weights = numbers.dirichlet(np.ones(n), (LAYERS, HEADS, n))
        special = tuple(token in MARKS for token in tokens)
        fields: dict[str, Any] = {
            "tokens": tuple(tokens),
            "word_ids": tuple(None if mark else i for i, mark in enumerate(special)),
            "segments": (0,) * n,
            "offsets": ((0, 0),) * n,
            "special": special,
            "left_out": None,
            "learned": numbers.normal(size=(n, D_EMBEDDING)),
            "embedded": numbers.normal(size=(n, D_MODEL)),
            "hidden": numbers.normal(size=(LAYERS, n, D_MODEL)),
            "final": None,
            "attention": Attention(tuple(tokens), tuple(tokens), weights),
            "query": numbers.normal(size=(LAYERS, HEADS, n, D_HEAD)),
            "key": numbers.normal(size=(LAYERS, HEADS, n, D_HEAD)),
            "value": numbers.normal(size=(LAYERS, HEADS, n, D_HEAD)),
            "model": "made by hand",
        }
        return Trace(**{**fields, **other})

    return make
