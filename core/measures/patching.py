"""Where the difference between two prompts is held, and in which words it shows: from records alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..records.patching import Patching
from ..records.prediction import Expectation, probabilities

# One token holds all of the difference if it brings back the first share or more, and no other more
# than the second, of either sign: where states overshoot both ways, nothing sits in one place.
ALL, OTHERS = 0.9, 0.5
SHARES = 0.1  # from this share on, a token has a part of a difference that none holds alone
_TINY = 1e-30  # in place of a probability that is 0 in float64


class Holder(NamedTuple):
    """The one token whose state brings all of the difference back, at consecutive depths.

    Attributes:
        position: the token.
        first: the first of the depths; 0 is the input of the first layer.
        last: the last of them.
    """

    position: int
    first: int
    last: int


def holders(found: Patching) -> tuple[Holder, ...]:
    """The tokens that hold all of the difference (`ALL`), from the input upwards.

    There are gaps where no token does, or where others matter as well.

    Raises:
        ValueError: the heads were patched, or a row is missing.
    """
    if found.by != "position" or found.done < 1:
        raise ValueError("Only a complete patching by position says where the difference is held.")
    result: list[Holder] = []
    for depth, row in enumerate(found.recovered):
        position = int(np.argmax(row))
        if row[position] < ALL or (np.abs(np.delete(row, position)) > OTHERS).any():
            continue
        before = result[-1] if result else None
        if before is not None and before.position == position and before.last == depth - 1:
            result[-1] = before._replace(last=depth)
        else:
            result.append(Holder(position, depth, depth))
    return tuple(result)


def sharers(found: Patching, start: int, stop: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """The tokens that have a part of the difference between two depths (`SHARES`), and where.

    Args:
        found: patching by position.
        start: the first depth.
        stop: the depth behind the last.

    Returns:
        For each such token its stretches of consecutive depths, (first, last), from the input upwards.
    """
    result: dict[int, tuple[tuple[int, int], ...]] = {}
    for position in range(found.recovered.shape[1]):
        runs: list[tuple[int, int]] = []
        for depth in range(start, stop):
            if not found.recovered[depth, position] >= SHARES:
                continue
            if runs and runs[-1][1] == depth - 1:
                runs[-1] = runs[-1][0], depth
            else:
                runs.append((depth, depth))
        if runs:
            result[position] = tuple(runs)
    return result


def leads_from(found: Patching, position: int, stop: int) -> int:
    """The depth from which on, up to `stop`, no other token brings more back than this one."""
    depth = stop
    while depth and int(np.argmax(found.recovered[depth - 1])) == position:
        depth -= 1
    return depth


def most_apart(
    a: Expectation, b: Expectation, is_word: Callable[[int], bool] = lambda token: True
) -> tuple[int, int] | None:
    """The two tokens in which what follows two prompts differs most, where both may answer the same.

    The one that adds most to the Kullback–Leibler divergence of B from A, p_A · log(p_A / p_B); and
    the other way round.

    Args:
        a: what follows prompt A.
        b: what follows prompt B.
        is_word: whether a token may be named, by its id.

    Returns:
        Their ids, A's first; None if no such token is likelier after one of the prompts.
    """
    of = [probabilities(one.logits, 1.0) for one in (a, b)]
    found = []
    for own, (here, there) in zip((a, b), (of, of[::-1]), strict=True):
        added = {i: here[i] * np.log(here[i] / max(there[i], _TINY)) for i in own.ids if here[i]}
        most = sorted((i for i in added if added[i] > 0), key=added.__getitem__, reverse=True)
        if (best := next(filter(is_word, most), None)) is None:
            return None
        found.append(best)
    return found[0], found[1]


def strongest_heads(found: Patching, count: int) -> tuple[tuple[int, int], ...]:
    """(layer, head) of the heads that bring most back or push most away, the strongest first.

    Raises:
        ValueError: positions were patched.
    """
    if found.by != "head":
        raise ValueError("This patching is by position.")
    size = np.nan_to_num(np.abs(found.recovered), nan=-1.0)
    order = np.argsort(-size, axis=None, kind="stable")[:count]
    layers, heads = np.unravel_index(order, size.shape)
    return tuple(zip(layers.tolist(), heads.tolist(), strict=True))
