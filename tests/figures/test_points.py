from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Axis, Picture, Point, scatter

NAN = float("nan")
X, Y = Axis("across", ((-1, "low −1"), (0, "0"))), Axis("up")
PLACES = np.arange(30, dtype=float).reshape(3, 5, 2)  # three points, five depths
STEPS = ("learned", "+ position", "Layer 1", "Layer 2", "Layer 3")


def draw(*shown: Point, **more: Any) -> Picture:
    points = shown or [Point(name, place, "red") for name, place in zip("abc", PLACES, strict=True)]
    asked = {"steps": STEPS, "depth": 2, "x": X, "y": Y, "sentence": "Points.", "name": "points"}
    return scatter(points, **{**asked, **more})


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    header = json.loads(sent[4 : 4 + length], parse_constant=pytest.fail)
    return header, np.frombuffer(sent[4 + length :], "<f4").reshape(-1, len(header["steps"]), 2)


def test_bytes_hold_the_places_point_by_point() -> None:
    header, places = unpacked(draw(guides=[("y", 7), ("x", -2)]))
    np.testing.assert_array_equal(places, PLACES)
    assert header["points"][1] == {"name": "b", "colour": "red", "mark": "circle"}
    assert header["state"]["depth"] == 2
    assert header["x"] == {
        "title": "across",
        "marks": [[-1.0, "low −1"], [0.0, "0"]],
        "guides": [-2.0],
        "bounds": [-2, 28],
    }
    assert header["y"] == {"title": "up", "marks": [], "guides": [7.0], "bounds": [1, 29]}
    assert header["words"] == ["along", "across"]
    assert (header["slider"], header["file"]) == ("After layer", "polysee-points")


def test_the_frame_is_the_same_at_every_depth() -> None:
    assert draw(depth=0).header["x"] == draw(depth=4).header["x"]
    one = Point("one", [[3, 4]] * 5, "red")
    for axis, value in (("x", 3), ("y", 4)):
        low, high = draw(one, x=Axis("x"), y=Axis("y")).header[axis]["bounds"]
        assert low < value < high


def test_a_fixed_point_stays_and_its_other_places_count_for_nothing() -> None:
    moving = np.array(PLACES[0])
    moving[3] = 1000
    header, places = unpacked(draw(Point("a", moving, "red", fixed=True), Point("b", PLACES[1], "red")))
    np.testing.assert_array_equal(places[0], [PLACES[0][0]] * 5)
    assert header["x"]["bounds"][1] == 18
    assert moving[4, 0] == 8  # what was given is left as it was


def test_half_a_place_is_none() -> None:
    gap = np.array(PLACES[0])
    gap[1, 0] = NAN
    _, places = unpacked(draw(Point("a", gap, "red", dashed=True)))
    assert np.isnan(places[0, 1]).all()
    assert np.isfinite(places[0, [0, 2, 3, 4]]).all()


def test_flags_and_names() -> None:
    point = Point("a\x01\ud800", PLACES[0], "red", "ring", bold=True, dashed=True, trail=True)
    (sent,) = unpacked(draw(point))[0]["points"]
    assert sent == {
        "name": "a␁\ufffd",
        "colour": "red",
        "mark": "ring",
        "bold": True,
        "trail": True,
        "dashed": True,
    }


def test_moments_end_a_sentence() -> None:
    assert draw().header["moments"] == (
        "learned",
        "+ position",
        "after Layer 1",
        "after Layer 2",
        "after Layer 3",
    )
    assert draw(moments=list("abcde")).header["moments"] == tuple("abcde")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: scatter([], steps=["a"], depth=0, x=X, y=Y, sentence="", name=""),
        lambda: draw(depth=5),
        lambda: draw(depth=-1),
        lambda: draw(steps=()),
        lambda: draw(steps=STEPS[:4]),
        lambda: draw(moments=["a"]),
        lambda: draw(Point("a", PLACES * NAN, "red")),
        lambda: draw(Point("a", PLACES[0] * NAN, "red")),
        lambda: draw(Point("a", PLACES[0] + np.inf, "red")),
        lambda: draw(Point("a", PLACES[0].T, "red")),
        lambda: draw(x=Axis("x", [(i, str(i)) for i in range(4)])),
        lambda: draw(guides=[("x", NAN)]),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
