"""The Compare page without a browser: what is on it, for what is typed and for what is in the link."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.examples import PRESETS, Preset
from core.settings import OPENING
from tests.pages.reading import components

ROOT = Path(__file__).resolve().parents[2]


def visit(script: str = "app.py", **url: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / script), default_timeout=120)
    app.query_params.update(url)
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    """All the words on the page."""
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.subheader, app.code)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each browser picture, by the name of its file."""
    found = {}
    for element in components(app):
        sent = element.proto.bytes
        (size,) = struct.unpack_from("<I", sent)
        header = json.loads(sent[4 : 4 + size])
        numbers = np.frombuffer(sent[4 + size :], "<f4")
        if "steps" in header:  # of a line, of a point, and of the two ends of a band
            shape: tuple[int, ...] = (-1, len(header["steps"]) * (2 if "points" in header else 1))
        else:
            shape = (len(header["rows"] if "rows" in header else header["labels"]), -1)
        found[header["file"].removeprefix("polysee-")] = header, numbers.reshape(shape)
    return found


def heads(app: AppTest) -> list[tuple[dict[str, Any], np.ndarray]]:
    return [picture for name, picture in pictures(app).items() if name in ("head-A", "head-B")]


def weights(app: AppTest) -> list[np.ndarray]:
    return [numbers for _, numbers in heads(app)]


def drawn(app: AppTest) -> int:
    """How many of the path, the move and the two heads are on the page."""
    return len({"path", "move", "pca", "head-A", "head-B"} & {*pictures(app)})


def claimed(app: AppTest) -> str:
    (claim,) = (str(m.value) for m in app.markdown if "In both sentences" in str(m.value))
    return claim


def type_into(app: AppTest, key: str, words: str) -> AppTest:
    app.text_input(key=key).set_value(words)
    return run(app)


@pytest.mark.parametrize("script", ["app.py", "pages/compare.py"])
def test_opens_already_computed(script: str) -> None:
    app = visit(script)
    assert app.title[0].value == "One word, two meanings"
    assert app.text_input(key="a").value == OPENING.text_a
    assert app.text_input(key="b").value == OPENING.text_b
    assert [app.selectbox(key=f"word in {name}").value for name in "AB"] == ["bank", "bank"]
    words = said(app)
    assert "**bank** starts at **−.62**, on the side of *money*" in words
    assert ":blue[**−.17**] in A and at :orange[**−.66**] in B" in words
    assert "largest difference is" in words
    assert "do not agree" not in words
    assert drawn(app) == 4
    assert not [*app.error, *app.warning, *app.info]
    assert app.query_params == {}


def test_the_numbers_are_those_of_the_model(minilm: core.Model) -> None:
    app = visit(l="3", h="6")
    for shown, text in zip(weights(app), (OPENING.text_a, OPENING.text_b), strict=True):
        attention = minilm.trace(text).attention
        assert attention is not None
        inner = attention.weights[2, 5, 1:-1, 1:-1]
        np.testing.assert_allclose(shown, inner / inner.sum(axis=1, keepdims=True), rtol=1e-5)
    trace = minilm.trace(OPENING.text_b)
    learned, last = (v[trace.find("bank")[0]] for v in (trace.learned, trace.contextual))
    rows = app.code[0].value.splitlines()
    assert [row.split(" [")[0].strip() for row in rows] == ["learned", "in A", "in B"]
    assert rows[0] == "learned [" + ", ".join(f"{x:.2f}" for x in learned[:5]) + "]"
    assert rows[2] == "in B    [" + ", ".join(f"{x:.2f}" for x in last[:5]) + "]"


def test_editing_both_sentences_moves_the_word_and_the_link() -> None:
    app = type_into(visit(), "b", "The spring of the watch is broken")
    assert "Sentence B has no “bank”." in said(app)
    assert drawn(app) == 2
    app = type_into(app, "a", "A cold spring feeds the river")
    assert app.selectbox(key="word in A").options == ["a", "cold", "spring", "feeds", "the", "river"]
    assert "**spring** starts at" in said(app)
    assert app.query_params == {
        "v": "1",
        "a": "A cold spring feeds the river",
        "b": "The spring of the watch is broken",
        "w": "spring",
    }
    again = visit(**app.query_params)
    assert "“bank” stands in neither sentence. This is “spring”." in said(app)
    assert claimed(again) == claimed(app)


def test_layer_head_and_special_tokens_change_the_heatmaps_only() -> None:
    app = visit()
    claim, before = claimed(app), weights(app)
    app.select_slider(key="layer").set_value(6)
    app.select_slider(key="head").set_value(12)
    app.toggle(key="special").set_value(True)
    run(app)
    assert claimed(app) == claim
    assert [w.shape[0] - v.shape[0] for w, v in zip(weights(app), before, strict=True)] == [2, 2]
    assert app.query_params == {"v": "1", "l": "6", "h": "12", "s": "1"}
    assert "Layer 6, head 12" in said(app)
    assert "Hidden:" not in said(app)


@pytest.mark.parametrize("typed", ["", "   "])
def test_an_empty_sentence_leaves_the_other(typed: str) -> None:
    app = type_into(visit(), "a", typed)
    assert [info.value for info in app.info] == ["Sentence A is empty. Type one."]
    assert drawn(app) == 2  # the path and the head of the other
    assert "In B, **bank** starts at **−.62**" in said(app)
    assert "Sentence B**], Layer 1, head 1" in said(app)
    app = type_into(app, "b", typed)
    assert len(app.info) == 2
    assert drawn(app) == 0
    app = type_into(app, "a", "On the river bank")
    assert drawn(app) == 2


def test_sentences_without_a_shared_word() -> None:
    app = visit(a="On the river shore", b="He opened an account")
    assert [info.value for info in app.info] == [
        "The two sentences share no word that the model knows. Write one word into both, for "
        "example “bank”, or choose a word in each."
    ]
    assert drawn(app) == 2
    assert "equal" in said(app) or "they agree" in said(app)


def test_a_shared_sign_is_no_shared_word() -> None:
    assert "share no word" in said(visit(a="river 🎣 .", b="money 🎣 ."))


@pytest.mark.parametrize("name", ["../../etc/passwd", "**x**", "gpt2", "", "minilm ", "x" * 3000])
def test_an_unknown_model_in_the_link(name: str) -> None:
    app = visit(m=name)
    if name:
        (warning,) = (w.value for w in app.warning)
        assert warning.endswith("is not offered here. Showing MiniLM.")
        assert "**x**" not in warning
    assert app.selectbox(key="model").value == "minilm"
    assert drawn(app) == 4
    assert "m" not in app.query_params


def test_a_model_that_does_not_load_is_told_and_the_app_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(m="broken")
    assert len(app.error) == 1
    assert [info.value for info in app.info] == ["Going on with the model MiniLM."]
    assert drawn(app) == 4


def test_wrong_settings_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", "/no/such/folder")
    app = visit()
    assert any("POLYSEE" in error.value for error in app.error)
    assert drawn(app) == 0


@pytest.mark.parametrize("layer", ["-1", "x", "", "1.5", "1000", "²"])
def test_a_broken_layer_falls_back_to_the_first(layer: str) -> None:
    app = visit(l=layer, h=layer, s="maybe")
    assert "Layer 1, head 1" in said(app)
    assert app.query_params == {}


def test_a_layer_of_a_deeper_model_becomes_the_last() -> None:
    app = visit(l="99", h="13")
    assert "Layer 6, head 12" in said(app)
    assert app.query_params == {"v": "1", "l": "6", "h": "12"}


@pytest.mark.parametrize("anchors", [" , ", ","])
def test_without_senses_the_path_is_by_cosine_and_two_can_be_named(anchors: str) -> None:
    app = visit(lo=anchors)
    assert not app.error
    assert drawn(app) == 4
    assert {"path", "pca"} <= {*pictures(app)}
    assert "The cosine similarity of its two vectors falls from 1.00 to **.85**" in said(app)
    assert "Name a few words for each of two senses" in said(app)
    app.text_input(key="low anchors box").set_value("money, cash")
    run(app)
    assert "**bank** starts at **" in said(app)
    assert {"path", "move"} <= {*pictures(app)}


def test_senses_that_make_no_axis_are_told_and_the_rest_stays() -> None:
    app = visit(lo="\u200b")
    assert len(app.error) == 1
    assert drawn(app) == 4


def test_names_of_senses_are_text() -> None:
    app = visit(lo="<b>")
    assert not app.error
    assert r"\<b\>" in said(app)


def test_equal_senses_are_told() -> None:
    app = visit(lo="river", hi="river")
    assert "one and the same" in app.error[0].value
    assert drawn(app) == 4


def test_a_word_of_no_known_senses_never_gets_an_axis_of_another() -> None:
    app = visit(a="She laid the table for dinner.", b="They sat around the table.", w="table")
    words = said(app)
    assert "In both sentences **table** starts from one learned vector." in words
    assert "side of" not in words
    assert {"path", "pca"} <= {*pictures(app)}
    header, _ = pictures(app)["path"]
    assert [line["name"] for line in header["lines"]] == ["A and alone", "B and alone", "A and B"]


def test_the_cosine_path_is_the_cosine(minilm: core.Model) -> None:
    app = visit(p="pca")
    header, numbers = pictures(app)["path"]
    together = numbers.reshape(-1, 8)[[line["name"] for line in header["lines"]].index("A and B")]
    a, b = (minilm.trace(text) for text in (OPENING.text_a, OPENING.text_b))
    assert a.hidden is not None
    assert b.hidden is not None
    for layer in range(6):
        x, y = a.hidden[layer][a.find("bank")[0]], b.hidden[layer][b.find("bank")[0]]
        cosine = x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
        assert together[layer + 2] == pytest.approx(float(cosine), abs=1e-5)


def test_each_place_of_a_word_can_be_chosen(minilm: core.Model) -> None:
    typed = "The bank by the river bank"
    app = visit(a=typed, o="2")
    box = app.selectbox(key="word in A")
    assert box.value == "bank, place 2 of 2"
    trace = minilm.trace(typed)
    second = trace.contextual[trace.find("bank", 1)[0]]
    assert "in A    [" + ", ".join(f"{x:.2f}" for x in second[:5]) in app.code[0].value
    header, _ = heads(app)[0]
    assert header["marked"]["rows"] == [5]
    box.set_value("bank, place 1 of 2")
    run(app)
    assert heads(app)[0][0]["marked"]["rows"] == [1]
    assert "o" not in app.query_params


def test_two_different_words() -> None:
    app = visit()
    app.selectbox(key="word in B").set_value("money")
    run(app)
    assert app.query_params == {"v": "1", "w2": "money"}
    assert "**bank** starts at **−.62** in A and **money** at " in said(app)
    assert drawn(app) == 4
    app.selectbox(key="word in B").set_value("bank")
    run(app)
    assert app.query_params == {}


def test_all_layers_and_heads_can_be_averaged(minilm: core.Model) -> None:
    app = visit(l="0", h="0", s="1")
    assert "mean over all layers" in said(app)
    for shown, text in zip(weights(app), (OPENING.text_a, OPENING.text_b), strict=True):
        attention = minilm.trace(text).attention
        assert attention is not None
        np.testing.assert_allclose(shown, attention.weights.mean(axis=(0, 1)), atol=1e-6)


def test_the_difference_is_a_less_b_for_the_tokens_of_both() -> None:
    app = visit(a="On the river bank", b="On the bank of the river", l="2", h="3")
    (_, a), (_, b) = heads(app)
    header, found = pictures(app)["head-difference"]
    assert header["rows"] == ["on", "the", "river", "bank"]
    there = [0, 1, 5, 2]
    np.testing.assert_allclose(found, a - b[np.ix_(there, there)], atol=1e-6)
    assert header["marked"]["rows"] == [3]


def test_two_sentences_without_a_shared_token_have_no_difference() -> None:
    app = visit(a="river shore", b="opened accounts", w="river", w2="accounts")
    assert "share no token" in said(app)
    assert not app.error
    assert drawn(app) == 4


def test_large_type_makes_pictures_larger_and_is_in_the_link() -> None:
    app = visit()
    before = {name: header["height"] for name, (header, _) in pictures(app).items()}
    app.toggle(key="projector").set_value(True)
    run(app)
    assert app.query_params == {"v": "1", "j": "1"}
    for name, (header, _) in pictures(app).items():
        assert header["height"] == round(1.35 * before[name])


def test_reset_leads_back_to_how_the_page_opens() -> None:
    opened = said(visit())
    app = visit(a="A bat", b="The bat flew", w="bat", l="3", s="1", d="2", p="pca", j="1", lo="x, y")
    (button,) = (b for b in app.button if b.label == "Reset the page")
    button.click()
    run(app)
    assert app.query_params == {}
    assert said(app) == opened


def test_six_hundred_words_are_cut_and_drawn() -> None:
    app = visit(a="the bank " + " ".join(f"w{i % 7}" for i in range(598)))
    (cut,) = (info.value for info in app.info)
    assert cut.startswith("Sentence A is longer than the model takes. It was cut after “… ")
    assert "**bank** starts at **−.62**" in said(app)
    assert weights(app)[0].shape == (510, 510)
    header, _ = heads(app)[0]
    assert [header["rows"][row] for row in header["marked"]["rows"]] == ["bank"]
    assert sum(len(picture.proto.bytes) for picture in components(app)) < 1_200_000


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script> bank <b>x</b> **y** [z](http://a.b) $m$ :blue[q]",
        "🏦 bank 👨‍👩‍👧 🎣",
        "ضفة النهر bank جميلة",
        "我在河边的银行 bank",
        "a\u200b\u202e bank \u0301",
        "bank " * 40,
    ],
)
def test_awkward_text(typed: str) -> None:
    app = type_into(visit(), "b", typed)
    assert "**bank** starts at **−.62**" in said(app)
    assert not app.error


def test_try_this_sets_the_page() -> None:
    app = visit(l="4")
    for i in range(3):
        app.button(key=f"try {i}").click()
        run(app)
        assert drawn(app) == 4
        assert not [*app.error, *app.info, *app.warning]
        assert app.query_params["a"] == app.text_input(key="a").value
        assert app.query_params["l"] == "4"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.label)
def test_every_example_opens_and_a_control_is_not_told_as_a_difference(preset: Preset) -> None:
    app = visit()
    app.selectbox(key="preset").set_value(preset.label)
    run(app)
    assert app.text_input(key="a").value == preset.text_a
    assert app.text_input(key="b").value == preset.text_b
    assert app.selectbox(key="word in A").value == preset.word
    assert f"Look for: {preset.look_for}" in said(app)
    assert not [*app.error, *app.warning, *app.info]
    told = claimed(app)
    assert ("pulled" in told) == (not preset.same_sense)
    if preset.low is None:
        assert "apart" not in told
    else:
        assert ("**no more than that**" in said(app)) == preset.same_sense
        within = "**no more than within one sense**" in told or "hardly apart" in told
        assert within == preset.same_sense


def test_the_layer_of_the_move_is_counted_back_from_the_last_in_the_link() -> None:
    header, numbers = pictures(visit(d="6"))["move"]
    assert header["depth"] == 1
    a = [point["name"] for point in header["points"]].index("A")
    assert numbers[a, 2] == pytest.approx(-0.58, abs=0.005)  # + position
    assert pictures(visit(d="99"))["move"][0]["depth"] == 0


def test_three_dimensions_are_a_choice_with_their_share() -> None:
    app = visit(p="pca3")
    (chart,) = app.get("plotly_chart")
    spec = json.loads(chart.proto.spec)
    assert {trace["type"] for trace in spec["data"]} == {"scatter3d"}
    assert "% of their spread" in said(app)
    assert "depth, not meaning" in said(app)


def test_one_word_for_each_sense_is_enough() -> None:
    app = visit(lo="bank", hi="river")
    assert not app.error
    assert "**bank** starts at" in claimed(app)
    assert "which are too few alone" in said(app)
    assert drawn(app) == 4


def test_senses_named_for_one_word_go_with_it() -> None:
    app = visit(a="A cool drink", b="A cool man", w="cool", lo="cold, ice", hi="stylish, nice")
    assert "nearer to" in said(app) or "towards" in said(app) or "apart" in said(app)
    type_into(app, "a", "On the river bank")
    type_into(app, "b", "In the bank")
    assert "**bank** starts at **−.62**, on the side of *money*" in said(app)
    assert "“cool” stands in neither sentence. This is “bank”." in said(app)
    assert not {"lo", "hi"} & {*app.query_params}


def test_a_hint_belongs_to_the_senses_of_its_preset() -> None:
    assert "Look for:" in said(visit())
    assert "Look for:" not in said(visit(lo="doctor, nurse"))
    assert "Look for:" not in said(visit(w2="money"))


def test_the_examples_box_says_what_is_on_the_page() -> None:
    label = next(p.label for p in PRESETS if p.word == "mouse")
    app = visit()
    assert app.selectbox(key="preset").value == PRESETS[0].label
    app.selectbox(key="preset").set_value(label)
    run(app)
    type_into(app, "a", "A mouse")
    assert app.selectbox(key="preset").value is None
    app.selectbox(key="preset").set_value(label)
    run(app)
    assert app.text_input(key="a").value != "A mouse"
    assert visit(**app.query_params).selectbox(key="preset").value == label


def test_a_word_that_is_in_neither_sentence_is_told() -> None:
    app = visit(w="zebra")
    assert "“zebra” stands in neither sentence. This is “bank”." in said(app)
    assert "w" not in app.query_params


def test_words_in_a_row_can_be_chosen(minilm: core.Model) -> None:
    app = visit(a="On the river bank", b="The river bank was wet", w="river bank")
    assert app.selectbox(key="word in A").value == "river bank"
    trace = minilm.trace("On the river bank")
    mean = trace.contextual[trace.find("river bank")].mean(axis=0)
    assert "in A    [" + ", ".join(f"{x:.2f}" for x in mean[:5]) in app.code[0].value
    assert "into 2 pieces" in said(app)


def test_controls_alone_name_the_sentence_that_holds_nothing() -> None:
    app = visit(b="\x00\x01")
    assert "Sentence B holds nothing that the model reads." in said(app)
    assert drawn(app) == 2
