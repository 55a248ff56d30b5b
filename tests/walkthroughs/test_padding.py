"""Two texts in one batch through a real encoder, with the padding mask and without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.walkthroughs.padding import InBatch, in_batch

SHORT, LONG = "He sat on the river bank.", "She withdrew all of her money before the bank closed."


def run(model: core.Model, texts: tuple[str, str], *, masked: bool) -> InBatch:
    encoder = model.scratch_encoder
    assert encoder is not None
    read = [model.read(text) for text in texts]
    return in_batch(encoder, [(one.ids, one.types) for one in read], model.pad_id, masked=masked)


@pytest.mark.parametrize("texts", [(SHORT, LONG), (LONG, SHORT)])
def test_with_the_mask_a_text_is_itself(minilm: core.Model, texts: tuple[str, str]) -> None:
    trace = minilm.trace(SHORT)
    assert trace.attention is not None
    n, longest = len(trace.tokens), len(minilm.read(LONG))
    found = run(minilm, texts, masked=True)
    assert found.tokens == n
    assert found.weights.shape == (6, 12, n, longest)
    assert (found.weights[..., n:] == 0).all()
    np.testing.assert_allclose(found.weights[..., :n], trace.attention.weights, atol=1e-5)
    assert found.apart.shape == (6,)
    assert found.apart.max() < 1e-5
    assert found.on_padding.max() == 0


def test_without_the_mask_it_is_another(minilm: core.Model) -> None:
    found = run(minilm, (SHORT, LONG), masked=False)
    assert found.apart.min() > 0.3
    assert found.on_padding.max() > 0.5
    np.testing.assert_allclose(found.weights.sum(axis=-1), 1, atol=1e-5)
    np.testing.assert_allclose(
        found.on_padding, found.weights[..., found.tokens :].sum(axis=-1), atol=1e-6
    )


def test_what_runs_without_a_mask_is_what_transformers_runs_without_one(
    make_folder: Callable[..., Path],
) -> None:
    """The oracle: `transformers` with a mask that treats the padding as text."""
    import torch
    from transformers import AutoModel

    folder = make_folder("distilbert")
    model = core.load(str(folder))
    reference = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    read = [model.read(text) for text in (SHORT, LONG)]
    n, longest = map(len, read)
    ids = torch.tensor([[*read[0].ids, *[model.pad_id] * (longest - n)], list(read[1].ids)])
    for masked in (True, False):
        mask = torch.ones_like(ids)
        mask[0, n:] = 0 if masked else 1
        with torch.no_grad():
            out = reference(ids, attention_mask=mask, output_attentions=True)
            alone = reference(ids[:1, :n]).last_hidden_state[0]
        found = run(model, (SHORT, LONG), masked=masked)
        weights = np.stack([layer[0, :, :n].numpy() for layer in out.attentions])
        np.testing.assert_allclose(found.weights, weights, atol=1e-5)
        apart = float((out.last_hidden_state[0, :n] - alone).abs().max())
        assert found.apart[-1] == pytest.approx(apart, abs=2e-5)


def test_texts_of_one_length_have_no_padding(minilm: core.Model) -> None:
    found = run(minilm, (SHORT, SHORT), masked=False)
    assert found.weights.shape[-1] == found.tokens
    assert found.apart.max() < 1e-5
    assert found.on_padding.max() == 0
