"""The steps of one layer: equal to the model's own forward pass, and to arithmetic by hand."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import torch

from core.transformer import EncoderLayer
from core.transformer.layers import ACTIVATIONS
from core.walkthroughs.steps.descriptions import PLAIN, STEPS
from core.walkthroughs.steps.layer import embedding_steps, layer_steps
from core.walkthroughs.steps.record import LOWEST, Matrix, Step, activated
from core.walkthroughs.steps.unweighted import plain_steps

TEXT = "Embeddings lie on the river bank"


def named(steps: tuple[Step, ...], name: str) -> Step:
    (found,) = (step for step in steps if step.name == name)
    return found


@pytest.fixture(scope="module")
def trace(minilm: Any) -> Any:
    return minilm.trace(TEXT)


@pytest.mark.parametrize("layer", range(6))
def test_a_layer_ends_where_the_model_does(minilm: Any, trace: Any, layer: int) -> None:
    x = torch.tensor(trace.embedded if layer == 0 else trace.hidden[layer - 1])
    own = minilm._runner.encoder.layers[layer]
    for head in (0, 5, 11):
        steps = layer_steps(own, x, trace.tokens, head=head)
        assert [step.name for step in steps] == [
            name
            for name in STEPS
            if name not in ("pieces", "learned", "root", "position", "embedded", "mask")
        ]
        np.testing.assert_allclose(steps[-1].result.values, trace.hidden[layer], atol=1e-5)
        for name, expected in (
            ("weights", trace.attention.weights),
            ("query", trace.query),
            ("key", trace.key),
            ("value", trace.value),
        ):
            got = named(steps, name).result.values
            np.testing.assert_allclose(got, expected[layer, head], atol=1e-6, err_msg=name)


def test_what_a_step_gives_the_next_one_takes(minilm: Any, trace: Any) -> None:
    x = torch.tensor(trace.embedded)
    steps = layer_steps(minilm._runner.encoder.layers[0], x, trace.tokens, head=3)
    results = {step.name: step.result.values for step in steps}
    for name, given in (
        ("scores", ["query"]),
        ("scale", ["scores"]),
        ("weights", ["scale"]),
        ("mix", ["weights", "value"]),
        ("output", ["join"]),
        ("norm", ["residual"]),
        ("inner", ["norm"]),
        ("residual2", ["norm"]),
        ("norm2", ["residual2"]),
    ):
        operands = named(steps, name).operands
        for operand, before in zip(operands, given, strict=False):
            np.testing.assert_array_equal(operand.values, results[before], err_msg=name)
    np.testing.assert_array_equal(named(steps, "scores").operands[1].values, results["key"].T)
    np.testing.assert_allclose(named(steps, "join").operands[3].values, results["mix"], atol=1e-6)


@pytest.mark.parametrize("block", [0, 7, 11])
def test_every_sum_that_is_written_out_equals_its_cell(minilm: Any, trace: Any, block: int) -> None:
    for layer in (0, 4):
        x = torch.tensor(trace.embedded if layer == 0 else trace.hidden[layer - 1])
        own = minilm._runner.encoder.layers[layer]
        for step in layer_steps(own, x, trace.tokens, head=2, block=block):
            size = np.abs(step.result.values).max()
            np.testing.assert_allclose(
                step.again(), step.result.values, atol=3e-6 * max(1, size), err_msg=step.name
            )


def test_the_embeddings_are_the_models(minilm: Any, trace: Any) -> None:
    read = minilm._reader.read(TEXT)
    steps = embedding_steps(minilm._runner.encoder, read.ids, read.tokens, read.types)
    assert [step.name for step in steps] == ["pieces", "learned", "position", "embedded"]
    assert steps[0].result.values[:, 0].tolist() == list(read.ids)
    np.testing.assert_array_equal(steps[1].result.values, trace.learned)
    np.testing.assert_allclose(steps[3].result.values, trace.embedded, atol=1e-6)
    for step in steps[1:]:
        np.testing.assert_allclose(step.again(), step.result.values, atol=1e-5)
    hot = steps[1].operands[0]
    assert hot.values.sum(axis=1).tolist() == [1.0] * len(read.ids)
    assert hot.whole == (len(read.ids), 30522)
    for row, number in zip(hot.values, read.ids, strict=True):
        assert hot.columns[int(row.argmax())] == str(number)


def test_a_wide_product_is_shown_in_parts(minilm: Any, trace: Any) -> None:
    own, x = minilm._runner.encoder.layers[0], torch.tensor(trace.embedded)
    normed = torch.tensor(named(layer_steps(own, x, trace.tokens), "norm").result.values)
    whole = own.feed_forward.inner(normed)
    parts = [named(layer_steps(own, x, trace.tokens, block=b), "inner") for b in range(48)]
    assert [part.part for part in parts] == [(32 * b, 1536) for b in range(48)]
    assert parts[2].result.columns[:2] == ("65", "66")
    together = np.concatenate([part.result.values for part in parts], axis=1)
    np.testing.assert_allclose(together, whole.detach().numpy(), atol=1e-6)
    last = named(layer_steps(own, x, trace.tokens, block=999), "inner")
    assert last.part == (1504, 1536)


def by_hand() -> Any:
    """Two tokens, d_model 2, one head, d_ff 3; query, key and value are x itself."""
    layer: Any = EncoderLayer(2, 1, 3, ACTIVATIONS["relu"], 0.0).requires_grad_(False)
    one = torch.eye(2)
    for linear in (layer.attention.query, layer.attention.key, layer.attention.value):
        linear.weight.copy_(one)
        linear.bias.zero_()
    layer.attention.output.weight.copy_(torch.tensor([[2.0, 0], [0, 3]]))
    layer.attention.output.bias.copy_(torch.tensor([1.0, 0]))
    layer.feed_forward.inner.weight.copy_(torch.tensor([[1.0, 0], [0, 1], [-1, -1]]))
    layer.feed_forward.inner.bias.copy_(torch.tensor([0.0, 0, 0.5]))
    layer.feed_forward.outer.weight.copy_(torch.tensor([[1.0, 0, 0], [0, 1, 2]]))
    layer.feed_forward.outer.bias.zero_()
    return layer


def test_by_hand() -> None:
    x = torch.tensor([[1.0, 0], [0, 2]])
    steps = layer_steps(by_hand(), x, ["a", "b"])
    result = {step.name: step.result.values for step in steps}
    np.testing.assert_array_equal(result["scores"], [[1, 0], [0, 4]])
    root = math.sqrt(2)
    np.testing.assert_allclose(result["scale"], [[1 / root, 0], [0, 4 / root]], atol=1e-6)
    first = math.exp(1 / root) / (math.exp(1 / root) + 1)
    second = math.exp(4 / root) / (math.exp(4 / root) + 1)
    np.testing.assert_allclose(result["weights"], [[first, 1 - first], [1 - second, second]], atol=1e-6)
    mixed = np.array([[first, 2 * (1 - first)], [1 - second, 2 * second]])
    np.testing.assert_allclose(result["mix"], mixed, atol=1e-6)
    output = mixed * [2, 3] + [1, 0]
    np.testing.assert_allclose(result["output"], output, atol=1e-6)
    np.testing.assert_allclose(result["residual"], output + x.numpy(), atol=1e-6)
    # With two numbers, the norm preserves only their order: one is 1, the other −1.
    normed = np.where(result["residual"][:, :1] > result["residual"][:, 1:], [1, -1], [-1, 1])
    np.testing.assert_allclose(result["norm"], normed, atol=1e-5)
    inner = np.stack([normed[:, 0], normed[:, 1], 0.5 - normed.sum(axis=1)], axis=1)
    np.testing.assert_allclose(result["inner"], inner, atol=1e-5)
    np.testing.assert_allclose(result["activation"], np.maximum(inner, 0), atol=1e-5)
    active = np.maximum(inner, 0)
    outer = np.stack([active[:, 0], active[:, 1] + 2 * active[:, 2]], axis=1)
    np.testing.assert_allclose(result["outer"], outer, atol=1e-5)
    np.testing.assert_allclose(result["residual2"], normed + outer, atol=1e-5)
    assert [o.name for o in named(steps, "query").operands] == ["x", "W_Q"]  # a bias of 0 is left out
    assert [o.name for o in named(steps, "output").operands] == ["Z", "W_O", "b_O"]
    # The paper writes x·W with W as (in, out).
    np.testing.assert_array_equal(named(steps, "inner").operands[1].values, [[1, 0, -1], [0, 1, -1]])


def test_a_mask_hides_what_comes_later() -> None:
    steps = layer_steps(by_hand(), torch.tensor([[1.0, 0], [0, 2]]), ["a", "b"], causal=True)
    mask = named(steps, "mask").result
    assert mask.hidden is not None
    assert mask.hidden.tolist() == [[False, True], [False, False]]
    assert mask.values[0, 1] == np.float32(LOWEST)
    np.testing.assert_array_equal(named(steps, "mask").again(), mask.values)
    weights = named(steps, "weights").result.values
    assert weights[0].tolist() == [1, 0]
    np.testing.assert_allclose(weights[1].sum(), 1, atol=1e-6)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_without_torch_are_torchs(name: str) -> None:
    x = np.linspace(-5, 5, 101)
    expected = ACTIVATIONS[name](torch.tensor(x)).numpy()
    np.testing.assert_allclose(activated(x, name), expected, atol=1e-12)


def test_other_layers_are_refused() -> None:
    x = torch.zeros(2, 6)
    first = EncoderLayer(6, 2, 8, ACTIVATIONS["relu"], 1e-5, norm_first=True)
    with pytest.raises(ValueError, match="before the sum"):
        layer_steps(first, x, ["a", "b"])
    with pytest.raises(ValueError, match="no feed-forward"):
        layer_steps(EncoderLayer(6, 2, 0, ACTIVATIONS["relu"], 1e-5), x, ["a", "b"])
    with pytest.raises(ValueError, match="no head 2"):
        layer_steps(EncoderLayer(6, 2, 8, ACTIVATIONS["relu"], 1e-5), x, ["a", "b"], head=2)


def test_attention_without_weights(trace: Any) -> None:
    place = list(trace.tokens).index("bank")
    for vectors in (trace.learned, trace.embedded):
        steps = plain_steps(vectors, trace.tokens, place)
        assert [step.name for step in steps] == [*PLAIN]
        x = vectors.astype(np.float64)
        scores = x[place] @ x.T
        weights = np.exp(scores / math.sqrt(384) - scores.max() / math.sqrt(384))
        weights /= weights.sum()
        for step, expected in zip(
            steps, (scores, scores / math.sqrt(384), weights, weights @ x), strict=True
        ):
            np.testing.assert_allclose(step.result.values[0], expected, rtol=1e-5, atol=1e-5)
            np.testing.assert_allclose(step.again(), step.result.values, rtol=1e-5, atol=1e-5)


def test_records_are_frozen_and_checked() -> None:
    one = Matrix("A", np.eye(2), ("a", "b"), ("1", "2"))
    with pytest.raises(ValueError, match="read-only"):
        one.values[0, 0] = 5
    with pytest.raises(ValueError, match="read-only"):
        pickle.loads(pickle.dumps(one)).values[0, 0] = 5
    with pytest.raises(ValueError, match="labels"):
        Matrix("A", np.eye(2), ("a",), ("1", "2"))
    with pytest.raises(ValueError, match="finite"):
        Matrix("A", np.array([[np.inf]]), ("a",), ("1",))
