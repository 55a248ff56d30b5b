"""One half alone: its mask, and its predictions."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor

from core.transformer import LanguageModel, Parts, Rotation, Transformer, causal_mask
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


LLAMA = dataclasses.replace(
    DECODER,
    n_heads=6,
    d_model=35,
    n_cross_heads=0,
    positions="rotary",
    norm_first=True,
    activation="silu",
    scale_embeddings=False,
    output_bias=False,
    parts=Parts("RMSNorm", True, 2, 10, Rotation(500.0, "halves"), False, False, False),
)


@pytest.mark.parametrize("windows", [(), (2, 0, 3)])
@pytest.mark.parametrize("chunks", [(1, 1, 1, 1, 1), (3, 1, 1), (2, 3)])
def test_a_cache_changes_nothing(
    target: Tensor, windows: tuple[int, ...], chunks: tuple[int, ...]
) -> None:
    """One token at a time, or some at a time: as if all came at once, in every layer."""
    model = made(dataclasses.replace(LLAMA, windows=windows))
    whole, past, start = model(target), None, 0
    for length in chunks:
        new = model(target[:, start : start + length], past=past)
        past, stop = new.stack, start + length
        close(new.logits_BLV, whole.logits_BLV[:, start:stop])
        for a, b in zip(new.stack.layers, whole.stack.layers, strict=True):
            close(a.attention.weights_BHLM, b.attention.weights_BHLM[:, :, start:stop, :stop])
            assert a.attention.key_BHMK.shape == (B, 2, stop, 10)
        start = stop


def test_a_window_is_that_of_its_layer(target: Tensor) -> None:
    out = made(dataclasses.replace(LLAMA, windows=(2, 0, 3)))(target)
    for layer, window in zip(out.stack.layers, (2, 0, 3), strict=True):
        seen = layer.attention.weights_BHLM > 0
        assert torch.equal(seen, causal_mask(L, window=window).expand_as(seen))


def test_parts_reach_every_layer_and_the_final_norm() -> None:
    names = {*made(LLAMA).state_dict()}
    assert not {name for name in names if "bias" in name}
    assert {"stack.norm.weight", "stack.layers.2.feed_forward.gate.weight", "output.weight"} <= names
    tied = made(dataclasses.replace(LLAMA, tied_output=True))
    assert "output.weight" not in tied.state_dict()
