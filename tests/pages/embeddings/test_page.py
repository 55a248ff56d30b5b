"""The Embeddings page without a browser: its numbers, its links, refused input."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples import ANCHORS
from core.examples.first_texts import TWO_BANKS
from core.figures import style
from core.measures import NeighbourMap, pairwise_similarity, pca, sentence_vector
from core.measures.senses.verdict import shipped
from core.records.sense_axis import FRAMES
from pages.embeddings.state import SENTENCES, EmbeddingsState
from pages.embeddings.trajectories import data
from tests import visits
from tests.pages.reading import drawn, text_boxes
from tests.sentences import numbers, saying
from tests.visits import run, said
from ui import files, permalink
from ui.page import prose
from ui.text import plain

SQUARES = ("cosine-similarity", "distance", "dot-product")
PAGE = str(visits.file_of("embeddings"))
PROSE = visits.file_of("embeddings").with_suffix(".md")


# Two pairs of words that are far from each other, in the words of a text.
COUNTED = "She counted the money from the bank on the bank of the river"
WORDS = {"p": "words", "t": COUNTED, "q": "7", "k": "10", "w": "bank, bank:2, money, river"}


def visit(**url: str) -> AppTest:
    """The page by a whole link, with its version; or by changes to one to the words of a text."""
    whole = url if "v" in url else {"v": "2", **(WORDS | url if url else {"p": "words"})}
    return visits.visit("embeddings", **whole)


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each picture, by the name of its file."""
    found = {}
    for header, sent in drawn(app):
        if "titles" in header:  # in three dimensions, depth by depth: the coordinates of all points
            depths, points = len(header["steps"]), len(header["texts"])
            places = np.frombuffer(sent[: 12 * depths * points], "<f4").reshape(depths, points, 3)
            numbers = places.swapaxes(0, 1).reshape(points, -1)
        else:
            rows = header["rows"] if "rows" in header else header["points"]
            numbers = np.frombuffer(sent, "<f4").reshape(len(rows), -1)
        found[header["file"].removeprefix("polysee-")] = header, numbers
    return found


def state(app: AppTest) -> dict[str, str]:
    return {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}


def box(app: AppTest, label: str) -> Any:
    (found,) = (one for one in app.selectbox if one.label == label)
    return found


@pytest.mark.check
def test_it_opens_on_a_path_that_moves() -> None:
    app = visits.visit("embeddings")
    ((header, _),) = pictures(app).values()
    assert app.session_state["embeddings view"] == "path"
    assert len(header["steps"]) == 6  # the layers: before the first there is no axis
    assert state(app) == {}
    assert app.session_state["embeddings text"] == TWO_BANKS
    for url, view in (({"v": "2", "f": "pca"}, "path"), ({"v": "2", "p": "words"}, "words")):
        other = visit(**url)
        assert other.session_state["embeddings view"] == view
        assert other.session_state["embeddings text"] == TWO_BANKS
        assert state(other) == url


def test_the_opening_shows_two_banks_apart(minilm: core.Model) -> None:
    """By the real model: each on its own side after each layer, farther out than is not clear."""
    trace = minilm.trace(TWO_BANKS)
    axis = minilm.sense_axis("bank", *(end.words for end in ANCHORS["bank"]))
    river, money = (axis.coordinates(trace, place) for place in trace.find_all("bank"))
    bounds = shipped("minilm").bounds["words"]  # type: ignore[union-attr]
    assert (river.min() > 0, money.max() < 0) == (True, True)
    assert min(river[-1], -money[-1]) > bounds.two
    told = said(visits.visit("embeddings"))
    assert "The two uses of *bank* stand apart from layer 1 on**" in told
    assert f"up to {style.signed(bounds.one)} from 0 on the same side" in told
    assert f"up to {style.signed(bounds.two)} from 0 on opposite sides" in told
    assert f"{style.signed(river[-1])} (*river*)" in told
    assert f"{style.signed(money[-1])} (*money*)" in told


EXAMPLES = {
    "They stay together": ("stay together**", "side of *sport*", "wrong side", "−0.85", "−0.58"),
    "One crosses over": ("part**", "0.36 (*river*)", "−0.48 (*money*)"),
    "Where bank goes": ("end on different sides**", "(*nature*)", "−0.33 (*money*)"),
}


@pytest.mark.check
@pytest.mark.parametrize("label", EXAMPLES)
def test_the_headline_of_each_example_is_of_its_own_numbers(label: str) -> None:
    (item,) = (one for one in prose.read(PAGE).tries if one.label == label)
    shown = said(visit(**dict(item.state), v="2"))
    assert [words for words in EXAMPLES[label] if words not in shown] == []


def test_the_hints_on_words_are_of_their_numbers(minilm: core.Model) -> None:
    opening = minilm.trace(TWO_BANKS).find_all("bank")
    defaults = EmbeddingsState.row.default, EmbeddingsState.column.default
    assert tuple(int(place[0]) for place in opening) == defaults
    tries = prose.read(PAGE, "words").tries
    (text,) = {dict(one.state)["t"] for one in tries}
    trace = minilm.trace(text)
    assert trace.hidden is not None
    first, second = (int(place[0]) for place in trace.find_all("bank"))
    assert {(dict(one.state)["q"], dict(one.state)["k"]) for one in tries} == {
        (f"{first}", f"{second}")
    }
    found = [pairwise_similarity(vectors) for vectors in (trace.embedded, *trace.hidden)]
    cosines = [float(one.cosine[first, second]) for one in found]
    hints = {one.label: one.look_for for one in tries}
    assert f"{cosines[0]:.2f}"[1:] in hints["Only the position"]
    assert f"{found[0].distance[first, second]:.2f}" in hints["Only the position"]
    assert int(np.argmin(cosines)) == 3
    assert [f"{cosines[at]:.2f}"[1:] in hints["Least alike"] for at in (3, 6)] == [True, True]
    tokens = list(trace.tokens)
    for bank in (first, second):  # at the last layer, "the" is nearer than "money" by distance
        far = found[-1].distance[bank]
        assert min(far[i] for i, one in enumerate(tokens) if one == "the") < far[tokens.index("money")]


@pytest.mark.check
@pytest.mark.parametrize("view", ["path", "words", "sentences", "analogy"])
def test_each_view_has_its_own_words(view: str) -> None:
    own = prose.read(PAGE, "" if view == "path" else view)
    app = visit(p=view, v="2")
    assert own.point[:12] in said(app)
    tries = [one.label for one in app.button if str(one.key).startswith("try ")]
    assert tries == [one.label for one in (*own.tries, *own.more)]
    assert len({prose.read(PAGE, one).point for one in VARIANTS}) == len(VARIANTS)


VARIANTS = ("", "words", "sentences", "analogy", "trained")


def test_umap_of_too_few_points_takes_more_words_by_a_click() -> None:
    app = visit(p="path", f="umap", v="2")
    assert not app.error
    assert not pictures(app)
    assert "only 15: " in said(app)  # two words at eight depths share their learned vector
    (more,) = (one for one in app.button if one.label.startswith("Take "))
    more.click()
    # Before UMAP itself is compiled, which takes a minute: PCA of the same words.
    (pca_too,) = (one for one in app.button if one.label == "Show in PCA")
    pca_too.click()
    run(app)
    taken = app.multiselect[0].value
    assert len(taken) == int(more.label.split()[1]) > 2
    assert {"bank (1)", "bank (2)"} < {*taken}
    assert pictures(app)["pca"]


def test_the_words_of_a_text_begin_with_two_banks_that_are_one_vector(minilm: core.Model) -> None:
    app = visit()
    shown = pictures(app)
    assert set(shown) == {*SQUARES, "token-vectors"}
    header, cosine = shown["cosine-similarity"]
    assert header["rows"] == re.findall(r"\w+|[,.]", TWO_BANKS.lower())
    assert header["scale"]["bound"] == 1
    first, second = (i for i, word in enumerate(header["rows"]) if word == "bank")
    assert cosine[first, second] == pytest.approx(1, abs=1e-6)
    assert shown["distance"][1][first, second] == 0
    assert (header["marked"]["rows"], header["marked"]["columns"]) == ([first], [second])
    far = shown["distance"][0]["scale"]
    assert (far["kind"], far["title"]) == ("weights", "distance: the fainter, the nearer")
    trace = minilm.trace(TWO_BANKS)
    np.testing.assert_allclose(
        shown["dot-product"][1], pairwise_similarity(trace.learned[1:-1]).dot, rtol=1e-6, atol=1e-6
    )
    assert "cosine 1.00 " in said(app)
    assert state(app) == {"v": "2", "p": "words"}


@pytest.mark.parametrize("depth", ["0", "3", "6"])
def test_every_layer_has_its_own_numbers(minilm: core.Model, depth: str) -> None:
    shown = pictures(visit(l=depth, sp="1"))
    trace = minilm.trace(COUNTED)
    assert trace.hidden is not None
    vectors = trace.hidden[int(depth) - 1] if depth != "0" else trace.embedded
    found = pairwise_similarity(vectors)
    for name, values in (
        ("dot-product", found.dot),
        ("cosine-similarity", found.cosine),
        ("distance", found.distance),
    ):
        header, numbers = shown[name]
        assert len(header["rows"]) == len(trace.tokens)
        np.testing.assert_allclose(numbers, values, rtol=1e-5, atol=1e-5)


def test_the_written_sums_come_out() -> None:
    app = visit(l="6")
    sentence = next(m for m in app.markdown if "√(" in m.value)
    x, y, dot, cosine, distance = exact = written_numbers(sentence.proto.help)  # on hover
    assert dot / (x * y) == pytest.approx(cosine, abs=1e-5)
    assert np.sqrt(x**2 + y**2 - 2 * dot) == pytest.approx(distance, abs=1e-5)
    for shown, number in zip(written_numbers(sentence.value), exact, strict=True):
        assert shown == pytest.approx(number, abs=0.005 + 1e-6)


def written_numbers(sentence: str) -> list[float]:
    """The two lengths, the dot product, the cosine and the distance of a pair."""
    text = sentence.replace("−", "-")
    names = ("$|x|$ = ", "$|y|$ = ", "dot product ", "cosine ", "distance ")
    return [float(re.match(r"-?[\d.]+", text.split(name)[1])[0]) for name in names]  # type: ignore[index]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "url",
    [
        {"p": "words"},
        {"p": "words", "l": "6", "sp": "1"},
        {"p": "sentences"},
        {"p": "path"},
        {"p": "path", "f": "panels"},
        {"p": "path", "f": "pca"},
    ],
)
def test_every_number_has_two_decimals_at_most(url: dict[str, str]) -> None:
    app = visit(**url | {"v": "2"})
    shown = said(app)
    assert re.search(r"\d\.\d\d\b", shown) or url.get("f") == "pca"
    texts = [shown]
    for header, _ in pictures(app).values():
        texts += header.get("rows", []) + [header[axis]["title"] for axis in "xy" if axis in header]
        if header.get("scale", {}).get("kind") == "signed" and header["scale"]["bound"] >= 0.1:
            assert header["scale"]["digits"] == 2
    for text in texts:
        assert not re.search(r"\d\.\d{3}", text), text


def test_a_chosen_word_stays_when_special_tokens_come() -> None:
    app = visit(q="4")
    assert pictures(app)["distance"][0]["marked"]["rows"] == [3]
    app.toggle(key="embeddings special control").set_value(True)
    run(app)
    header, _ = pictures(app)["distance"]
    assert header["rows"][0] == "[CLS]"
    assert header["marked"]["rows"] == [4]
    assert state(app)["sp"] == "1"
    box(app, "Token").set_value(0)
    run(app)
    assert state(app)["q"] == "0"
    app.toggle(key="embeddings special control").set_value(False)
    assert pictures(run(app))["distance"][0]["marked"]["rows"] == [0]


def test_sentences_are_compared_as_wholes(minilm: core.Model) -> None:
    app = visit(p="sentences")
    header, cosine = pictures(app)["cosine-similarity"]
    assert len(header["rows"]) == len(SENTENCES)
    wanted = pairwise_similarity(np.stack([sentence_vector(minilm.trace(line)) for line in SENTENCES]))
    np.testing.assert_allclose(cosine, wanted.cosine, atol=1e-6)
    assert cosine[0, 1] > cosine[0, 2] > cosine[0, 4]  # money, then a bank, then a cat
    text_boxes(app)[0].set_value("one\n\n  \none\n<b>two</b>")
    header, cosine = pictures(run(app))["cosine-similarity"]
    assert cosine.shape == (3, 3)
    assert cosine[0, 1] == pytest.approx(1, abs=1e-6)
    assert "<b>" not in said(app)


def test_each_view_has_two_vectors_of_its_own() -> None:
    app = visit(q="2", k="5")
    app.segmented_control[0].set_value("sentences")
    marked = pictures(run(app))["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([0], [1])
    app = visit(**state(app))  # the link says it too
    box(app, "Sentence").set_value(3)
    run(app)
    app.segmented_control[0].set_value("words")
    run(app)
    assert {"q": "2", "k": "5", "sq": "3"}.items() <= state(app).items()
    marked = pictures(visit(**state(app) | {"p": "sentences"}))["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([3], [1])
    marked = pictures(app)["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([1], [4])  # without [CLS]
    marked = pictures(visit(p="sentences", sq="4", sk="2"))["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([4], [2])
    marked = pictures(visit(p="sentences"))["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([0], [1])


def test_a_short_text_s_token_is_not_compared_with_itself_unless_asked() -> None:
    app = visit(t="a cat sat")
    marked = pictures(app)["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([2], [1])
    box(app, "and").set_value(3)
    marked = pictures(run(app))["distance"][0]["marked"]
    assert (marked["rows"], marked["columns"]) == ([2], [2])


def test_each_word_alone_is_a_grey_ring_measured_on_its_own_axis(minilm: core.Model) -> None:
    app = visit(p="path", w="bank, bank:2")
    header, at = pictures(app)["trajectories"]
    names = [point["name"] for point in header["points"]]
    assert names.count("bank alone") == 1  # of two uses of one word
    ring = header["points"][names.index("bank alone")]
    assert ring["mark"] == "ring"
    low, high = ANCHORS["bank"]
    axis = minilm.sense_axis("bank", low.words, high.words)
    trace = minilm.trace("bank")
    wanted = axis.coordinates(trace, trace.find("bank"))
    x = at.reshape(len(names), -1, 2)[names.index("bank alone"), :, 0]
    np.testing.assert_allclose(x, wanted, atol=1e-4)
    *_, layer, last = numbers(saying(said(app), "Alone, without a text"))
    assert (layer, last) == (len(x), round(float(wanted[-1]), 2))


def test_a_word_without_senses_says_which_words_have_them_and_names_a_button_that_is_there() -> None:
    app = visit(p="path", t="A dog barked.", w="dog")
    assert "Projection" not in said(app)
    assert "*Show in PCA*" in said(app)
    assert any(one.label == "Show in PCA" for one in app.button)
    listed = saying(said(app), "Polysee knows two senses of")
    assert all(f"*{word}*" in listed for word in ANCHORS)
    assert numbers(listed)[0] == len(ANCHORS)


def test_names_that_run_from_right_to_left_keep_their_numbers_beside_them() -> None:
    header, _ = pictures(visit(t="שלום bank"))["token-vectors"]
    assert header["rows"][0].startswith("\u2068")
    assert "\u2069 (1), " in header["rows"][0]
    assert "\u2068" not in header["rows"][-1]


def test_what_is_typed_in_one_view_waits_for_it() -> None:
    app = visit(t="a cat", p="sentences", ln="one\ntwo")
    app.segmented_control[0].set_value("words")
    run(app)
    assert text_boxes(app)[0].value == "a cat"
    app.segmented_control[0].set_value("sentences")
    assert text_boxes(run(app))[0].value == "one\ntwo"


@pytest.mark.check
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"t": " "}, "The text is empty"),
        ({"t": "🙂"}, "🙂"),
        ({"p": "sentences", "ln": "\n"}, "There is no sentence"),
        ({"p": "sentences", "ln": "a\n" * 40}, "at most 30 sentences"),
        ({"l": "99"}, "output of layer 6"),
        ({"l": "-1"}, "Learned vectors"),
        ({"q": "999", "k": "998"}, "dot product"),
        ({"t": "bank"}, "nothing to compare"),
        ({"t": "עברית שלום"}, "dot product"),
        ({"t": "<script>alert(1)</script>"}, "dot product"),
    ],
)
def test_odd_links_open_with_a_sentence(url: dict[str, str], words: str) -> None:
    app = visit(**url)
    assert words in said(app) + app.session_state["embeddings text"]


@pytest.mark.check
@pytest.mark.parametrize("kind", ["gpt2", "albert"])
def test_models_of_other_shapes(
    kind: str, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made(kind), tmp_path / f"own-{kind}")  # what is kept is kept by this name
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    for depth in ("learned", "0", "1"):
        app = visit(m=f"own-{kind}", l=depth, t="a bank by the river")
        assert set(pictures(app)) == {*SQUARES, "token-vectors"}, said(app)
    app = visit(m=f"own-{kind}", p="sentences")
    assert set(pictures(app)) == set(SQUARES), said(app)


def test_the_vocabulary_s_nearest_words_and_the_vectors_themselves(minilm: core.Model) -> None:
    app = visit()
    assert "vocabulary** to **bank**" in said(app)
    assert "*largest cosine similarity*: bank 1.00 | banks " in said(app)
    assert "*smallest distance*: bank 0.00 | " in said(app)
    header, numbers = pictures(app)["token-vectors"]
    trace = minilm.trace(TWO_BANKS)
    np.testing.assert_allclose(numbers, trace.learned[1:-1], atol=1e-6)
    length = float(np.linalg.norm(trace.learned[1]))
    assert header["rows"][0] == f"{trace.tokens[1]} (1), {length:.2f}"
    app = visit(l="6")
    trace = minilm.trace(COUNTED)
    (place,) = trace.find("bank", 0)
    near = minilm.nearest_words(trace.contextual[place], k=8)
    assert f"*largest cosine similarity*: {near[0].token} " in said(app)
    assert "has moved" in said(app) or "have moved" in said(app)


def test_pieces_are_called_pieces() -> None:
    said_of = said(visit(t="snowboarders unriverlike"))
    assert "· marks a piece that continues a word" in said_of
    app = visit(t="unriverlike")
    assert all("##" not in option for option in box(app, "Token").options)
    assert "marks a piece" not in said(visit())


def test_long_sentences_and_other_languages_are_told_about() -> None:
    app = visit(p="sentences", ln="a bank " * 128 + "\nshort")
    assert "Sentence 1 is longer than the 256 tokens at which" in said(app)
    app = visit(p="sentences", ln="a bank " * 127 + "\nshort")
    assert "longer than the 256" not in said(app)
    assert "*Multilingual MiniLM*" in said(app)


@pytest.mark.parametrize("view", ["words", "path"])
def test_words_in_another_language_are_told_about(view: str) -> None:
    german = "Er sitzt auf einer Bank im Park."
    assert said(visit(p=view, t=german)).count("English alone") == 1
    assert "English alone" not in said(visit(p=view, t="He sits on a bank in the park."))
    if view == "path":
        both = said(visit(p=view, t="He sits on a bank.", t2=german))
        assert "English alone" in both


SIX = {
    "p": "path",
    "f": "panels",
    "t": "Write a poem about a man fishing on a river bank.",
    "t2": "Write a poem about a man withdrawing money from a bank.",
    "w": "bank; bank",
    "lo": "money: money, deposit, withdraw",
    "hi": "nature: nature, river, water",
}


def test_the_plane_of_the_article_with_real_vectors(minilm: core.Model) -> None:
    """Computed here from the traces: the position of bank between its own vectors beside six words."""
    app = visit(**SIX)
    shown = pictures(app)
    assert set(shown) == {"before", "after"}
    names = [point["name"] for point in shown["after"][0]["points"]]
    assert {"money", "deposit", "withdraw", "nature", "river", "water"} < set(names)
    assert [p["name"] for p in shown["after"][0]["points"] if p.get("dashed")] == [
        "bank in A",
        "bank in B",
    ]
    ends = {}
    for group in ("lo", "hi"):
        vectors = []
        for anchor in SIX[group].split(": ")[1].split(", "):
            for frame in FRAMES:
                trace = minilm.trace(frame.format(word="bank", anchor=anchor))
                assert trace.hidden is not None
                vectors.append(trace.hidden[:, trace.find("bank")].mean(axis=1))
        ends[group] = np.mean(vectors, axis=0)
    half, middle = (ends["hi"] - ends["lo"]) / 2, (ends["hi"] + ends["lo"]) / 2
    after = shown["after"][1].reshape(len(names), 6, 2)
    before = shown["before"][1].reshape(-1, 1, 2)
    told = said(app)
    for name, text in (("bank in A", SIX["t"]), ("bank in B", SIX["t2"])):
        trace = minilm.trace(text)
        assert trace.hidden is not None
        x = ((trace.hidden[:, trace.find("bank")[0]] - middle) * half).sum(-1) / (half * half).sum(-1)
        np.testing.assert_allclose(after[names.index(name), :, 0], x, atol=1e-4)
        here = [point["name"] for point in shown["before"][0]["points"]].index(name)
        np.testing.assert_allclose(before[here, 0, 0], x[0], atol=1e-4)
        assert f"**{name}** {style.signed(x[0])} → {style.signed(x[-1])}" in told
        assert (x > 0).all() == (name == "bank in A")


@pytest.mark.check
def test_each_word_stands_on_the_axis_of_its_own_contexts(minilm: core.Model) -> None:
    text = "She counted the money from the bank on the bank of the river near two banks."
    low, high = ("money", "deposit", "withdraw"), ("nature", "river", "water")
    words = {"bank (1)": ("bank", 0), "bank (2)": ("bank", 1), "banks": ("banks", 0)}
    words |= {"money": ("money", 0), "river": ("river", 0)}
    link = {key: SIX[key] for key in ("p", "lo", "hi")}
    app = visit(**link, t=text, w="bank, bank:2, banks, money, river")
    header, numbers = pictures(app)["trajectories"]
    trails = [i for i, point in enumerate(header["points"]) if point.get("trail")]
    assert [header["points"][i]["name"] for i in trails] == [*words]
    trace = minilm.trace(text)
    found = numbers.reshape(len(header["points"]), 6, 2)[trails, :, 0]
    for x, (word, number) in zip(found, words.values(), strict=True):
        axis = minilm.sense_axis(word, low, high)
        np.testing.assert_allclose(x, axis.coordinates(trace, trace.find(word, number)), atol=1e-4)
    # On the axis of another word, they would have other positions.
    others = minilm.sense_axis("bank", low, high).coordinates(trace, trace.find("river"))
    assert abs(found[-1] - others).max() > 0.05
    assert "◁ ▷) show **bank** beside them" in said(app)
    assert "left out of its own axis" in saying(said(app), "*money* and *river*")


TWO_WORDS = "The mouse ran past the bat and the cats saw a dog."


@pytest.mark.check
def test_each_word_stands_between_its_own_ends(minilm: core.Model) -> None:
    app = visit(v="2", p="path", t=TWO_WORDS, w="mouse, bat, cats, dog")
    header, numbers = pictures(app)["trajectories"]
    assert [point["name"] for point in header["points"]] == ["mouse alone", "bat alone", "mouse", "bat"]
    trace = minilm.trace(TWO_WORDS)
    found, told = numbers.reshape(4, 6, 2)[2:, :, 0], said(app)
    for x, word in zip(found, ("mouse", "bat"), strict=True):
        low, high = ANCHORS[word]
        axis = minilm.sense_axis(word, low.words, high.words)
        np.testing.assert_allclose(x, axis.coordinates(trace, trace.find(word)), atol=1e-4)
        assert f"**{word}** {style.signed(x[0])} → {style.signed(x[-1])} (" in told
        assert f"*{word}* from *{low.name}* (−1) to *{high.name}* (+1)" in told
    assert [name for _, name in header["x"]["marks"]] == ["computer / sport −1", "0", "animal +1"]
    assert "**cats** and **dog**" in told


def test_words_without_known_senses_are_left_out_and_a_map_is_offered(minilm: core.Model) -> None:
    app = visit(v="2", p="path", t=TWO_WORDS, w="cats, dog")
    assert not pictures(app)
    assert "**cats** and **dog**" in said(app)
    assert not {"money", "river"} & {*re.findall(r"\w+", said(app).split("Try this")[0])}
    next(button for button in app.button if button.label == "Show in PCA").click()
    run(app)
    assert {"cats", "dog"} <= {point["name"] for point in pictures(app)["pca"][0]["points"]}
    app = visit(v="2", p="path", t=TWO_WORDS, w="cats, dog", lo="pet", hi="lion")
    header, numbers = pictures(app)["trajectories"]
    names = [point["name"] for point in header["points"]]
    axis, trace = minilm.sense_axis("dog", ["pet"], ["lion"]), minilm.trace(TWO_WORDS)
    x = numbers.reshape(len(names), 6, 2)[names.index("dog"), :, 0]
    np.testing.assert_allclose(x, axis.coordinates(trace, trace.find("dog")), atol=1e-4)


@pytest.mark.check
def test_a_link_of_another_version_says_so() -> None:
    app = visit(**SIX | {"v": "1"})
    assert permalink.ANOTHER in said(app)
    app.segmented_control(key="embeddings space control").set_value("senses")
    run(app)
    assert permalink.ANOTHER not in said(app)
    assert permalink.ANOTHER not in said(visit(**SIX | {"v": "2"}))
    assert permalink.ANOTHER not in said(visit(p="path"))


@pytest.mark.check
def test_a_word_that_has_no_axis_is_said_and_the_others_stay(minilm: core.Model) -> None:
    app = visit(p="path", t=SIX["t"], w="bank, river, fishing", lo="money", hi="river")
    header, _ = pictures(app)["trajectories"]
    assert [p["name"] for p in header["points"] if p.get("trail")] == ["bank", "fishing"]
    why = "One of the two ends consists of “river” alone."
    assert f"**river** is not shown. {plain(why)}" in said(app)
    assert not app.error
    app = visit(p="path", t="a 𝄞 bank", w="𝄞, bank", lo="money", hi="river")
    assert "“𝄞” is not in this text" in said(app)  # nor would the model know it
    app = visit(p="path", t="The river is wide.", w="river", lo="money", hi="river")
    assert plain(why) in said(app)


def test_the_file_of_the_ways_has_the_words_and_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {}
    csv = files.csv

    def noted(make: Callable[[], pd.DataFrame], name: str) -> files.File:
        made[name] = make()
        return csv(make, name)

    monkeypatch.setattr(files, "csv", noted)
    visit(**SIX | {"f": "senses", "t2": "", "w": "bank, river"})
    named = [
        f"bank beside {end}" for end in ("money", "deposit", "withdraw", "nature", "river", "water")
    ]
    assert [*made["trajectories"].index] == ["bank", "river", *named, "bank alone", "river alone"]


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.parametrize("how", ["pca", "tsne", "umap"])
def test_a_map_of_all_points_and_what_it_distorts(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # UMAP itself, which takes long to compile, is tested in tests/measures.
    monkeypatch.setattr(
        data,
        "umap",
        lambda paths, axes, fit: NeighbourMap(pca(paths, axes).coordinates, 15.0),
    )
    app = visit(p="path", f=how, d="2")
    header, _ = pictures(app)[how]
    assert (header["state"]["depth"], len(header["steps"]), header["play"]) == (5, 8, True)
    assert {"bank (1)", "bank (2)", "money", "river", "bank learned"} <= {
        point["name"] for point in header["points"]
    }
    words = {
        "pca": "different scales",
        "tsne": "mean nothing",
        "umap": "can invent",
    }
    assert words[how] in said(app)
    assert ("seed 7" in said(app)) == (how != "pca")
    app.toggle(key="embeddings solid control").set_value(True)
    run(app)
    (header, numbers) = pictures(app)[f"space-{how}"]
    assert (header["state"]["depth"], len(header["steps"]), header["play"]) == (5, 8, True)
    assert numbers.shape[1] == 8 * 3
    called = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}[how]
    assert all(title.startswith(f"{called} {i + 1}") for i, title in enumerate(header["titles"]))
    assert ("never the other way round" in said(app)) == (how == "pca")
    assert state(app)["s3"] == "1"


@pytest.mark.check
def test_words_are_chosen_and_views_keep_what_was_typed() -> None:
    ends = {"lo": "animal", "hi": "person"}
    app = visit(p="path", t="the cat saw the cat and a dog", **ends)
    assert app.multiselect[0].value == ["cat (1)", "cat (2)"]  # none of the default's is there
    app.multiselect[0].set_value(["dog", "cat (2)"])
    run(app)
    assert state(app)["w"] == "dog, cat:2"
    text_boxes(app)[1].set_value("a dog by the river")
    run(app)
    assert app.multiselect[0].value == ["dog in A", "cat (2) in A", "dog in B"]
    assert "**dog in B**" in said(app)
    for view in ("sentences", "words", "path"):
        app.segmented_control[0].set_value(view)
        run(app)
    assert text_boxes(app)[1].value == "a dog by the river"
    assert app.multiselect[0].value == ["dog in A", "cat (2) in A", "dog in B"]


@pytest.mark.check
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"t": " "}, "The text is empty"),
        ({"t": "🙂 !"}, "no word that the model knows"),
        ({"w": ";;,:0,<b>x</b>"}, "From layer 1 to"),
        ({"d": "99", "t": "bank"}, "After layer 1: "),
        ({"t": "עברית שלום bank", "w": "שלום"}, "שלום"),
        ({"w": "bank, zebra"}, "“zebra” is not in this text. Shown instead: bank \\(1\\)."),
        ({"w": "zebra"}, "“zebra” is not in this text. Shown instead: bank"),
        ({"lo": "zzz,zzz"}, "From layer 1 to"),
        ({"lo": "river", "hi": "river"}, "cannot tell the two ends apart"),
        ({"f": "nonsense", "s3": "7"}, "From layer 1 to"),
        ({"t": "bank " * 600, "f": "tsne"}, "It was cut after"),
        ({"f": "pca", "t": "<script>alert(1)</script>"}, "PCA"),
    ],
)
def test_odd_links_to_the_path_open_with_a_sentence(url: dict[str, str], words: str) -> None:
    assert words in said(visit(p="path", **url))


@pytest.mark.check
@pytest.mark.parametrize("kind", ["gpt2", "albert"])
def test_paths_of_models_of_other_shapes(
    kind: str, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made(kind), tmp_path / f"own-{kind}")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    for how in ("senses", "panels", "pca", "tsne"):
        app = visit(m=f"own-{kind}", p="path", f=how, t="a bank by the river", lo="by", hi="the")
        assert not app.error, said(app)
        assert pictures(app), said(app)


@pytest.mark.check
def test_what_the_hint_says_of_where_bank_goes_is_what_the_example_shows() -> None:
    (line,) = [one for one in PROSE.read_text("utf-8").splitlines() if one.startswith("- [Where bank")]
    link, said = re.fullmatch(r"- \[.*?\]\(\?(.*?)\) (.*)", line).groups()  # type: ignore[union-attr]
    asked = dict(part.split("=", 1) for part in link.split("&"))
    ends = {end: asked[end].split(": ") for end in ("lo", "hi")}
    model = core.load("minilm")
    axis = model.sense_axis("bank", *(words.split(", ") for _, words in ends.values()))
    traces = [model.trace(asked[text]) for text in ("t", "t2")]
    a, b = (axis.coordinates(trace, trace.find("bank")) for trace in traces)
    assert (a > 0).all()
    crossings = 1 + np.flatnonzero(np.diff(b > 0)) + 1  # the layer behind each
    assert b[0] < 0
    assert re.findall(r"in layer (\d)", said) == [str(layer) for layer in crossings]
    assert len(re.findall(r"\d\.\d\d", said)) == 2
    assert f"−{abs(b[-1]):.2f}, on the side of *{ends['lo'][0]}*" in said
    assert f"{a[-1]:.2f}, on the side of *{ends['hi'][0]}*" in said


def test_equal_tokens_are_counted_and_others_have_no_number() -> None:
    from pages.embeddings.views import numbered

    assert numbered(["he", "bank", "·s", "bank", "he"]) == [
        "he (1)",
        "bank (1)",
        "·s",
        "bank (2)",
        "he (2)",
    ]


@pytest.mark.check
@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        ("The plant was closed.", "She watered the plant.", "plant"),
        ("She put a new seal on the jar.", "The seal swam to the rocks and ate a fish.", "seal"),
    ],
)
def test_two_texts_open_on_the_word_that_they_share(first: str, second: str, word: str) -> None:
    app = visit(v="2", t=first, t2=second)
    told = said(app)
    assert [name in told for name in (f"**{word} in A**", f"**{word} in B**")] == [True, True]
    assert "knows no two senses" not in told
    assert len(pictures(app)) == 1
