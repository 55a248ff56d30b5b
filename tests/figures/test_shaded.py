"""A shaded text: its numbers, its scale, how pieces are spelled; what cannot be drawn is refused."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Picture, labelled_text, shaded_text, style

PIECES = (" When", " Mary", "\n", "said", " ", "a\x01\ud800")
BITS = [np.nan, 8.0, 4.0, 0.0, 1.0, 12.0]
WORDS: Any = {"unit": "bits", "sentence": "Six pieces.", "name": "surprise"}


def draw(values: Any = BITS, pieces: Any = PIECES, **more: Any) -> Picture:
    return shaded_text(pieces, values, **{**WORDS, **more})


def unpacked(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    sent = picture.to_bytes()
    (length,) = struct.unpack_from("<I", sent)
    header = json.loads(sent[4 : 4 + length], parse_constant=pytest.fail)
    return header, np.frombuffer(sent[4 + length :], "<f4")


def test_bytes_hold_the_numbers_also_where_one_is_missing() -> None:
    header, numbers = unpacked(draw())
    np.testing.assert_array_equal(numbers, BITS)
    assert (header["unit"], header["notes"], header["chosen"]) == ("bits", [], None)
    assert (header["firstWritten"], header["file"]) == (None, "polysee-surprise")
    notes = ["", "it expected\x02", "", "", "", ""]
    header, _ = unpacked(draw(notes=notes, first_written=np.int64(2), chosen=np.int64(5)))
    assert (header["notes"][1], header["firstWritten"], header["chosen"]) == ("it expected␂", 2, 5)
    assert draw(first_written=0).header["firstWritten"] == 0
    assert draw(first_written=6).header["firstWritten"] is None  # the model has written nothing yet


def test_weights_are_shaded_from_zero_to_their_end() -> None:
    scale = draw().header["scale"]
    assert (scale["kind"], scale["most"], scale["notes"]) == ("weights", 12.0, ())
    assert (scale["hue"], scale["title"]) == (style.WEIGHT_HUE, "bits")
    scale = draw(most=6, title="surprise in bits").header["scale"]
    assert (scale["most"], scale["title"]) == (6.0, "surprise in bits")
    assert scale["notes"] == ("2 numbers beyond 6 drawn in the strongest colour",)
    assert draw([np.nan] * 6).header["scale"]["most"] == 1.0
    assert draw(np.zeros(6)).header["scale"]["most"] == 1.0


def test_signed_numbers_are_shaded_as_far_on_both_sides() -> None:
    header = draw([-3, 0, 1, np.nan, 2, -0.5], kind="signed").header
    assert (header["scale"]["kind"], header["scale"]["bound"]) == ("signed", 3.0)
    assert header["number"]["plus"] is True
    scale = draw([-3, 0, 1, np.nan, 2, -0.5], kind="signed", most=2).header["scale"]
    assert (scale["bound"], len(scale["notes"])) == (2.0, 1)


def test_pieces_are_spelled_as_in_the_text_and_named_by_what_can_be_seen() -> None:
    header = draw().header
    assert header["pieces"] == (" When", " Mary", "\n", "said", " ", "a␁\ufffd")
    assert header["labels"] == ("␣When", "␣Mary", "↵", "said", "␣", "a␁\ufffd")
    odd = ("", "\r\n", "\n\n  x", "\t", "👩\u200d", "##", "<b>", " two words ")
    header = draw(np.ones(8), odd).header
    assert header["pieces"] == (
        *("(empty)", "\n", "\n\n  x", "␉", "👩⟨ZWJ⟩", "##", "<b>", " two words "),
    )
    assert header["labels"] == (*("(empty)", "↵", "↵↵␣␣x", "␉", "👩⟨ZWJ⟩", "##", "<b>", "␣two words␣"),)


def test_each_piece_says_where_it_runs_and_so_does_the_text() -> None:
    pieces = ("הבית", " נמצא", " the", " 12", " ١٢", ",", "河边", " ")
    header = draw(np.ones(8), pieces).header
    assert (header["sides"], header["left"]) == ("rrlddnln", True)
    assert draw().header["left"] is False


def test_height_is_about_that_of_its_lines() -> None:
    heights = [draw(np.ones(n), [" word"] * n).height for n in (1, 60, 120, 600, 6000)]
    assert heights == sorted(heights)
    assert heights[0] < heights[1] < heights[2]
    assert heights[3] == heights[4]
    assert draw(np.ones(6), ["a\n"] * 6).height > heights[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: draw([], []),
        lambda: draw(BITS[:2]),
        lambda: draw([BITS]),
        lambda: draw([np.inf] * 6),
        lambda: draw([-1.0] * 6),
        lambda: draw(notes=["a"]),
        lambda: draw(chosen=6),
        lambda: draw(chosen=-1),
        lambda: draw(first_written=7),
        lambda: draw(first_written=-1),
        lambda: draw(most=0),
        lambda: draw(most=np.nan),
        lambda: draw(most=-1, kind="signed"),
        lambda: draw(kind="counts"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()


def test_a_text_of_kinds() -> None:
    names = ["template", "own", "system", "user", "assistant"]
    picture = labelled_text(
        ["<|a|>", "user", "\n", " Hi"], [0, 0, 0, 3], names, unit="written by", sentence="s", name="n",
        framed=[0], frame="special", first_written=3,
    )  # fmt: skip
    scale = picture.header["scale"]
    assert [*scale["names"]] == ["template", "user"]
    assert len(scale["light"]) == len(scale["dark"]) == 2
    assert ([*scale["framed"]], picture.header["firstWritten"]) == ([0], 3)
    assert np.frombuffer(picture.payload, "<f4").tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"pieces": [], "kinds": []}, {"kinds": [0]}, {"kinds": [0, 2]}, {"names": []}),
        *({"names": ["a"] * 6}, {"framed": [2]}, {"notes": ["a"]}, {"kinds": [0, -1]}, {"chosen": 2}),
    ],
)
def test_what_is_no_text_of_kinds(wrong: dict[str, Any]) -> None:
    whole: dict[str, Any] = {"pieces": ["a", "b"], "kinds": [0, 1], "names": ["x", "y"]}
    with pytest.raises(ValueError, match=r".+"):
        labelled_text(**whole | wrong, unit="u", sentence="s", name="n")
