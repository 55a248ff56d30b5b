"""Encoders made of a table of parts, taken apart: beside `transformers`, by brute force.

Their sums are in `test_decoders`, with those of all other stacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from tests.pretrained.families.test_own_engine import FAMILIES, saved
from tests.pretrained.small_models import TEXT

WINDOW = FAMILIES["modernbert"][2]["local_attention"] // 2


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> core.Model:
    return core.load(str(saved(tmp_path_factory.mktemp("apart"), "modernbert", fill_randomly)))


def theirs(model: core.Model) -> Any:
    from transformers import AutoModelForMaskedLM

    own = AutoModelForMaskedLM.from_pretrained(model.name, attn_implementation="eager")
    return own.float().eval()


def last(own: Any, model: core.Model, masks: dict[str, Tensor] | None = None) -> np.ndarray:
    """The last vectors of `transformers`, perhaps with masks of all pairs for each kind of layer."""
    with torch.inference_mode():
        out = own.model(torch.tensor([[*model.read(TEXT).ids]]), attention_mask=masks)
    found: np.ndarray = out.last_hidden_state[0].numpy()
    return found


def close(mine: np.ndarray | None, its: np.ndarray) -> None:
    assert mine is not None
    np.testing.assert_allclose(mine, its, rtol=0, atol=1e-5 * np.abs(its).max())


def test_contributions_add_up_after_each_layer(model: core.Model) -> None:
    assert (model.engine, model.kind, model.predicts) == ("scratch", "encoder", "masked")
    layers, width = model.shape.n_layers, model.shape.d_model
    along = list(np.random.default_rng(0).normal(size=(layers, width)).astype(np.float32))
    hidden = model.trace(TEXT).hidden
    assert hidden is not None
    for found in model.contributions_by_layer(TEXT, "bank", along):
        most = max(1.0, float(np.abs(found.by_depth).max()))
        measured = hidden[found.layer, list(found.word)].mean(0) @ along[found.layer]
        assert found.error <= 1e-5 * most
        assert found.whole == pytest.approx(measured, rel=1e-4, abs=1e-4)
    # Rotations and windows know where in its input a text stands: these are measured one by one.
    (twice, _) = model.contributions_of_each([(TEXT, "bank", 0)] * 2, [along] * 2)
    np.testing.assert_array_equal(
        twice[0].by_depth, model.contributions_by_layer(TEXT, "bank", along)[0].by_depth
    )


def test_an_ablated_head(model: core.Model) -> None:
    own, width = theirs(model), model.shape.d_head
    with torch.no_grad():
        own.model.layers[1].attn.Wo.weight[:, 2 * width : 3 * width] = 0
    after = model.intervene(TEXT, core.Ablate(1, 2)).after
    close(after.contextual, last(own, model))
    assert np.abs(after.contextual - model.trace(TEXT).contextual).max() > 1e-3


def test_a_cut_edge_beside_the_windows(model: core.Model) -> None:
    n = len(model.read(TEXT).ids)
    assert n > 2 * WINDOW + 2
    after = model.intervene(TEXT, core.Cut(n - 1, n - 2)).after
    distance = np.abs(np.arange(n)[:, None] - np.arange(n))
    masks = {}
    for kind, far in (("full_attention", n), ("sliding_attention", WINDOW)):
        hidden = distance > far
        hidden[n - 1, n - 2] = True
        masks[kind] = (torch.tensor(hidden).float() * torch.finfo(torch.float32).min)[None, None]
    close(after.contextual, last(theirs(model), model, masks))
    assert after.attention is not None
    assert (after.attention.weights[1:, :, distance > WINDOW] == 0).all()
    each = [core.Cut(0, key, layer=1) for key in range(WINDOW + 1)]
    with pytest.raises(core.NotSupported, match="must attend to something"):
        model.intervene(TEXT, *each)


def test_a_replaced_word_and_runs_that_share_a_batch(model: core.Model) -> None:
    text = TEXT.replace("river", "bank", 1)
    made = model.intervene(TEXT, core.Replace("river", "bank"))
    close(made.after.contextual, model.trace(text).contextual)
    each: list[list[Any]] = [[core.Cut(3, 1)], [core.Ablate(0, 1), core.Cut(2, 0, layer=1)], []]
    for together, alone in zip(model.changed(TEXT, each), model.interventions(TEXT, each), strict=True):
        close(together.contextual, alone.after.contextual)


def test_the_lens_reads_states_by_norm_and_head(model: core.Model) -> None:
    own, ids = theirs(model), model.read(TEXT).ids
    found = model.lens(TEXT, top=3)
    with torch.inference_mode():
        states = own.model(torch.tensor([[*ids]]), output_hidden_states=True).hidden_states
        for depth, state in enumerate(states):
            read = state if depth == len(states) - 1 else own.model.final_norm(state)
            chances = own.decoder(own.head(read))[0].softmax(-1)
            likeliest = torch.tensor(found.likeliest[depth])
            its = chances.gather(-1, likeliest).numpy()
            np.testing.assert_allclose(found.probabilities[depth], its, rtol=0, atol=1e-5)
            assert float(its[:, 0].min()) >= float(chances.max(-1).values.min()) - 1e-5


def test_later_tokens_can_be_hidden(model: core.Model) -> None:
    trace = model.causal_trace(TEXT)
    n = len(trace.tokens)
    distance = np.arange(n)[:, None] - np.arange(n)
    masks = {}
    for kind, far in (("full_attention", n), ("sliding_attention", WINDOW)):
        hidden = torch.tensor((distance < 0) | (distance > far))
        masks[kind] = (hidden.float() * torch.finfo(torch.float32).min)[None, None]
    close(trace.contextual, last(theirs(model), model, masks))
    assert trace.causal
