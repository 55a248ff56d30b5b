"""Attention weights as other programs return them, as one array (layers, heads, queries, keys)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .frozen import Array

_MANY = (
    "These weights are of {count} texts at once; they must be of one. Take one of them, for example "
    "`[weights[i] for weights in attentions]`."
)


def as_weights(given: Any) -> Array:
    """(layers, heads, queries, keys) float32 from an array, a tensor, lists, or a tuple of layers.

    Args:
        given: (heads, queries, keys) for one layer; (layers, heads, queries, keys); (layers, 1, heads,
            queries, keys); or a sequence of layers, (heads, queries, keys) or (1, heads, queries, keys)
            each, as `output_attentions=True` returns them. Tensors may be on any device, in any
            precision, and part of a graph.

    Raises:
        ValueError: the weights have another shape, belong to several texts, or are not numbers; or the
            layers have different shapes.
    """
    if isinstance(given, list | tuple):
        if any(layer is None for layer in given):
            raise ValueError(
                "Some layers have no weights (None). Load the model with "
                'attn_implementation="eager", and call it with output_attentions=True.'
            )
        if not given:
            raise ValueError(
                "There are no layers. Take `outputs.attentions`; it is empty unless the model was "
                'loaded with attn_implementation="eager" and called with output_attentions=True.'
            )
        layers = [_numbers(layer) for layer in given]
        shapes = list(dict.fromkeys(layer.shape for layer in layers))
        if len(shapes) > 1:
            raise ValueError(f"The layers have different shapes: {' and '.join(map(str, shapes))}.")
        return _four(np.stack(layers))
    return _four(_numbers(given))


def _numbers(given: Any) -> Array:
    """An array, or a tensor (of torch, TensorFlow or JAX), as a float32 array."""
    if hasattr(given, "detach"):  # torch, which this module does not import: off its graph and device
        given = given.detach().cpu().float().numpy()
    try:
        return np.asarray(given, np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError("Attention weights must be numbers in lists of equal lengths.") from error


def _four(numbers: Array) -> Array:
    if numbers.ndim == 5:
        if numbers.shape[1] != 1:
            raise ValueError(_MANY.format(count=numbers.shape[1]))
        return numbers[:, 0]
    if numbers.ndim == 3:
        return numbers[None]
    if numbers.ndim != 4:
        raise ValueError(
            f"weights have the shape {numbers.shape}; they must be (layers, heads, queries, keys), or "
            "(heads, queries, keys) of one layer."
        )
    return numbers
