"""The fitted lens: its regression against a direct one, its rank, its integers, its file."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from core.errors import ModelBroken
from core.language.lens import FittedLens, Losses, Moments, shipped, stored

N, D, COUNT = 3, 7, 500


def states(seed: int = 0, shift: float = 0.0) -> np.ndarray:
    """(N + 1, L, D): random states; the last are the first ones, mapped, and a little noise."""
    random = np.random.default_rng(seed)
    made = random.normal(size=(N + 1, COUNT, D)) * np.geomspace(0.1, 3, D) + shift
    turn = np.random.default_rng(9).normal(size=(D, D))
    made[-1] = made[0] @ turn + 0.01 * random.normal(size=(COUNT, D)) + 5
    return made.astype(np.float32)


def counted(given: np.ndarray) -> Moments:
    moments = Moments(N, D)
    for part in np.array_split(given, 7, axis=1):
        moments.add(part)
    return moments


def lens(rank: int = D) -> FittedLens:
    moments = counted(states())
    maps = [moments.map(depth, rank) for depth in range(N)]
    losses = Losses(5, *(np.full(N, value, np.float32) for value in (6, 2, 3, 0.1, 0.5, 0.4)))
    return stored(maps, losses, fingerprint="f", fitted_on="a <b>text</b>", tokens=COUNT)


@pytest.mark.parametrize("shift", [0.0, 300.0])
def test_the_map_is_the_ridge_regression_on_all_states_at_once(shift: float) -> None:
    """Also where the states are far from zero, and their squares would hide the variances."""
    given = states(shift=shift)
    own = counted(given).map(1, D, ridge=0.05)
    x, y = given[1].astype(float), given[-1].astype(float)
    x_c, y_c = x - x.mean(0), y - y.mean(0)
    scale = (x_c * y_c).sum(0) / (x_c**2).sum(0)
    penalty = 0.05 * x_c.var(0).mean() * COUNT * np.eye(D)
    matrix = np.linalg.solve(x_c.T @ x_c + penalty, x_c.T @ (y_c - x_c * scale))
    np.testing.assert_allclose(own.scale, scale, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(own.matrix, matrix, rtol=2e-3, atol=2e-3)
    expected = x_c * scale + x_c @ matrix + y.mean(0)
    np.testing.assert_allclose(own.whole(given[1]), expected, rtol=1e-3, atol=1e-2)


def test_a_linear_map_is_found_and_other_states_say_less() -> None:
    given, other = states(), states(1)
    first, second = (counted(given).map(depth, D, ridge=1e-6) for depth in (0, 1))
    target = other[-1]
    assert np.abs(first.whole(other[0]) - target).mean() < 0.05
    assert np.abs(second.whole(other[1]) - target).mean() > 1


def test_the_rank_keeps_the_directions_in_which_the_outputs_vary_most() -> None:
    given = states()
    own = counted(given).map(0, 2)
    assert own.down.shape == own.up.shape == (D, 2)
    outputs = (given[0] - given[0].mean(0)) @ own.matrix
    _, values, right = np.linalg.svd(outputs - outputs.mean(0), full_matrices=False)
    best = outputs @ right[:2].T @ right[:2]
    np.testing.assert_allclose(
        (given[0] - given[0].mean(0)) @ own.down @ own.up.T,
        best,
        atol=1e-2 * values[0] / np.sqrt(COUNT),
    )


def test_integers_lose_little() -> None:
    given, own = states(), lens()
    for depth in range(N):
        whole = counted(given).map(depth, D).whole(given[depth])
        close = np.abs(own.read(depth, given[depth]) - whole).max()
        assert close < 0.02 * np.abs(whole).max()
    assert own.down.dtype == own.up.dtype == np.int8


def test_a_file_is_what_was_written_and_the_same_bytes_each_time() -> None:
    own = lens(3)
    content = own.to_bytes()
    read = FittedLens.from_bytes(content)
    assert content == own.to_bytes() == read.to_bytes()
    assert (read.fingerprint, read.fitted_on, read.tokens) == ("f", "a <b>text</b>", COUNT)
    assert (read.losses.tokens, read.losses.fitted.tolist()) == (5, [3, 3, 3])
    np.testing.assert_array_equal(read.read(1, states()[1]), own.read(1, states()[1]))


def _zipped(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04", _zipped(), _zipped(**{"about.json": b"[]"}), _zipped(**{"about.json": b"{}"})],
)
def test_what_is_no_lens_is_refused(content: bytes) -> None:
    with pytest.raises(ModelBroken, match="no fitted lens"):
        FittedLens.from_bytes(content)


def test_parts_that_do_not_fit_are_refused() -> None:
    own = lens(3)
    with pytest.raises(ValueError, match="do not fit"):
        FittedLens(
            "f", own.scale[:2], own.mean, own.offset, own.down, own.up, own.strength, "", 1, own.losses
        )


def test_nothing_counted_has_no_map() -> None:
    with pytest.raises(ValueError, match="No token"):
        Moments(N, D).map(0)


def test_those_that_ship_are_small_and_much_nearer_than_the_plain_lens() -> None:
    (own,) = shipped()
    assert len(own.to_bytes()) < 5_000_000
    losses = own.losses
    assert own.tokens > 20_000
    assert losses.tokens >= 1_000
    assert (losses.fitted < losses.plain / 3).all()
    assert (losses.fitted < losses.full + 0.3).all()
    late = slice(24, None)
    assert (losses.fitted_same[late] > losses.plain_same[late] + 0.1).all()
