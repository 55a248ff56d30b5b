"""Two maps of attention, one less the other, for the tokens that both have.

Which tokens are the same is asked in two ways. Two models read one text: a token is the same where it
is the same characters, however it is called. One model reads two texts: it is the same where it is
called the same, wherever it stands. All else is one and the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...deprecated import field
from ...errors import NotSupported
from ...records.trace import Array, Record
from .blocks import AttentionBlock, Mark
from .heads import HeadMap, head_map

# Of each query and each key, its number among those that both have; None of one that the other lacks.
Numbers = tuple[tuple[int | None, ...], tuple[int | None, ...]]
# The positions of what both have, in the one and in the other.
Pairs = tuple[list[int], list[int]]


@dataclass(frozen=True, eq=False)
class HeadDifference(Record):
    """Which token attends to which, in one map less in another, for the tokens that both have.

    Attributes:
        queries: the shared query tokens, in the order and by the names of the first.
        keys: the shared tokens that are attended to.
        values: (queries, keys) float32, −1 to 1: weight in the first less weight in the second. A row
            need not add up to 0: what it spends on tokens that are not shared is not seen. A row that
            one of the two misses is missing: NaN.
        marked: which rows are those of the word that was asked for.
        left_out: how many tokens of each the other does not have.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    values: Array
    marked: tuple[int, ...] = ()
    left_out: tuple[int, int] = (0, 0)

    tokens = field("tokens", "queries")

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
    """A head of one text less the same of another, token by token.

    A token that stands several times is paired in order: the first with the first, the second with the
    second. The word that the two texts are compared by is paired with itself, wherever it stands.

    Args:
        a: a head of the first text; its rows and columns are the same tokens.
        b: the same of the second.
        rows_a: the word's rows in `a`; may be empty.
        rows_b: its rows in `b`. Paired with `rows_a` if both have the same tokens.
        names: by what the tokens of each are known; by their labels if not said.

    Raises:
        NotSupported: the texts share no token.
    """
    names_a, names_b = (a.queries, b.queries) if names is None else names
    pairs, marked = _by_name(names_a, names_b, rows_a, rows_b)
    lost = len(names_a) - len(pairs[0]), len(names_b) - len(pairs[1])
    return _less(a, b, pairs, pairs, "texts", marked, lost)


def block_difference(
    a: AttentionBlock,
    b: AttentionBlock,
    *,
    head_a: tuple[int | None, int | None],
    head_b: tuple[int | None, int | None],
) -> HeadDifference:
    """The weights of a head of one model less those of a head of another, where their tokens agree.

    Args:
        a: an attention block of the first model, with all the tokens that are shown.
        b: the like of the second, on the same text.
        head_a: layer and head, from 0; None for the mean over all of them.
        head_b: the same in the second model.

    Raises:
        NotSupported: no query, or no key, is shared.
    """
    in_a, in_b = shared(a, b)
    queries, keys = (_by_number(*numbers) for numbers in zip(in_a, in_b, strict=True))
    of_a, of_b = (set(one.marks[0] + one.marks[1]) for one in (a, b))
    lost = len(of_a - of_b), len(of_b - of_a)
    maps = head_map(a, *head_a, special=True), head_map(b, *head_b, special=True)
    return _less(*maps, queries, keys, "models", (), lost)


def shared(a: AttentionBlock, b: AttentionBlock) -> tuple[Numbers, Numbers]:
    """The tokens that two models have in common: the same characters of the same text.

    A special token is in common where both templates add one of that name.
    """
    queries, keys = (_common(a.marks[side], b.marks[side]) for side in (0, 1))
    return (queries[0], keys[0]), (queries[1], keys[1])


def _less(
    a: HeadMap,
    b: HeadMap,
    queries: Pairs,
    keys: Pairs,
    of: str,
    marked: tuple[int, ...],
    left_out: tuple[int, int],
) -> HeadDifference:
    if not queries[0] or not keys[0]:
        raise NotSupported(f"The two {of} share no token: there is no difference to show.")
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
    """The positions of what is called the same, and which of them are those of the word."""
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
    """The positions of what has the same number, in the order of the first."""
    there = {number: j for j, number in enumerate(b)}
    positions = [i for i, number in enumerate(a) if number is not None]
    return positions, [there[a[i]] for i in positions]


def _common(
    a: Sequence[Mark], b: Sequence[Mark]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    of_b = set(b)
    number = {mark: i for i, mark in enumerate(mark for mark in a if mark in of_b)}
    return tuple(map(number.get, a)), tuple(map(number.get, b))
