"""Vectors that a lesson computes with: lists of numbers of one length."""

from __future__ import annotations

import numpy as np

from ...measures.similarity import cosine
from ...records.frozen import Array
from ..expressions import BadExpression, Operation
from .arguments import Given, floats, parameters


def _pair(operation: str, given: Given) -> tuple[Array, Array]:
    a, b = (np.array(given[name], np.float64) for name in ("a", "b"))
    if a.shape != b.shape or not a.size:
        raise BadExpression(f"“{operation}” takes two lists of one length, not {a.size} and {b.size}.")
    return a, b


def _dot(given: Given) -> float:
    a, b = _pair("dot", given)
    return float(a @ b)


def _cosine(given: Given) -> float:
    a, b = _pair("cosine", given)
    return float(cosine(a[None], b[None])[0, 0])


def _distance(given: Given) -> float:
    a, b = _pair("distance", given)
    return float(np.linalg.norm(a - b))


OPERATIONS = (
    Operation(
        "scale",
        parameters("of: numbers", "by: number"),
        "The list with each entry multiplied by a number.",
        lambda _, g: tuple(one * g["by"] for one in g["of"]),
    ),
    Operation(
        "products",
        parameters("a: numbers", "b: numbers"),
        "The products of two lists, entry by entry.",
        lambda _, g: floats(np.multiply(*_pair("products", g))),
    ),
    Operation(
        "dot",
        parameters("a: numbers", "b: numbers"),
        "The dot product of two vectors.",
        lambda _, g: _dot(g),
    ),
    Operation(
        "cosine",
        parameters("a: numbers", "b: numbers"),
        "The cosine of two vectors: their dot product divided by both lengths, or 0 if a length is 0.",
        lambda _, g: _cosine(g),
    ),
    Operation(
        "distance",
        parameters("a: numbers", "b: numbers"),
        "The Euclidean distance between two vectors.",
        lambda _, g: _distance(g),
    ),
    Operation(
        "length",
        parameters("of: numbers"),
        "The Euclidean length of a vector.",
        lambda _, g: float(np.linalg.norm(np.array(g["of"], np.float64))),
    ),
)
