"""The Heads page without a browser: the data for its pictures, for models of every shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples.first_texts import HORSE
from core.measures import PATTERNS, head_similarity, patterns
from tests import visits
from tests.pages.reading import drawn, text_boxes
from tests.pretrained.small_models import DECODERS, PAIRED, SHAPES, save
from tests.tiers import crossed, some
from tests.visits import run, said

BENEATH = (
    *("polysee-next-word", "polysee-mask-", "polysee-difference-of-models"),
    "polysee-striking-",
)


visit = partial(visits.visit, "heads")


def picture(app: AppTest) -> tuple[dict[str, Any], bytes]:
    """Header and numbers of the only panel on the page."""
    (found,) = [one for one in pictures(app) if not one[0]["file"].startswith(BENEATH)]
    return found


def pictures(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """Header and numbers of all pictures on the page."""
    return drawn(app)


def weights(app: AppTest) -> np.ndarray:
    """The weights that the picture of a layer computes from its data: exp(score − log-sum)."""
    header, sent = picture(app)
    numbers = np.frombuffer(sent, "<f4")
    heads, rows, columns = header["heads"], len(header["queries"]), len(header["keys"])
    if header["kind"] == "weights":  # behind them those without special tokens, where both are sent
        return numbers.reshape(-1, heads, rows, columns)[0]
    d = header["d"]
    sizes = np.cumsum([heads * rows * d, heads * columns * d, heads * rows])
    query, key, sums, rest = np.split(numbers, sizes)
    scores = np.einsum("hqd,hkd->hqk", query.reshape(heads, rows, d), key.reshape(heads, columns, d))
    scores = scores * header["scale"]
    if header["bias"] == "full":
        scores = scores + rest.reshape(heads, rows, columns)
    elif header["bias"] == "diagonals":
        by = rest.reshape(heads, -1)
        away = np.arange(columns)[None, :] - np.arange(rows)[:, None]
        scores = scores + by[:, away + rows - 1]
    if header["causal"]:
        scores = np.where(np.tril(np.ones((rows, columns), bool)), scores, -np.inf)
    return np.asarray(np.exp(scores - sums.reshape(heads, rows, 1)))


def test_opens_on_all_heads_with_their_patterns() -> None:
    app = visit()
    header, _ = picture(app)
    assert header["file"] == "polysee-heads"
    assert (len(header["layers"]), header["heads"]) == (6, 12)
    assert header["tokens"][0] == "[CLS]"
    assert header["notes"][2].startswith("the token before ")  # layer 1, head 3
    assert not [*app.error, *app.warning, *app.info]
    assert app.query_params == {}


def test_a_link_says_whether_all_lines_are_drawn() -> None:
    for url, every in (({}, None), ({"al": "1"}, True), ({"th": "0.3", "al": "0"}, False)):
        app = visit(l="4", **url)
        assert picture(app)[0]["state"]["all"] is every
        assert app.query_params == {"v": "2", "l": "4", **url}


def test_a_program_that_lets_go_of_the_layer_still_has_it() -> None:
    app = visit(l="4")
    for untold in (None, "99", "nonsense"):
        app.session_state["heads layer control"] = untold  # no button does so
        run(app)
        assert picture(app)[0]["file"] == "polysee-layer-4"


@pytest.mark.parametrize("layer", [1, 6])
def test_a_layer_is_sent_exactly(minilm: core.Model, layer: int) -> None:
    app = visit(l=str(layer), on="1")
    attention = minilm.trace(HORSE).attention
    assert attention is not None
    np.testing.assert_allclose(weights(app), attention.weights[layer - 1], atol=1e-5)


def test_what_is_chosen_in_the_picture_comes_from_the_link() -> None:
    header, _ = picture(visit(l="3", r="product", h="6", q="12", k="11", s="0", on="1.5", th="0.2"))
    state = header["state"]
    assert (state["level"], state["head"], state["query"], state["key"]) == ("product", 5, 11, 10)
    assert (state["special"], state["on"], state["threshold"]) == (False, [0, 4], 0.2)


@pytest.mark.check
@pytest.mark.parametrize("value", ["x", "-1", "999999", "²", "1.5", ""])
def test_a_broken_link_opens_the_page_all_the_same(value: str) -> None:
    app = visit(
        l="2", r=value, h=value, q=value, k=value, on=value, th=value, s=value, x=value, f=value
    )
    assert picture(app)[0]["layer"] == "Layer 2"
    assert not app.error


def test_heads_are_ordered_by_a_pattern_of_the_link() -> None:
    header, _ = picture(visit(f="previous", us="1", ge="0.4"))
    assert header["patterns"]["names"][0] == "the token before"
    state = header["state"]
    assert (state["pattern"], state["typical"], state["threshold"]) == (0, True, 0.4)


@pytest.mark.check
def test_what_is_said_beneath_a_layer_is_of_its_heads(minilm: core.Model) -> None:
    about = picture(visit(l="3"))[0]["about"]
    trace = minilm.trace(HORSE)
    assert (about["layer"], about["note"]) == (2, "")
    np.testing.assert_allclose(about["scores"], patterns(trace).values[2].T, atol=6e-5)
    assert np.shape(about["typical"]) == (7, 12)
    assert [about["names"][0], len(about["follows"])] == ["the token before", 12]
    assert about["follows"][10] is None or about["scores"][about["follows"][10]][10] >= 0.1
    for head, cosines in enumerate(head_similarity(trace, 2)):
        near = about["similar"][head]
        assert [2, head] not in [one[:2] for one in near]
        for layer, other, cosine in near:
            assert cosine == pytest.approx(cosines[layer, other], abs=6e-5)
        best = np.sort(np.delete(cosines.ravel(), 24 + head))[::-1][: len(near)]
        np.testing.assert_allclose([one[2] for one in near], best, atol=6e-5)
    follows = picture(visit(l="1"))[0]["about"]["follows"]
    assert follows[2] == PATTERNS.index("previous")  # the best known of MiniLM's heads
    assert "about" not in picture(visit(l="mean"))[0]


@pytest.mark.parametrize("state", [{"l": "3"}, {"l": "0"}, {"l": "3", "m2": "minilm"}])
def test_a_picture_tells_each_choice_whatever_else_shows_it(state: dict[str, str]) -> None:
    headers = [header for header, _ in pictures(visit(**state)) if "state" in header]
    assert len(headers) == (2 if "m2" in state else 1)
    assert all("state" in header["events"] for header in headers)


@pytest.mark.check
def test_a_state_that_is_too_long_for_a_link_says_so_after_a_choice_too() -> None:
    app = visit()
    text_boxes(app)[0].set_value("".join(chr(0x4E00 + i * 7919 % 20000) for i in range(6000)))
    run(app)
    assert "too long for a link" in said(app)
    app.segmented_control(key="heads layer control").set_value("2")
    run(app)
    assert "too long for a link" in said(app)


def test_whole_words_have_weights_and_no_products(minilm: core.Model) -> None:
    app = visit(t="An unbelievability of banks", l="2", u="1")
    header, _ = picture(app)
    assert header["queries"] == ["[CLS]", "an", "unbelievability", "of", "banks", "[SEP]"]
    assert "show pieces" in header["whyNoScores"]
    found = weights(app)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-4)
    trace = minilm.trace("An unbelievability of banks")
    assert trace.attention is not None
    word = trace.find("unbelievability")
    np.testing.assert_allclose(
        found[:, 1, 2], trace.attention.weights[1][:, 1, word].sum(axis=-1), atol=1e-5
    )


def test_a_pair_is_read_as_a_pair(minilm: core.Model) -> None:
    app = visit(t="a bank", t2="the shore", l="1")
    header, _ = picture(app)
    assert header["queries"].count("[SEP]") == 2
    attention = minilm.trace("a bank", "the shore").attention
    assert attention is not None
    np.testing.assert_allclose(weights(app), attention.weights[0], atol=1e-5)


@pytest.mark.parametrize(
    ("part", "looks", "seen"), [("aa", 0, 0), ("bb", 1, 1), ("ab", 0, 1), ("ba", 1, 0)]
)
def test_parts_of_a_pair_are_scaled_to_add_up_to_one(
    minilm: core.Model, part: str, looks: int, seen: int
) -> None:
    app = visit(t="a river bank", t2="the shore", l="2", n=part)
    trace = minilm.trace("a river bank", "the shore")
    assert trace.attention is not None
    segments = np.array(trace.segments)
    inner = trace.attention.weights[1][:, segments == looks][..., segments == seen].astype(float)
    np.testing.assert_allclose(weights(app), inner / inner.sum(axis=-1, keepdims=True), atol=1e-4)
    header, _ = picture(app)
    assert header["queries"] == [t for t, s in zip(trace.tokens, segments, strict=True) if s == looks]
    assert header["keys"] == [t for t, s in zip(trace.tokens, segments, strict=True) if s == seen]
    assert "scaled to 1 over the tokens shown" in said(app)
    assert "No patterns here" in said(app)


@pytest.mark.parametrize("typed", ["", "  ", "\x00", "x" * 100_001])
def test_what_cannot_be_read_is_said(typed: str) -> None:
    app = visit(t=typed) if typed else visit(t=" ")
    assert not drawn(app)
    assert "The text" in said(app)


@pytest.mark.check
def test_512_tokens_keep_within_the_bytes() -> None:
    text = " ".join(f"bank {i}" for i in range(400))
    assert len(picture(visit(t=text))[1]) <= 1_200_000
    assert len(picture(visit(t=text, l="1"))[1]) <= 2_000_000


@pytest.fixture(scope="module")
def models(
    tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]
) -> dict[str, Path]:
    """Small random models of every shape, each in its own folder."""
    folder = tmp_path_factory.mktemp("shapes")
    return {shape: save(folder / f"shape-{i}", shape, fill_randomly) for i, shape in enumerate(SHAPES)}


@pytest.fixture(scope="module")
def loaded(models: dict[str, Path]) -> Callable[[str], core.Model]:
    """Each of them, loaded once by the library."""
    return cache(lambda shape: core.load(str(models[shape])))


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("shape", some([name for name in SHAPES if name not in PAIRED], 3))
def test_every_shape_of_one_text(
    models: dict[str, Path],
    loaded: Callable[[str], core.Model],
    monkeypatch: pytest.MonkeyPatch,
    shape: str,
) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(models[shape].parent))
    app = visit(m=models[shape].name, t="On the river bank", l="2")
    attention = loaded(shape).trace("On the river bank").attention
    assert attention is not None
    np.testing.assert_allclose(weights(app), attention.weights[1], atol=2e-4)
    header, _ = picture(app)
    assert header["causal"] == (shape in DECODERS)
    if header["kind"] == "weights":
        assert shape.startswith("mpnet")


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize(("shape", "place"), crossed(PAIRED, [0, 1, 2]))
def test_every_place_of_an_encoder_decoder(
    models: dict[str, Path],
    loaded: Callable[[str], core.Model],
    monkeypatch: pytest.MonkeyPatch,
    shape: str,
    place: int,
) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(models[shape].parent))
    texts = "On the river bank", "the bank"
    app = visit(m=models[shape].name, t=texts[0], t2=texts[1], l="1", e=str(place))
    trace = loaded(shape).trace(*texts)
    attention = (trace.encoder.attention, trace.decoder.attention, trace.cross)[place]
    np.testing.assert_allclose(weights(app), attention.weights[0], atol=2e-4)
    assert ("No patterns here" in said(app)) == (place == 2)
    one = visit(m=models[shape].name, t=texts[0], t2=texts[1], l="1", h="1", r="head", e=str(place))
    about = picture(one)[0].get("about")
    assert (about is not None) == (place < 2)
    if about is not None:
        assert about["typical"] is None
        assert "usual patterns" in about["note"]
    begun = visit(m=models[shape].name, t=texts[0], l="1", e=str(place))
    assert not begun.error
    start = len(loaded(shape).trace(texts[0], "").decoder.tokens)
    assert len(picture(begun)[0]["queries"]) == (len(trace.encoder.tokens) if place == 0 else start)
    assert ("no target yet" in said(begun)) == (place > 0)
    assert ("before the first word" in said(app)) == (place > 0)


@pytest.mark.parametrize(("chosen", "query"), [({}, "1"), ({"q": "1"}, "0"), ({"q": "5"}, "4")])
def test_the_link_to_a_number_is_of_the_chosen_token(chosen: dict[str, str], query: str) -> None:
    """The first token, 0 in the link, is a valid choice."""
    app = visit(l="2", h="3", r="head", **chosen)
    (link,) = (one.value for one in app.markdown if "step-by-step?" in one.value)
    state = dict(parse_qsl(urlsplit(link.partition("](")[2].rstrip(")")).query))
    assert (state["l"], state["h"], state["q"], state["st"]) == ("2", "3", query, "weights")


def test_a_head_beyond_the_last_one_of_the_model_becomes_the_last() -> None:
    app = visit(l="99", h="77", r="head")
    header, _ = picture(app)
    assert header["state"]["head"] == header["heads"] - 1
    assert app.session_state["heads head"] == header["heads"] - 1
    assert "*value* vector times its weight" in said(app).replace("[value]", "value")
