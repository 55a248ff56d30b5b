"""The graph of an encoder's adjoint is ours: back through every layer, several gradients at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from core.attribution import adjoint
from core.transformer import Encoder, EncoderConfig
from tools.web import encoder_graph

CONFIG = EncoderConfig(
    n_vocabulary=20, n_positions=16, n_segments=2, n_layers=3, n_heads=4, d_model=24, d_ff=40
)
OURS = {
    encoder_graph.VALUE: "attention.value",
    encoder_graph.OUTPUT: "attention.output",
    encoder_graph.NORM: "attention_norm",
    encoder_graph.INNER: "feed_forward.inner",
    encoder_graph.OUTER: "feed_forward.outer",
    encoder_graph.NORM_2: "output_norm",
}
IDS, WORD = (3, 9, 0, 11, 11, 7), [2, 3]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    torch.manual_seed(5)
    made = Encoder(CONFIG).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return made


@torch.inference_mode()
def test_the_adjoint_of_each_layer_is_ours(encoder: Encoder) -> None:
    out = encoder(torch.tensor([IDS]))
    layers = list(encoder.layers)
    directions = {i: torch.sin(torch.arange(CONFIG.d_model) * (1.7 + i)) for i in range(len(layers))}
    wanted = adjoint.contributions_by_layer(layers, out.embedded_BLD[0], WORD, directions)
    graph = onnxruntime.InferenceSession(encoder_graph.back(CONFIG))
    inputs = [out.embedded_BLD, *(one.output_BLD for one in out.layers)]
    slopes = np.zeros((0, len(IDS), CONFIG.d_model), np.float32)
    biases = np.zeros(0, np.float32)  # of the last layer first, as the slopes
    for i in reversed(range(len(layers))):
        start = np.zeros((1, *slopes.shape[1:]), np.float32)
        start[0, WORD] = directions[i] / len(WORD)
        slopes, biases = np.concatenate([slopes, start]), np.append(biases, np.float32(0))
        state, attention = layers[i].state_dict(), out.layers[i].attention
        parts = {
            "input": inputs[i][0].numpy(),
            "q": attention.query_BHLK[0].numpy(),
            "k": attention.key_BHMK[0].numpy(),
            "slope": slopes,
        }
        for theirs, ours in OURS.items():
            for kind in ("weight", "bias"):
                parts[f"{theirs}.{kind}"] = state[f"{ours}.{kind}"].numpy()
        slopes, added = graph.run(list(encoder_graph.OUTPUTS), parts)
        biases = biases + added
    for layer, (whole, shares) in wanted.items():
        at = len(layers) - 1 - layer
        by_token = (slopes[at] * inputs[0][0].numpy()).sum(-1)
        close(by_token, shares.by_depth_NL[0])
        close(biases[at], shares.biases_N[0])
        assert by_token.sum() + biases[at] == pytest.approx(float(whole), abs=1e-4)


def test_the_graph_holds_no_weights() -> None:
    made = onnx.load_from_string(encoder_graph.back(CONFIG)).graph
    assert all(int(np.prod(one.dims)) <= 4 for one in made.initializer)
    given = {one.name for one in made.input} - {"input", "q", "k", "slope"}
    assert given == {*encoder_graph.layer_weights(CONFIG)}


def test_an_activation_that_the_graph_does_not_have_is_refused() -> None:
    with pytest.raises(encoder_graph.NotWritten, match="has no activation relu"):
        encoder_graph.back(replace(CONFIG, activation="relu"))


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=2e-5)
