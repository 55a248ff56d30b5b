"""Initialisation; every part learns, and models store nothing."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.transformer import Transformer, TransformerConfig
from tests.transformer.small_models import CONFIG, DECODER, ENCODER, VARIANTS, close, made


@pytest.mark.parametrize("config", [CONFIG, DECODER, ENCODER], ids=["both", "decoder", "encoder"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_parameter_learns(
    config: TransformerConfig, variant: dict[str, Any], source: Tensor, target: Tensor
) -> None:
    model = made(dataclasses.replace(config, **variant)).train()
    out = model(source, target) if config is CONFIG else model(target)
    nn.functional.cross_entropy(out.logits_BLV.flatten(0, 1), target.roll(-1, 1).flatten()).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        turned = variant.get("positions") == "rotary" and "cross" not in name
        if name.endswith("key.bias") and not turned:
            # It adds the same number to all scores of a row, which softmax ignores; not if it is
            # rotated.
            assert parameter.grad.abs().max() < 1e-12, name
        else:
            assert parameter.grad.abs().max() > 1e-6, name


@pytest.mark.parametrize("config", [CONFIG, DECODER], ids=["both", "decoder"])
def test_models_keep_nothing(config: TransformerConfig, source: Tensor, target: Tensor) -> None:
    model = made(dataclasses.replace(config, norm_first=True, dropout=0.1)).train()

    def state() -> list[tuple[str, int]]:
        return [
            (f"{name}.{key}", id(value))
            for name, module in model.named_modules()
            for key, values in module.__dict__.items()
            for value in (values.values() if isinstance(values, dict) else (values,))
        ]

    before, weights = state(), {k: v.clone() for k, v in model.state_dict().items()}
    out = model(source, target) if config is CONFIG else model(target)
    assert state() == before
    assert all(torch.equal(weights[k], v) for k, v in model.state_dict().items())
    assert not list(model.buffers())
    assert out.logits_BLV.requires_grad


def test_dropout_is_for_training_alone(source: Tensor, target: Tensor) -> None:
    model = made(dataclasses.replace(CONFIG, dropout=0.3))
    still = model(source, target).logits_BLV
    assert torch.equal(model(source, target).logits_BLV, still)
    model.train()
    moving = model(source, target)
    assert not torch.allclose(moving.logits_BLV, still)
    # The returned weights are those that were used: dropout does not act on them.
    sums = moving.decoder.layers[0].cross.weights_BHLM.sum(-1)
    close(sums, torch.ones_like(sums))
    close(made(CONFIG)(source, target).logits_BLV, still)


def test_one_seed_is_one_model() -> None:
    torch.manual_seed(1)
    first = Transformer(CONFIG, torch.Generator().manual_seed(7)).state_dict()
    torch.manual_seed(2)
    again = Transformer(CONFIG, torch.Generator().manual_seed(7)).state_dict()
    other = Transformer(CONFIG, torch.Generator().manual_seed(8)).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["output.weight"], other["output.weight"])


def test_how_it_starts() -> None:
    config = dataclasses.replace(CONFIG, d_model=120, d_ff=480, n_vocabulary=997, norm_first=True)
    state = Transformer(config, torch.Generator().manual_seed(0)).state_dict()
    for name, tensor in state.items():
        if "norm" in name:
            assert (tensor == (1 if name.endswith("weight") else 0)).all(), name
        elif name.endswith("bias"):
            assert (tensor == 0).all(), name
        elif "tokens" in name:
            assert tensor.std().item() == pytest.approx(120**-0.5, rel=0.05), name
        else:
            bound = math.sqrt(6 / sum(tensor.shape))
            assert 0.98 * bound < tensor.abs().max().item() <= bound, name
