"""Forward passes for the tests: the tiny model, and steps wider than a block of the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.figures import Picture, TinyNumbers, forward
from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.make import matrix, step
from core.walkthroughs.steps.queries import tiny_pass
from core.walkthroughs.steps.record import Step

WORDS = "the more the merrier"


def tiny(
    words: str = WORDS, head: int = 0, *, causal: bool = False, edits: str = ""
) -> tuple[Sequence[Step], TinyNumbers]:
    ids = tiny_numbers.read_words(words)
    numbers = tiny_numbers.changed(tiny_numbers.read_edits(edits))
    steps = tiny_pass(ids, numbers, head, causal)
    heads, epsilon = tiny_numbers.N_HEADS, tiny_numbers.EPS
    return steps, TinyNumbers(ids, numbers, head, heads, causal, epsilon)


def picture(
    at: int = 0,
    *,
    state: Mapping[str, Any] | None = None,
    **which: Any,
) -> Picture:
    steps, numbers = tiny(**which)
    return forward(steps, at, sentence="One layer.", name="tiny", state=state, tiny=numbers)


def wide() -> tuple[Step, ...]:
    """x, and x times a matrix of 53 columns."""
    rng = np.random.default_rng(1)
    x = matrix("x", rng.normal(size=(3, 7)).astype(np.float32), ("on", "the", "bank"))
    w = matrix("W_1", rng.normal(size=(7, 53)).astype(np.float32))
    u = matrix("u", x.values @ w.values, x.rows)
    given = step("position", "sum", [x, x], matrix("x", x.values * 2, x.rows))
    return given, step("inner", "product", [given.result, w], matrix("u", 2 * u.values, x.rows))
