"""The Senses page without a browser: its map, its numbers, its links, refused input."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples import labelled, words
from core.measures.senses.shares import wilson
from core.reading import typed
from pages.senses import captions, query
from tests import visits
from tests.pages.reading import drawn, text_box
from tests.sentences import numbers, saying
from tests.visits import run, said
from ui.models.word_vectors import LabelAccuracy

FOUR = "\n".join(
    (
        "season | The garden blooms in spring.",
        "season | Birds return every spring.",
        "coil | The spring in the old mattress broke.",
        "coil | A steel spring pushes the door shut.",
    )
)


visit = partial(visits.visit, "senses")


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """The pictures by name; the numbers of the map are (depths, points, 2), or (depths, points, 3)."""
    found = {}
    for header, sent in drawn(app):
        depths, points = len(header["steps"]), len(header.get("texts", []))
        axes = 3 if "titles" in header else 2
        end = 4 * axes * depths * points if points else len(sent)
        numbers = np.frombuffer(sent[:end], "<f4")
        name = header["file"].removeprefix("polysee-")
        found[name] = header, numbers.reshape(depths, points, axes) if points else numbers
        if points:
            groups = np.frombuffer(sent[end:], np.uint8).reshape(-1, points)
            found[f"{name} groups"] = header, groups
    return found


def answered(app: AppTest) -> AppTest:
    """Wait for long work, which runs in a thread while the page polls."""
    for _ in range(60):
        if "senses-map" in pictures(app):
            return app
        time.sleep(1)
        run(app)
    raise AssertionError("no answer")


def test_it_opens_on_the_two_senses_of_bank() -> None:
    app = visit()
    assert "*money* or *river*?" in said(app)
    assert "for **50 %**. Guessing gives 50 %" in said(app)
    assert "After layer 6**" in said(app)
    header, places = pictures(app)["senses-map"]
    assert len(header["texts"]) == 16
    assert header["steps"] == ["learned", *(f"Layer {i}" for i in range(1, 7))]
    assert header["state"] == {"depth": 6, "chosen": 0}
    assert [(group["name"], group["mark"]) for group in header["groups"]] == [
        ("money", "circle"),
        ("river", "square"),
    ]
    assert header["texts"][0][1] == "bank"
    assert not places[0].any()  # one learned vector
    _, accuracy = pictures(app)["senses-accuracy"]
    assert accuracy[0] == 0.5
    assert accuracy[-1] > 0.9


def test_in_space_there_is_a_third_direction_and_the_same_choices() -> None:
    app = visit(d="1", q="5", s3="1", sd="40.-10")
    header, places = pictures(app)["senses-map"]
    assert places.shape == (7, 16, 3)
    assert header["state"] == {"depth": 5, "view": [40, -10], "chosen": 4}
    assert header["titles"] == ["PCA 1", "PCA 2", "PCA 3"]
    assert [(group["name"], group["mark"]) for group in header["groups"]] == [
        ("money", "circle"),
        ("river", "square"),
    ]
    assert "Layer 5: three directions hold" in said(app)
    flat = visit(d="1", q="5")
    plane = pictures(flat)["senses-map"][1]
    # Distances in a plane are never longer than in three dimensions, whatever the rotations.
    assert "Layer 5: two directions hold" in said(flat)
    for depth in (1, 5):
        near, far = (
            np.linalg.norm(at[depth][:, None] - at[depth][None], axis=-1) for at in (plane, places)
        )
        assert (near <= far + 1e-4).all()


@pytest.mark.few(2)
@pytest.mark.parametrize("word", words())
def test_every_preset(word: str) -> None:
    app = visit(p=word, w=word, ln="\n".join(f"{s.sense} | {s.text}" for s in labelled(word)))
    assert len(pictures(app)["senses-map"][0]["texts"]) == 16
    assert not app.error


def test_a_preset_brings_its_word_and_typing_makes_them_ones_own() -> None:
    app = visit()
    app.selectbox(key="senses preset control").set_value("spring")
    run(app)
    assert text_box(app, "senses word control").value == "spring"
    text_box(app, "senses lines control").set_value(FOUR)
    run(app)
    assert app.selectbox(key="senses preset control").value == "own"
    assert len(pictures(app)["senses-map"][0]["texts"]) == 4


def test_the_nearest_are_by_cosine_at_the_depth_of_the_link(minilm: core.Model) -> None:
    app = visit(p="own", w="spring", ln=FOUR, d="2", q="1")
    texts = [one.text for one in typed(FOUR)]
    vectors = [one.hidden[3] for one in minilm.vectors(texts, "spring")]  # two layers before the last
    cosine = float(vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1]))
    assert f"{cosine:.2f}" in said(app)
    assert "their vectors, Layer 4." in said(app)
    assert pictures(app)["senses-map"][0]["state"]["depth"] == 4


def test_labels_are_a_choice() -> None:
    app = visit(p="own", w="bank", ln="On the bank.\nAt the bank.\nA bank | of snow.")
    assert "senses-accuracy" not in pictures(app)
    assert len(pictures(app)["senses-map"][0]["texts"]) == 2
    groups = [group["name"] for group in pictures(app)["senses-map"][0]["groups"]]
    assert groups == [""]  # the third has the word in its label alone
    assert numbers(saying(said(app), "not contain the word")) == [1, 3]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"ln": "\n \n", "p": "own"}, "Type a word, and some sentences"),
        ({"w": " "}, "Type a word, and some sentences"),
        ({"w": "lake"}, "No sentence contains the word “lake” on its own"),
        ({"ln": "a | one bank", "p": "own"}, "A map needs at least two occurrences"),
        ({"w": "<b>x</b>"}, "No sentence contains the word"),
        ({"ln": "\n".join(["a bank"] * 10_001), "p": "own"}, "at most 10,000 sentences"),
        ({"d": "99", "q": "9999"}, "their vectors, learned"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(url: dict[str, str], words: str) -> None:
    assert words in said(visit(**url)).replace("\\", "")


def test_all_sentences_alike_have_one_place_and_no_accuracy() -> None:
    app = visit(p="own", w="bank", ln="a | A bank.\na | A bank.\nb | A bank.\nb | A bank.")
    header, places = pictures(app)["senses-map"]
    assert len(header["texts"]) == 2  # one under each label
    assert not np.abs(places).max() > 1e-3
    assert numbers(saying(said(app), "of 4 sentences", "same label")) == [2, 4]
    assert [word in saying(said(app), "stands under") for word in ("*a*", "*b*")] == [True, True]
    assert "at least two labels, with two sentences each" in said(app)


SIX = "\n".join(
    (
        "money | The bank raised its interest rates.",
        "money | She works at a bank.",
        "money | The bank by the river lends money to anglers.",
        "river | They sat on the bank and fished.",
        "river | The bank was muddy after the flood.",
        "river | He sold the bank of the stream for cash at the bank.",
    )
)


def test_sentences_pasted_forty_times_are_as_accurate_as_once() -> None:
    once, often = visit(p="own", w="bank", ln=SIX), visit(p="own", w="bank", ln="\n".join([SIX] * 40))
    a, b = (pictures(app)["senses-accuracy"] for app in (once, often))
    assert np.array_equal(a[1], b[1])
    assert len(pictures(often)["senses-map"][0]["texts"]) == 7
    assert numbers(saying(said(often), "of 240 sentences"))[:2] == [234, 240]
    assert "copies would confirm" not in said(once)


def test_what_an_uncased_model_reads_alike_is_one_sentence() -> None:
    lines = "a | The bank.\na | THE BANK.\nb | Caf\u00e9 at the bank.\nb | Cafe\u0301 at the  bank."
    assert len(pictures(visit(p="own", w="bank", ln=lines))["senses-map"][0]["texts"]) == 2


def test_an_accuracy_has_its_interval_beside_it() -> None:
    app = visit()
    assert "with a 95 % interval from 81 % to 100 %" in said(app)
    assert "**The vectors tell them apart**" in said(app)
    four = visit(p="own", w="spring", ln=FOUR)
    assert "from 51 % to 100 %" in said(four)
    header, sent = pictures(app)["senses-accuracy"]
    low, high = sent.reshape(3, -1)[1:]
    assert header["band"]
    assert (low[-1], high[-1]) == pytest.approx((16 / (16 + 1.959964**2), 1), abs=1e-4)


@pytest.mark.parametrize(
    ("right", "count", "commonest", "words"),
    [
        (1.0, 16, 0.5, "**The vectors tell them apart**"),
        (1.0, 3, 0.67, "**Too few to tell**"),  # guessing gives it in 30 %
        (1.0, 4, 0.5, "**Too few to tell**"),  # begins at 51 %, but guessing gives it in one of 16
        (0.5, 4, 0.5, "**Too few to tell**"),  # nothing could have been told, this neither
        (0.0, 5, 0.5, "**Too few to tell**"),
        (4 / 6, 6, 0.5, "cannot be told"),
        (0.75, 8, 0.5, "cannot be told"),
        (7 / 8, 8, 0.5, "**Perhaps"),
        (1.0, 6, 0.5, "**The vectors tell them apart**"),
        (0.75, 8, 0.75, "**Too few to tell**"),  # all 8 by the commonest label: in 10 %
        (0.75, 40, 0.75, "do not tell them apart"),
        (0.5, 400, 0.5, "do not tell them apart"),
        (0.6, 400, 0.5, "**The vectors tell them apart**"),
    ],
)
def test_whether_labels_are_told_apart_depends_on_interval_and_test(
    right: float, count: int, commonest: float, words: str
) -> None:
    ends = np.array([wilson(share * count, count) for share in (0.5, right)])
    found = LabelAccuracy(np.array([0.5, right]), ("a", "b"), count, 0.5, commonest, 0, *ends.T)
    assert words in " ".join(captions.claim("bank", found))


def test_of_too_few_no_layer_is_named_and_it_is_said_how_many_would_do() -> None:
    few = saying(said(visit(p="own", w="spring", ln=FOUR)), "Too few to tell")
    assert numbers(few) == [4, 4, 6]  # 0.5^4 = 6.25 %; 0.5^6 = 1.6 %, 0.5^5 = 3.1 %
    assert "After the last layer" in said(visit(p="own", w="spring", ln=FOUR))
    # 6 of 6 after the best of six layers: 6 · 1.6 % is no longer rare.
    right = np.array([0.5, 1.0, 0.75, 1.0, 1.0, 1.0, 0.75])
    for count, layers in ((6, ()), (8, (1, 3, 4, 5)), (9, (1, 3, 4, 5))):
        ends = np.array([wilson(share * count, count) for share in right])
        found = LabelAccuracy(right, ("a", "b"), count, 0.5, 0.5, 0, *ends.T)
        assert captions.named_layers(found) == layers


@pytest.mark.parametrize(
    ("right", "count", "layers", "head", "luck"),
    [
        # Of six layers, chance gives 6 of 6 in up to 6 · 1/64, and 12 of 12 in up to 6 · 1/4096.
        ([1, 1, 0.5, 0.5, 0.5, 0.5], 6, (1, 2), "After layers 1 and 2, perhaps the vectors", 9),
        ([1, 1, 0.5, 0.5, 0.5, 0.5], 12, (1, 2), "After layers 1 and 2, the vectors tell", None),
        ([0.5, 1, 0.5, 0.5, 0.5, 5 / 6], 6, (2,), "After layer 2, perhaps the vectors", 9),
        ([1, 1, 0.5, 0.5, 0.5, 1], 6, (), "The vectors tell them apart", None),
        ([5 / 6, 0.5, 0.5, 0.5, 0.5, 0.5], 6, (), "The vectors do not tell them apart", None),
    ],
)
def test_where_the_last_layer_fails_the_headline_is_of_the_layer_that_does_not(
    right: list[float], count: int, layers: tuple[int, ...], head: str, luck: int | None
) -> None:
    every = np.array([0.5, *right])
    ends = np.array([wilson(share * count, count) for share in every])
    found = LabelAccuracy(every, ("a", "b"), count, 0.5, 0.5, 0, *ends.T)
    assert captions.earlier_layers(found) == layers
    told = " ".join(captions.claim("coach", found))
    assert f"**{head}" in told
    assert "already" not in told  # nothing is told apart after layer 1
    assert ("of cases" in told, "flatters" in told) == (luck is not None, bool(layers))
    if layers:
        low, high = (round(100 * one) for one in ends[layers[0]])
        details = saying(told, "the nearest centroid")
        assert numbers(details)[: len(layers) + 5] == [*layers, 100, count, 95, low, high]
    if luck is not None:
        assert numbers(saying(told, "of cases"))[-2:] == [6, luck]


def test_a_score_below_a_guess_is_explained_and_the_reason_is_true() -> None:
    from core.measures.senses.occurrences import Occurrences, nearest_centroid_accuracy

    ends = np.array([wilson(share * 40, 40) for share in (0.5, 0.3)])
    for right, explained in ((0.3, True), (0.5, False), (0.9, False)):
        found = LabelAccuracy(np.array([0.5, right]), ("a", "b"), 40, 0.5, 0.5, 0, *ends.T)
        assert ("left out of the centroid" in " ".join(captions.claim("bank", found))) is explained
    labels, random = np.repeat(["a", "b"], 10), np.random.default_rng(1)
    for common in (0, 3):  # around 0, and as the vectors of a word are, in one corner
        vectors = random.normal(size=(20, 24)) + common
        for label in "ab":  # two centroids that coincide
            vectors[labels == label] += vectors.mean(axis=0) - vectors[labels == label].mean(axis=0)
        of = Occurrences(np.zeros((20, 24)), vectors[:, None].astype(np.float32), tuple(range(20)))
        assert nearest_centroid_accuracy(of, labels.tolist())[-1] < 0.2


def test_the_way_to_the_corpus_takes_the_word_along() -> None:
    app = visit(p="own", w="spring", ln=FOUR)
    link = next(one for one in app.markdown if "](corpus?" in one.value).value
    assert "w=spring" in link
    assert "“spring”" in link


def test_the_headline_names_the_best_layers_with_the_interval_of_the_first() -> None:
    right = np.array([0.5, 1.0, 0.75, 1.0, 1.0, 1.0, 0.75])
    ends = np.array([wilson(share * 16, 16) for share in right])
    found = LabelAccuracy(right, ("a", "b"), 16, 0.5, 0.5, 0, *ends.T)
    said = " ".join(captions.claim("bank", found))
    best = saying(said, "After layers 1 and 3 to 5**")
    assert numbers(best)[:6] == [1, 3, 5, 100, 16, 95]
    assert numbers(best)[6:] == [*(round(100 * one) for one in ends[1]), 75, 50]
    assert "flatters" in said
    flat = LabelAccuracy(np.full(7, 0.5), ("a", "b"), 16, 0.5, 0.5, 0, ends[:, 0], ends[:, 1])
    assert "After the last layer" in " ".join(captions.claim("bank", flat))
    assert captions.best_layers([0.5, 0.4, 0.5]) == ()
    assert [captions.after_layers(one) for one in ((6,), (1, 2), (2, 3, 4, 6))] == [
        "After layer 6",
        "After layers 1 and 2",
        "After layers 2 to 4 and 6",
    ]


def test_only_the_record_of_the_model_says_that_a_sentence_was_cut() -> None:
    """A text of many bytes may be of few pieces: each of these letters is three bytes, and dropped."""
    from core.measures.senses.occurrences import Occurrences
    from core.records.spelling import UNCASED

    texts = ("\u200b" * 2_000 + " the bank", "bank " * 3, "none")
    have = Occurrences(np.zeros((1, 2)), np.zeros((1, 1, 2)), (1,))
    asked: list[str] = []

    def is_cut(text: str) -> bool:
        asked.append(text)
        return False

    found = captions.unread(have, texts, "bank", UNCASED, is_cut)
    assert found == captions.Unread(without=1, dropped=1)
    assert asked == [texts[0], texts[1]]
    cut = captions.unread(have, texts, "bank", UNCASED, lambda text: True)
    assert cut == captions.Unread(without=1, cut=1, later=2)


LONG = "word " * 600


def test_a_word_beyond_the_window_is_not_said_to_be_missing() -> None:
    lines = f"a | The bank.\nb | {LONG} bank.\na | A bank and {LONG} a bank.\nb | Nothing."
    app = visit(p="own", w="bank", ln=lines)
    assert len(pictures(app)["senses-map"][0]["texts"]) == 2
    assert numbers(saying(said(app), "not contain the word")) == [1, 4]
    cut = saying(said(app), "comes only after")
    assert numbers(cut) == [1, 4, 512]
    assert "MiniLM stops reading" in cut
    assert numbers(saying(said(app), "more occurrence")) == [1, 512]
    none = visit(p="own", w="bank", ln=f"a | {LONG} bank.\nb | {LONG} x bank.")
    assert "after the first 512 pieces" in said(none).replace("\\", "")


def test_a_line_with_a_bar_in_it_and_a_word_twice_in_a_line() -> None:
    app = visit(
        p="own", w="bank", ln="a | The bank, that bank.\na | A bank | snow.\nb | No lake.\nb | bank"
    )
    header, _ = pictures(app)["senses-map"]
    assert ["".join(parts) for parts in header["texts"]] == [
        "The bank, that bank.",
        "The bank, that bank.",
        "A bank | snow.",
        "bank",
    ]
    assert [parts[0] for parts in header["texts"]] == ["The ", "The bank, that ", "A ", ""]
    assert numbers(saying(said(app), "not contain the word")) == [1, 4]
    assert "The word occurs 4 times in 3 sentences; each occurrence is a point." in said(app)
    assert "at least two labels, with two sentences each" in said(app)


def test_uneven_labels_are_read_beside_always_saying_the_commonest() -> None:
    lines = [f"{'money' if i % 4 else 'river'} | Line {i} about a bank." for i in range(12)]
    app = visit(p="own", w="bank", ln="\n".join([*lines, "odd | One bank.", "No label, one bank."]))
    assert numbers(saying(said(app), "Guessing", "*money*")) == [50, 75]
    assert numbers(saying(said(app), "left out: without a label")) == [2]


def test_ten_labels_have_eight_colours_and_the_others_are_one_group() -> None:
    lines = [f"label {i % 10} | Line {i} has a bank." for i in range(28)]
    app = visit(p="own", w="bank", ln="\n".join(lines))
    groups = pictures(app)["senses-map"][0]["groups"]
    assert [group["name"] for group in groups] == [*(f"label {i}" for i in range(8)), "2 other labels"]
    assert "or 2 more?" in said(app)
    assert pictures(app)["senses-map groups"][1].max() == 8


@pytest.mark.check
def test_found_clusters_have_numbers_typical_sentences_and_an_index() -> None:
    app = visit(c="cluster", k="3")
    header, groups = pictures(app)["senses-map groups"]
    assert [group["name"] for group in header["groups"]] == ["cluster 1", "cluster 2", "cluster 3"]
    assert groups.shape == (7, 16)
    assert len(set(groups[-1].tolist())) == 3
    assert "**Cluster 1** (" in said(app)
    assert "adjusted Rand index" in said(app)
    app.selectbox(key="senses clusters control").set_value(0)
    run(app)
    lines = [one.value for one in app.main.markdown]
    first = next(i for i, one in enumerate(lines) if "**1.00** (adjusted Rand" in one)
    assert first < next(i for i, one in enumerate(lines) if "nearest centroid" in one)
    assert app.query_params["c"] == "cluster"
    assert "k" not in app.query_params
    app.selectbox(key="senses colour control").set_value("label")
    run(app)
    assert "adjusted Rand index" not in "".join(
        one.value for one in app.markdown if "**Clusters**" in one.value
    )


def read_as(app: AppTest) -> str:
    """How a file was read: the label of the part that says it."""
    return next(one.label for one in app.expander if one.label.startswith("Read as")).replace("\\", "")


CSV = "sense,text\n" + "\n".join(line.replace(" | ", ",") for line in FOUR.splitlines())


def test_a_file_is_read_kept_out_of_the_link_and_forgotten_on_request() -> None:
    app = visit(p="own", w="spring", ln=FOUR)
    app.selectbox(key="senses preset control").set_value("file")
    run(app)
    assert "Choose a file" in said(app)
    app.file_uploader[0].set_value(("secret.csv", CSV.encode(), "text/csv"))
    run(app)
    assert "4 sentences in 4 rows" in said(app)
    told = read_as(app)
    parts = ("texts in “text”", "labels in “sense”", "with a header", "UTF-8")
    assert [part for part in parts if part not in told] == []
    assert "*season* or *coil*?" in said(app)
    assert {key: app.query_params[key] for key in app.query_params} == {
        "v": "2",
        "p": "file",
        "w": "spring",
    }
    app.file_uploader[0].set_value(("a.csv", b"PK\x03\x04", "text/csv"))
    run(app)
    assert "zip file" in said(app)
    app.selectbox(key="senses preset control").set_value("own")
    run(app)
    assert text_box(app, "senses lines control").value == FOUR  # what was typed before
    assert "Upload" not in said(visit(p="file"))
    assert not visit(p="file", w="spring").exception


def test_a_file_can_be_read_otherwise_and_the_link_says_how() -> None:
    app = visit(p="file", w="spring", lc="-")  # a link that says: no labels
    app.file_uploader[0].set_value(("a.csv", CSV.encode(), "text/csv"))
    run(app)
    assert "labels" not in read_as(app)
    assert "senses-accuracy" not in pictures(app)
    header = next(one for one in app.selectbox if one.label == "First row")
    header.set_value("no")
    run(app)
    assert app.query_params["he"] == "no"
    assert "5 sentences in 5 rows" in said(app)
    assert numbers(saying(said(app), "not contain the word")) == [1, 5]  # the header is a row now
    # What cannot be read so is said, and can be taken back.
    encoding = next(one for one in app.selectbox if one.label == "Encoding")
    encoding.set_value("utf-32")
    run(app)
    assert len(app.error) == 1
    next(one for one in app.selectbox if one.label == "Encoding").set_value("")
    run(app)
    assert not app.error
    assert "5 sentences" in said(app)
    # Another file is guessed anew.
    other = "Der Frühling spring.\nA spring.".encode("cp1252")
    app.file_uploader[0].set_value(("b.txt", other, "text/plain"))
    run(app)
    assert "Windows-1252" in read_as(app)
    assert not {"he", "lc", "en"} & {*app.query_params}


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["The coach left.", "Her Coach sang.", "A coach!"], "coach"),
        (["The coach left.", "The bus left.", "The coach sang."], ""),  # "the" is no content word
        (["Trainers left the bank.", "Trainers own a bank."], "bank"),  # two senses are known
        (["A red train.", "The train is red."], "train"),  # the longest
        (["The coach left."], ""),
        ([], ""),
    ],
)
def test_the_word_in_all_sentences(texts: list[str], word: str) -> None:
    assert query.in_all(texts) == word


def test_where_the_word_is_missing_the_one_in_all_sentences_is_a_click_away() -> None:
    lines = "a | The coach left.\na | A coach stood there.\nb | Her coach sang.\nb | The coach shouted."
    app = visit(p="own", w="bank", ln=lines)
    (offered,) = (one for one in app.button if "“coach”" in one.label)
    offered.click()
    run(app)
    assert app.query_params["w"] == ["coach"] or app.query_params["w"] == "coach"
    assert not app.error
    assert len(pictures(app)["senses-map"][0]["texts"]) == 4


@pytest.mark.parametrize(
    ("content", "label", "value", "says"),
    [
        # A guess was wrong: the control that sets it right is there; nothing asks for what was done.
        ("A spring came, and it was cold. " * 200, "Each line is", "running", "200 sentences"),
        ("\x01\x02\x03".join(FOUR), "Encoding", "cp1252", ""),
    ],
)
def test_a_file_that_is_refused_for_a_guess_can_be_read_otherwise(
    content: str, label: str, value: str, says: str
) -> None:
    app = visit(p="file", w="spring", ru="one" if says else "")
    app.file_uploader[0].set_value(("a.txt", content.encode(), "text/plain"))
    run(app)
    assert len(app.error) == 1
    assert not app.info
    next(one for one in app.selectbox if one.label == label).set_value(value)
    run(app)
    assert says in said(app)


def test_running_text_is_split_said_and_switched() -> None:
    text = "The spring was cold. It rained.\nA spring of steel broke. He wept. She left the spring."
    app = visit(p="own", w="spring", ln=text)
    assert numbers(saying(said(app), "not contain the word")) == [2, 5]
    assert "running text" in said(app)
    next(one for one in app.selectbox if one.label == "Each line is").set_value("one")
    run(app)
    assert app.query_params["ru"] == "one"
    assert "not contain the word" not in said(app)
    assert len({*pictures(app)["senses-map"][0]["texts"][0]}) >= 1


def test_a_file_that_is_taken_away_is_forgotten() -> None:
    app = visit(p="file", w="spring")
    app.file_uploader[0].set_value(("secret.csv", CSV.encode(), "text/csv"))
    run(app)
    run(app)
    assert len(pictures(app)["senses-map"][0]["texts"]) == 4  # as long as it stands there
    app.file_uploader[0].set_value(None)
    run(app)
    assert "Choose a file" in said(app)
    assert "senses-map" not in pictures(app)


@pytest.mark.check
def test_what_is_not_on_the_page_stays_in_its_link_and_a_reset_sets_it_back() -> None:
    app = visit(c="label", k="3", f="tsne", p="own", w="lake", ln=FOUR, d="2", q="3")
    assert "No sentence contains the word" in said(app).replace("\\", "")
    link = {key: app.query_params[key] for key in app.query_params}
    assert {key: link[key] for key in "kfpdqw"} == dict(
        k="3", f="tsne", p="own", d="2", q="3", w="lake"
    )
    text_box(app, "senses word control").set_value("spring")
    run(app)
    assert pictures(app)["senses-map"][0]["state"] == {"depth": 4, "chosen": 2}
    app.selectbox(key="senses colour control").set_value("cluster")
    run(app)
    assert app.selectbox(key="senses clusters control").value == 3
    app.button(key="reset").click()
    run(app)
    assert app.query_params == {}
    assert text_box(app, "senses word control").value == "bank"
    assert str(text_box(app, "senses lines control").value).startswith("money | ")


@pytest.mark.check
def test_hundreds_of_sentences() -> None:
    lines = "\n".join(f"{'ab'[i % 2]} | Line {i} has a bank." for i in range(300))
    app = answered(visit(p="own", w="bank", ln=lines, q="300"))
    assert app.number_input(key="senses sentence control").value == 300
    assert "300\\. Line 299 has a bank" in said(app)
    assert len(pictures(app)["senses-map"][0]["texts"]) == 300


def test_sentences_of_ones_own_open_the_editor_and_a_link_to_them_does_not() -> None:
    def editor(app: AppTest) -> bool:
        (found,) = [one for one in app.expander if one.label.startswith("The sentences, ")]
        return bool(found.proto.expanded)

    app = visit()
    assert not editor(app)
    app.selectbox(key="senses preset control").set_value("own")
    assert editor(run(app))
    app.selectbox(key="senses preset control").set_value("bank")
    assert not editor(run(app))
    assert not editor(visit(p="own", w="spring", ln=FOUR))


@pytest.mark.check
def test_maps_of_neighbours_of_the_same_points() -> None:
    plain, numbers = pictures(visit())["senses-map"]
    app = visit(f="tsne")
    header, places = pictures(app)["senses-map"]
    assert header["x"]["title"].startswith("t-SNE")
    assert (header["texts"], header["steps"]) == (plain["texts"], plain["steps"])
    assert places.shape == numbers.shape
    assert not places[0].any()  # the learned vectors are one
    assert np.abs(places[1:]).max() > 1
    assert "t-SNE keeps neighbours together, and nothing else" in said(app)
    few = visit(f="tsne", p="own", w="spring", ln=FOUR)  # four points have no map of neighbours
    assert [one for one in few.error if "at least" in one.value]
    assert pictures(few)["senses-map"][0]["x"]["title"].startswith("first component")


def test_a_star_finds_several_words_and_the_page_names_them(minilm: core.Model) -> None:
    lines = "The bank closed.\nTwo banks, a Bank.\nA riverbank.\nNo such word."
    app = visit(p="own", w="*bank*", ln=lines)
    header = pictures(app)["senses-map"][0]
    assert [middle for _, middle, _ in header["texts"]] == ["bank", "banks", "Bank", "riverbank"]
    text = saying(said(app), "different words")
    assert numbers(text)[:4] == [3, 2, 1, 1]
    assert [word in text for word in ("*bank* (2)", "*banks* (1)", "*riverbank* (1)")] == [True] * 3
    assert "different words" not in said(visit(p="own", w="bank", ln="A bank.\nThe Bank."))


def test_a_part_of_a_word_is_offered_with_a_star() -> None:
    app = visit(p="own", w="bank", ln="A riverbank.\nTwo riverbanks.")
    assert "“*bank*” finds “riverbank”, “riverbanks”." in said(app).replace("\\", "")


SEVERAL = "a | the river bank\na | by the bank\nb | two riverbanks\nb | old riverbanks"


def test_several_words_do_not_share_a_learned_vector() -> None:
    app = answered(visit(w="*bank*", ln=SEVERAL))
    assert "the same in every sentence" not in said(app)
    assert "one for each of 2 words" in said(app)
    app = answered(visit(w="bank", ln=SEVERAL.replace("riverbanks", "bank")))
    assert "the same in every sentence" in said(app)


def test_a_word_that_the_model_does_not_know_is_called_unknown() -> None:
    app = answered(visit(w="ธนาคาร", ln="ไปธนาคาร\nที่ธนาคาร\nธนาคาร ok"))
    assert "does not know “ธนาคาร”" in app.warning[0].value
