"""Table 1 of Vaswani et al. by hand, and the steps between words."""

from __future__ import annotations

import pytest

from core.walkthroughs.reach import WINDOWS, layer_costs, steps_from


def test_table_1_by_hand() -> None:
    found = {one.name: one for one in layer_costs(n=7, d=5, kernel=3, window=2)}
    assert [(one.operations, one.sequential, one.path) for one in found.values()] == [
        (7 * 7 * 5, 1, 1),
        (7 * 25, 7, 6),  # six steps between seven tokens
        (3 * 7 * 25, 1, 2),  # 3² ≥ 7
        (5 * 7 * 5, 1, 3),  # two tokens on each side and the token itself; 6 / 2 layers
    ]
    assert [one.published for one in found.values()] == [
        ("n^2 d", "1", "1"),
        ("n d^2", "n", "n"),
        ("k n d^2", "1", r"\log_k n"),
        ("r n d", "1", "n/r"),
    ]


@pytest.mark.parametrize(("n", "window"), [(2, 1), (7, 2), (14, 4), (14, 30), (13, 4), (199, 7)])
def test_the_longest_path_is_the_longest_of_the_steps_with_one_meaning_of_r(
    n: int, window: int
) -> None:
    attention, recurrent, _, restricted = layer_costs(n, 5, 3, window)
    steps = steps_from(0, n, window)
    assert attention.path == steps.attention.max()
    assert recurrent.path == steps.recurrent.max()
    assert restricted.path == steps.restricted.max()
    attended = min(2 * window + 1, n)
    assert restricted.operations == attended * n * 5


@pytest.mark.parametrize(("n", "path"), [(1, 0), (3, 1), (4, 2), (9, 2), (10, 3), (27, 3), (243, 5)])
def test_the_path_through_convolutions(n: int, path: int) -> None:
    assert layer_costs(n, 1, 3, 1)[2].path == path  # 3 to this power is the first that reaches n


@pytest.mark.parametrize("d", [1, 5, 512])
def test_attention_and_recurrence_cost_the_same_where_n_is_d(d: int) -> None:
    attention, recurrent, *_ = layer_costs(d, d, 3, 4)
    assert attention.operations == recurrent.operations == d**3


def test_steps_by_hand() -> None:
    steps = steps_from(2, 7, 3)
    assert steps.attention.tolist() == [1, 1, 0, 1, 1, 1, 1]
    assert steps.recurrent.tolist() == [2, 1, 0, 1, 2, 3, 4]
    assert steps.restricted.tolist() == [1, 1, 0, 1, 1, 1, 2]


def test_what_cannot_be() -> None:
    for sizes in ((0, 1, 2, 1), (1, 0, 2, 1), (1, 1, 1, 1), (1, 1, 2, 0)):
        with pytest.raises(ValueError, match="No layer"):
            layer_costs(*sizes)
    for token, n, window in ((-1, 3, 1), (3, 3, 1), (0, 3, 0)):
        with pytest.raises(ValueError, match="no token"):
            steps_from(token, n, window)


def test_windows_grow() -> None:
    assert [one.tokens for one in WINDOWS] == sorted(one.tokens for one in WINDOWS)
    assert WINDOWS[0].tokens == 512


def test_a_window_beyond_the_text_costs_what_the_whole_text_costs() -> None:
    costs = {one.name: one for one in layer_costs(14, 512, 3, 512)}
    full, restricted = costs["self-attention"], costs["restricted self-attention"]
    assert restricted.operations == full.operations == 14 * 14 * 512
