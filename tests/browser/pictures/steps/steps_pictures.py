"""Steps of every kind for the tests, as `step_view` draws them: small numbers, prime sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.figures import Picture, step_view
from core.walkthroughs.steps.record import LOWEST, Matrix, Step

WORDS = ("the", "##bank", "שלום", "<b>", "river")


def numbers(rows: int, columns: int, seed: int = 1) -> np.ndarray:
    """Numbers with one decimal, which can be checked by hand."""
    return np.round(np.random.default_rng(seed).normal(size=(rows, columns)), 1)


def named(name: str, values: np.ndarray, rows: tuple[str, ...] | None = None, **more: Any) -> Matrix:
    """A matrix; rows and columns without names are numbered."""
    rows = rows or tuple(str(i + 1) for i in range(len(values)))
    columns = more.pop("columns", tuple(str(i + 1) for i in range(values.shape[1])))
    return Matrix(name, values, rows, columns, **more)


def product(inner: int = 7, rows: int = 5, columns: int = 3, bias: bool = True) -> Step:
    """A · W + b."""
    a, w, b = numbers(rows, inner), numbers(inner, columns, 2), numbers(1, columns, 3)
    words = tuple(WORDS[i % 5] for i in range(rows))
    operands = [named("x", a, words), named("W_Q", w)]
    if bias:
        operands.append(named("b_Q", b))
    return step("product", operands, named("Q", a @ w + (b if bias else 0), words))


def step(kind: Any, operands: list[Matrix], result: Matrix, **more: Any) -> Step:
    """A step without words."""
    return Step(kind, f"A {kind}", "x", "why", tuple(operands), result, kind, **more)


def of_kind(kind: str) -> Step:
    """One step of each kind."""
    if kind == "product":
        return product()
    x, other = numbers(5, 5), numbers(5, 5, 4)
    square = {"columns": WORDS}
    first, second = named("S", x, WORDS, **square), named("P", other, WORDS, **square)
    if kind == "pieces":
        ids = named("id", np.array([[101.0], [2], [3], [4], [102]]), WORDS, columns=("id",))
        return step("pieces", [], ids, notes=tuple(f"the word {i}" for i in range(5)))
    if kind == "sum":
        return step("sum", [first, second], named("r", x + other, WORDS, **square))
    if kind == "scale":
        return step("scale", [first], named("S/√d", x * 0.5, WORDS, **square), number=0.5, detail="4")
    hidden = np.triu(np.ones((5, 5), bool), 1)
    masked = named("masked", np.where(hidden, LOWEST, x), WORDS, hidden=hidden, **square)
    if kind == "mask":
        return step("mask", [first], masked)
    shares = np.where(hidden, 0, np.exp(x))
    shares /= shares.sum(axis=1, keepdims=True)
    weights = named("A", shares, WORDS, hidden=hidden, weights=True, **square)
    if kind == "softmax":
        return step("softmax", [masked], weights)
    if kind == "norm":
        scale, shift = numbers(1, 5, 5), numbers(1, 5, 6)
        apart = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 0.5)
        operands = [first, named("γ", scale), named("β", shift)]
        return step("norm", operands, named("n", apart * scale + shift, WORDS, **square), number=0.5)
    if kind == "activation":
        result = named("a", np.maximum(x, 0), WORDS, **square)
        return step("activation", [first], result, detail="relu")
    if kind == "join":
        parts = [named("Z_1", x[:, :2], WORDS), named("Z_2", x[:, 2:], WORDS)]
        return step("join", parts, named("Z", x, WORDS))
    assert kind == "compare"
    even = named("even", np.full((5, 5), 0.2), WORDS, weights=True, **square)
    return step("compare", [even], named("after", shares, WORDS, weights=True, **square))


KINDS = (
    *("pieces", "product", "sum", "scale", "mask", "softmax", "norm", "activation", "join"),
    "compare",
)


def picture(one: Step, **more: Any) -> Picture:
    """The picture of a step."""
    return step_view(one, sentence=f"A step of the kind {one.kind}.", name=one.kind, **more)
