"""One word in many sentences: maps that preserve distances, nearest-centroid accuracy, neighbours."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.errors import NotSupported
from core.examples import labelled
from core.measures import WordPath, sense_accuracy
from core.measures.senses.occurrences import (
    MOST_LABELS,
    MOST_MAPPED,
    Occurrences,
    maps,
    nearest,
    nearest_centroid_accuracy,
    neighbour_maps,
    scorable,
    some,
)
from core.records.trace import frozen


def made(hidden: np.ndarray, learned: np.ndarray | None = None) -> Occurrences:
    n = len(hidden)
    return Occurrences(np.ones((n, 3)) if learned is None else learned, hidden, tuple(range(n)))


def test_a_map_of_points_in_a_plane_keeps_their_distances() -> None:
    random = np.random.default_rng(2)
    flat = random.normal(size=(7, 2))
    into = np.linalg.qr(random.normal(size=(5, 5)))[0][:2]
    turned = flat @ [[0, -1], [1, 0]]
    places, shares = maps(made(np.stack([flat @ into, turned @ into], axis=1)))
    assert places.shape == (7, 3, 2)
    assert not places[:, 0].any()  # the learned vectors are one and the same
    assert shares.tolist() == pytest.approx([0, 1, 1])
    for depth in (1, 2):
        got = np.linalg.norm(places[:, depth, None] - places[None, :, depth], axis=-1)
        want = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
        np.testing.assert_allclose(got, want, atol=1e-5)
    # The second depth is the first one, rotated: its map has the same positions.
    np.testing.assert_allclose(places[:, 2], places[:, 1], atol=1e-5)


def test_a_map_in_space_keeps_the_distances_of_points_in_space() -> None:
    random = np.random.default_rng(5)
    solid = random.normal(size=(7, 3))
    into = np.linalg.qr(random.normal(size=(11, 11)))[0][:3]
    places, shares = maps(made(np.stack([solid @ into, solid[:, ::-1] @ into], axis=1)), 3)
    assert places.shape == (7, 3, 3)
    assert shares.tolist() == pytest.approx([0, 1, 1])
    want = np.linalg.norm(solid[:, None] - solid[None], axis=-1)
    for depth in (1, 2):
        got = np.linalg.norm(places[:, depth, None] - places[None, :, depth], axis=-1)
        np.testing.assert_allclose(got, want, atol=1e-5)
    np.testing.assert_allclose(places[:, 2], places[:, 1], atol=1e-5)
    few, _ = maps(made(np.array([[[3.0, 0, 0]], [[0.0, 4, 0]]])), 3)  # a line is enough for two
    assert np.linalg.norm(few[0, 1] - few[1, 1]) == pytest.approx(5)


def test_two_points_have_a_map_and_one_has_none() -> None:
    places, _ = maps(made(np.array([[[3.0, 0, 0]], [[0.0, 4, 0]]])))
    assert np.linalg.norm(places[0, 1] - places[1, 1]) == pytest.approx(5)
    with pytest.raises(core.NotSupported, match="at least two occurrences"):
        maps(made(np.ones((1, 1, 3))))


def test_nearest_centroid_accuracy_is_sense_accuracy() -> None:
    random = np.random.default_rng(3)
    hidden = random.normal(size=(11, 2, 5))
    labels = ["a", "b", "a", "b", "b", "a", "c", "c", "a", "b", "c"]
    for i, label in enumerate(labels):
        hidden[i, 1, "abc".index(label)] += 2
    found = made(hidden, np.tile(random.normal(size=3), (11, 1)))
    groups = {
        name: [
            WordPath((frozen(found.learned[i]), *map(frozen, hidden[i])), 1)
            for i, label in enumerate(labels)
            if label == name
        ]
        for name in "abc"
    }
    np.testing.assert_allclose(
        nearest_centroid_accuracy(found, labels), sense_accuracy(groups), atol=1e-6
    )
    assert nearest_centroid_accuracy(found, labels)[0] == pytest.approx(
        1 / 3
    )  # one vector for all: a guess
    for few in (["a"] * 11, ["a"] * 10 + ["b"]):
        with pytest.raises(core.NotSupported, match="two sentences each"):
            nearest_centroid_accuracy(found, few)


def test_nearest_by_cosine() -> None:
    hidden = np.array([[[1.0, 0]], [[2.0, 2]], [[0.0, 3]], [[5.0, 0.1]]])
    found = nearest(made(hidden), 0, 1)
    assert [i for i, _ in found] == [3, 1, 2]
    assert found[1][1] == pytest.approx(0.5**0.5)
    assert [value for _, value in nearest(made(hidden), 2, 0)] == pytest.approx([1, 1, 1])


def test_bank_on_minilm(minilm: core.Model) -> None:
    sentences = labelled("bank")
    vectors = list(minilm.vectors([one.text for one in sentences], "bank"))
    found = Occurrences(
        np.stack([one.learned for one in vectors]),
        np.stack([one.hidden for one in vectors]),
        tuple(one.text for one in vectors),
    )
    accuracy = nearest_centroid_accuracy(found, [sentences[i].sense for i in found.texts])
    assert accuracy[0] == 0.5
    assert accuracy[-1] >= 0.9


def test_maps_of_many_points_are_those_of_few() -> None:
    """Whichever of the two matrices is smaller, the result equals the singular value decomposition."""
    random = np.random.default_rng(5)
    for n, d in ((31, 7), (7, 31)):
        x = random.normal(size=(n, 1, d)) * np.geomspace(1, 9, d)
        places, shares = maps(made(x.astype(np.float32)))
        left, sizes, _ = np.linalg.svd(x[:, 0] - x[:, 0].mean(axis=0), full_matrices=False)
        np.testing.assert_allclose(np.abs(places[:, 1]), np.abs(left * sizes)[:, :2], atol=2e-4)
        assert shares[1] == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum(), abs=1e-5)


def test_only_labels_of_two_sentences_can_be_told() -> None:
    which = scorable(["a", "", "b", "a", "c", "b"])
    assert which is not None
    assert which.tolist() == [True, False, True, True, False, True]
    found = some(made(np.arange(12.0).reshape(6, 1, 2)), which)
    assert found.texts == (0, 2, 3, 5)
    assert found.hidden[:, 0, 0].tolist() == [0, 4, 6, 10]
    assert scorable(["a", "a", "b", ""]) is None
    assert scorable([str(i // 2) for i in range(2 * MOST_LABELS)]) is not None
    assert scorable([str(i // 2) for i in range(2 * MOST_LABELS + 2)]) is None


def test_the_nearest_few_of_many() -> None:
    angles = np.deg2rad([0, 40, 10, 90, 20])
    hidden = np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None] * [
        [[3]],
        [[1]],
        [[7]],
        [[2]],
        [[5]],
    ]
    found = nearest(made(hidden), 0, 1, 3)
    assert [i for i, _ in found] == [2, 4, 1]
    assert [value for _, value in found] == pytest.approx(np.cos(np.deg2rad([10, 20, 40])))
    assert nearest(made(np.zeros((3, 1, 2))), 0, 1) == ((1, 0.0), (2, 0.0))


def test_a_map_of_neighbours_keeps_bundles_and_turns_to_the_one_before() -> None:
    random = np.random.default_rng(5)
    middles = np.repeat([[9.0] * 5, [-9.0] * 5], 8, axis=0)
    hidden = np.stack([middles + random.normal(size=(16, 5)) for _ in range(3)], axis=1)
    hidden[1] = hidden[0]  # two places with one vector
    asked: list[np.ndarray] = []

    def how(points: np.ndarray) -> np.ndarray:
        asked.append(points)
        turn = [[0, -1], [1, 0]] if len(asked) % 2 else [[1, 0], [0, 1]]  # any map may come turned
        return points[:, :2] @ np.array(turn)

    places = neighbour_maps(made(hidden), how)
    assert [len(points) for points in asked] == [15, 15, 15]  # each vector once; the learned ones never
    assert places.shape == (16, 4, 2)
    assert not places[:, 0].any()
    np.testing.assert_array_equal(places[0], places[1])
    for depth in (1, 2, 3):
        ends = places[:8, depth].mean(axis=0), places[8:, depth].mean(axis=0)
        assert np.linalg.norm(ends[0] - ends[1]) > 20
        assert ends[0] @ places[:8, 1].mean(axis=0) > 0  # it lies as before
    with pytest.raises(NotSupported, match="at least 7 different"):
        neighbour_maps(made(hidden[:6]), how)
    with pytest.raises(NotSupported, match="too long: at most 500"):
        neighbour_maps(made(np.zeros((MOST_MAPPED + 1, 1, 2))), how)
