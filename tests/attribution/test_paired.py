"""Encoder–decoders taken apart: sums over source and target, cuts and ablations, by brute force."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import core
from core.errors import NotSupported, SettingError
from core.pretrained.seq2seq import Seq2SeqModel
from core.records.interventions import PairIntervention
from core.records.pair_contributions import PairContributions
from core.transformer.layers import FeedForward, GatedFeedForward
from tests.pretrained.small_models import TEXT, save

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "t5": ("t5", {}),
    "t5, gated": ("t5, gated", {}),
    "umt5": ("umt5", {}),
    "bart": ("bart", {}),  # its halves have two widths
    "marian": ("marian", {"decoder_attention_heads": 3, "decoder_ffn_dim": 17}),
}
TARGET = "the river bank on a bank"


@pytest.fixture(scope="module", params=SHAPES)
def model(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Seq2SeqModel:
    shape, more = SHAPES[request.param]
    head = "MTModel" if shape == "marian" else "ForConditionalGeneration"
    folder: Path = save(tmp_path_factory.mktemp("pair"), shape, fill_randomly, head, **more)
    loaded = core.load(str(folder))
    assert isinstance(loaded, Seq2SeqModel)
    return loaded


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Autograd sees attention weights, deviations and gates as constants."""
    softmax, forward, gated = torch.softmax, FeedForward.forward, GatedFeedForward.forward

    def network(self: FeedForward, x: Tensor) -> Tensor:
        if isinstance(self, GatedFeedForward):
            gate = self.activation(self.gate(x)).detach()
            return self.outer(gate * self.inner(x))
        inner = self.inner(x)
        gate = torch.where(inner == 0, 0.0, self.activation(inner) / inner).detach()
        return self.outer(gate * inner)

    def layer_norm(self: nn.LayerNorm, x: Tensor) -> Tensor:
        deviation = (x.var(-1, keepdim=True, correction=0) + self.eps).sqrt().detach()
        return (x - x.mean(-1, keepdim=True)) / deviation * self.weight + self.bias

    def rms_norm(self: nn.RMSNorm, x: Tensor) -> Tensor:
        by = (x.square().mean(-1, keepdim=True) + (self.eps or 0)).sqrt().detach()
        return x / by * self.weight

    with monkeypatch.context() as patch:
        patch.setattr(torch, "softmax", lambda x, dim: softmax(x, dim=dim).detach())
        patch.setattr(FeedForward, "forward", network)
        patch.setattr(GatedFeedForward, "forward", network)
        patch.setattr(nn.LayerNorm, "forward", layer_norm)
        patch.setattr(nn.RMSNorm, "forward", rms_norm)
        yield
    assert (FeedForward.forward, GatedFeedForward.forward) == (forward, gated)


def near(found: PairContributions) -> float:
    """Of the sum, relative to the size of what is added."""
    return found.error / max(1.0, np.abs(found.by_depth).max(), np.abs(found.from_source).max())


def test_a_sum_over_source_and_target(model: Seq2SeqModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every token's share is the gradient of the held run times its vector, by autograd."""
    ids = [5, 9]
    read = model._read_pair(TEXT, TARGET, ())
    first = model.pair_logit_contributions(TEXT, TARGET, *ids, at=3)
    assert near(first) <= 1e-5
    source, target = (torch.tensor([one.ids]) for one in read)
    net = copy.deepcopy(model._pair_runner.net).double()  # type: ignore[attr-defined]
    own = net.embeddings if net.source_embeddings is None else net.source_embeddings
    vectors = [own(source)[1], net.embeddings(target)[1]]
    vectors = [one.detach().requires_grad_() for one in vectors]
    rows = model._rows(ids)
    along = (rows[0][0] - rows[0][1]).double()
    monkeypatch.setattr(own, "forward", lambda *_: (vectors[0], vectors[0]))
    if own is net.embeddings:
        both = iter([(vectors[0],) * 2, (vectors[1],) * 2])
        monkeypatch.setattr(own, "forward", lambda *_: next(both))
    else:
        monkeypatch.setattr(net.embeddings, "forward", lambda *_: (vectors[1], vectors[1]))
    with held(monkeypatch):
        memory = net.encode(source).final_BLD
        whole = net.read(target, memory).final_BLD[0, 3] @ along
        slopes = torch.autograd.grad(whole, vectors)
    shares = [
        (slope * one)[0].sum(-1).detach().numpy() for slope, one in zip(slopes, vectors, strict=True)
    ]
    size = max(1.0, *(np.abs(share).max() for share in shares))
    bound = 1e-5 * size
    np.testing.assert_allclose(first.by_source_token, shares[0], rtol=0, atol=bound)
    np.testing.assert_allclose(first.by_target_token, shares[1], rtol=0, atol=bound)
    assert abs(first.whole - float(whole.detach()) - float(rows[1][0] - rows[1][1])) <= bound
    assert np.abs(first.by_target_token[4:]).max() == 0  # later tokens are not seen


def test_a_vector_after_each_layer(model: Seq2SeqModel) -> None:
    direction = np.linspace(-1, 1, model.shape.d_model)
    trace = model.trace(TEXT, "", more=[5, 9, 7])
    for layer in range(model.decoder_shape.n_layers):
        found = model.pair_contributions(TEXT, "", direction, at=2, layer=layer, more=[5, 9, 7])
        assert near(found) <= 1e-5
        assert trace.decoder.hidden is not None
        whole = float(trace.decoder.hidden[layer, 2] @ direction)
        assert abs(found.whole - whole) <= 1e-5 * max(1, abs(whole))
        assert len(found.by_cross_head) == layer + 1


def run_by_hand(model: Seq2SeqModel, block: str, layer: int, edit: Callable[[Any], Any]) -> Tensor:
    """(L, D), the decoder's output when one attention of a copy is another function."""
    net = copy.deepcopy(model._pair_runner.net)  # type: ignore[attr-defined]
    stack = net.encoder if block == "encoder" else net.decoder
    edit(stack.layers[layer].cross if block == "cross" else stack.layers[layer].attention)
    source, target = (torch.tensor([one.ids]) for one in model._read_pair(TEXT, TARGET, ()))
    with torch.no_grad():
        found: Tensor = net.read(target, net.encode(source).final_BLD).final_BLD[0]
    return found


def last(changed: PairIntervention) -> np.ndarray:
    return changed.after.decoder.contextual


@pytest.mark.few(6)
@pytest.mark.parametrize("block", ["encoder", "decoder", "cross"])
def test_cuts_and_ablations(model: Seq2SeqModel, block: Any) -> None:
    layer, head, query = 1, 2, 3
    trace = model.trace(TEXT, "", more=model._read_pair(TEXT, TARGET, ())[1].ids[1:])
    each = {"encoder": trace.encoder.attention, "decoder": trace.decoder.attention}
    attention = each.get(block, trace.cross)
    assert attention is not None
    key = int(attention.weights[layer, head, query].argmax())  # what matters most

    def cut(attention: Any) -> None:
        weighted = attention._weighted

        def other(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor]:
            weights = weighted(q, k, v, bias)[1].clone()
            weights[0, head, query, key] = 0
            weights[0, head, query] /= weights[0, head, query].sum()
            return weights @ attention.for_each_head(v), weights

        attention._weighted = other

    def ablate(attention: Any) -> None:
        width = attention.d_head
        attention.output.weight.data[:, head * width : (head + 1) * width] = 0

    for change, edit in (
        (core.Cut(query, key, layer, head, block=block), cut),
        (core.Ablate(layer, head, block=block), ablate),
    ):
        changed = model.intervene_pair(TEXT, TARGET, change)
        expected = run_by_hand(model, block, layer, edit).numpy()
        bound = 1e-5 * max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(last(changed), expected, rtol=0, atol=bound)
        assert np.abs(last(changed) - changed.before.decoder.contextual).max() > 20 * bound
        assert changed.expected is not None
        assert len(changed.expected) == len(changed.before.decoder.tokens)


def test_words_are_found_in_the_text_of_their_block(model: Seq2SeqModel) -> None:
    changed = model.intervene_pair(TEXT, TARGET, core.Cut("on", "river", block="cross"))
    assert changed.after.cross is not None
    assert changed.before.cross is not None
    rows, columns = changed.after.decoder.find("on"), changed.after.encoder.find("river")
    for one, most in ((changed.after.cross, 0.0), (changed.before.cross, 1.0)):
        weights = one.weights[:, :, rows][..., columns]
        assert 0 <= weights.max() <= most
        assert (weights.max() > 0) == (most > 0)


def test_what_is_refused(model: Seq2SeqModel) -> None:
    with pytest.raises(SettingError, match="block"):
        model.intervene_pair(TEXT, TARGET, core.Ablate(0, 0))
    with pytest.raises(NotSupported, match="pair_logit_contributions"):
        model.logit_contributions(TEXT, 4)
    with pytest.raises(SettingError, match="same"):
        model.pair_logit_contributions(TEXT, TARGET, 4, 4)
    with pytest.raises(SettingError, match="no token 99"):
        model.pair_logit_contributions(TEXT, TARGET, 4, at=99)
    with pytest.raises(SettingError, match="finite numbers"):
        model.pair_contributions(TEXT, TARGET, np.zeros(3))
    with pytest.raises(NotSupported, match="at least one token"):
        model.intervene_pair(TEXT, TARGET, core.Cut(0, 0, block="decoder"))
