"""Trajectories of words: trails among anchors, two planes on one scale, and an animated map."""

from __future__ import annotations

import numpy as np

from core.figures import Picture, style
from core.figures.trajectories.trails import (
    Frame,
    Trajectory,
    alone_in_view,
    before_after,
    map_trajectories,
    sense_trajectories,
    space_trajectories,
)

DEPTHS = 5


def places(seed: int, axes: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(DEPTHS, axes)).astype(np.float32)


ONE, OTHER, THIRD = places(1), places(2), places(3)
OTHER[0] = ONE[0]
TRAJECTORIES = [
    Trajectory("bank in A", "bank", ONE, style.SENTENCE_A, "circle"),
    Trajectory("bank in B", "bank", OTHER, style.SENTENCE_B, "square"),
    Trajectory("river in A", "river", THIRD, style.SENTENCE_A, "ring"),
]
AMONG = Frame({"cash": places(4)}, {"water": places(5), "shore": places(6)}, ("money", "nature"), 0.345)


def read(picture: Picture) -> dict[str, np.ndarray]:
    points = picture.header["points"]
    numbers = np.frombuffer(picture.payload, "<f4").reshape(len(points), -1, 2)
    return {point["name"]: at for point, at in zip(points, numbers, strict=True)}


def test_trails_lead_from_the_first_layer_on() -> None:
    picture = sense_trajectories(TRAJECTORIES, AMONG, depth=3)
    found = read(picture)
    assert set(found) == {
        *("cash", "water", "shore"),
        *("bank in A", "bank in B", "river in A"),
    }
    np.testing.assert_array_equal(found["bank in B"], OTHER)
    assert [*picture.header["steps"]] == [f"Layer {i}" for i in range(1, DEPTHS + 1)]
    assert [p["name"] for p in picture.header["points"] if p.get("trail")] == [
        w.name for w in TRAJECTORIES
    ]
    assert picture.header["play"] is True
    assert picture.header["state"]["depth"] == 3
    # How much of the variance that direction shows stands below the picture.
    assert picture.header["y"]["title"] == "one more direction, in which these words differ most"


def test_two_learned_vectors_of_one_word_are_distinguished() -> None:
    other = TRAJECTORIES[1]._replace(coordinates=OTHER + 1)
    picture = map_trajectories([TRAJECTORIES[0], other], depth=0, x="left", y="up", name="pca")
    assert {"bank in A learned", "bank in B learned"} <= set(read(picture))
    one = map_trajectories(TRAJECTORIES[:2], depth=0, x="left", y="up", name="pca")
    assert "bank learned" in read(one)


def test_before_and_after_have_one_scale_and_dashed_traces() -> None:
    before, after = before_after(TRAJECTORIES, AMONG, depth=4)
    for axis in "xy":
        assert before.header[axis] == after.header[axis]
    assert before.height == after.height
    every = np.concatenate([ONE, OTHER, THIRD, *AMONG.low.values(), *AMONG.high.values()])
    low, high = after.header["x"]["bounds"]
    assert low <= every[:, 0].min()
    assert high >= every[:, 0].max()
    first = read(before)
    assert list(before.header["steps"]) == ["Layer 1"]
    np.testing.assert_array_equal(first["bank in B"], OTHER[:1])
    np.testing.assert_array_equal(first["water"], AMONG.high["water"][:1])
    assert set(first) == {"cash", "water", "shore", *(trajectory.name for trajectory in TRAJECTORIES)}
    moved = [p["name"] for p in after.header["points"] if p.get("dashed")]
    assert moved == [trajectory.name for trajectory in TRAJECTORIES]


def test_a_map_leaves_out_what_has_no_place() -> None:
    bent = ONE.copy()
    bent[0] = np.nan
    picture = map_trajectories(
        [TRAJECTORIES[0]._replace(coordinates=bent)], depth=1, x="left", y="up", name="tsne"
    )
    assert set(read(picture)) == {"bank in A"}
    assert picture.header["file"] == "polysee-tsne"


def test_in_three_dimensions_they_are_the_same_ways_in_a_box() -> None:
    trajectories = [
        trajectory._replace(coordinates=places(7 + i, 3)) for i, trajectory in enumerate(TRAJECTORIES)
    ]
    trajectories[1].coordinates[0] = trajectories[0].coordinates[0]
    picture = space_trajectories(
        trajectories, depth=2, titles=["one", "<b>two", "three"], name="space-pca"
    )
    header = picture.header
    assert header["file"] == "polysee-space-pca"
    assert header["state"]["depth"] == 2
    assert header["play"]
    names = [text[1] for text in header["texts"]]
    numbers = 3 * DEPTHS * len(names)
    found = np.frombuffer(picture.payload[: 4 * numbers], "<f4").reshape(DEPTHS, len(names), 3)
    named = {name: found[:, i] for i, name in enumerate(names)}
    for trajectory in trajectories:
        np.testing.assert_allclose(named[trajectory.name], trajectory.coordinates, atol=1e-6)
        np.testing.assert_allclose(
            named[f"{trajectory.start} learned"], np.tile(trajectory.coordinates[0], (DEPTHS, 1))
        )
    every = np.concatenate([trajectory.coordinates for trajectory in trajectories])
    np.testing.assert_allclose(
        np.subtract(header["middle"], header["halves"]), every.min(axis=0), atol=1e-6
    )
    np.testing.assert_allclose(np.add(header["middle"], header["halves"]), every.max(axis=0), atol=1e-6)
    assert [*header["titles"]] == ["one", "<b>two", "three"]
    assert [*header["words"]] == ["on one", "on <b>two", "on three"]


def test_a_word_alone_far_out_does_not_squash_the_picture() -> None:
    at = ONE.copy()
    at[0, 0] = -50  # as in the first layer of some decoders
    among = Frame(AMONG.low, AMONG.high, AMONG.names, AMONG.share, {"bank": at})
    shown = alone_in_view(among, [one.coordinates for one in TRAJECTORIES])["bank"]
    assert np.isnan(shown[0]).all()
    np.testing.assert_array_equal(shown[1:], ONE[1:])
    picture = sense_trajectories(TRAJECTORIES, among, depth=3)
    assert np.isnan(read(picture)["bank alone"][0]).all()
    for one in (picture, *before_after(TRAJECTORIES, among, depth=3)):
        assert one.header["x"]["bounds"][0] > -20
