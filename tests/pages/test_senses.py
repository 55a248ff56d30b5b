"""The Senses page without a browser: its map, its numbers, its links, what it refuses."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples import labelled, words
from tests.pages.test_embeddings import run, said
from ui.word_senses_kept import read

ROOT = Path(__file__).resolve().parents[2]
FOUR = "\n".join(
    (
        "season | The garden blooms in spring.",
        "season | Birds return every spring.",
        "coil | The spring in the old mattress broke.",
        "coil | A steel spring pushes the door shut.",
    )
)


def visit(**url: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages/senses.py"), default_timeout=120)
    app.query_params.update(url)
    return run(app)


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    found = {}
    for element in app.get("bidi_component"):
        sent = element.proto.bytes
        (size,) = struct.unpack_from("<I", sent)
        header = json.loads(sent[4 : 4 + size])
        found[header["file"].removeprefix("polysee-")] = header, np.frombuffer(sent[4 + size :], "<f4")
    return found


def test_it_opens_on_the_two_senses_of_bank() -> None:
    app = visit()
    assert "*money* or *river*? In 16 places" in said(app)
    assert "tells **50 %** right" in said(app)
    header, places = pictures(app)["senses-map"]
    assert len(header["points"]) == 16
    assert header["steps"] == ["learned", *(f"Layer {i}" for i in range(1, 7))]
    assert header["depth"] == 6
    assert {point["mark"] for point in header["points"]} == {"circle", "square"}
    assert not places.reshape(16, 7, 2)[:, 0].any()  # one learned vector
    _, accuracy = pictures(app)["senses-accuracy"]
    assert accuracy[0] == 0.5
    assert accuracy[-1] > 0.9


@pytest.mark.parametrize("word", words())
def test_every_preset(word: str) -> None:
    app = visit(p=word, w=word, ln="\n".join(f"{s.sense} | {s.text}" for s in labelled(word)))
    assert len(pictures(app)["senses-map"][0]["points"]) == 16
    assert not app.error


def test_a_preset_brings_its_word_and_typing_makes_them_ones_own() -> None:
    app = visit()
    app.selectbox(key="senses preset").set_value("spring")
    run(app)
    assert app.text_input(key="senses word").value == "spring"
    app.text_area(key="senses lines").set_value(FOUR)
    run(app)
    assert app.selectbox(key="senses preset").value == "own"
    assert len(pictures(app)["senses-map"][0]["points"]) == 4


def test_the_nearest_are_by_cosine_at_the_depth_of_the_link(minilm: core.Model) -> None:
    app = visit(p="own", w="spring", ln=FOUR, l="2", q="1")
    texts = [one.text for one in read(FOUR)]
    vectors = [one.hidden[3] for one in minilm.vectors(texts, "spring")]  # two layers before the last
    cosine = float(vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1]))
    assert f"{cosine:.2f}".lstrip("0") in said(app)
    assert "By the cosine of their vectors, Layer 4." in said(app)
    assert pictures(app)["senses-map"][0]["depth"] == 4


def test_labels_are_a_choice() -> None:
    app = visit(p="own", w="bank", ln="On the bank.\nAt the bank.\nA bank | of snow.")
    assert "senses-accuracy" not in pictures(app)
    assert len(pictures(app)["senses-map"][0]["points"]) == 2
    assert "without a label" in said(app)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"ln": "\n \n", "p": "own"}, "Type a word, and some sentences that have it"),
        ({"w": " "}, "Type a word, and some sentences that have it"),
        ({"w": "lake"}, "No sentence has the word “lake” by itself"),
        ({"ln": "a | one bank", "p": "own"}, "A map needs the word at least twice"),
        ({"w": "<b>x</b>"}, "No sentence has the word"),
        ({"ln": "\n".join(["a bank"] * 2001), "p": "own"}, "at most 2,000 sentences"),
        ({"l": "99", "q": "9999"}, "By the cosine of their vectors, learned"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(url: dict[str, str], words: str) -> None:
    assert words in said(visit(**url)).replace("\\", "")


def test_all_sentences_alike_have_one_place() -> None:
    app = visit(p="own", w="bank", ln="a | A bank.\na | A bank.\nb | A bank.\nb | A bank.")
    assert "tells **50 %** right" in said(app)
    assert not np.abs(pictures(app)["senses-map"][1]).max() > 1e-3


def test_hundreds_of_sentences() -> None:
    lines = "\n".join(f"{'ab'[i % 2]} | Line {i} has a bank." for i in range(300))
    app = visit(p="own", w="bank", ln=lines)
    assert len(pictures(app)["senses-map"][0]["points"]) == 300
