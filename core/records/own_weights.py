"""Attention weights as other programs return them, as one array (layers, heads, queries, keys)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
            precision, sparse or quantised, and part of a graph.

    Raises:
        ValueError: the weights have another shape, belong to several texts, or are no real numbers; or
            the layers have different shapes.
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
        layers = [numbers(layer) for layer in given]
        shapes = list(dict.fromkeys(layer.shape for layer in layers))
        if len(shapes) > 1:
            raise ValueError(f"The layers have different shapes: {' and '.join(map(str, shapes))}.")
        return _four(np.stack(layers))
    return _four(numbers(given))


def numbers(given: Any, what: str = "Attention weights") -> Array:
    """An array, a tensor (of torch, TensorFlow or JAX) or nested lists, as a float32 array.

    A sparse tensor becomes dense, a quantised one real numbers, masked cells NaN, true 1 and false 0.

    Raises:
        ValueError: it holds complex numbers, texts or anything else that is no real number, or none at
            all; `what` begins the message.
    """
    if hasattr(given, "detach"):  # torch, which this module does not import
        given = _of_tensor(given, what)
    elif isinstance(given, list | tuple) and any(_is_nested(one) for one in given):
        parts = [numbers(one, what) for one in given]
        if len({part.shape for part in parts}) > 1:
            raise ValueError(f"{what} must be numbers in lists of equal lengths.")
        return np.stack(parts)
    elif isinstance(given, np.ma.MaskedArray):
        given = np.ma.filled(given.astype(np.float32), np.nan)
    try:
        found = np.asarray(given)
        if found.dtype.kind in "cSUMm" or (found.dtype.kind == "O" and not _all_real(found)):
            raise ValueError(f"{what} must be real numbers, not {_kind(found)}.")
        if found.dtype == np.float32 and found.flags.owndata and not found.flags.writeable:
            return found  # nobody can change it: it needs no copy
        return found.astype(np.float32)
    except ValueError as error:
        if str(error).startswith(what):
            raise
        raise ValueError(f"{what} must be numbers in lists of equal lengths.") from error
    except (TypeError, OverflowError, RuntimeError) as error:
        raise ValueError(f"{what} must be numbers in lists of equal lengths.") from error


def _of_tensor(tensor: Any, what: str) -> Any:
    """A tensor of torch as an array: off its graph and its device."""
    if getattr(tensor, "is_meta", False):
        raise ValueError(f"{what} on the device “meta” have a shape and no numbers. Run the model.")
    if getattr(tensor, "is_nested", False):
        raise ValueError(f"{what} must be one tensor, not a nested one: take one of its parts.")
    if tensor.is_complex():
        raise ValueError(f"{what} must be real numbers, not complex ones.")
    tensor = tensor.detach()
    if getattr(tensor, "is_quantized", False):
        tensor = tensor.dequantize()
    if "strided" not in str(tensor.layout):  # sparse, in any of its formats
        tensor = tensor.to_dense()
    return tensor.cpu().float().numpy()


def _is_nested(one: Any) -> bool:
    """Whether NumPy could not read it inside of a list: a tensor, or a list with one in it."""
    return hasattr(one, "detach") or (isinstance(one, list | tuple) and any(map(_is_nested, one)))


def _all_real(found: npt.NDArray[Any]) -> bool:
    """Whether an array of objects holds only Python's or NumPy's real numbers."""
    return all(isinstance(one, int | float | np.integer | np.floating) for one in found.ravel())


def _kind(found: npt.NDArray[Any]) -> str:
    names = {"c": "complex ones", "S": "texts", "U": "texts", "M": "dates", "m": "times"}
    return names.get(found.dtype.kind, "other values")


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
