from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import MOST_GROUPS, GroupedPoints, Picture, cloud, groups_of, style

PLACES = np.arange(30, dtype=float).reshape(5, 3, 2)  # five points, three depths
TEXTS = [("On the ", "bank", f" {i}.") for i in range(5)]
STEPS = ("learned", "Layer 1", "Layer 2")
GROUPS = groups_of(["a", "b"])


def draw(**more: Any) -> Picture:
    depth = more.pop("depth", 2)
    given = {"coordinates": PLACES, "texts": TEXTS, "group_of": [0, 1, 1, 0, 1], **more}
    points = GroupedPoints(**{"groups": GROUPS, "steps": STEPS, **given})
    words = ("along", "up")
    return cloud(points, depth=depth, titles=("x", "y"), words=words, sentence="Points.", name="cloud")


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    header = json.loads(sent[4 : 4 + length], parse_constant=pytest.fail)
    count, depths = len(header["texts"]), len(header["steps"])
    end = 4 + length + 8 * count * depths
    places = np.frombuffer(sent[4 + length : end], "<f4").reshape(depths, count, 2)
    return header, places, np.frombuffer(sent[end:], np.uint8).reshape(-1, count)


def test_bytes_hold_places_depth_by_depth_and_then_the_groups() -> None:
    header, places, groups = unpacked(draw().choosing({"depth": 2, "chosen": 3}))
    np.testing.assert_array_equal(places, PLACES.swapaxes(0, 1))
    assert groups.tolist() == [[0, 1, 1, 0, 1]]
    assert header["state"] == {"depth": 2, "chosen": 3}
    assert header["x"]["bounds"] == [0, 28]
    assert header["y"]["bounds"] == [1, 29]
    assert header["texts"][4] == ["On the ", "bank", " 4."]
    assert header["moments"] == ["learned", "after Layer 1", "after Layer 2"]
    assert header["names"][4] == "5. On the bank 4."
    each = [[0, 1, 1, 0, 1], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    assert unpacked(draw(group_of=each))[2].tolist() == each


def test_groups_differ_in_colour_and_mark_and_a_ninth_is_grey() -> None:
    groups = groups_of([f"label {i}" for i in range(MOST_GROUPS)] + ["3 other labels"])
    first = groups[:MOST_GROUPS]
    for what in ("light", "dark", "mark"):
        assert len({getattr(group, what) for group in first}) == MOST_GROUPS
    assert (groups[-1].name, groups[-1].light) == ("3 other labels", style.LEARNED)


def test_a_map_of_10_000_sentences_is_no_heavier_than_its_numbers_and_sentences() -> None:
    texts = [("a" * 40, "bank", "é" * 10)] * 10_000
    picture = draw(
        coordinates=np.zeros((10_000, 3, 2)), texts=texts, group_of=np.zeros(10_000), steps=STEPS
    )
    assert len(picture.to_bytes()) < 10_000 * (3 * 8 + 1 + 54 + 10 * 6 + 12) + 2_000
    assert picture.header["names"] is None


def test_what_is_too_long_is_cut_and_what_is_not_seen_is_shown() -> None:
    header, *_ = unpacked(
        draw(texts=[("b" * 2000, "bank", "x"), ("\x07", "bank", "\ud800"), *TEXTS[2:]])
    )
    assert header["texts"][0] == ["b" * 1000 + "…", "", ""]
    assert header["texts"][1] == ["␇", "bank", "\ufffd"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"coordinates": PLACES[:, :2]},
        {"coordinates": np.full_like(PLACES, np.nan)},
        {"texts": [], "coordinates": np.zeros((0, 3, 2)), "group_of": []},
        {"depth": 3},
        {"group_of": [0, 1, 2, 0, 1]},
        {"group_of": [0, 1]},
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        draw(**wrong)
