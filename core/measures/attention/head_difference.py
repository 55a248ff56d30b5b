"""Two heads of two texts, held against each other where the texts have the same tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Record
from .heads import HeadMap


@dataclass(frozen=True, eq=False)
class HeadDifference(Record):
    """Which token attends to which, in one text less in another, for the tokens that both have.

    Attributes:
        tokens: the shared tokens, in the order of the first text.
        values: (tokens, tokens) float32, −1 to 1: weight in the first less weight in the second. A row
            need not add up to 0: what it spends on tokens that are not shared is not seen. A row that
            one of the two misses is missing: NaN.
        marked: which rows are those of the word that was asked for.
    """

    tokens: tuple[str, ...]
    values: Array
    marked: tuple[int, ...]

    def __post_init__(self) -> None:
        self._freeze("values")


def head_difference(
    a: HeadMap, b: HeadMap, *, rows_a: Sequence[int] = (), rows_b: Sequence[int] = ()
) -> HeadDifference:
    """The weights of `a` less those of `b`, token by token.

    A token that stands several times is paired in order: the first with the first, the second with the
    second. The word that the two texts are compared by is paired with itself, wherever it stands.

    Args:
        a: a head of the first text.
        b: the same of the second.
        rows_a: the word's rows in `a`; may be empty.
        rows_b: its rows in `b`. Paired with `rows_a` if both have the same tokens.

    Raises:
        NotSupported: the texts share no token.
    """
    chosen = list(zip(rows_a, rows_b, strict=False))
    if [a.queries[i] for i in rows_a] != [b.queries[j] for j in rows_b]:
        chosen = []
    there: dict[str, list[int]] = defaultdict(list)
    for j, token in enumerate(b.queries):
        if j not in {j for _, j in chosen}:
            there[token].append(j)
    pairs = dict(chosen)
    for i, token in enumerate(a.queries):
        if i not in pairs and there[token]:
            pairs[i] = there[token].pop(0)
    if not pairs:
        raise NotSupported("The two texts share no token, so there is no difference to show.")
    own = sorted(pairs)
    other = [pairs[i] for i in own]
    return HeadDifference(
        tuple(a.queries[i] for i in own),
        a.weights[np.ix_(own, own)] - b.weights[np.ix_(other, other)],
        tuple(own.index(i) for i, _ in chosen),
    )
