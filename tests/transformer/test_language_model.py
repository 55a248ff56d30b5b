"""One half alone: its mask, and its predictions."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor

from core.transformer import LanguageModel, Transformer, causal_mask
from tests.transformer.small_models import CONFIG, DECODER, ENCODER, B, L, close, made


def test_a_decoder_alone_does_not_look_ahead(target: Tensor) -> None:
    model = made(DECODER)
    out = model(target)
    assert len(out.stack.layers) == 3
    for layer in out.stack.layers:
        assert (layer.attention.weights_BHLM[:, :, ~causal_mask(L)] == 0).all()
    close(model(target[:, :3]).logits_BLV, out.logits_BLV[:, :3])
    # Padding in front is hidden from all, as if these positions were empty.
    mask = torch.tensor([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]])
    padded = model(target, mask)
    assert (padded.stack.layers[0].attention.weights_BHLM[1, :, 2:, :2] == 0).all()
    assert padded.logits_BLV.isfinite().all()
    close(padded.logits_BLV[0], out.logits_BLV[0])


def test_an_encoder_alone_looks_both_ways_and_predicts_at_the_place(target: Tensor) -> None:
    model = made(dataclasses.replace(ENCODER, tied_output=True))
    out = model(target)
    assert len(out.stack.layers) == 2
    assert all((layer.attention.weights_BHLM > 0).all() for layer in out.stack.layers)
    close(out.logits_BLV, out.stack.final_BLD @ model.embeddings.tokens.weight.T)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    close(model(target, mask).logits_BLV[1, :3], model(target[1:, :3]).logits_BLV[0])
    with pytest.raises(ValueError, match="change the vectors of earlier ones"):
        model(target, past=out.stack)


def test_without_positions_a_sentence_is_a_bag_of_words(target: Tensor) -> None:
    order = torch.tensor([2, 0, 4, 3, 1])
    bag = made(dataclasses.replace(ENCODER, positions="none"))
    close(bag(target[:, order]).logits_BLV, bag(target).logits_BLV[:, order])
    for positions in ("sinusoidal", "learned", "rotary"):
        model = made(dataclasses.replace(ENCODER, positions=positions))
        moved = model(target[:, order]).logits_BLV - model(target).logits_BLV[:, order]
        assert moved.abs().max() > 0.01


def test_rotary_sees_distances_alone(target: Tensor) -> None:
    model = made(dataclasses.replace(DECODER, positions="rotary"))
    # Two hidden tokens in front: every position moves by two, and nothing else changes.
    ahead = torch.cat([target[:, :2], target], dim=1)
    mask = torch.arange(L + 2) >= 2
    close(model(ahead, mask.expand(B, -1)).logits_BLV[:, 2:], model(target).logits_BLV)


def test_halves_and_wholes_are_distinguished() -> None:
    with pytest.raises(ValueError, match="for one, use LanguageModel"):
        Transformer(DECODER)
    with pytest.raises(ValueError, match="for both, use Transformer"):
        LanguageModel(CONFIG)
