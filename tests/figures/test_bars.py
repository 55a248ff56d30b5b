from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Picture, bars, style
from core.figures.bars import Groups

WORDS: Any = {"unit": "probability", "sentence": "Three words.", "name": "next"}
LABELS = (" bank", "##s", "a\x01\ud800")
VALUES, OTHER = [0.5, 0.25, 0.125], [0.0, 1.0, 0.75]
CONTRIBUTIONS = [-3.0, 0.0, 1.5]


def draw(values: Any = VALUES, labels: Any = LABELS, **more: Any) -> Picture:
    return bars(values, labels, **{**WORDS, **more})


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    header = json.loads(sent[4 : 4 + length], parse_constant=pytest.fail)
    return header, np.frombuffer(sent[4 + length :], "<f4")


def test_bytes_hold_the_numbers_and_then_the_others() -> None:
    header, numbers = unpacked(draw())
    np.testing.assert_array_equal(numbers, VALUES)
    assert (header["names"], header["chosen"], header["most"]) == (None, None, None)
    assert (header["kind"], header["unit"], header["notes"]) == ("weights", "probability", [])
    assert header["hue"] == list(style.WEIGHT_HUE)
    assert header["number"] == {"digits": 3, "plus": False}
    assert (header["file"], header["dtype"]) == ("polysee-next", "float32")
    notes = ["", "a\x02", "c"]
    header, numbers = unpacked(draw(other=OTHER, chosen=np.int64(2), notes=notes, most=1, digits=2))
    np.testing.assert_array_equal(numbers, [*VALUES, *OTHER])
    assert (header["names"], header["chosen"], header["most"]) == (["after", "before"], 2, 1.0)
    assert header["notes"] == ["", "a␂", "c"]
    assert header["number"]["digits"] == 2


def test_signed_numbers_are_written_with_their_sign() -> None:
    header, numbers = unpacked(draw(CONTRIBUTIONS, kind="signed", other=[-9, 9, 0]))
    np.testing.assert_array_equal(numbers, [*CONTRIBUTIONS, -9, 9, 0])
    assert header["number"]["plus"] is True
    assert header["signed"]["light"] == [list(colour) for colour in style.SIGNED_ON_LIGHT]
    assert header["signed"]["dark"] == [list(colour) for colour in style.SIGNED_ON_DARK]


def test_labels_show_what_cannot_be_seen() -> None:
    assert draw().header["labels"] == ("␣bank", "·s", "a␁\ufffd")
    blank = draw(labels=("  two words ", " ", "\n")).header["labels"]
    assert blank == ("␣␣two words␣", "(space)", "␊")  # blanks alone, as on every other picture


def test_a_joiner_at_an_end_of_a_label_is_named_and_one_that_joins_is_not() -> None:
    labels = ("👩\u200d", "\u200d", "👩\u200d👧")
    assert draw(labels=labels).header["labels"] == ("👩⟨ZWJ⟩", "⟨ZWJ⟩", "👩\u200d👧")


def test_height_follows_the_rows_up_to_twenty_of_them() -> None:
    heights = [draw([0.5] * n, ["a"] * n).height for n in (1, 7, 20, 21, 500)]
    assert np.diff(heights).tolist() == [6 * 26, 13 * 26, 0, 0]
    assert heights[0] < 110
    assert draw(other=OTHER).height > draw().height
    assert draw(height=300).height == 300
    assert draw().scaled(1.5).height == round(1.5 * draw().height)


def test_rounding_beyond_0_and_1_is_taken_away() -> None:
    _, numbers = unpacked(draw([1.00005, -0.00005, 0.5]))
    np.testing.assert_array_equal(numbers, [1, 0, 0.5])


def test_counts_are_whole_numbers_without_a_sign() -> None:
    header, numbers = unpacked(draw([14, 0, 1_000_000], kind="counts", most=1_000_000))
    np.testing.assert_array_equal(numbers, [14, 0, 1_000_000])
    assert header["number"] == {"digits": 0, "plus": False}
    assert header["fromZero"] is False
    assert draw(CONTRIBUTIONS, kind="signed", from_zero=True).header["fromZero"] is True


def test_amounts_are_numbers_from_0_up_without_a_sign() -> None:
    header, numbers = unpacked(draw([13.7, 0, 2.04], kind="amounts", digits=1))
    np.testing.assert_allclose(numbers, [13.7, 0, 2.04], rtol=1e-6)
    assert header["number"] == {"digits": 1, "plus": False}
    assert header["kind"] == "amounts"


def test_groups_and_the_labels_beside_are_sent_where_there_are_any() -> None:
    groups = Groups(["wild", "other"], ["#1F83D6", "#7C828A"], [0, 1, 0])
    header, _ = unpacked(draw(groups=groups, beside=[" a"]))
    assert header["groups"] == {
        "names": ["wild", "other"],
        "colours": ["#1F83D6", "#7C828A"],
        "of": [0, 1, 0],
    }
    assert header["beside"] == ["␣a"]
    assert not {"groups", "beside"} & {*draw().header}
    assert header["height"] > draw().header["height"]  # the legend


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: draw([], []),
        lambda: draw([], LABELS),
        lambda: draw([0.5]),
        lambda: draw(VALUES, LABELS[:2]),
        lambda: draw([VALUES]),
        lambda: draw([0.5, np.nan, 0.5]),
        lambda: draw([0.5, np.inf, 0.5], kind="signed"),
        lambda: draw([0.5, 1.01, 0.5]),
        lambda: draw(CONTRIBUTIONS),
        lambda: draw(other=OTHER[:2]),
        lambda: draw(other=[0.5, np.nan, 0.5]),
        lambda: draw(other=CONTRIBUTIONS),
        lambda: draw(notes=["a", "b"]),
        lambda: draw(chosen=3),
        lambda: draw(chosen=-1),
        lambda: draw(most=0),
        lambda: draw(most=np.inf),
        lambda: draw(most=np.nan),
        lambda: draw(kind="other"),
        lambda: draw([1, 0.5, 2], kind="counts"),
        lambda: draw([1, -0.5, 2], kind="amounts"),
        lambda: draw([1, -1, 2], kind="counts"),
        lambda: draw(groups=Groups(["one"], ["#000000"], [0, 0])),
        lambda: draw(groups=Groups(["one"], ["#000000"], [0, 1, 0])),
        lambda: draw(groups=Groups(["one"], [], [0, 0, 0])),
        lambda: draw(other=OTHER, groups=Groups(["one"], ["#000000"], [0, 0, 0])),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
