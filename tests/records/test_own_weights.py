"""Weights of other programs, in any container, become an `Attention` or are refused with a message."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

from core.records.attention import Attention
from core.records.own_weights import as_weights

LAYERS, HEADS, QUERIES, KEYS = 2, 5, 3, 7
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(KEYS), (LAYERS, HEADS, QUERIES)).astype("f4")
LABELS = ("a", "b", "c"), tuple("tuvwxyz")


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        WEIGHTS.tolist(),
        WEIGHTS[:, None],
        torch.tensor(WEIGHTS, requires_grad=True),
        tuple(torch.tensor(layer)[None] for layer in WEIGHTS),  # `outputs.attentions`
        [torch.tensor(layer, dtype=torch.float64) for layer in WEIGHTS],
    ],
    ids=["array", "lists", "batch", "tensor", "attentions", "list of tensors"],
)
def test_every_holder_gives_the_same_weights(given: Any) -> None:
    made = Attention(*LABELS, given)
    assert made.weights.dtype == np.float32
    np.testing.assert_array_equal(made.weights, WEIGHTS)
    assert not made.weights.flags.writeable


def test_one_layer_needs_no_axis_of_layers() -> None:
    as_given: Any = (torch.tensor(WEIGHTS[1:]),)
    np.testing.assert_array_equal(Attention(*LABELS, WEIGHTS[1]).weights, WEIGHTS[1:])
    np.testing.assert_array_equal(Attention(*LABELS, as_given).weights, WEIGHTS[1:])


def test_a_tensor_of_a_graph_is_not_frozen_in_its_owner() -> None:
    tensor = torch.tensor(WEIGHTS)
    layers: Any = [tensor[0], tensor[1]]
    Attention(*LABELS, layers)
    tensor[0, 0, 0, 0] = 2.0
    assert tensor[0, 0, 0, 0] == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), r"outputs\.attentions.*empty unless .*eager"),
        ((None, None), "eager"),
        (WEIGHTS[:, None].repeat(3, 1), "of 3 texts"),
        (tuple(np.stack([layer] * 2) for layer in WEIGHTS), "of 2 texts"),
        (WEIGHTS[0, 0], r"shape \(3, 7\)"),
        ([WEIGHTS[0], WEIGHTS[1, :4]], "different shapes"),
        ([[[1, 2], [3]]], "lists of equal lengths"),
    ],
)
def test_what_is_no_attention_of_one_text_is_refused_in_words(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        as_weights(given)


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 queries, 2 keys"):
        Attention(LABELS[0], ("t", "u"), WEIGHTS)


ROWS = np.array([[[0.25, 0.75], [1.0, 0.0]]], np.float32)


def tensors() -> dict[str, tuple[Any, np.ndarray]]:
    """Tensors of torch in every form that it knows, and the weights that they are."""
    dense = torch.tensor(ROWS)
    whole = torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])
    return {
        "coo": (dense.to_sparse(), ROWS),
        "csr": (dense.to_sparse_csr(), ROWS),
        "hybrid": (dense.to_sparse(1), ROWS),
        "half": (dense.half(), ROWS),
        "bfloat16": (dense.bfloat16(), ROWS),
        "float64": (dense.double(), ROWS),
        "graph": (dense.clone().requires_grad_(), ROWS),
        "parameter": (torch.nn.Parameter(dense), ROWS),
        "transposed": (torch.tensor(ROWS.swapaxes(0, 2).copy()).transpose(0, 2), ROWS),
        "expanded": (dense[:, :1].expand(1, 2, 2), np.array([[[0.25, 0.75]] * 2])),
        "bool": (whole.bool(), whole.numpy()),
        "int": (whole.long(), whole.numpy()),
        "quantised": (torch.quantize_per_tensor(dense, 1 / 128, 0, torch.quint8), ROWS),
        "inference": (_of_inference(), ROWS),
        "layers, sparse": ((dense.to_sparse(), dense), np.stack([ROWS, ROWS])),
        "lists of tensors": ([[row for row in dense[0].requires_grad_()]], ROWS),
    }


def _of_inference() -> torch.Tensor:
    with torch.inference_mode():
        return torch.tensor(ROWS) * 1


@pytest.mark.parametrize("kind", tensors())
def test_every_kind_of_tensor_is_read_for_what_it_is(kind: str) -> None:
    given, expected = tensors()[kind]
    attention = Attention(("a", "b"), ("a", "b"), given)
    np.testing.assert_allclose(attention.weights, expected.reshape(attention.weights.shape), atol=1e-4)


def refused() -> dict[str, Any]:
    dense = torch.tensor(ROWS)
    nan = ROWS.copy()
    nan[0, 0, 0] = np.nan
    return {
        "complex tensor": dense.to(torch.complex64),
        "complex": ROWS.astype(complex),
        "complex objects": ROWS.astype(complex).astype(object),
        "meta": dense.to("meta"),
        "nested": torch.nested.nested_tensor([dense[0], dense[0, :1]]),
        "texts": ROWS.astype(str),
        "bytes": ROWS.astype("S8"),
        "objects": np.array([[[object(), 1], [0, 1]]], object),
        "none": np.array([[[None, 1], [0, 1]]], object),
        "dates": np.zeros((1, 2, 2), "M8[s]"),
        "a text": "weights",
        "a number": 0.5,
        "a mapping": {"weights": ROWS},
        "a set": {0.5},
        "ragged": [[[0.5, 0.5], [1.0]]],
        "huge": [[[10**400, 0], [0, 1]]],
        "NaN in a row": nan,
        "infinite": np.where(ROWS == 1, np.inf, ROWS),
        "negative": np.array([[[-0.5, 1.5], [0, 1]]]),
        "sums": ROWS * 2,
        "sparse in two dimensions": dense[0].to_sparse(),
        "layers, one complex": (dense, dense.to(torch.complex64)),
        "layers, one meta": (dense, dense.to("meta")),
        "structured": np.zeros((1, 2, 2), [("a", "f4")]),
    }


@pytest.mark.parametrize("kind", refused())
def test_what_is_no_attention_is_refused_in_a_sentence(kind: str) -> None:
    given = refused()[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy only warns when it drops what is imaginary
        with pytest.raises(ValueError, match=r"\.$") as error:
            Attention(("a", "b"), ("a", "b"), given)
    assert str(error.value)[0].isupper() or str(error.value).startswith("weights have the shape")
    assert len(str(error.value)) < 250


def test_masked_cells_are_missing_rows() -> None:
    given = np.ma.masked_array(ROWS, mask=[[[True, True], [False, False]]])
    attention = Attention(("a", "b"), ("a", "b"), given)
    assert attention.missing.tolist() == [[[True, False]]]
    with pytest.raises(ValueError, match="at least 0"):
        Attention(("a", "b"), ("a", "b"), np.ma.masked_array(ROWS, mask=ROWS == 0.25))


def test_labels_and_sinks_that_are_none() -> None:
    for labels in (3, None, [1, 2], [b"a", b"b"]):
        with pytest.raises(ValueError, match="labels"):
            Attention(labels, ("a", "b"), ROWS)  # type: ignore[arg-type]
    for sink in (np.zeros((1, 1, 2), complex), "no", torch.zeros(1, 1, 2, device="meta")):
        with pytest.raises(ValueError, match=r"sink"):
            Attention(("a", "b"), ("a", "b"), ROWS, sink=sink)  # type: ignore[arg-type]
    sink = torch.zeros(1, 1, 2).to_sparse()
    assert Attention(("a", "b"), ("a", "b"), ROWS, sink=sink).sink is not None  # type: ignore[arg-type]
