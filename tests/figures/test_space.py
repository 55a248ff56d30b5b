"""Points in three dimensions: their bytes, one scale for all axes, refused arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.figures import (
    Axis,
    GroupedPoints,
    Picture,
    Point,
    cloud_in_space,
    groups_of,
    in_space,
    scatter,
)

PLACES = np.arange(45, dtype=float).reshape(5, 3, 3) ** 1.5  # five points, three depths
TEXTS = [("On the ", "bank", f" {i}.") for i in range(5)]
STEPS = ("learned", "Layer 1", "Layer 2")


def draw(**more: Any) -> Picture:
    asked: dict[str, Any] = {
        "depth": 2,
        "titles": ("x", "y", "z"),
        "sentence": "Points.",
        "name": "cloud",
        **{name: more.pop(name) for name in ("depth", "chosen") if name in more},
    }
    given = {"coordinates": PLACES, "texts": TEXTS, "group_of": [0, 1, 1, 0, 1], **more}
    points = GroupedPoints(**{"groups": groups_of(["a", "b"]), "steps": STEPS, **given})
    return cloud_in_space(points, **asked)


def unpacked(picture: Picture) -> tuple[np.ndarray, np.ndarray]:
    count, depths = len(picture.header["texts"]), len(picture.header["steps"])
    end = 12 * count * depths
    places = np.frombuffer(picture.payload[:end], "<f4").reshape(depths, count, 3)
    return places, np.frombuffer(picture.payload[end:], np.uint8).reshape(-1, count)


def test_bytes_hold_places_depth_by_depth_and_then_the_groups() -> None:
    picture = draw(chosen=3)
    places, groups = unpacked(picture)
    np.testing.assert_array_equal(places, PLACES.swapaxes(0, 1).astype(np.float32))
    assert groups.tolist() == [[0, 1, 1, 0, 1]]
    assert dict(picture.state) == {"depth": 2, "view": None, "chosen": 3}
    assert [*picture.header["names"]] == [*"12345"]  # sentences would lie on each other
    assert (
        draw(texts=TEXTS * 5, coordinates=np.tile(PLACES, (5, 1, 1)), group_of=[0] * 25).header["names"]
        is None
    )
    each = [[0, 1, 1, 0, 1], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    assert unpacked(draw(group_of=each))[1].tolist() == each
    low, high = PLACES.min(axis=(0, 1)), PLACES.max(axis=(0, 1))
    np.testing.assert_allclose(picture.header["middle"], (low + high) / 2, rtol=1e-6)
    np.testing.assert_allclose(picture.header["halves"], (high - low) / 2, rtol=1e-6)


def test_points_in_one_place_have_a_box_with_a_size() -> None:
    assert min(draw(coordinates=np.full_like(PLACES, 7)).header["halves"]) > 0


def test_10_000_sentences_are_no_heavier_than_their_numbers_and_letters() -> None:
    texts = [("a" * 40, "bank", "é" * 10)] * 10_000
    picture = draw(coordinates=np.zeros((10_000, 3, 3)), texts=texts, group_of=np.zeros(10_000))
    assert len(picture.to_bytes()) < 10_000 * (3 * 12 + 1 + 54 + 10 * 6 + 12) + 2_000


@pytest.mark.parametrize(
    "wrong",
    [
        {"coordinates": PLACES[..., :2]},
        {"coordinates": np.full_like(PLACES, np.nan)},
        {"depth": 3},
        {"chosen": 5},
        {"group_of": [0, 1, 2, 0, 1]},
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        draw(**wrong)


def test_named_points_keep_their_looks_and_one_without_a_place_has_none() -> None:
    gone = PLACES[1].copy()
    gone[0] = np.nan
    points = [
        Point("one", PLACES[0], "red", bold=True, trail=True),
        Point("two", gone, "red", "ring"),
        Point("three", PLACES[2], "blue", "left", fixed=True),
    ]
    flat = scatter(
        [replace(point, coordinates=np.asarray(point.coordinates)[:, :2]) for point in points],
        steps=STEPS,
        depth=1,
        x=Axis("x"),
        y=Axis("y"),
        sentence="s",
        name="n",
        play=True,
    )
    picture = in_space(flat, points, ("a", "b", "c"), height=401)
    places, groups = unpacked(picture)
    assert np.isnan(places[0, 1]).all()
    np.testing.assert_array_equal(places[:, 2], np.tile(places[0, 2], (3, 1)))
    header = picture.header
    looks = [header["groups"][group] for group in groups[0]]
    assert [(look["light"], look["mark"]) for look in looks] == [
        ("red", "circle"),
        ("red", "ring"),
        ("blue", "up"),
    ]
    assert (header["bold"], header["trails"], header["play"]) == ((0,), (0,), True)
    assert (picture.height, header["file"], picture.sentence) == (401, "polysee-n", "s")
    assert dict(picture.state) == {"depth": 1, "view": None, "chosen": None}
    with pytest.raises(ValueError, match="three numbers"):
        in_space(flat, [replace(point, coordinates=PLACES[0][:, :2]) for point in points], "abc")
