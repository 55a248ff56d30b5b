"""The encoder–decoder: its attention blocks, masks, embeddings, and cuts."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
import torch
from torch import Tensor

from core.transformer import causal_mask, sinusoidal
from tests.transformer.small_models import CONFIG, VARIANTS, B, L, S, close, made


def test_every_step_is_returned(source: Tensor, target: Tensor) -> None:
    model = made(CONFIG)
    out = model(source, target)
    assert out.logits_BLV.shape == (B, L, 31)
    assert [len(out.encoder.layers), len(out.decoder.layers)] == [2, 3]
    for stack, length in ((out.encoder, S), (out.decoder, L)):
        assert stack.learned_BLD.shape == stack.embedded_BLD.shape == (B, length, 42)
        assert stack.final_BLD is stack.layers[-1].output_BLD
        for layer in stack.layers:
            assert layer.output_BLD.shape == (B, length, 42)
            assert layer.attention.weights_BHLM.shape == (B, 3, length, length)
    for layer in out.decoder.layers:
        assert layer.cross.weights_BHLM.shape == (B, 1, L, S)
        assert layer.cross.key_BHMK.shape == (B, 1, S, 42)
        assert (layer.attention.weights_BHLM[:, :, ~causal_mask(L)] == 0).all()
    close(out.logits_BLV, out.decoder.final_BLD @ model.output.weight.T + model.output.bias)


def test_embeddings_by_hand(source: Tensor, target: Tensor) -> None:
    model = made(CONFIG)
    out = model(source, target)
    for stack, ids, embeddings in (
        (out.encoder, source, model.source_embeddings),
        (out.decoder, target, model.embeddings),
    ):
        rows = embeddings.tokens.weight[ids]
        assert torch.equal(stack.learned_BLD, rows)
        places = sinusoidal(ids.shape[1], 42).double()
        close(stack.embedded_BLD, math.sqrt(42) * rows + places)
    assert len(model.source_embeddings.tokens.weight) == 29


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_against_the_same_model_from_torchs_layers(
    variant: dict[str, Any], source: Tensor, target: Tensor
) -> None:
    # Single layers are checked in test_layers; this checks how they are connected.
    model = made(dataclasses.replace(CONFIG, **variant))
    mask = torch.arange(S) < torch.tensor([[S], [4]])
    out = model(source, target, mask)
    hidden = torch.zeros(B, 1, 1, S).masked_fill(~mask[:, None, None], torch.finfo().min).double()
    future = torch.zeros(L, L).masked_fill(~causal_mask(L), torch.finfo().min).double()
    x = out.encoder.embedded_BLD
    for layer, got in zip(model.encoder.layers, out.encoder.layers, strict=True):
        x = layer(x, hidden).output_BLD
        close(got.output_BLD, x)
    memory = model.encoder.norm(x) if variant.get("norm_first") else x
    close(out.encoder.final_BLD, memory)
    x = out.decoder.embedded_BLD
    for layer, got in zip(model.decoder.layers, out.decoder.layers, strict=True):
        x = layer(x, memory, future, hidden).output_BLD
        close(got.output_BLD, x)
    final = model.decoder.norm(x) if variant.get("norm_first") else x
    top = (model.embeddings.tokens.weight.T, 0)
    if not variant.get("tied_output"):
        top = (model.output.weight.T, model.output.bias)
    close(out.logits_BLV, final @ top[0] + top[1])
    close(model(source, target, mask, need_weights=False).logits_BLV, out.logits_BLV)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_padding_and_the_future_change_nothing(
    variant: dict[str, Any], source: Tensor, target: Tensor
) -> None:
    model = made(dataclasses.replace(CONFIG, **variant))
    mask = torch.arange(S) < torch.tensor([[S], [4]])
    batch = model(source, target, mask)
    close(model(source[1:, :4], target[1:, :3]).logits_BLV[0], batch.logits_BLV[1, :3])
    # Another source token affects every position.
    source[1, 0] = 2
    assert (model(source, target, mask).logits_BLV - batch.logits_BLV)[1].abs().amin(0).max() > 1e-3


def test_cuts_are_arguments(source: Tensor, target: Tensor) -> None:
    model = made(CONFIG)
    low = torch.finfo(torch.float64).min
    plain = model(source, target)
    # Token 4 of the target no longer sees token 3 of the source; no token sees token 2 of the source.
    cross_bias = torch.zeros(1, 1, L, S).double()
    cross_bias[..., 4, 3] = low
    bias = torch.zeros(1, 1, 1, S).double()
    bias[..., 2] = low
    mask = torch.ones(2, 3).double()
    mask[1, 2] = 0
    encoded = model.encode(source, bias_BHLM=bias, head_mask_NH=mask)
    assert (encoded.layers[0].attention.weights_BHLM[..., 2] == 0).all()
    close(encoded.layers[0].attention.value_BHMK, plain.encoder.layers[0].attention.value_BHMK)
    uncut = model.encode(source, bias_BHLM=bias)
    assert torch.equal(uncut.layers[0].output_BLD, encoded.layers[0].output_BLD)
    assert not torch.allclose(uncut.layers[1].output_BLD, encoded.layers[1].output_BLD)
    memory = plain.encoder.final_BLD
    cut = model.decode(target, memory, cross_bias_BHLS=cross_bias)
    assert (cut.stack.layers[2].cross.weights_BHLM[:, :, 4, 3] == 0).all()
    assert torch.equal(cut.logits_BLV[:, :4], plain.logits_BLV[:, :4])
    assert not torch.allclose(cut.logits_BLV[:, 4], plain.logits_BLV[:, 4])
    # An additional bias does not lift the causal mask, and a cell hidden twice stays hidden.
    two = model.decode(target, memory, bias_BHLM=torch.full((L, L), low, dtype=torch.float64).triu(1))
    close(two.logits_BLV, plain.logits_BLV)
    # Without any head, cross-attention adds the same vector at every position.
    ablated = model.decode(target, memory, cross_head_mask_NH=torch.zeros(3, 1).double())
    close(
        ablated.logits_BLV,
        model.decode(target, memory * 5, cross_head_mask_NH=torch.zeros(3, 1)).logits_BLV,
    )
    close(
        model.decode(target, memory, head_mask_NH=torch.ones(3, 3).double()).logits_BLV,
        plain.logits_BLV,
    )


def test_one_vocabulary_is_one_table(source: Tensor, target: Tensor) -> None:
    model = made(dataclasses.replace(CONFIG, n_source_vocabulary=0, tied_output=True))
    assert [name for name in model.state_dict() if "tokens" in name] == ["embeddings.tokens.weight"]
    out = model(source, target)
    table = model.embeddings.tokens.weight
    assert torch.equal(out.encoder.learned_BLD, table[source])
    close(out.logits_BLV, out.decoder.final_BLD @ table.T)
    # No tensor is stored twice, and a saved model can be loaded.
    pointers = [tensor.data_ptr() for tensor in model.state_dict().values()]
    assert len(set(pointers)) == len(pointers)
