"""A DeBERTa taken apart: its three terms, its sums and its interventions, beside `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from tests.pretrained.families.test_own_engine import saved
from tests.pretrained.small_models import TEXT


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> core.Model:
    return core.load(str(saved(tmp_path_factory.mktemp("deberta"), "deberta-v3", fill_randomly)))


@pytest.fixture
def theirs(model: core.Model) -> Any:
    from transformers import AutoModelForMaskedLM

    own = AutoModelForMaskedLM.from_pretrained(model.name, attn_implementation="eager")
    return own.float().eval()


def states(own: Any, model: core.Model, mask_LM: Tensor | None = None) -> list[np.ndarray]:
    """Every state of `transformers`, perhaps with a mask of all pairs of tokens."""
    ids_BL = torch.tensor([[*model.read(TEXT).ids]])
    with torch.inference_mode():
        embedded = own.deberta.embeddings(input_ids=ids_BL)
        mask = torch.ones(1, *[ids_BL.shape[1]] * 2) if mask_LM is None else mask_LM[None]
        out = own.deberta.encoder(embedded, mask, output_hidden_states=True)
    return [state[0].numpy() for state in out.hidden_states]


def close(mine: np.ndarray | None, its: np.ndarray) -> None:
    assert mine is not None
    np.testing.assert_allclose(mine, its, rtol=0, atol=1e-5 * np.abs(its).max())


def test_three_terms_add_up_to_the_scores_and_are_what_the_paper_says(model: core.Model) -> None:
    trace = model.trace(TEXT)
    assert trace.attention is not None
    encoder = model._runner.encoder  # type: ignore[attr-defined]
    with torch.inference_mode():
        distances = encoder.relative()
    for layer, head in ((0, 0), (2, 1)):
        found = model.score_terms(TEXT, layer, head)
        np.testing.assert_allclose(found.scores, trace.scores(layer, head).values, atol=1e-5)
        soft = np.exp(found.scores - found.scores.max(1, keepdims=True))
        soft /= soft.sum(1, keepdims=True)
        np.testing.assert_allclose(soft, trace.attention.weights[layer, head], atol=1e-5)
        # By hand: token 5 attends to token 2, three to its left, whose row is 8 + 3.
        attention = encoder.layers[layer].attention
        own = slice(head * attention.d_head, (head + 1) * attention.d_head)
        with torch.inference_mode():
            key, query = attention.key(distances)[11, own], attention.query(distances)[11, own]
        assert trace.query is not None
        assert trace.key is not None
        q, k, scale = trace.query[layer, head, 5], trace.key[layer, head, 2], (3 * 7) ** -0.5
        each = q @ k, q @ key.numpy(), query.numpy() @ k
        for term, expected in zip(found.each, each, strict=True):
            assert term[5, 2] == pytest.approx(expected * scale, abs=1e-5)
        assert min(found.spread) > 0.05


def test_only_such_a_model_has_terms(model: core.Model, minilm: core.Model) -> None:
    assert model.disentangled
    assert model.scratch_encoder is None  # Step by step would leave two terms out
    with pytest.raises(core.NotSupported, match="no terms of their own"):
        minilm.score_terms(TEXT, 0, 0)
    with pytest.raises(core.SettingError, match="no layer"):
        model.score_terms(TEXT, 9, 0)


def test_contributions_add_up_after_each_layer(model: core.Model) -> None:
    layers, width = model.shape.n_layers, model.shape.d_model
    along = list(np.random.default_rng(0).normal(size=(layers, width)).astype(np.float32))
    hidden = model.trace(TEXT).hidden
    assert hidden is not None
    for found in model.contributions_by_layer(TEXT, "bank", along):
        most = max(1.0, float(np.abs(found.by_depth).max()))
        assert found.error <= 1e-5 * most
        measured = hidden[found.layer, list(found.word)].mean(0) @ along[found.layer]
        assert found.whole == pytest.approx(measured, rel=1e-4, abs=1e-4)


def test_an_ablated_head_and_a_cut_edge(model: core.Model, theirs: Any) -> None:
    n, width = len(model.read(TEXT).ids), model.shape.d_head
    mask_LM = torch.ones(n, n)
    mask_LM[n - 1, n - 2] = 0
    cut = model.intervene(TEXT, core.Cut(n - 1, n - 2)).after
    close(cut.contextual, states(theirs, model, mask_LM)[-1])
    with torch.no_grad():
        weight = theirs.deberta.encoder.layer[1].attention.output.dense.weight
        weight[:, 2 * width : 3 * width] = 0
    after = model.intervene(TEXT, core.Ablate(1, 2)).after
    close(after.contextual, states(theirs, model)[-1])
    assert np.abs(after.contextual - cut.contextual).max() > 1e-3


def test_the_lens_reads_states_by_the_head(model: core.Model, theirs: Any) -> None:
    found = model.lens(TEXT, top=3)
    for depth, state in enumerate(states(theirs, model)):
        with torch.inference_mode():
            chances = theirs.cls(torch.tensor(state)[None])[0].softmax(-1)
        its = chances.gather(-1, torch.tensor(found.likeliest[depth])).numpy()
        np.testing.assert_allclose(found.probabilities[depth], its, rtol=0, atol=1e-5)
