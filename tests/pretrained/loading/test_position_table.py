"""The learned positions of real and small models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.walkthroughs.positions import distances


@pytest.mark.check
def test_the_learned_table_of_minilm_is_that_of_its_file(
    minilm: core.Model, minilm_hf: core.Model, minilm_folder: Path
) -> None:
    from safetensors.numpy import load_file

    expected = load_file(minilm_folder / "model.safetensors")["embeddings.position_embeddings.weight"]
    for model in (minilm, minilm_hf):
        found = model.position_table()
        assert found is not None
        np.testing.assert_array_equal(found, expected)
        assert not found.flags.writeable
    cosines = distances(expected, cosine=True)
    assert cosines.mean[1] == pytest.approx(0.851, abs=1e-3)  # neighbours are alike
    assert cosines.mean[100] < 0.2


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("bert", 64),
        ("distilbert", 64),
        ("gpt2", None),
        ("roberta", None),
        ("opt", None),
        ("bart", None),
    ],
)
def test_models_that_learned_one(made: Callable[..., Path], kind: str, rows: int | None) -> None:
    model = core.load(str(made(kind)))
    found = model.position_table()
    assert found is not None
    assert len(found) == (rows or model.max_tokens)


@pytest.mark.parametrize("kind", ["llama", "t5", "marian"])
def test_models_that_learned_none(made: Callable[..., Path], kind: str) -> None:
    assert core.load(str(made(kind))).position_table() is None
