"""Two models on one text: which tokens they share, and their attention there, one less the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Record
from .blocks import AttentionBlock, Mark
from .visible import mean_of_heads

# Of each query and each key, its number among those that both have; None of one that the other lacks.
Numbers = tuple[tuple[int | None, ...], tuple[int | None, ...]]


def shared(a: AttentionBlock, b: AttentionBlock) -> tuple[Numbers, Numbers]:
    """The tokens that two models have in common: the same characters of the same text.

    A special token is in common where both templates add one of that name.
    """
    queries, keys = (_common(a.marks[side], b.marks[side]) for side in (0, 1))
    return (queries[0], keys[0]), (queries[1], keys[1])


def _common(
    a: Sequence[Mark], b: Sequence[Mark]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    of_b = set(b)
    number = {mark: i for i, mark in enumerate(mark for mark in a if mark in of_b)}
    return tuple(map(number.get, a)), tuple(map(number.get, b))


@dataclass(frozen=True, eq=False)
class BlockDifference(Record):
    """Which token attends to which, in one model less in another, for the tokens that both have.

    Attributes:
        queries: the shared query tokens, as the first model names them.
        keys: the shared tokens that are attended to.
        values: (queries, keys) float32, −1 to 1: weight in the first less weight in the second. A row
            need not add up to 0: what it spends on tokens that are not shared is not seen. A row that
            one of the two misses is missing: NaN.
        left_out: how many tokens of each model the other does not have.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    values: Array
    left_out: tuple[int, int]

    def __post_init__(self) -> None:
        self._freeze("values")


def block_difference(
    a: AttentionBlock,
    b: AttentionBlock,
    *,
    head_a: tuple[int | None, int | None],
    head_b: tuple[int | None, int | None],
) -> BlockDifference:
    """The weights of a head of one model less those of a head of another, where their tokens agree.

    Args:
        a: a place of the first model.
        b: the like of the second, on the same text.
        head_a: layer and head, from 0; None for the mean over all of them.
        head_b: the same in the second model.

    Raises:
        NotSupported: no query, or no key, is shared.
    """
    in_a, in_b = shared(a, b)
    rows, columns = _pairs(in_a[0], in_b[0]), _pairs(in_a[1], in_b[1])
    if not rows[0] or not columns[0]:
        raise NotSupported("The two models share no token here, so there is no difference to show.")
    values = _map(a, head_a)[np.ix_(rows[0], columns[0])] - _map(b, head_b)[np.ix_(rows[1], columns[1])]
    queries, keys = a.attention.queries, a.attention.keys
    lost = [
        len(set(side.marks[0] + side.marks[1]) - set(o.marks[0] + o.marks[1]))
        for side, o in ((a, b), (b, a))
    ]
    return BlockDifference(
        tuple(queries[i] for i in rows[0]),
        tuple(keys[j] for j in columns[0]),
        values,
        (lost[0], lost[1]),
    )


def _pairs(a: Sequence[int | None], b: Sequence[int | None]) -> tuple[list[int], list[int]]:
    """The places of the shared tokens in the one and in the other, in the order of the first."""
    places = [i for i, number in enumerate(a) if number is not None]
    there = {number: j for j, number in enumerate(b)}
    return places, [there[a[i]] for i in places]


def _map(block: AttentionBlock, head: tuple[int | None, int | None]) -> Array:
    """(queries, keys): one head, or the mean over the heads of a layer, or over all."""
    weights, (layer, number) = block.attention.weights, head
    layers = weights if layer is None else weights[layer : layer + 1]
    heads = layers if number is None else layers[:, number : number + 1]
    return mean_of_heads(heads.reshape(-1, *heads.shape[2:]))
