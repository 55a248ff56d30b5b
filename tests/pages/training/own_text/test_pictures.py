"""The pictures of a model that learns a text: which pieces are copies, and where from."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.own_text import Copied
from core.own_text.run import TextRun
from core.tasks.training.plane import Plane
from pages.training.own_text import pictures

TEXT = "The fox sat. The hedgehog saw the fox and said nothing. It rained."


def pause(step: int, bits: float, held: float) -> Any:
    weights = np.array([[[[1.0, 0.0], [0.25, 0.75]]], [[[1.0, 0.0], [0.5, 0.5]]]], np.float32)
    return SimpleNamespace(
        step=step, bits=bits, held=held, seconds=1.0, sample="s", attention=weights, tokens=("\n", "a")
    )


def run(gram: float) -> TextRun:
    plane = Plane(np.zeros((2, 2), np.float32), 0.5)
    made: Any = SimpleNamespace(
        gram=gram,
        snapshots=(pause(0, 8, 8.5), pause(20, 2, 3)),
        planned=(0, 20, 40),
        planes=(plane, plane),
        shown=("a", "\n"),
    )
    return made


def test_each_piece_says_whether_it_is_copied_and_from_which_sentence() -> None:
    written = "So the hedgehog saw the\nfox."
    copies = (Copied(7, 23, TEXT.index("hedgehog")),)
    picture = pictures.writing(written, copies, TEXT, "x", prompt="Hello")
    header = picture.header
    assert "".join(header["pieces"]) == "Hello" + written
    kinds = [kind for (kind,) in struct.iter_unpack("<f", picture.payload)]
    copied = "".join(piece for piece, kind in zip(header["pieces"], kinds, strict=True) if kind == 1)
    assert copied == "hedgehog saw the"
    assert header["firstWritten"] == 1
    assert kinds[0] == 2  # the visitor's words are not the model's
    assert [*header["scale"]["names"]] == [
        "no copy of 15 letters or more",
        "copied: 15 letters or more in a row",
        "your words",
    ]
    assert header["notes"][0] == "your words"
    assert header["notes"][-1] == ""
    (note,) = {note for note, kind in zip(header["notes"], kinds, strict=True) if kind == 1}
    assert note.endswith("The hedgehog saw the fox and said nothing.")
    assert [*pictures.writing("", (), TEXT, "x").header["pieces"]] == ["(nothing)"]


def test_the_curves_go_to_the_end_and_the_5_gram_is_a_line() -> None:
    picture = pictures.curves(run(2.5), 1)
    header, rows = picture.header, np.frombuffer(picture.payload, "<f4").reshape(-1, 3)
    assert [*header["ticks"]] == ["0", "20", "40"]
    assert [*header["guides"]] == [(0.0, "0"), (2.5, "5-gram 2.50")]
    np.testing.assert_allclose(rows[0], [8.5, 3, np.nan])
    np.testing.assert_allclose(rows[2], [8, 2, np.nan])
    assert "2.00 on what it reads and 3.00" in header["sentence"]
    assert [text for _, text in pictures.curves(run(0.07), 1).header["guides"]] == ["5-gram 0.07"]
    table = pictures.table(run(2.5))
    assert [*table.loc[20, ["bits_read", "bits_held_out", "bits_5_gram"]]] == [2, 3, 2.5]


def test_a_map_is_of_the_chosen_layer_and_head_and_names_what_cannot_be_seen() -> None:
    seen = pause(0, 1, 1)
    assert pictures.map_table(seen, 1, 1).to_numpy()[1].tolist() == [0.25, 0.75]
    assert pictures.map_table(seen, 0, 1).to_numpy()[1].tolist() == [0.5, 0.5]  # the last layer
    assert [*pictures.map_table(seen, 9, 9).columns] == ["↵", "a"]  # a link of a larger model
    assert [*pictures.coordinates(run(1), 0).index] == ["a", "↵"]


def test_a_step_between_two_pauses_shows_the_one_before() -> None:
    assert [pictures.at(run(1), step) for step in (-1, 0, 7, 20, 999)] == [1, 0, 0, 1, 1]
