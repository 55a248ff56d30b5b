"""The view It copies: on a small random decoder, and its examples' numbers on SmolLM2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest

import core
from core.language.repetition import repeated
from core.measures import control_heads, copies, copying_heads, random_text, sink
from core.records.prediction import probabilities
from core.records.trace import Trace
from core.sentences import percent
from pages.next_word.copying import captions, computed
from pages.next_word.state import OPENING
from tests import left_to_right, visits
from tests.pages.cells import given
from tests.pages.reading import drawn
from tests.visits import said

Made = Callable[..., Path]


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.mark.check
def test_the_view_shows_the_model_s_own_numbers() -> None:
    app = visits.visit("next_word", v="2", p="copying", il="5", iz="7", ia="2", ik="1", iq="1")
    assert not app.exception, app.exception
    assert not app.error, [one.value for one in app.error]
    model = left_to_right.real()
    text = repeated(lambda some: model.read(some).ids, 5, 7)
    trace: Trace = model.trace(text)
    assert trace.attention is not None
    found = copying_heads(trace.attention.weights, 5)
    pictures = {header["file"]: np.frombuffer(sent, "<f4") for header, sent in drawn(app)}
    np.testing.assert_allclose(
        pictures["polysee-copying-induction"], found.induction.ravel(), rtol=1e-4, atol=1e-6
    )
    before = model.score(text).bits
    without = model.score_changed(text, *(core.Ablate(*one) for one in found.ranked()[:2])).bits
    drawn_heads = control_heads(found, 2, computed.DRAWS, 7)
    random = [model.score_changed(text, *(core.Ablate(*h) for h in one)).bits for one in drawn_heads]
    seconds = [bits[-5:].mean() for bits in random]
    halves = [before[-10:-5].mean(), before[-5:].mean(), without[-5:].mean(), np.mean(seconds)]
    assert pictures["polysee-copying-halves"] == pytest.approx(halves, rel=1e-4)
    curves = pictures["polysee-copying-surprise"].reshape(-1, 10)  # and the band, low and high
    shown = [np.mean(random, axis=0), without, before, np.min(random, axis=0), np.max(random, axis=0)]
    np.testing.assert_allclose(curves, [bits[-10:] for bits in shown], rtol=1e-4, atol=1e-5)
    assert f"{before[-5:].mean():.1f} the second" in said(app)
    assert f"mean of 5 draws, {min(seconds):.1f} to {max(seconds):.1f}" in said(app)


@pytest.mark.check
def test_the_first_token_of_the_page_s_own_text() -> None:
    app = visits.visit("next_word", v="2", p="copying", il="5", ia="0", ik="1", iq="1")
    assert not app.exception, app.exception
    model = left_to_right.real()
    found = sink(model.trace(OPENING), model.output_gram())
    pictures = {header["file"]: np.frombuffer(sent, "<f4") for header, sent in drawn(app)}
    shares = np.concatenate([found.attention, found.share])
    np.testing.assert_allclose(pictures["polysee-sink-shares"], shares, rtol=1e-4, atol=1e-6)
    assert percent(found.total_share) in said(app)
    cuts = [core.Cut(query, 0) for query in range(1, len(model.read(OPENING).ids))]
    before = model.expects(OPENING)[0].top(10, 1.0)
    later = probabilities(model.expects_changed(OPENING, *cuts).logits, 1.0)[before.ids[0]]
    assert before.texts[0] == " Mary"
    assert pictures["polysee-sink-hidden"][0] == pytest.approx(later, rel=1e-3)
    was, now = percent(float(before.probabilities[0])), percent(float(later))
    assert (was, now) == ("92.3 %", "6.3 %")
    assert f"*Mary* falls from {was} to **{now}**" in said(app)


def test_a_model_that_does_not_know_our_words_repeats_its_own_tokens(name: str) -> None:
    app = visits.visit("next_word", v="2", p="copying", m=name, il="5", ik="1", ia="1")
    assert not app.exception, app.exception
    assert not app.error, [one.value for one in app.error]
    assert captions.INSTEAD in [one.value for one in app.info]
    model = core.load(name)
    text = random_text(model, 5, 1, vocabulary=True)
    found = copies(model, length=5, seed=1, vocabulary=True, ablate=1)
    pictures = {header["file"]: np.frombuffer(sent, "<f4") for header, sent in drawn(app)}
    assert found.heads is not None
    np.testing.assert_allclose(
        pictures["polysee-copying-induction"], found.heads.induction.ravel(), rtol=1e-4, atol=1e-6
    )
    assert found.score.text == text
    assert "polysee-sink-shares" in pictures
    layer, head = found.heads.ranked()[0]
    name = f"[Layer {layer + 1}, head {head + 1}:"
    (link,) = [str(one.value) for one in app.markdown if name in str(one.value)]
    assert {"l": [str(layer + 1)], "h": [str(head + 1)]}.items() <= parse_qs(link.rstrip(")")).items()


@pytest.mark.parametrize("length", ["1", "10000", "-3", "x"])
def test_a_link_to_a_length_that_there_is_not(name: str, length: str) -> None:
    app = visits.visit("next_word", v="2", p="copying", m=name, il=length, ia="0")
    assert not app.exception, app.exception


def test_a_half_that_is_too_long_for_the_model_says_so_and_the_rest_stays(name: str) -> None:
    app = visits.visit("next_word", v="2", p="copying", m=name, il="100", ik="1", ia="0")
    assert not app.exception, app.exception
    assert len(app.error) == 1
    assert any(header["file"] == "polysee-sink-norms" for header, _ in drawn(app))


def test_its_code_gives_the_numbers_of_the_page(name: str) -> None:
    url = {"p": "copying", "m": name, "il": "5", "ia": "1", "ik": "1"}
    ((halves, best, without, control, share, written),) = given("next_word", **url)
    found = copies(core.load(name), length=5, seed=1, vocabulary=True, ablate=1)
    assert halves == found.halves()
    assert found.heads is not None
    assert best == found.heads.ranked()[:3]
    assert without == found.halves(found.without)
    assert control == found.control()
    assert 0 < written < 1
    assert percent(float(share)) in said(visits.visit("next_word", v="2", **url))


@pytest.mark.check
def test_own_pairs_and_what_is_none() -> None:
    url = {"v": "2", "p": "copying", "il": "5", "ia": "0", "ix": "1"}
    app = visits.visit("next_word", **url, ip="hot : cold\nbig : small\nup : down")
    assert not app.exception, app.exception
    assert "of 3, by the examples" in said(app)
    app = visits.visit("next_word", **url, ip="<b>river</b>")
    assert not app.exception, app.exception
    assert len(app.error) == 1


@pytest.mark.check
def test_the_numbers_of_the_examples() -> None:
    """Also those of the literature: second half easy, three heads carry it, random ones do not."""
    model = left_to_right.real()
    text = repeated(lambda some: model.read(some).ids, 25, 1)
    trace = model.trace(text, keep="attention")
    assert trace.attention is not None
    found = copying_heads(trace.attention.weights, 25)
    bits = model.score(text).bits
    best = [core.Ablate(*one) for one in found.ranked()[:3]]
    without = model.score_changed(text, *best).bits
    page = (Path(__file__).parents[3] / "pages/next_word/page.copying.md").read_text("utf-8")
    numbers = (bits[-50:-25].mean(), bits[-25:].mean(), without[-25:].mean())
    assert all(f"{number:.1f}" in page for number in numbers)
    assert found.ranked()[0] == (18, 6)
    assert found.ranked("previous")[0] == (16, 0)
    assert f"gives {100 * found.previous[16, 0]:.0f} % of its attention" in page
    assert {(14, 3), (8, 0)} <= {*found.ranked("duplicate")[:2]}
    assert found.ranked("sink")[0] == (18, 8)
