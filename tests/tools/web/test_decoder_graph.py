"""The graphs that are written for a decoder are our decoder: every step, with and without a past."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from core.attribution import adjoint, direct
from core.transformer import sinusoidal
from core.transformer.positions import Stretch
from core.walkthroughs import swapped_parts
from core.walkthroughs.part_names import BUT_FIRST, PARTS, Part
from tests.web import tiny_decoder
from tests.web.tiny_decoder import CONFIG
from tools.web import decoder_graph

AT_ONCE = 2
IDS = (3, 28, 0, 11, 11, 7, 19)
Step = dict[str, Any]


def session(folder: Path, graph: bytes, weights: dict[str, Any]) -> onnxruntime.InferenceSession:
    """A session of a graph, its weights in files beside it."""
    folder.mkdir()
    (folder / "graph.onnx").write_bytes(graph)
    for name, one in weights.items():
        (folder / name).write_bytes(one.astype("<f4").tobytes())
    onnx.checker.check_model(folder / "graph.onnx")
    return onnxruntime.InferenceSession(folder / "graph.onnx")


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> list[onnxruntime.InferenceSession]:
    graph, own = decoder_graph.layers(CONFIG, AT_ONCE), tiny_decoder.weights(tiny_decoder.decoder())
    base = tmp_path_factory.mktemp("graphs")
    return [
        session(
            base / f"layers {first}",
            graph,
            {
                f"{i}.{name}": own[f"blk.{first + i}.{name}"]
                for i in range(AT_ONCE)
                for name in decoder_graph.layer_weights(CONFIG)
            },
        )
        for first in range(0, CONFIG.n_decoder_layers, AT_ONCE)
    ]


def run(groups: list[onnxruntime.InferenceSession], ids: Any, past: list[Any]) -> list[Step]:
    """What each group returns."""
    x, found = tiny_decoder.decoder().embeddings.tokens.weight[list(ids)].numpy(), []
    for one, before in zip(groups, past, strict=True):
        made = dict(
            zip(
                decoder_graph.LAYERS_OUTPUTS,
                one.run(list(decoder_graph.LAYERS_OUTPUTS), {"input": x, "past": before}),
                strict=True,
            )
        )
        found.append(made)
        x = made["output"]
    return found


def nothing() -> list[Any]:
    """The past of a beginning."""
    return [np.zeros((0, AT_ONCE, 2, 2, 10), np.float32)] * (CONFIG.n_decoder_layers // AT_ONCE)


def joined(steps: list[Step], name: str) -> Any:
    """(n, layers, …): one output of all groups."""
    return np.concatenate([one[name] for one in steps], axis=1)


def test_every_step_is_our_decoders(groups: list[onnxruntime.InferenceSession]) -> None:
    stack = tiny_decoder.decoder().read(torch.tensor([IDS]))
    steps = run(groups, IDS, nothing())
    attention = [layer.attention for layer in stack.layers]

    def wanted(parts: Any) -> Any:  # (1, heads, n, …) a layer, as rows of tokens
        return np.stack([part[0].transpose(0, 1).numpy() for part in parts], axis=1)

    close(joined(steps, "q"), wanted(one.query_BHLK for one in attention))
    close(joined(steps, "kv")[:, :, 0], wanted(one.key_BHMK for one in attention))
    close(joined(steps, "kv")[:, :, 1], wanted(one.value_BHMK for one in attention))
    hidden = np.stack([layer.output_BLD[0].numpy() for layer in stack.layers], axis=1)
    close(joined(steps, "hidden"), hidden)
    close(steps[-1]["output"], hidden[:, -1])
    weights = wanted(one.weights_BHLM for one in attention)
    close(joined(steps, "most"), weights.max(axis=-1))
    assert np.array_equal(joined(steps, "at"), weights.argmax(axis=-1))


@pytest.mark.parametrize("cut", [1, 4, 6])
def test_a_text_in_parts_is_the_whole_text(
    groups: list[onnxruntime.InferenceSession], cut: int
) -> None:
    whole, first = run(groups, IDS, nothing()), run(groups, IDS[:cut], nothing())
    second = run(groups, IDS[cut:], [one["kv"] for one in first])
    for name in ("hidden", "q", "kv", "most", "at"):
        parts = np.concatenate([joined(first, name), joined(second, name)])
        close(parts, joined(whole, name))


def test_the_head_is_our_decoders(tmp_path: Path) -> None:
    model = tiny_decoder.decoder()
    prediction = model(torch.tensor([IDS]))
    table = {"output.weight": model.embeddings.tokens.weight.numpy()}
    head = session(tmp_path / "head", decoder_graph.head(CONFIG), table)
    assert model.stack.norm is not None
    rows = model.stack.norm(prediction.stack.layers[-1].output_BLD)[0].numpy()
    (logits,) = head.run(None, {"input": rows[2:5]})
    close(logits, prediction.logits_BLV[0, 2:5].numpy())


def test_the_adjoint_of_each_layer_is_ours(tmp_path: Path) -> None:
    """Back through all layers, by one graph with the weights of each: both sums behind a number."""
    model = tiny_decoder.decoder()
    stack = model.stack
    layers = list(stack.layers)
    run = model.read(torch.tensor([IDS]))
    norm, n, along_D = stack.norm, len(IDS), torch.sin(torch.arange(CONFIG.d_model) * 1.7)
    assert norm is not None
    bias = torch.full((n, n), -torch.inf).triu(1)[None, None]
    forward = adjoint.walk(stack.layers, run.embedded_BLD[0], [bias] * len(stack.layers))
    whole, shares = adjoint.behind(layers, forward, [n - 1], along_D, norm)
    wanted = direct.parts(layers, forward, n - 1, along_D, norm)
    graph, own = session(tmp_path / "back", decoder_graph.back(CONFIG), {}), tiny_decoder.weights(model)
    along, _ = adjoint.through_norm(norm, forward.output_LD[n - 1][None], along_D[None])
    # Two gradients pass together; the other one changes nothing about the first.
    slope = np.zeros((2, n, CONFIG.d_model), np.float32)
    slope[0, -1] = along
    slope[1] = np.cos(np.arange(n * CONFIG.d_model)).reshape(n, -1)
    other = slope[1]
    needs = {one.name for one in graph.get_inputs()}
    for i in reversed(range(CONFIG.n_decoder_layers)):
        attention, x = run.layers[i].attention, forward.steps[i].x_LD.numpy()
        kv = np.stack([one[0].transpose(0, 1) for one in (attention.key_BHMK, attention.value_BHMK)], 1)
        parts = {
            "input": x,
            "q": attention.query_BHLK[0].transpose(0, 1).numpy(),
            "kv": kv,
            "slope": slope,
            "along": along.numpy(),
            **{name: own[f"blk.{i}.{name}"] for name in decoder_graph.layer_weights(CONFIG)},
        }
        slope, heads, network = graph.run(
            list(decoder_graph.BACK_OUTPUTS), {name: parts[name] for name in needs}
        )
        close((slope[0] * x).sum(-1), shares.by_depth_NL[i])
        (alone,) = graph.run(["before"], {**{k: parts[k] for k in needs}, "slope": other[None]})
        other = slope[1]
        close(other, alone[0])
        close(heads, wanted.by_head_NHM[i].sum(-1))
        close(network[0], wanted.feed_forward_N[i])
    assert (slope[0] * x).sum() == pytest.approx(float(whole), abs=1e-4)


@pytest.mark.parametrize("part", [*PARTS, BUT_FIRST])
def test_a_layer_with_a_part_of_the_paper_is_ours(tmp_path: Path, part: Part) -> None:
    """What is neutral, or given in its place, is what the layer is or would be."""
    model = tiny_decoder.decoder()
    graph, own = (
        session(tmp_path / "changed", decoder_graph.changed(CONFIG), {}),
        tiny_decoder.weights(model),
    )
    n, heads, d_head = len(IDS), CONFIG.n_heads, CONFIG.parts.d_head
    x, at = own["token_embd.weight"][[*IDS]], np.arange(n, dtype=np.float32)
    bias = np.triu(np.full((n, n), np.finfo(np.float32).min, np.float32), 1)
    bias[{"mask": 0, BUT_FIRST: 1}.get(part, n) :] = 0
    if part == "positions":
        x, at = x + sinusoidal(n, CONFIG.d_model).numpy(), np.zeros_like(at)
    given = {
        "past": np.zeros((0, 2, heads, d_head), np.float32),
        "at": at,
        "bias": bias,
        "factors": np.ones(heads, np.float32),
        "paper": np.array([one == part for one in decoder_graph.PAPER_PARTS], np.float32),
    }
    wanted = swapped_parts.states(model, IDS, part)
    for i in range(CONFIG.n_decoder_layers):
        weights = {name: own[f"blk.{i}.{name}"] for name in decoder_graph.layer_weights(CONFIG)}
        for name in ("attn_k.weight", "attn_v.weight"):  # each head has its own
            shared = weights[name].reshape(-1, d_head, CONFIG.d_model)
            weights[name] = shared.repeat(heads // len(shared), 0).reshape(-1, CONFIG.d_model)
        (x,) = graph.run(None, {"input": x, **given, **weights})
        close(x, wanted[i + 1])


def test_the_graphs_hold_no_weights() -> None:
    graphs = [decoder_graph.layers(CONFIG, AT_ONCE), decoder_graph.head(CONFIG)]
    for graph in (*graphs, decoder_graph.back(CONFIG), decoder_graph.changed(CONFIG)):
        held = onnx.load_from_string(graph).graph.initializer
        inside = [one for one in held if one.data_location != onnx.TensorProto.EXTERNAL]
        assert all(int(np.prod(one.dims)) <= 5 for one in inside)
        assert (len(inside) < len(held)) == (graph in graphs)  # the others get them with each run


@pytest.mark.parametrize(
    "other",
    [
        replace(CONFIG, norm_first=False),
        replace(CONFIG, activation="gelu"),
        replace(CONFIG, windows=(0, 0, 4, 0)),
        replace(CONFIG, positions="learned"),
        replace(CONFIG, scale_embeddings=True),
        replace(CONFIG, parts=CONFIG.parts._replace(norm="LayerNorm")),
        replace(CONFIG, parts=CONFIG.parts._replace(gated=False)),
        replace(CONFIG, parts=CONFIG.parts._replace(qkv_bias=True)),
        replace(
            CONFIG,
            parts=CONFIG.parts._replace(rotation=replace(CONFIG.parts.rotation, stretch=Stretch(8.0))),
        ),
    ],
)
def test_a_part_that_the_graph_does_not_have_is_refused(other: Any) -> None:
    with pytest.raises(decoder_graph.NotWritten, match="has no"):
        decoder_graph.layers(other, AT_ONCE)
    with pytest.raises(decoder_graph.NotWritten):
        decoder_graph.head(other)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-5)
