"""The Heads page without a browser: two models side by side, averages, special tokens, predictions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples.first_texts import HORSE, POEM
from core.measures import model_difference
from core.records.score_terms import TERMS
from core.sentences import signed
from pages.heads import fine_tuned
from tests.measures.test_model_difference import Folders, folders
from tests.pages.heads.test_page import picture, pictures, visit, weights
from tests.pages.reading import text_box
from tests.pretrained.families.test_own_engine import saved
from tests.sentences import saying
from tests.visits import run, said

__all__ = ["folders"]
Made = Callable[..., Path]
TEXT = "On the river bank"


def offered(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """The name by which the app offers the model in a folder."""
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click()
    return run(app)


def shown(app: AppTest, file: str) -> list[tuple[dict[str, Any], bytes]]:
    return [one for one in pictures(app) if one[0]["file"] == f"polysee-{file}"]


@pytest.mark.check
def test_two_models_share_their_tokens_and_differ(
    minilm: core.Model, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = offered(monkeypatch, made("bert"))
    app = visit(m2=name, t=POEM, l="3", h="6", l2="2", h2="2", q="4", s="1")  # special tokens as well
    panels = [one for one in pictures(app) if one[0]["file"].startswith("polysee-layer-")]
    assert [header["layer"] for header, _ in panels] == ["Layer 3", "Layer 2"]
    assert [header["state"]["head"] for header, _ in panels] == [5, 1]
    assert [header["state"]["query"] for header, _ in panels] == [3, 3]
    links = [header["link"] for header, _ in panels]
    assert links[0] == links[1]  # the same vocabulary
    assert links[0]["queries"] == list(range(14))
    ((difference, sent),) = shown(app, "difference-of-models")
    assert difference["rows"] == panels[0][0]["queries"]
    ours, theirs = minilm.trace(POEM), core.load(str(made("bert"))).trace(POEM)
    assert ours.attention is not None
    assert theirs.attention is not None
    expected = ours.attention.weights[2, 5] - theirs.attention.weights[1, 1]
    np.testing.assert_allclose(np.frombuffer(sent, "<f4").reshape(14, 14), expected, atol=1e-6)
    mean = abs(expected.astype(float)).mean()
    assert f"{mean:.3f}" in saying(said(app), "the weights differ")


@pytest.mark.check
def test_models_that_cut_words_otherwise_share_what_is_the_same(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit(m2=offered(monkeypatch, made("gpt2")), t=TEXT)
    first, second = (one[0] for one in pictures(app) if one[0]["file"] == "polysee-heads")
    numbers = {
        token: number
        for header in (first, second)
        for token, number in zip(header["tokens"], header["link"]["keys"], strict=True)
        if number is not None
    }
    assert set(numbers) == {"the", "river", "bank"}  # "On" came in two pieces
    assert "only one model has" in said(app)
    ((difference, _),) = shown(app, "difference-of-models")
    assert difference["rows"] == ["the", "river", "bank"]


def test_a_second_model_that_fails_leaves_the_first(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = made("bert", head="Model")
    monkeypatch.setenv("POLYSEE_MODELS", str(broken.parent))
    kept = (broken / "model.safetensors").read_bytes()
    try:
        (broken / "model.safetensors").write_bytes(kept[:1000])
        app = visit(m2=broken.name)
    finally:
        (broken / "model.safetensors").write_bytes(kept)
    assert len(app.error) == 1
    assert picture(app)[0]["file"] == "polysee-heads"


@pytest.mark.check
def test_another_text_or_model_forgets_tokens_and_keeps_where_one_is(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, kept = offered(monkeypatch, made("bert")), {"v": "2", "l": "2", "h": "4"}
    app = visit(**kept, q="3", k="2", x="5")
    (box,) = [box for box in app.sidebar.selectbox if box.label == "Compare with"]
    box.set_value(name)
    run(app)
    assert app.query_params == {**kept, "m2": name}
    assert len(shown(app, "difference-of-models")) == 1
    app = visit(**kept, q="3", pin="query")
    text_box(app, "heads text control").set_value(TEXT)
    run(app)
    assert app.query_params == {**kept, "t": TEXT}
    app = visit(**kept, q="3", x="5")
    app.toggle(key="heads words control").set_value(True)
    run(app)
    assert app.query_params == {**kept, "u": "1"}


def test_a_model_that_is_not_offered_is_no_second_one() -> None:
    app = visit(m2="../../etc")
    assert "is not offered here" in said(app)
    assert picture(app)[0]["file"] == "polysee-heads"


def test_the_mean_of_all_heads(minilm: core.Model) -> None:
    app = visit(l="mean", r="head", s="0")
    trace = minilm.trace(HORSE)
    assert trace.attention is not None
    whole = trace.attention.weights.astype(float)
    np.testing.assert_allclose(weights(app)[0], whole.mean(axis=(0, 1)), atol=1e-6)
    header, sent = picture(app)
    assert (header["layer"], header["isMean"]) == ("Mean of all 72 heads", True)
    assert "no scores of its own" in header["whyNoScores"]
    # With special tokens hidden: the mean of each head's rescaled rows, as for one layer.
    bare = np.frombuffer(sent, "<f4").reshape(2, 15, 15)[1, 1:-1, 1:-1]
    inner = whole[:, :, 1:-1, 1:-1]
    np.testing.assert_allclose(bare, (inner / inner.sum(-1, keepdims=True)).mean((0, 1)), atol=1e-6)


def test_special_tokens_are_left_out_of_all_heads() -> None:
    header, _ = picture(visit(s="0", x="3"))
    assert "[CLS]" not in header["tokens"]
    assert header["state"]["special"] is False
    assert header["state"]["token"] == 2  # the third of all, though it is the second that is drawn
    assert header["positions"][1] == list(range(1, 14))


@pytest.mark.check
def test_minilm_says_that_it_predicts_no_words() -> None:
    app = visit()
    assert "has no output layer that predicts words" in said(app)
    assert not [button for button in app.button if button.label == "Most likely"]


@pytest.mark.check
@pytest.mark.parametrize("link", [{"mk": "4"}, {"t": "On the [MASK] bank"}])
def test_words_behind_a_mask(made: Made, monkeypatch: pytest.MonkeyPatch, link: dict[str, str]) -> None:
    name = offered(monkeypatch, made("bert"))
    app = visit(**{"m": name, "t": TEXT, "tm": "0.7", "tk": "5", **link})
    ((header, sent),) = shown(app, "mask-4")
    (expected,) = core.load(str(made("bert"))).predict("On the [MASK] bank", top_k=5, temperature=0.7)
    np.testing.assert_allclose(np.frombuffer(sent, "<f4"), expected.probabilities, rtol=1e-5)
    assert len(header["labels"]) == 5
    assert picture(app)[0]["tokens"][3] == "[MASK]"
    assert f"Entropy over the whole vocabulary: {expected.entropy:.2f} bits" in said(app)


def test_a_word_is_hidden_and_shown_again(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(m=offered(monkeypatch, made("bert")), t=TEXT)
    assert "no mask" in said(app)
    app.multiselect[0].select(4)
    run(app)
    assert app.query_params["mk"] == "4"
    assert shown(app, "mask-4")
    app.multiselect[0].unselect(4)
    run(app)
    assert "mk" not in app.query_params


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("kind", ["gpt2", "llama", "bart"])
def test_the_model_writes_on_and_its_words_are_drawn(
    made: Made, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = made(kind)
    app = visit(m=offered(monkeypatch, folder), t=TEXT, e="1")
    before = picture(app)[0]["tokens"]
    ((_, sent),) = shown(app, "next-word")
    model = core.load(str(folder))
    (expected,) = model.predict(TEXT, "" if model.kind == "encoder-decoder" else None)
    np.testing.assert_allclose(np.frombuffer(sent, "<f4"), expected.probabilities, rtol=1e-5)
    press(app, "Most likely")
    assert app.query_params["g"] == str(expected.ids[0])
    now = picture(app)[0]
    assert len(now["tokens"]) == len(before) + 1
    press(app, "Sample 10")
    assert app.query_params["g"].count(".") >= 1
    press(app, "Undo one")
    press(app, "Start over")
    assert "g" not in app.query_params
    assert picture(app)[0]["tokens"] == before


@pytest.mark.check
def test_two_models_that_predict_share_their_temperature(
    made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for kind in ("gpt2", "bert"):
        (tmp_path / kind).symlink_to(made(kind))
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(m="gpt2", m2="bert", t="On the [MASK] bank", tm="0.5")
    assert len([slider for slider in app.slider if slider.label == "Temperature"]) == 1
    assert shown(app, "next-word")
    assert shown(app, "mask-4")


def test_a_full_model_says_so_and_loses_nothing(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    name = offered(monkeypatch, made("gpt2"))
    room = core.load(str(made("gpt2"))).max_tokens
    tokens = len(core.load(str(made("gpt2"))).trace(TEXT).tokens)
    full = ".".join(["70"] * (room - tokens))
    app = visit(m=name, t=TEXT, g=full, s="1")  # its first token as well
    assert len(picture(app)[0]["tokens"]) == room
    press(app, "Most likely")
    assert app.query_params["g"] == full
    assert len(app.info) == 1
    press(app, "Undo one")
    assert len(picture(app)[0]["tokens"]) == room - 1


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("link", [{"g": "9999999"}, {"mk": "99"}, {"mk": "1"}, {"g": "1..2"}])
def test_a_link_for_another_model_still_opens(
    made: Made, monkeypatch: pytest.MonkeyPatch, link: dict[str, str]
) -> None:
    for kind in ("gpt2", "bert"):
        app = visit(m=offered(monkeypatch, made(kind)), t=TEXT, **link)
        assert picture(app)[0]["file"] == "polysee-heads"
    assert picture(visit(**link))[0]["file"] == "polysee-heads"


@pytest.mark.check
@pytest.mark.filterwarnings("ignore::core.ModelNote")
def test_what_a_training_changed(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", str(folders.every))
    app = visit(m="adapter", t=TEXT)
    press(app, "Beside what it was trained from: base")
    assert "unless one was trained from the other" not in said(app)
    ((header, sent),) = shown(app, "moved-heads")
    found = model_difference(core.load(folders.adapter), core.load(folders.base), TEXT)
    np.testing.assert_allclose(np.frombuffer(sent, "<f4"), found.heads.ravel(), atol=1e-6)
    assert header["columns"] == [str(head + 1) for head in range(found.heads.shape[1])]
    assert found.added is not None
    assert signed(found.added.whole, plus=True) in saying(said(app), "a change of")
    assert found.parts is not None
    there: dict[str, Any] = {}
    exec(fine_tuned.python(found, TEXT), there)
    np.testing.assert_array_equal(there["moved"], found.heads)
    assert there["words"].equals(found.added.to_frame("source"))
    assert found.expected is not None
    table = fine_tuned._words_table(found.expected)
    np.testing.assert_allclose(table["after"] - table["before"], table["change"], atol=1e-7)
    assert table["change"].abs().is_monotonic_decreasing
    before = visit(m="adapter", m2="base", t=TEXT, ft="before")
    for made, parts in ((app, found.added), (before, found.parts[1])):
        ((_, sent),) = shown(made, "why-words")
        assert float(np.frombuffer(sent, "<f4").sum()) == pytest.approx(parts.whole, abs=0.05)


@pytest.mark.check
def test_the_three_terms_of_a_deberta(
    tmp_path: Path, fill_randomly: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = saved(tmp_path / "deberta", "deberta-v3", fill_randomly)
    app = visit(m=offered(monkeypatch, folder), t=TEXT, l="2", h="1", r="head")
    found = core.load(str(folder)).score_terms(TEXT, 1, 0)
    for name, values in zip(TERMS, found.each, strict=True):
        ((_, sent),) = shown(app, f"score-{name.replace(' → ', '-to-')}")
        np.testing.assert_allclose(np.frombuffer(sent, "<f4"), values.ravel(), atol=1e-5)
    most = TERMS[int(np.argmax(found.spread))]
    assert f"**{most}** tells" in said(app)
