"""The first token as a sink, against sums over the vectors that `transformers` computes itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.measures import sink
from tests import left_to_right

Made = Callable[..., Path]
TEXT = "the river bank is near the old river"


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_a_sink_is_what_hooks_in_transformers_see(made: Made, kind: str) -> None:
    """Each product weight · W_O v of each head, as a vector of the whole width."""
    transformers = pytest.importorskip("transformers")
    folder = made(kind)
    model = core.load(folder)
    found = sink(model.trace(TEXT), model.output_gram())
    theirs = transformers.AutoModelForCausalLM.from_pretrained(
        folder, attn_implementation="eager"
    ).eval()
    layers, heads = found.attention.shape[0], model.shape.n_heads
    body = theirs.model.layers if kind == "llama" else theirs.transformer.h
    values: list[torch.Tensor] = []
    for layer in body:
        read = layer.self_attn.v_proj if kind == "llama" else layer.attn.c_attn
        read.register_forward_hook(lambda _, __, out: values.append(out[0]))
    ids = torch.tensor([model.read(TEXT).ids])
    with torch.no_grad():
        out = theirs(ids, output_attentions=True, output_hidden_states=True)
    norm, others, attention, written, other = [], [], [], [], []
    for layer in range(layers):
        a = out.attentions[layer][0].double()
        v, matrix = values[layer].double(), None
        if kind == "gpt2":
            v = v[:, -v.shape[1] // 3 :]
            matrix = body[layer].attn.c_proj.weight.detach().double()  # (in, out)
        else:
            matrix = body[layer].self_attn.o_proj.weight.detach().double().T
        d_head = matrix.shape[0] // heads
        v = v.view(len(v), -1, d_head)
        first, rest = [], []
        for head in range(heads):
            own = v[:, head * v.shape[1] // heads]
            w_o = matrix[head * d_head : (head + 1) * d_head]
            for query in range(1, ids.shape[1]):
                parts = a[head, query, :, None] * (own @ w_o)
                first.append(float(parts[0].norm()))
                rest.append(float(parts[1:].sum(0).norm()))
        attention.append(float(a[:, 1:, 0].mean()))
        written.append(np.mean(first))
        other.append(np.mean(rest))
    for state in out.hidden_states[:layers]:  # the last of theirs is behind the final norm
        lengths = state[0].double().norm(dim=-1)
        norm.append(float(lengths[0]))
        others.append(float(lengths[1:].mean()))
    np.testing.assert_allclose(found.norm[:-1], norm, rtol=1e-4)
    np.testing.assert_allclose(found.others[:-1], others, rtol=1e-4)
    np.testing.assert_allclose(found.attention, attention, rtol=1e-4)
    np.testing.assert_allclose(found.written, written, rtol=1e-3)
    np.testing.assert_allclose(found.other_written, other, rtol=1e-3)
    total = sum(written) / (sum(written) + sum(other))
    assert found.total_share == pytest.approx(total, rel=1e-3)
    frame = found.to_frame()
    assert frame.shape == (layers + 1, 6)
    assert frame.loc[1, "share"] == pytest.approx(written[0] / (written[0] + other[0]), rel=1e-3)


def test_without_the_output_matrices_only_weights_are_measured(tmp_path: Path) -> None:
    model = left_to_right.decoder(tmp_path)
    trace = model.trace("abab")
    without, full = sink(trace), sink(trace, model.output_gram())
    assert np.isnan(without.written).all()
    assert np.isnan(without.total_share)
    assert 0 < full.total_share < 1
    np.testing.assert_array_equal(without.attention, full.attention)
    with pytest.raises(ValueError, match="at least two tokens"):
        sink(model.trace("abab", keep="attention"))
