"""The difference of two attention maps, for the tokens that they share.

For two models and one text, tokens match if they cover the same characters, whatever their names. For
one model and two texts, tokens match if they have the same name, whatever their positions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Record
from .blocks import AttentionBlock, Mark
from .heads import HeadMap, head_map

# For each query and each key, its number among the shared ones; None if the other map lacks it.
Numbers = tuple[tuple[int | None, ...], tuple[int | None, ...]]
# The positions of the shared tokens in the first and in the second map.
Pairs = tuple[list[int], list[int]]


@dataclass(frozen=True, eq=False)
class HeadDifference(Record):
    """The first map minus the second, for the tokens that both share.

    Attributes:
        queries: the shared query tokens, with the order and the names of the first map.
        keys: the shared key tokens.
        values: (queries, keys) float32, −1 to 1: weight in the first map minus weight in the second. A
            row need not add up to 0, because weights on tokens that are not shared do not appear. A row
            is missing (NaN) if one of the two maps lacks it.
        marked: the rows of the compared word.
        left_out: for each map, the number of tokens that the other lacks.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    values: Array
    marked: tuple[int, ...] = ()
    left_out: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self._freeze("values")


def head_difference(
    a: HeadMap,
    b: HeadMap,
    *,
    rows_a: Sequence[int] = (),
    rows_b: Sequence[int] = (),
    names: tuple[Sequence[str], Sequence[str]] | None = None,
) -> HeadDifference:
    """The map of a head in one text minus the map of the same head in another, token by token.

    Repeated tokens are paired in order: the first with the first, the second with the second. The word
    by which the texts are compared is paired with itself, whatever its position.

    Args:
        a: a head's map of the first text; its rows and columns are the same tokens.
        b: the map of the second text.
        rows_a: the rows of the compared word in `a`; may be empty.
        rows_b: its rows in `b`; paired with `rows_a` if both have the same tokens.
        names: the names by which the tokens of each text are matched; their labels by default.

    Raises:
        NotSupported: the texts share no token.
    """
    names_a, names_b = (a.queries, b.queries) if names is None else names
    pairs, marked = _by_name(names_a, names_b, rows_a, rows_b)
    lost = len(names_a) - len(pairs[0]), len(names_b) - len(pairs[1])
    return _subtract(a, b, pairs, pairs, "texts", marked, lost)


def block_difference(
    a: AttentionBlock,
    b: AttentionBlock,
    *,
    head_a: tuple[int | None, int | None],
    head_b: tuple[int | None, int | None],
) -> HeadDifference:
    """A head's weights in one model minus a head's weights in another, for their shared tokens.

    Args:
        a: an attention block of the first model.
        b: an attention block of the second model, on the same text.
        head_a: layer and head, from 0; None for the mean over all layers or heads.
        head_b: layer and head in the second model.

    Raises:
        NotSupported: no query, or no key, is shared.
    """
    in_a, in_b = shared(a, b)
    queries, keys = (_by_number(*numbers) for numbers in zip(in_a, in_b, strict=True))
    of_a, of_b = (set(one.marks[0] + one.marks[1]) for one in (a, b))
    lost = len(of_a - of_b), len(of_b - of_a)
    maps = head_map(a, *head_a, special=True), head_map(b, *head_b, special=True)
    return _subtract(*maps, queries, keys, "models", (), lost)


def shared(a: AttentionBlock, b: AttentionBlock) -> tuple[Numbers, Numbers]:
    """The tokens that two models share: those that cover the same characters of the same text.

    A special token is shared if both templates add one with its name.
    """
    queries, keys = (_common(a.marks[side], b.marks[side]) for side in (0, 1))
    return (queries[0], keys[0]), (queries[1], keys[1])


def _subtract(
    a: HeadMap,
    b: HeadMap,
    queries: Pairs,
    keys: Pairs,
    of: str,
    marked: tuple[int, ...],
    left_out: tuple[int, int],
) -> HeadDifference:
    if not queries[0] or not keys[0]:
        raise NotSupported(
            "The two {of} share no token: there is no difference to show.",
            of=of,
        )
    return HeadDifference(
        tuple(a.queries[i] for i in queries[0]),
        tuple(a.keys[j] for j in keys[0]),
        a.weights[np.ix_(queries[0], keys[0])] - b.weights[np.ix_(queries[1], keys[1])],
        marked,
        left_out,
    )


def _by_name(
    a: Sequence[str], b: Sequence[str], rows_a: Sequence[int], rows_b: Sequence[int]
) -> tuple[Pairs, tuple[int, ...]]:
    """The positions of tokens with equal names, and which of them belong to the compared word."""
    same = [a[i] for i in rows_a] == [b[j] for j in rows_b]
    word = dict(zip(rows_a, rows_b, strict=True)) if same else {}
    there: dict[str, list[int]] = defaultdict(list)
    for j, name in enumerate(b):
        if j not in word.values():
            there[name].append(j)
    pairs = dict(word)
    for i, name in enumerate(a):
        if i not in pairs and there[name]:
            pairs[i] = there[name].pop(0)
    own = sorted(pairs)
    return (own, [pairs[i] for i in own]), tuple(own.index(i) for i in word)


def _by_number(a: Sequence[int | None], b: Sequence[int | None]) -> Pairs:
    """The positions of tokens with equal numbers, in the order of the first map."""
    there = {number: j for j, number in enumerate(b)}
    positions = [i for i, number in enumerate(a) if number is not None]
    return positions, [there[a[i]] for i in positions]


def _common(
    a: Sequence[Mark], b: Sequence[Mark]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    of_b = set(b)
    number = {mark: i for i, mark in enumerate(mark for mark in a if mark in of_b)}
    return tuple(map(number.get, a)), tuple(map(number.get, b))
