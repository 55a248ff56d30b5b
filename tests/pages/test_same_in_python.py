"""“The same in Python” is on every page, and its lines compute the numbers on that page."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.figures import style
from core.figures.labels import named_edges
from core.lessons import lessons
from tests.pages.cells import given, given_by
from tests.pages.reading import drawn
from tests.pages.steps_reading import result
from tests.sentences import without_meanings
from tests.tiers import crossed
from tests.visits import visit
from ui import navigation, same_in_python

FOLDED = [page for page in navigation.pages() if page != "heads"]


@pytest.fixture(autouse=True, scope="module")
def each_model_once() -> Iterator[None]:
    """Each cell loads its model as a notebook would; here, they share what they have loaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "load", functools.cache(core.load))
        yield


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption)
    return without_meanings(
        "\n".join(str(element.value) for kind in kinds for element in kind).replace("\\", "")
    )


def folds(app: AppTest) -> list[str]:
    return [one.label for one in app.expander]


def test_it_is_on_every_page_but_heads() -> None:
    assert len(FOLDED) >= 10  # Heads has a popover beside its files: `test_export`


@pytest.mark.few(4)
@pytest.mark.parametrize("page", FOLDED)
def test_folded_it_writes_nothing(page: str) -> None:
    app = visit(page)
    assert folds(app).count(same_in_python.TITLE) == 1
    assert not app.code
    assert "py" not in app.query_params


def test_compare() -> None:
    """The coordinates of the picture: after each layer, between the two senses."""
    for url in ({}, {"a": "A cat sat.", "b": "The cats ate.", "w": "cat", "w2": "cats"}):
        app = visit("compare", py="1", **url)
        (cell,) = app.code
        (header, _), *_ = drawn(app)
        assert len(header["sides"]) == 2
        for coordinates, side in zip(given_by(str(cell.value)), header["sides"], strict=True):
            np.testing.assert_allclose(coordinates, side["position"], rtol=0, atol=1e-5)


@pytest.mark.check
def test_compare_without_two_senses(minilm: Any) -> None:
    from core.comparison import Chosen, Question
    from pages.compare import python
    from ui.comparison import moved

    sides = Chosen("A cat saw a cat.", "cat", 1), Chosen("The cat ate.", "cat", 0)
    question = Question("minilm", *sides, None)
    (cell,) = python.lines(question).values()
    np.testing.assert_allclose(given_by(cell), moved(question).together, rtol=0, atol=1e-6)


@pytest.mark.check
def test_embeddings_words() -> None:
    for depth in ("learned", "0", "4"):
        url = {"p": "words", "l": depth, "q": "2", "k": "5"}
        (numbers,) = given("embeddings", **url)
        page = said(visit("embeddings", **url))
        for number in numbers:
            assert style.signed(float(number)) in page


@pytest.mark.check
def test_embeddings_sentences() -> None:
    (numbers,) = given("embeddings", p="sentences")
    page = said(visit("embeddings", p="sentences"))
    for number in numbers:
        assert style.signed(float(number)) in page


@pytest.mark.check
def test_embeddings_paths() -> None:
    (coordinates,) = given("embeddings")
    page = said(visit("embeddings"))
    assert len(coordinates) == 2
    for one in coordinates:
        assert style.signed(float(one[-1])) in page
    (mapped,) = given("embeddings", f="pca")
    assert mapped.shape == (2, 8, 2)


@pytest.mark.check
def test_senses() -> None:
    (accuracy,) = given("senses")
    page = said(visit("senses"))
    for i in (0, -1):
        assert f"{100 * float(accuracy[i]):.0f} %" in page


@pytest.mark.check
def test_corpus() -> None:
    """The number of lines in each cluster, as the buttons above the lines have it."""
    (counts,) = given("corpus", w="class", k="2")
    (header, _), *_ = drawn(visit("corpus", w="class", k="2"))
    assert counts == header["counts"]
    assert sum(counts) == header["lines"] > 10


@pytest.mark.check
def test_senses_without_labels() -> None:
    url = {"p": "own", "w": "bank", "ln": "A bank.\nThe river bank.\nThe bank lends money.", "q": "2"}
    (near,) = given("senses", **url)
    page = said(visit("senses", **url))
    assert near
    for _, cosine in near:
        assert style.signed(cosine) in page


@pytest.mark.parametrize(("size", "name"), crossed(["0", "1", "paper"], ["query", "weights", "norm2"]))
def test_step_by_step(size: str, name: str) -> None:
    url = {"ti": size, "st": name, "l": "2", "h": "2"} | ({"l": "1"} if size == "1" else {})
    app = visit("step_by_step", py="1", **url)
    assert [tab.label for tab in app.tabs] == ["PyTorch (our transformer)", "NumPy"]
    assert len(app.code) == 2
    for cell in app.code:
        np.testing.assert_allclose(
            np.asarray(given_by(str(cell.value))), result(app), rtol=0, atol=5e-6
        )


@pytest.mark.check
def test_step_by_step_without_weights() -> None:
    for given_here in given("step_by_step", p="plain", ps="plain-weights"):
        shown = result(visit("step_by_step", p="plain", ps="plain-weights"))
        np.testing.assert_allclose(np.asarray(given_here), shown, rtol=0, atol=1e-6)


@pytest.mark.check
@pytest.mark.parametrize(
    "url",
    [
        {"nn": "1"},
        {"ti": "paper", "nr": "0", "ns": "1"},
        {"sk": "fresh", "n": "3", "np": "1", "nh": "1", "nf": "1"},
        {"ti": "1", "n": "2"},
    ],
)
def test_step_by_step_over_all_layers(url: dict[str, str]) -> None:
    """The blue curves: similarity, and the logarithm of the gradient."""
    view = {"p": "what-if", "wi": "depth", **url}
    (curves,) = given("step_by_step", **view)
    pictures = drawn(visit("step_by_step", **view))
    for mine, (header, sent) in zip(curves, pictures, strict=True):
        shown = np.frombuffer(sent, "<f4").reshape(2, -1)[1]
        assert len(shown) == len(header["steps"])
        np.testing.assert_allclose(np.log10(mine) if header["log"] else mine, shown, atol=1e-5)


@pytest.mark.check
def test_step_by_step_pieces_has_one_version() -> None:
    app = visit("step_by_step", py="1", st="pieces")
    assert not app.tabs
    (cell,) = app.code
    np.testing.assert_array_equal(given_by(str(cell.value)), result(app)[:, 0])


def test_positions(minilm: Any) -> None:
    ours, numpy = given("positions", pp="3", pi="4", pl="7", pd="11")
    assert float(ours) == pytest.approx(np.sin(3 / 10_000 ** (4 / 11)), abs=1e-6)
    assert float(numpy) == pytest.approx(float(ours), abs=1e-6)
    (learned,) = given("positions", p="learned", pp="3", pi="4")
    assert learned == minilm.position_table()[3, 4]
    (product,) = given("positions", p="rotary", rq="1, 0", rk="1, 0, 5, 5", rm="2", rn="5")
    assert float(product) == pytest.approx(np.cos(3), abs=1e-6)


@pytest.mark.check
def test_positions_added_to_words() -> None:
    for url in ({}, {"pr": "1"}, {"ed": "E.3.1.2.5~P.0.0.-1"}):
        (sums,) = given("positions", p="sum", **url)
        shown = np.frombuffer(drawn(visit("positions", p="sum", **url))[0][1], "<f4")[-15:]
        np.testing.assert_allclose(np.ravel(sums), shown, rtol=0, atol=1e-6)


@pytest.mark.check
def test_positions_with_padding(minilm: Any) -> None:
    for url in ({}, {"ed": "PAD.0.1.2.5~P.6.0.-1", "pt": "8"}):
        for mask in ("0", "1"):
            (apart,) = given("positions", p="padding", pm=mask, **url)
            page = said(visit("positions", p="padding", pm=mask, **url))
            assert f"**{style.signed(float(apart), 3) if mask == '0' else 0}**" in page
    for mask in ("0", "1"):
        (apart,) = given("positions", p="padding", pn="model", pm=mask)
        page = said(visit("positions", p="padding", pn="model", pm=mask))
        number = style.signed(float(apart), 3) if mask == "0" else style.scientific(float(apart), 0)
        assert f"**{number}**" in page


@pytest.mark.check
def test_positions_how_far() -> None:
    from core.walkthroughs.reach import layer_costs

    url = {
        "p": "reach",
        "t": "The cat, which slept, woke up.",
        "w": "2",
        "cr": "2",
        "cd": "7",
        "ck": "4",
    }
    ((steps, costs),) = given("positions", **url)
    page = visit("positions", **url)
    shown = np.frombuffer(drawn(page)[0][1], "<f4").reshape(3, -1)
    np.testing.assert_array_equal(shown, [steps.recurrent, steps.restricted, steps.attention])
    assert costs == [(c.name, c.operations, c.sequential, c.path) for c in layer_costs(6, 7, 4, 2)]
    for _, *counts in costs:
        assert all(f"{count:,}" in said(page) for count in counts)


@pytest.mark.fuzz
@pytest.mark.check
def test_embeddings_analogies() -> None:
    for url in ({}, {"an": "paris − france + zzyzx", "ao": "0"}):
        (both,) = given("embeddings", p="analogy", **url)
        for near, (header, sent) in zip(
            both, drawn(visit("embeddings", p="analogy", **url)), strict=True
        ):
            # The picture marks a piece that goes on a word, "·4"; the code gives its letters.
            labels = [
                label.removesuffix(" (in the sum)").removeprefix("·") for label in header["labels"]
            ]
            assert [word for word, _ in near] == labels
            cosines = [cosine for _, cosine in near]
            np.testing.assert_allclose(cosines, np.frombuffer(sent, "<f4"), rtol=0, atol=1e-5)


@pytest.mark.fuzz
def test_embeddings_trained() -> None:
    (tables,) = given("embeddings", p="trained", gk="seal", gw="2")
    pictures = drawn(visit("embeddings", p="trained", gk="seal", gw="2"))
    pictures = [one for one in pictures if one[0]["file"].startswith("polysee-nearest-")]
    for near, (header, sent) in zip(tables.values(), pictures, strict=True):
        assert [word for word, _ in near] == header["labels"]
        cosines = [cosine for _, cosine in near]
        np.testing.assert_allclose(cosines, np.frombuffer(sent, "<f4"), rtol=0, atol=1e-5)


@pytest.mark.check
def test_step_by_step_words_into_tokens() -> None:
    for url in ({}, {"bt": "a👩\u200d👧 ca\u200dt cats", "bm": "3"}, {"bt": f"{'long' * 9} " * 61}):
        ((pairs, pieces),) = given("step_by_step", p="tokens", **url)
        page = said(visit("step_by_step", p="tokens", **url))
        for words in (pairs, pieces):
            for word in words:
                assert "\u2009|\u2009".join(map(named_edges, word)) in page
            assert f"{sum(map(len, words))} tokens" in page


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("url", [{"ti": "1"}, {"m": "gpt2"}])
def test_step_by_step_byte_pairs_alone(
    url: dict[str, str], made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpt2").symlink_to(made("gpt2"))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    (found,) = given("step_by_step", p="tokens", bt="low low lower", bm="2", **url)
    pairs = (
        found if "m" in url else found[0]
    )  # GPT-2 has no such pieces; MiniLM stands beside the tiny one
    assert pairs == (("low",), ("low",), ("low", "e", "r"))


@pytest.mark.few(4)
@pytest.mark.check
@pytest.mark.parametrize(
    ("page", "view"),
    [
        *(
            ("positions", view)
            for view in ("sinusoidal", "learned", "rotary", "sum", "padding", "reach")
        ),
        *(("embeddings", view) for view in ("path", "words", "sentences", "analogy", "trained")),
        *(("step_by_step", view) for view in ("layer", "plain", "tokens")),
    ],
)
def test_every_view_has_the_lines(page: str, view: str) -> None:
    assert folds(visit(page, p=view)).count(same_in_python.TITLE) == 1


@pytest.mark.check
def test_encoder_decoder() -> None:
    app = visit("encoder_decoder", py="1", st="2", fw="1.la", te="2.0")
    (cell,) = app.code
    shares = given_by(str(cell.value))
    assert len(shares) == 8
    from pages.encoder_decoder import steps, translator
    from pages.encoder_decoder.state import SHIPPED, TranslationState

    query = translator.TranslationQuery(SHIPPED, TranslationState().text.default, ((0, "la"),))
    best = steps.top(translator.decoding(query), 1, 2.0)
    assert [*shares] == [*best.tokens]
    np.testing.assert_allclose([*shares.values()], best.probabilities, rtol=0, atol=1e-6)


@pytest.mark.check
def test_encoder_decoder_from_french() -> None:
    from pages.encoder_decoder import steps, translator
    from pages.encoder_decoder.state import TO_ENGLISH

    app = visit("encoder_decoder", d="to-english", py="1", t="elle chante", st="2")
    (cell,) = app.code
    shares = given_by(str(cell.value))
    best = steps.top(
        translator.decoding(translator.TranslationQuery(TO_ENGLISH, "elle chante", ())), 1, 1.0
    )
    assert [*shares] == [*best.tokens]
    np.testing.assert_allclose([*shares.values()], best.probabilities, rtol=0, atol=1e-6)


@pytest.mark.check
def test_training() -> None:
    """The snapshot before the first step; later ones are the recipe's, however many are taken."""
    from core.tasks import train
    from core.tasks.training import recipe_code
    from pages.training import python

    url = {"rc": "reverse~sd2~n10~b2~wu1~h1~d8~ff8"}
    ((loss, accuracy, _),) = given("training", **url)
    page = said(visit("training", **url))
    assert f"{loss:.2f}" in page
    assert f"{100 * accuracy:.0f}" in page
    (cell,) = python.lines(url["rc"], 7).values()
    *_, last = (one for one in train(recipe_code.read(url["rc"]), every=1) if one.step <= 7)
    assert given_by(cell) == (last.loss, last.accuracy, last.pattern)


@pytest.mark.check
def test_lessons() -> None:
    assert given("lessons") == [[(one.number, one.title) for one in lessons()]]
