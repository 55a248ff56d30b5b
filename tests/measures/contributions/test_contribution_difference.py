"""One sentence minus the other: by word, by layer, by head, and by the other parts of a layer."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures import Why
from core.measures.contributions.contribution_difference import apart


def one(
    words: str,
    contributions: list[float],
    own: int,
    heads: tuple[int, int] = (1, 2),
    alone: float = 0.25,
) -> Why:
    """One layer: after it, all contributions are at the compared word. The biases move it by 1."""
    n = len(contributions)
    return Why(
        words=tuple(words.split()),
        tokens=tuple((i,) for i in range(n)),
        own=(own,),
        special=(False,) * n,
        coordinate=alone + sum(contributions) + 1,
        alone=alone,
        by_layer=np.array([contributions, np.eye(n)[own] * (sum(contributions) + 1)]),
        constants=np.array([1.0, 0]),
        error=0,
        attention=np.zeros(n),
        cuts=np.zeros(n),
        by_head=np.arange(np.prod(heads), dtype=np.float32).reshape(heads) + n,
        by_head_own=np.full(heads, 0.25),
    )


A = one("the river the bank", [0.5, 2, 0.25, 1], 3)


def test_words_are_paired_in_order_and_add_up_in_every_layer() -> None:
    b = one("bank of the money", [3, 0.125, 1, -4], 0)
    found = apart(A, b)
    assert found.words == ("the", "river", "the (2)", "bank", "of", "money")  # “the” twice in A
    assert found.where == ("A and B", "A", "A", "A and B", "B", "B")
    assert found.names[1:4] == ("river (A)", "the (2) (A)", "bank")
    assert found.contributions.tolist() == [-0.5, 2, 0.25, -2, -0.125, 4]
    assert found.by_layer[1].tolist() == [0, 0, 0, 4.75 - 1.125, 0, 0]
    assert found.coordinate == 4.75 - 1.125
    assert found.alone == 0
    assert (found.by_layer.sum(axis=1) + found.constants).tolist() == [found.coordinate] * 2
    assert found.error == 0
    assert found.own == 3
    assert found.strongest(3) == (1, 3, 5)
    assert found.strongest(1) == (3,)  # though the fifth differs more


def test_heads_and_parts_are_those_of_a_less_those_of_b() -> None:
    b = one("a longer one : bank", [1, 2, 0.5, 0.25, 4], 4)
    found = apart(A, b)
    assert found.by_head.tolist() == [[-1, -1]]  # 4 and 5, less 5 and 6
    # Heads 9 − 11; the word .5 − .5; past the heads (3.75 − 9.5) − (7.75 − 11.5); constants 1 − 1.
    assert found.parts.tolist() == [[-2, 0, -2, 0]]
    assert found.parts.sum() == found.coordinate == 4.75 - 8.75


def test_two_words_stand_apart_already_alone() -> None:
    found = apart(A, one("a loan", [1, 2], 1, alone=-0.5))
    assert found.alone == 0.75
    assert found.moved == 4.75 - 4
    assert found.coordinate == 5 - 3.5
    assert (found.alone + found.by_layer.sum(axis=1) + found.constants).tolist() == [1.5, 1.5]
    assert found.parts.sum() == found.moved
    assert found.error == 0


def test_heads_of_two_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be subtracted"):
        apart(A, one("bank", [1], 0, (1, 3)))
