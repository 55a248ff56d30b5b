"""Parts omitted in all layers: the complete pass, hand-solvable rows, gradients, and known results."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from core.transformer import EncoderLayer, LanguageModel
from core.transformer.layers import ACTIVATIONS
from core.walkthroughs import depth, paper
from core.walkthroughs.depth import Depth, Without
from tests.transformer import small_models

IDS = (101, 1996, 4937, 8823, 1996, 8000, 102)
NOTHING = Without()


def _layers(**more: Any) -> tuple[list[EncoderLayer], Tensor, list[Tensor]]:
    """Layers with random norms and biases, an input, and the results of their own forward passes."""
    config = dataclasses.replace(small_models.ENCODER, n_encoder_layers=3, **more)
    model = small_models.made(config).requires_grad_(False)
    vectors = model.embeddings(torch.tensor([[3, 1, 4, 1, 5]]))
    own = model.stack(vectors)
    return [*model.stack.layers], vectors[1][0], [vectors[1], *(one.output_BLD for one in own.layers)]


@pytest.mark.parametrize("variant", small_models.VARIANTS)
def test_with_nothing_left_out_it_is_the_layers_own_pass(variant: dict[str, Any]) -> None:
    layers, x_LD, own = _layers(**variant)
    before = [parameter.clone() for layer in layers for parameter in layer.parameters()]
    x_BLD = x_LD[None]
    for layer, expected in zip(layers, own[1:], strict=True):
        x_BLD = depth.through(layer, x_BLD, NOTHING)
        torch.testing.assert_close(x_BLD, expected, rtol=0, atol=1e-12)
    for without in itertools.product((False, True), repeat=5):
        depth.of_layers(layers, x_LD, Without(*without))
    after = [parameter for layer in layers for parameter in layer.parameters()]
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
    assert not any(parameter.requires_grad for parameter in after)


def test_a_trained_model_with_nothing_left_out(minilm: Any) -> None:
    trace = minilm.trace("the cat ate the mouse")
    read = minilm.read("the cat ate the mouse")
    encoder = minilm.scratch_encoder
    with torch.no_grad():
        x_LD = depth.embedded(encoder, read.ids, read.types, positions=True).float()
        np.testing.assert_allclose(x_LD.numpy(), trace.embedded, atol=1e-6)
        for layer, hidden in zip(encoder.layers, trace.hidden, strict=True):
            x_LD = depth.through(layer, x_LD[None], NOTHING)[0]
            np.testing.assert_allclose(x_LD.numpy(), hidden, atol=1e-5)
    found = depth.of_encoder(encoder, read.ids, read.types, NOTHING)
    for i, vectors in enumerate([trace.embedded, *trace.hidden]):
        assert found.similarity[i] == pytest.approx(_mean_cosine(vectors), abs=1e-5)
    assert found.finite == 6


def test_the_papers_size_with_nothing_left_out() -> None:
    found = depth.of_paper(IDS, NOTHING)
    assert found.n_layers == 6
    last = paper.hidden(paper.embedded(IDS), 6).numpy()
    assert found.similarity[-1] == pytest.approx(_mean_cosine(last), abs=1e-5)
    assert found.gradient[-1] == pytest.approx(1)


def test_the_papers_size_has_a_gradient_wherever_it_was_made_first() -> None:
    paper._model.cache_clear()
    with torch.inference_mode():  # as the steps of a layer ask for it
        paper.layers()
    assert np.isfinite(depth.of_paper(IDS, NOTHING).gradient).all()


def _mean_cosine(rows: np.ndarray) -> float:
    unit = rows.astype(float) / np.linalg.norm(rows, axis=1, keepdims=True)
    pairs = [float(a @ b) for a, b in itertools.combinations(unit, 2)]
    return math.fsum(pairs) / len(pairs)


def _identity() -> EncoderLayer:
    """Attention alone, of width 2, its matrices all the identity: rows become weighted means."""
    layer = EncoderLayer(2, 1, 0, ACTIVATIONS["relu"], 1e-5).double().eval().requires_grad_(False)
    for part in ("query", "key", "value", "output"):
        linear = getattr(layer.attention, part)
        linear.weight.copy_(torch.eye(2))
        linear.bias.zero_()
    return layer


ROWS = torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)


@pytest.mark.parametrize("scale", [False, True])
def test_two_tokens_by_hand(scale: bool) -> None:
    """The scores of e₁, e₂ are 1 and 0: each becomes w times itself plus 1 − w times the other."""
    score = 1.0 if scale else 1 / math.sqrt(2)
    w = math.exp(score) / (math.exp(score) + 1)
    without = Without(residual=True, norm=True, scale=scale)
    mixed = depth.through(_identity(), ROWS[None], without)[0]
    torch.testing.assert_close(mixed, torch.tensor([[w, 1 - w], [1 - w, w]]).double())
    found = depth.of_layers([_identity()], ROWS, without)
    cosine = 2 * w * (1 - w) / (w**2 + (1 - w) ** 2)
    np.testing.assert_allclose(found.similarity, [0, cosine], atol=1e-12)
    np.testing.assert_allclose(
        found.difference, [math.sqrt(0.5), (2 * w - 1) / math.sqrt(2 * (w**2 + (1 - w) ** 2))]
    )
    kept = depth.through(_identity(), ROWS[None], Without(norm=True, scale=scale))[0]
    torch.testing.assert_close(kept, ROWS + mixed)


def test_layer_norm_of_two_tokens_by_hand() -> None:
    """x + Sublayer(x) = (1 + w, 1 − w): minus its mean 1, divided by its deviation w, it is (1, −1)."""
    normed = depth.through(_identity(), ROWS[None], NOTHING)[0]
    torch.testing.assert_close(normed, torch.tensor([[1.0, -1], [-1, 1]]).double(), rtol=0, atol=1e-4)


def test_one_wide_head_divides_by_the_root_of_the_whole_width() -> None:
    layers, x_LD, _ = _layers()
    layer, d_model = layers[0], x_LD.shape[1]
    parts = layer.attention
    assert layer.feed_forward is not None
    assert layer.output_norm is not None
    scores = parts.query(x_LD) @ parts.key(x_LD).T / math.sqrt(d_model)
    attended = parts.output(torch.softmax(scores, -1) @ parts.value(x_LD))
    expected = layer.attention_norm(x_LD + attended)
    expected = layer.output_norm(expected + layer.feed_forward(expected))
    torch.testing.assert_close(depth.through(layer, x_LD[None], Without(heads=True))[0], expected)


def test_without_rotary_positions_the_order_of_the_tokens_is_nothing_to_them() -> None:
    (layer, *_), x_LD, _ = _layers(positions="rotary")
    for positions, same in ((True, True), (False, False)):
        there, back = (
            depth.through(layer, x[None], Without(positions=positions))[0] for x in (x_LD, x_LD.flip(0))
        )
        assert torch.allclose(there, back.flip(0)) is same


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "without",
    [NOTHING, Without(residual=True), Without(norm=True), Without(True, True, True, True, True)],
)
def test_the_gradient_is_that_of_finite_differences(without: Without) -> None:
    """For the scalar Σ R ⊙ X_N, with the R that `gradient` draws: each number changed a little."""
    layers, x_LD, _ = _layers()
    found = depth.of_layers(layers, x_LD, without)
    shape = depth.DIRECTIONS, *x_LD.shape
    r_BLD = torch.randn(shape, generator=torch.Generator().manual_seed(depth._SEED)).double()

    def losses(x_LD: Tensor, start: int) -> Tensor:
        """(B,)."""
        x_BLD = x_LD[None]
        for layer in layers[start:]:
            x_BLD = depth.through(layer, x_BLD, without)
        return (r_BLD * x_BLD).sum(dim=(1, 2))

    for start in range(len(layers) + 1):
        total, h = 0.0, 1e-5
        for i in range(x_LD.numel()):
            step = torch.zeros_like(x_LD).flatten()
            step[i] = h
            step = step.view_as(x_LD)
            slope = (losses(x_LD + step, start) - losses(x_LD - step, start)) / (2 * h)
            total += float(slope.square().sum())
        expected = math.sqrt(total) / float(r_BLD.norm())
        assert found.gradient[start] == pytest.approx(expected, rel=1e-5)
        x_LD = depth.through(layers[start], x_LD[None], without)[0] if start < len(layers) else x_LD


def test_pure_attention_collapses() -> None:
    """Dong et al. (2021): without residual connections and feed-forward networks, rank 1 comes fast."""
    config = dataclasses.replace(depth.FRESH, d_ff=0)
    for norm in (False, True):
        found = depth.fresh(IDS, 12, Without(residual=True, norm=norm), config=config)
        assert found.similarity[0] < 0.7
        assert found.similarity[12] > 0.9999
        assert found.difference[12] < 1e-3
    kept = depth.fresh(IDS, 12, Without(norm=True), config=config)
    # With them, the difference falls by about the same factor per layer; without, by growing factors.
    assert kept.difference[12] > 1e-2 > 1e-12 > found.difference[12]
    falls = kept.difference[1:7] / kept.difference[:6]
    assert 0.5 < falls.min() < falls.max() < 1
    falls = found.difference[1:4] / found.difference[:3]
    assert falls[2] < 0.5 * falls[1] < 0.5 * falls[0] < 0.5


@pytest.mark.fuzz
@pytest.mark.check
def test_residual_connections_slow_the_collapse_of_a_fresh_stack() -> None:
    """They do not prevent it: Noci et al. (2022). With the norm first, it takes far more layers."""
    complete, without = (depth.fresh(IDS, 12, one) for one in (NOTHING, Without(residual=True)))
    assert complete.similarity[0] == without.similarity[0]
    assert complete.similarity[3] < 0.9 < 0.999 < without.similarity[3]
    assert complete.difference[12] > 1e-3 > 1e-12 > without.difference[12]
    first = depth.fresh(IDS, 12, NOTHING, norm_first=True)
    assert first.similarity[12] < 0.9 < complete.similarity[12]


@pytest.mark.fuzz
@pytest.mark.check
def test_the_gradient_of_a_fresh_stack_needs_norms_or_residual_connections() -> None:
    """He et al. (2016, section 4.1): with norms, plain networks have gradients that do not vanish."""
    sizes = {
        (residual, norm): depth.fresh(IDS, 24, Without(residual, norm)).gradient[1]
        for residual in (False, True)
        for norm in (False, True)
    }
    assert 0.05 < sizes[False, False] < 5
    assert 0.05 < sizes[True, False] < 5
    assert sizes[False, True] > 1e4
    assert sizes[True, True] < 1e-4


def test_the_same_fresh_stack_every_time() -> None:
    first, again = (depth.fresh(IDS, 3, Without(norm=True)) for _ in range(2))
    np.testing.assert_array_equal(first.gradient, again.gradient)
    longer = depth.fresh(IDS, 5, Without(norm=True))
    np.testing.assert_allclose(longer.similarity[:4], first.similarity, atol=1e-12)


def test_equal_ids_are_equal_only_without_positions() -> None:
    for positions in (False, True):
        x_LD = depth.fresh_vectors(IDS, 6, 0, positions=positions)
        assert torch.equal(x_LD[1], x_LD[4]) is not positions
        assert not torch.equal(x_LD[1], x_LD[2])


def _growing(dtype: torch.dtype, factor: float) -> EncoderLayer:
    layer = _identity().to(dtype)
    layer.attention.value.weight.mul_(factor)
    return layer


def test_numbers_that_overflow_end_the_curves() -> None:
    without = Without(residual=True, norm=True)
    layers = [_growing(torch.float64, 1e120) for _ in range(4)]
    found = depth.of_layers(layers, ROWS, without)
    assert found.finite == 2
    assert np.isfinite(found.similarity).tolist() == [True, True, True, False, False]
    assert np.isnan(found.gradient).all()


def test_vectors_of_zeros_have_no_direction() -> None:
    without = Without(residual=True, norm=True)
    layers = [_growing(torch.float64, factor) for factor in (1.0, 0.0, 1.0)]
    found = depth.of_layers(layers, ROWS, without)
    assert found.finite == 3
    assert np.isfinite(found.similarity).tolist() == [True, True, False, False]
    assert np.isfinite(found.gradient).tolist() == [False, False, True, True]


def test_gradients_smaller_than_float32_holds_are_kept() -> None:
    layers = [_growing(torch.float64, 1e-20) for _ in range(6)]
    found = depth.of_layers(layers, ROWS, Without(residual=True, norm=True))
    assert 1e-125 < found.gradient[0] < 1e-100
    assert np.isfinite(found.similarity).all()


def test_of_one_token_there_is_no_pair() -> None:
    found = depth.fresh((7,), 2, Without(residual=True))
    assert np.isnan(found.similarity).all()
    assert np.isfinite(found.gradient).all()


def test_cosines_that_are_nearly_one_keep_their_digits() -> None:
    x_LD = torch.tensor([[1, 1e-7], [1, -1e-7]], dtype=torch.float64)
    assert 1 - depth.mean_cosine(x_LD) == pytest.approx(2e-14, rel=0.02)
    huge = torch.tensor([[1e200, 0], [0, 1e200]], dtype=torch.float64)
    assert depth.mean_cosine(huge) == pytest.approx(0)


@pytest.mark.few(1)
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("norm", [False, True])
def test_a_stack_of_float32_is_computed_in_float64(residual: bool, norm: bool) -> None:
    """Its weights are rounded to 2⁻²⁴, and nothing else is: the measures are the same."""
    layers = depth.fresh_layers(dataclasses.replace(depth.FRESH, n_encoder_layers=14), 0)
    x_LD = depth.fresh_vectors(IDS, 64, 0, positions=True)
    without = Without(residual=residual, norm=norm)
    exact = depth.of_layers(layers, x_LD, without)
    single = [copy.deepcopy(layer).float() for layer in layers]
    rounded = depth.of_layers(single, x_LD.float(), without)
    assert next(single[0].parameters()).dtype == torch.float32
    real = slice(0, min(exact.distinct, rounded.distinct) + 1)
    np.testing.assert_allclose(rounded.difference[real], exact.difference[real], rtol=1e-3)
    np.testing.assert_allclose(rounded.gradient, exact.gradient, rtol=1e-3)
    assert rounded.rounding == exact.rounding == 16 * 2**-52
    assert (exact.distinct < 14) is residual


@pytest.mark.fuzz
@pytest.mark.check
def test_the_gradient_of_a_trained_model_without_any_part(minilm: Any) -> None:
    """Against one backward pass through the whole stack in float64: float32 gives 11 % more."""
    read = minilm.read("the café was near an unthreadable old bank 🎣")
    encoder = minilm.scratch_encoder
    for without in (Without(*[True] * 5), Without(residual=True), NOTHING):
        found = depth.of_encoder(encoder, read.ids, read.types, without)
        whole = copy.deepcopy(encoder).double()
        x_LD = whole.tokens(torch.tensor([*read.ids])) + whole.segments(torch.tensor([*read.types]))
        x_LD = whole.norm(x_LD if without.positions else x_LD + whole.positions(len(read.ids)))
        x_BLD = x_LD.detach().expand(depth.DIRECTIONS, -1, -1).clone().requires_grad_()
        states = [x_BLD]
        for layer in whole.layers:
            states.append(depth.through(layer, states[-1], without))
        seed = torch.Generator().manual_seed(depth._SEED)
        r_BLD = torch.randn(states[-1].shape, generator=seed).double()
        norms = [float(one.norm()) for one in torch.autograd.grad(states[-1], states, r_BLD)]
        np.testing.assert_allclose(found.gradient, np.array(norms) / norms[-1], rtol=1e-6)
        if without == Without(*[True] * 5):
            assert found.gradient[0] == pytest.approx(285.6, abs=0.05)


def test_a_record_is_frozen_and_checks_itself() -> None:
    one = Depth(np.zeros(3), np.zeros(3), np.ones(3), 2)
    with pytest.raises(ValueError, match="read-only"):
        one.similarity[0] = 1
    with pytest.raises(ValueError, match="same layers"):
        Depth(np.zeros(3), np.zeros(3), np.ones(4), 2)


def test_a_fresh_stack_has_the_papers_proportions() -> None:
    model = LanguageModel(depth.FRESH)
    assert len(depth.fresh_layers(depth.FRESH, 0)) == len(model.stack.layers) == 6
    assert (depth.FRESH.d_ff / depth.FRESH.d_model, depth.FRESH.n_heads) == (4, 8)
