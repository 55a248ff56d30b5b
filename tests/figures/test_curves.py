from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Band, Line, Picture, StepAxis, ValueAxis, lines, style
from core.figures.curves import counted

NAN = float("nan")
WORDS: Any = {"sentence": "Two curves.", "name": "curves"}
UPWARDS = {"guides", "bounds", "log", "unit"}  # what is asked of the axis of numbers
ONE, OTHER = [0.5, NAN, 0.25], [0.5, -1.5, 2.0]


def draw(*shown: Line, steps: int = 3, ticks: str = "abc", **more: Any) -> Picture:
    """Two lines over three steps: swapped axes cannot pass."""
    given = shown or (Line("one", ONE, "#123456"), Line("other", OTHER, "red", "square", "o 2"))
    x = StepAxis([f"Step {i}" for i in range(steps)], list(ticks[:steps]), "after")
    y = ValueAxis(**{name: more.pop(name) for name in UPWARDS & set(more)})
    return lines(given, x, y, **WORDS, **more)


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    header = json.loads(sent[4 : 4 + length], parse_constant=pytest.fail)
    return header, np.frombuffer(sent[4 + length :], "<f4").reshape(-1, len(header["steps"]))


def test_bytes_hold_the_numbers_gaps_included_line_by_line() -> None:
    header, numbers = unpacked(draw(guides=[(1, "up")], start=None))
    np.testing.assert_array_equal(numbers, np.array([ONE, OTHER], np.float32))
    assert header["lines"] == [
        {"name": "one", "label": "one", "colour": "#123456", "mark": "circle"},
        {"name": "other", "label": "o 2", "colour": "red", "mark": "square"},
    ]
    assert header["guides"] == [[1.0, "up"]]
    assert (header["start"], header["band"]) == (None, None)
    assert header["number"] == {"digits": 3, "plus": False}
    assert (header["file"], header["height"], header["dtype"]) == ("polysee-curves", 330, "float32")


def test_a_band_follows_the_lines() -> None:
    band = Band([-3, NAN, 0], [0, NAN, 1], "most")
    header, numbers = unpacked(draw(band=band))
    np.testing.assert_array_equal(numbers[2:], np.array([band.low, band.high], np.float32))
    assert header["band"] == "most"
    assert header["bounds"] == [-3, 2]


def test_bounds_hold_all_that_is_drawn() -> None:
    assert draw().header["bounds"] == (-1.5, 2)
    assert draw(bounds=(-2, 1)).header["bounds"] == (-2, 2)  # nothing is cut off
    assert draw(guides=[(5, "far")]).header["bounds"] == (-1.5, 5)
    low, high = draw(Line("flat", [1, 1, 1], "red")).header["bounds"]
    assert low < 1 < high


def test_a_common_start_is_named_in_grey() -> None:
    header, _ = unpacked(draw(start="learned"))
    assert (header["start"], header["startColour"]) == ("learned", style.LEARNED)
    nearly = Line("other", [0.5004, 1, 1], "red")
    assert draw(Line("one", ONE, "red"), nearly, start="s").header["start"] == "s"
    gap = Line("other", [NAN, 1, 1], "red")
    assert draw(Line("one", ONE, "red"), gap, start="s").header["start"] == "s"


def test_names_show_what_cannot_be_seen() -> None:
    header, _ = unpacked(
        draw(Line("a\x01\ud800", ONE, "red", label="\x02"), Line("", OTHER, "red", label=""))
    )
    assert [line["name"] for line in header["lines"]] == ["a␁\ufffd", "(empty)"]
    assert [line["label"] for line in header["lines"]] == ["␂", ""]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: lines([], StepAxis(["a"], ["a"], "after"), **WORDS),
        lambda: draw(Line("none", [NAN] * 3, "red")),
        lambda: draw(Line("short", [1, 2], "red")),
        lambda: draw(Line("square", [[1, 2, 3]], "red")),
        lambda: draw(Line("endless", [1, np.inf, 3], "red")),
        lambda: draw(ticks="ab"),
        lambda: draw(Line("one", [], "red"), steps=0),
        lambda: draw(Line("a", [0, 1, 1], "red"), Line("b", [0.1, 1, 1], "red"), start="no"),
        lambda: draw(Line("a", [NAN, 1, 1], "red"), start="no"),
        lambda: draw(band=Band([0, 2, 0], [1, 1, 1], "upside down")),
        lambda: draw(band=Band([0, 0], [1, 1], "short")),
        lambda: draw(bounds=(NAN, 1)),
        lambda: draw(guides=[(np.inf, "far")]),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()


def test_a_logarithmic_scale_sends_exponents() -> None:
    tiny = Line("tiny", [1, 1e-60, NAN], "red")  # 0 in float32
    band = Band([0.1, 1, NAN], [10, 100, NAN], "range")
    guides = [(1, "1"), (1e-3, "10⁻³")]
    header, numbers = unpacked(draw(tiny, log=True, guides=guides, bounds=(1e-70, 1), band=band))
    np.testing.assert_allclose(numbers, [[0, -60, NAN], [-1, 0, NAN], [1, 2, NAN]])
    assert header["log"] is True
    np.testing.assert_allclose([at for at, _ in header["guides"]], [0, -3])
    np.testing.assert_allclose(header["bounds"], [-70, 2])
    assert draw().header["log"] is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"shown": Line("zero", [0, 1, 2], "red")},
        {"shown": Line("below", [-1, 1, 2], "red")},
        {"shown": Line("infinite", [1, 1, float("inf")], "red")},
        {"guides": [(0, "0")]},
        {"bounds": (0, 1)},
    ],
)
def test_what_has_no_logarithm_is_refused(wrong: dict[str, Any]) -> None:
    shown = wrong.pop("shown", Line("one", [1, 2, 3], "red"))
    with pytest.raises(ValueError, match=r"above 0|finite"):
        draw(shown, log=True, **wrong)


@pytest.mark.parametrize(
    ("most", "but", "at"),
    [
        (1, (), [0, 1]),
        (13, (), [0, 5, 10]),
        (50, (10,), [0, 20, 30, 40, 50]),
        (25_000, (), [0, 5_000, 10_000, 15_000, 20_000, 25_000]),
    ],
)
def test_counts_have_guides_at_round_numbers(most: int, but: tuple[int, ...], at: list[int]) -> None:
    guides = counted(most, but=but)
    assert [value for value, _ in guides] == at
    assert [text for _, text in guides] == [f"{value:,}" for value in at]


def test_the_unit_is_told() -> None:
    assert unpacked(draw())[0]["unit"] == ""
    assert unpacked(draw(unit="steps"))[0]["unit"] == "steps"
