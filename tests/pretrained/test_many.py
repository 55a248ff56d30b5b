"""A text in a batch and the same text alone: their largest difference if values are large."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core import settings
from tests.pretrained.small_models import TEXT, save

TEXTS = [TEXT, "bank", "the river " * 15, "a bank on the bank", TEXT, "a river"]
ARRAYS = ("learned", "embedded", "hidden", "final", "query", "key", "value")
# As `transformers` builds them, all are pre-norm with residual connections, so values grow.
DEEP: dict[str, dict[str, Any]] = {
    "gpt2": {"n_layer": 24, "n_embd": 192, "n_head": 6},
    "opt": {"num_hidden_layers": 16, "hidden_size": 192},
    "llama": {"num_hidden_layers": 16, "hidden_size": 192},
    "qwen2": {"num_hidden_layers": 16, "hidden_size": 192},
    "qwen3": {"num_hidden_layers": 16, "hidden_size": 192},
}


def enlarged(model: Any) -> None:
    """Weights whose sums grow to between 30 and 150 within the model's layers."""
    import torch

    numbers = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for tensor in model.parameters():
            tensor.normal_(std=0.3, generator=numbers)


@pytest.fixture(scope="module", params=DEEP)
def deep(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> core.Model:
    folder = tmp_path_factory.mktemp("deep")
    return core.load(str(save(folder, request.param, enlarged, **DEEP[request.param])))


def arrays(trace: core.Trace) -> dict[str, np.ndarray]:
    assert trace.attention is not None
    found = {name: getattr(trace, name) for name in ARRAYS} | {"weights": trace.attention.weights}
    return {name: array for name, array in found.items() if array is not None}


def assert_within_the_bound(trace: core.Trace, alone: core.Trace) -> None:
    batched = arrays(trace)
    for name, array in arrays(alone).items():
        bound = settings.BATCH_BOUND * max(1, np.abs(array).max())
        np.testing.assert_allclose(batched[name], array, rtol=0, atol=bound, err_msg=name)


@pytest.mark.few(1)
def test_the_bound_grows_with_the_values(deep: core.Model) -> None:
    largest = 0.0
    for text, trace in zip(TEXTS, deep.trace_many(TEXTS, keep="all"), strict=True):
        assert_within_the_bound(trace, deep.trace(text))
        assert trace.hidden is not None
        largest = max(largest, float(np.abs(trace.hidden).max()))
    assert largest > 30  # otherwise this would ask for no more than the small models do


def test_the_bound_is_the_one_that_is_said() -> None:
    said = " ".join((core.Model.trace_many.__doc__ or "").split())
    assert f"{settings.BATCH_BOUND:.0e} · max(1,".replace("e-0", "e-") in said


def test_where_values_are_small_the_bound_is_below_that_of_the_engines(
    tmp_path: Path, fill_randomly: Callable[..., None], minilm: core.Model
) -> None:
    assert settings.ENGINE_BOUND["cpu"] > settings.BATCH_BOUND
    small = core.load(str(save(tmp_path, "llama", fill_randomly)))
    for model in (small, minilm):
        for text, trace in zip(TEXTS, model.trace_many(TEXTS, keep="all"), strict=True):
            assert_within_the_bound(trace, model.trace(text))
