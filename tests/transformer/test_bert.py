"""BERT's encoder: its sum of embeddings, its steps, and that it stores nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.transformer import Encoder, EncoderConfig, padding_bias

B, L = 2, 5
CONFIG = EncoderConfig(
    n_vocabulary=31,
    n_positions=11,
    n_segments=2,
    n_layers=5,
    n_heads=3,
    d_model=21,
    d_ff=13,
    norm_eps=1e-3,
)


@pytest.fixture
def encoder() -> Encoder:
    torch.manual_seed(0)
    made = Encoder(CONFIG)
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.5)
    return made.eval().requires_grad_(False)


@pytest.fixture
def ids() -> Tensor:
    return torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])


@pytest.fixture
def segments() -> Tensor:
    return torch.tensor([[0, 0, 0, 1, 1], [0, 1, 1, 1, 1]])


def tensors(value: Any) -> list[Tensor]:
    """Every tensor in nested named tuples, in order."""
    if isinstance(value, Tensor):
        return [value]
    return [] if value is None else [t for part in value for t in tensors(part)]


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal to the bit."""
    return all(torch.equal(x, y) for x, y in zip(tensors(a), tensors(b), strict=True))


def test_embeddings_are_word_plus_segment_plus_position_normed(
    encoder: Encoder, ids: Tensor, segments: Tensor
) -> None:
    out = encoder(ids, segments)
    assert out.learned_BLD.shape == out.embedded_BLD.shape == (B, L, 21)
    assert encoder.segments is not None
    assert encoder.positions is not None
    for b in range(B):
        for i in range(L):
            word = encoder.tokens.weight[ids[b, i]]
            assert torch.equal(out.learned_BLD[b, i], word)
            x = word + encoder.segments.weight[segments[b, i]] + encoder.positions.table.weight[i]
            normed = (x - x.mean()) / (x.var(unbiased=False) + CONFIG.norm_eps).sqrt()
            expected = normed * encoder.norm.weight + encoder.norm.bias
            torch.testing.assert_close(out.embedded_BLD[b, i], expected, rtol=0, atol=1e-5)


def test_each_layer_takes_what_the_one_before_returned(encoder: Encoder, ids: Tensor) -> None:
    out = encoder(ids)
    assert len(out.layers) == 5
    x = out.embedded_BLD
    for layer, got in zip(encoder.layers, out.layers, strict=True):
        assert same(got, layer(x))
        assert got.attention.weights_BHLM.shape == (B, 3, L, L)
        assert got.attention.query_BHLK.shape == (B, 3, L, 7)
        x = got.output_BLD


def test_no_segments_given_means_all_0(encoder: Encoder, ids: Tensor, segments: Tensor) -> None:
    assert same(encoder(ids), encoder(ids, torch.zeros_like(segments)))
    assert not same(encoder(ids), encoder(ids, segments))


def test_a_model_without_segments_has_no_table_for_them(ids: Tensor) -> None:
    made = Encoder(dataclasses.replace(CONFIG, n_segments=0))
    assert made.segments is None
    assert not any("segments" in name for name in made.state_dict())
    assert made(ids).layers[-1].output_BLD.shape == (B, L, 21)


def test_cutting_nothing_changes_nothing_to_the_bit(encoder: Encoder, ids: Tensor) -> None:
    plain = encoder(ids)
    assert same(encoder(ids, bias_BHLM=torch.zeros(1, 3, L, L)), plain)
    assert same(encoder(ids, head_mask_NH=torch.ones(5, 3)), plain)
    assert same(encoder(ids, bias_BHLM=padding_bias(torch.ones(B, L))), plain)


@pytest.mark.parametrize(("layer", "head"), [(0, 2), (3, 0), (4, 1)])
def test_head_mask_names_layer_and_head(encoder: Encoder, ids: Tensor, layer: int, head: int) -> None:
    mask = torch.ones(5, 3)
    mask[layer, head] = 0
    plain, cut = encoder(ids), encoder(ids, head_mask_NH=mask)
    for i in range(5):
        assert torch.equal(cut.layers[i].output_BLD, plain.layers[i].output_BLD) == (i < layer)
    # In its layer, the sum, the norms and the rest are computed without the head.
    x = plain.layers[layer - 1].output_BLD if layer else plain.embedded_BLD
    part = slice(head * 7, (head + 1) * 7)
    block = plain.layers[layer].attention
    module: Any = encoder.layers[layer]
    weight = module.attention.output.weight
    gone = block.weights_BHLM[:, head] @ block.value_BHMK[:, head] @ weight[:, part].T
    y = module.attention_norm(x + block.output_BLD - gone)
    expected = module.output_norm(y + module.feed_forward(y))
    torch.testing.assert_close(cut.layers[layer].output_BLD, expected, rtol=0, atol=1e-5)


def test_padding_changes_no_other_token(encoder: Encoder, ids: Tensor) -> None:
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    batch = encoder(ids, bias_BHLM=padding_bias(mask))
    alone = encoder(ids[1:, :3])
    for together, single in zip(batch.layers, alone.layers, strict=True):
        assert (together.attention.weights_BHLM[1, :, :, 3:] == 0).all()
        torch.testing.assert_close(together.output_BLD[1:, :3], single.output_BLD, rtol=0, atol=1e-5)


def test_weights_that_nobody_needs_change_nothing(encoder: Encoder, ids: Tensor) -> None:
    full, fast = encoder(ids), encoder(ids, need_weights=False)
    for a, b in zip(full.layers, fast.layers, strict=True):
        assert b.attention.weights_BHLM is None
        torch.testing.assert_close(a.output_BLD, b.output_BLD, rtol=0, atol=1e-5)


def test_one_token_and_the_last_position(encoder: Encoder) -> None:
    one = encoder(torch.tensor([[7]]))
    assert (one.layers[0].attention.weights_BHLM == 1).all()
    full = encoder(torch.arange(11)[None])
    assert full.layers[-1].output_BLD.shape == (1, 11, 21)
    with pytest.raises(IndexError):
        encoder(torch.arange(12)[None])


def test_modules_keep_nothing_and_have_no_hooks(
    encoder: Encoder, ids: Tensor, segments: Tensor
) -> None:
    def state() -> dict[str, Any]:
        return {
            f"{name}.{key}": dict(value) if isinstance(value, dict) else value
            for name, module in encoder.named_modules()
            for key, value in module.__dict__.items()
        }

    def numbers() -> dict[str, Tensor]:
        return {key: tensor.clone() for key, tensor in encoder.state_dict().items()}

    before, weights = state(), numbers()
    encoder(ids, segments, torch.zeros(B, 1, L, L), torch.ones(5, 3))
    after = state()
    assert after.keys() == before.keys()
    for key, value in before.items():
        if isinstance(value, dict):  # parameters, buffers, hooks, modules
            assert value.keys() == after[key].keys(), key
            assert all(value[name] is after[key][name] for name in value), key
        else:
            assert after[key] is value, key
    assert all(torch.equal(tensor, encoder.state_dict()[key]) for key, tensor in weights.items())
    assert not list(encoder.buffers())
    hooks = [k for k, v in after.items() if "hook" in k and isinstance(v, dict) and v]
    assert not hooks


@pytest.mark.parametrize("n_heads", [2, 4, 5])
def test_heads_that_do_not_divide_the_width_are_refused(n_heads: int) -> None:
    with pytest.raises(ValueError, match=f"21 does not divide into {n_heads} heads"):
        Encoder(dataclasses.replace(CONFIG, n_heads=n_heads))


def test_a_layer_needs_its_feed_forward_network() -> None:
    with pytest.raises(ValueError, match="cannot have the width 0"):
        Encoder(dataclasses.replace(CONFIG, d_ff=0))
