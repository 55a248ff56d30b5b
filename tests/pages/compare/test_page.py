"""The Compare page without a browser: its content, for typed texts and for links."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

import core
from core.comparison import Chosen, Ends, Question
from core.comparison.ends import short
from core.examples import PRESETS, Preset, known_ends
from core.examples.first_texts import OPENING
from core.figures import style
from core.measures.senses.verdict import UNMOVED, Calibration, shipped
from core.records.sense_axis import ANCHOR_FIRST
from pages.compare import attention as looks
from pages.compare import directions, evidence, verdict
from tests import visits
from tests.pages import reading
from tests.pages.reading import text_box
from tests.sentences import numbers, saying
from tests.tiers import some
from tests.visits import run, said
from ui import permalink
from ui.contributions import section
from ui.models import calibrations

visit = partial(visits.visit, "app")


def pictures(app: AppTest) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """Header and numbers of each browser picture, by the name of its file.

    For the animated picture: its header, and the positions, (sentences, layers).
    """
    return read(reading.drawn(app))


def read(sent: list[tuple[dict[str, Any], bytes]]) -> dict[str, tuple[dict[str, Any], np.ndarray]]:
    """The same for pictures that were already read."""
    found = {}
    for header, payload in sent:
        if "titles" in header:  # in space, depth by depth, and then what marks them
            of = len(header["steps"]), len(header["texts"]), 3
            space = np.frombuffer(payload, "<f4", int(np.prod(of)))
            found[header["file"].removeprefix("polysee-")] = header, space.reshape(of)
            continue
        numbers = np.frombuffer(payload, "<f4")
        if "sides" in header:
            positions = np.array([side["position"] for side in header["sides"]])
            found[header["file"].removeprefix("polysee-")] = header, positions
            continue
        if "steps" in header:  # of a line, of a point, and of the two ends of a band
            shape: tuple[int, ...] = (-1, len(header["steps"]) * (2 if "points" in header else 1))
        else:
            shape = (len(header["rows"] if "rows" in header else header["labels"]), -1)
        found[header["file"].removeprefix("polysee-")] = header, numbers.reshape(shape)
    return found


def moving(app: AppTest) -> dict[str, Any]:
    """The data and the choices of the animated picture."""
    return pictures(app)["trajectory"][0]


def positions(app: AppTest) -> np.ndarray:
    """The positions of the word after each layer, in A and in B, in the animated picture."""
    return pictures(app)["trajectory"][1]


def expected(model: core.Model, a: str, b: str, word: str = "bank") -> np.ndarray:
    """The same from the model itself, between all our ends for the word."""
    ends = known_ends(word, (a, b), causal=model.kind == "decoder")
    assert ends is not None
    axis = model.sense_axis(word, ends.low, ends.high)
    return np.stack([axis.coordinates(t, t.find(word)) for t in map(model.trace, (a, b))])


def heads(app: AppTest) -> list[tuple[dict[str, Any], np.ndarray]]:
    return [picture for name, picture in pictures(app).items() if name in ("head-A", "head-B")]


def weights(app: AppTest) -> list[np.ndarray]:
    return [numbers for _, numbers in heads(app)]


def drawn(app: AppTest) -> set[str]:
    """The pictures of the word itself and of the two heads that are on the page."""
    return {"trajectory", "path", "pca", "head-A", "head-B"} & {*pictures(app)}


def headline(app: AppTest) -> str:
    """The verdict, or the sentence in its place."""
    starts = ("**Two meanings:", "**One meaning:", "**Not clear:", "**No verdict:", "**Which two")
    (found,) = (str(m.value) for m in app.markdown if str(m.value).startswith(starts))
    return found


def examples(app: AppTest) -> Selectbox[str]:
    """The list of prepared comparisons."""
    (found,) = (box for box in app.selectbox if box.label == "Examples")
    return found


TWO = "**Two meanings:** *{}* sides with **{}** in :blue[**A**] and with **{}** in :orange[**B**]."
ONE = "**One meaning:** *{}* sides with **{}** in :blue[**A**] and in :orange[**B**]."
RIVER_AND_MONEY = TWO.format("bank", "river", "money")
# Pinned numbers are those of these two.
POEMS = {
    "a": "Write a poem about a man fishing on a river bank.",
    "b": "Write a poem about a man withdrawing money from a bank.",
}


def type_into(app: AppTest, key: str, words: str) -> AppTest:
    text_box(app, f"{key} control").set_value(words)
    return run(app)


@pytest.mark.parametrize("page", ["app", "compare"])
def test_opens_already_computed(page: str, minilm: core.Model) -> None:
    app = visits.visit(page)
    assert app.title[0].value == "One word, two meanings"
    assert text_box(app, "a control").value == OPENING.text_a
    assert text_box(app, "b control").value == OPENING.text_b
    assert [app.selectbox(key=f"word in {name}").value for name in "AB"] == ["bank", "bank"]
    assert [text_box(app, f"{end} anchors box control").value for end in ("low", "high")] == [
        *("money", "river")
    ]
    assert headline(app) == RIVER_AND_MONEY
    assert {*pictures(app)} == {"trajectory"}
    np.testing.assert_allclose(
        positions(app), expected(minilm, OPENING.text_a, OPENING.text_b), atol=1e-5
    )
    assert (moving(app)["state"], moving(app)["autoplay"]) == ({"depth": 6}, True)
    assert moving(app)["ends"] == {"low": "money", "high": "river"}
    assert not [*app.error, *app.warning, *app.info]
    assert app.query_params == {}


def test_the_numbers_are_those_of_the_model(minilm: core.Model) -> None:
    app = visit(l="3", h="6", fn="1", **POEMS)
    for shown, text in zip(weights(app), POEMS.values(), strict=True):
        attention = minilm.trace(text).attention
        assert attention is not None
        inner = attention.weights[2, 5, 1:-1, 1:-1]
        np.testing.assert_allclose(shown, inner / inner.sum(axis=1, keepdims=True), rtol=1e-5)
    trace = minilm.trace(POEMS["b"])
    learned, last = (v[trace.find("bank")[0]] for v in (trace.learned, trace.contextual))
    rows = app.code[0].value.splitlines()
    assert [row.split(" [")[0].strip() for row in rows] == ["learned", "in A", "in B"]
    assert rows[0] == "learned [" + ", ".join(f"{x:.2f}" for x in learned[:5]) + "]"
    assert rows[2] == "in B    [" + ", ".join(f"{x:.2f}" for x in last[:5]) + "]"
    assert "largest difference is" in said(app)
    assert "do not agree" not in said(app)
    np.testing.assert_allclose(positions(app), expected(minilm, *POEMS.values()), atol=1e-5)
    assert positions(app)[:, -1] == pytest.approx([0.860, -0.624], abs=6e-4)
    assert positions(app)[:, 0] == pytest.approx([1.654, -0.679], abs=6e-4)


def test_it_moves_by_itself_once_a_visit_and_never_on_a_link_with_a_depth() -> None:
    app = visit()
    assert moving(app)["autoplay"] is True
    assert moving(run(app))["autoplay"] is False
    app = visit(d="2")
    assert (moving(app)["state"], moving(app)["autoplay"]) == ({"depth": 4}, False)
    assert moving(run(app))["autoplay"] is False


@pytest.mark.parametrize(("back", "depth"), [("6", 0), ("5", 1), ("99", 0), ("x", 6)])
def test_the_layer_is_counted_back_from_the_last_in_the_link(back: str, depth: int) -> None:
    assert moving(visit(d=back))["state"]["depth"] == depth


def test_contributions_come_when_the_picture_asks_for_them() -> None:
    app = visit(**POEMS)
    assert moving(app)["awaitsContributions"] is True
    assert [side["adds"] for side in moving(app)["sides"]] == [None, None]
    app.session_state["contributions wanted"] = moving(app)["id"]
    shown = moving(run(app))
    assert shown["awaitsContributions"] is False
    for side in shown["sides"]:
        adds = side["adds"]
        parts = np.nansum(np.array(adds["parts"], float), axis=1)
        rest = np.array(adds["otherParts"], float)
        np.testing.assert_allclose(side["alone"] + parts + rest, side["position"], atol=1e-4)
    # For another question, none have been requested yet.
    app = type_into(app, "a", "On the river bank")
    assert moving(app)["awaitsContributions"] is True
    assert moving(app)["id"] != shown["id"]


FOLDS = [
    "Why: which words moved it",
    "More about these sentences",
    "Which token attends to which?",
    "And in all directions at once?",
    "For your own use",
    "Are the numbers right?",
    "The same in Python",
    "How it is computed",
]


def test_what_is_folded_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def note(module: Any, name: str) -> None:
        monkeypatch.setattr(module, name, lambda *_, **__: asked.append(name))

    monkeypatch.setattr(section, "show", lambda *_: asked.append("words"))
    note(core.Model, "contributions")
    note(core.Model, "changed")
    note(core.Model, "interventions")
    note(verdict, "sure")
    note(verdict, "moved")
    note(directions, "moved")
    note(looks, "show")
    note(evidence, "numbers")
    note(evidence, "proof")
    app = visit(a="A trout swam by the bank", b="A bank lent him money")
    assert [fold.label for fold in app.expander] == FOLDS
    assert not asked
    assert {*pictures(app)} == {"trajectory"}
    for fold, called in (("attention", "show"), ("directions", "moved")):
        app.session_state[f"fold {fold}"] = True
        run(app)
        assert asked == [called]
        app.session_state[f"fold {fold}"] = False
        run(app)
        asked.clear()
    app.session_state["fold words"] = True
    run(app)
    assert asked == ["words"]
    assert [fold.label for fold in app.expander] == [
        FOLDS[0],
        "What if …?",
        "How sure is this?",
        *FOLDS[1:],
    ]
    asked.clear()
    app.session_state["fold sure"] = True
    run(app)
    assert asked == ["words", "sure"]


def test_three_folds_are_in_sight_and_hold_all_others() -> None:
    app = visit()
    parts = [*app.main.children.values()]
    parts += [inner for one in parts for inner in getattr(one, "children", {}).values()]  # of fragments
    outer: list[Any] = [one for one in parts if one.type == "expander"]
    assert [one.label for one in outer] == [FOLDS[0], FOLDS[1], FOLDS[4]]
    inside = {one.label: [inner.label for inner in one.expander] for one in outer}
    assert inside == {FOLDS[0]: [], FOLDS[1]: FOLDS[2:4], FOLDS[4]: FOLDS[5:]}


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("url", "folds"),
    [
        ({"y": "B"}, ["fw"]),
        ({"ya": "1"}, ["fw"]),
        ({"yi": "B"}, ["fi", "fw"]),
        ({"yk": "mask"}, ["fi", "fw"]),
        ({"l": "4"}, ["fa", "fm"]),
        ({"s": "1"}, ["fa", "fm"]),
        ({"p": "pca"}, ["fd", "fm"]),
        ({"fs": "1"}, ["fs", "fw"]),
        ({"fi": "1"}, ["fi", "fw"]),
        ({"fn": "1"}, ["fn", "fu"]),
        ({"py": "1"}, ["py", "fu"]),
    ],
    ids=str,
)
def test_a_link_that_chooses_something_inside_opens_its_folds(
    url: dict[str, str], folds: list[str]
) -> None:
    app = visit(**url)
    first = {"p": "pca"}  # what an open fold shows at first, and what then needs no place in the link
    kept = {} if url == first else url
    assert app.query_params == {"v": "2", **kept, **dict.fromkeys(folds, "1")}


def test_how_sure_it_is_is_said_with_its_numbers() -> None:
    told = said(visit(fs="1", **POEMS))
    bounds = shipped("minilm").bounds["both"]  # type: ignore[union-attr]
    assert f"**{100 * bounds.right:.0f} % of those verdicts are right**" in told
    assert f"given for {100 * bounds.given:.0f} %" in told
    assert "*river* and *fishing* also occur in sentence A, *money* in sentence B. " in told
    assert numbers(saying(told, "**cosine similarity** of", "*bank*")) == [0.85]
    assert "score 0.78 to 0.91" in told
    assert "and 8 sentences; +1: " in told
    # Without ends that occur in a sentence, the verdict is the same.
    app = visit(fs="1", **POEMS, lo="loan, cash, finance", hi="stream, water, shore")
    assert headline(app) == TWO.format("bank", "stream", "loan")
    assert "in sentence A" not in said(app)


@pytest.mark.check
def test_editing_both_sentences_moves_the_word_and_the_link() -> None:
    app = type_into(visit(), "b", "The spring of the watch is broken")
    assert "Sentence B has no “bank”." in said(app)
    assert "In A, *bank* sides with **river**: it stands at" in said(app)
    assert drawn(app) == {"trajectory"}
    assert [side["name"] for side in moving(app)["sides"]] == ["A"]
    app = type_into(app, "a", "A cold spring feeds the river")
    assert app.selectbox(key="word in A").options == ["a", "cold", "spring", "feeds", "the", "river"]
    assert headline(app).split(":**")[1].startswith(" *spring* ")
    assert moving(app)["ends"] == {"low": "season", "high": "coil"}
    assert "is shown instead" not in said(app)  # who types does not ask for the old word
    assert app.query_params == {
        "v": "2",
        "a": "A cold spring feeds the river",
        "b": "The spring of the watch is broken",
        "w": "spring",
    }
    again = visit(**app.query_params)
    assert headline(again) == headline(app)
    assert (positions(again) == positions(app)).all()


def test_layer_head_and_special_tokens_change_the_heatmaps_only() -> None:
    app = visit(fa="1")
    claim, stood, before = headline(app), positions(app), weights(app)
    app.select_slider(key="layer control").set_value(6)
    app.select_slider(key="head control").set_value(12)
    app.toggle(key="special control").set_value(True)
    run(app)
    assert headline(app) == claim
    assert (positions(app) == stood).all()
    assert [w.shape[0] - v.shape[0] for w, v in zip(weights(app), before, strict=True)] == [2, 2]
    assert app.query_params == {"v": "2", "l": "6", "h": "12", "s": "1", "fa": "1", "fm": "1"}
    assert "Layer 6, head 12" in said(app)
    assert "Hidden:" not in said(app)


@pytest.mark.parametrize("typed", ["", "   "])
def test_an_empty_sentence_leaves_the_other(typed: str) -> None:
    app = type_into(visit(fa="1", **POEMS), "a", typed)
    assert [info.value for info in app.info] == ["Sentence A is empty. Type one."]
    assert drawn(app) == {"trajectory", "head-B"}
    assert "In B, *bank* sides with **money**: it stands at −0.62." in said(app)
    assert "Sentence B**], Layer 1, head 1" in said(app)
    app = type_into(app, "b", typed)
    assert len(app.info) == 2
    assert not drawn(app)
    app = type_into(app, "a", "On the river bank")
    assert drawn(app) == {"trajectory", "head-A"}
    assert "In A, *bank* sides with **river**" in said(app)


def test_sentences_without_a_shared_word() -> None:
    app = visit(a="On the river shore", b="He opened an account", fa="1", fn="1")
    assert [info.value for info in app.info] == [
        "The two sentences share no word that could be compared; words like “the” do not count. "
        "Write one word into both, for example “bank”, or choose a word in each."
    ]
    assert drawn(app) == {"head-A", "head-B"}
    assert "equal" in said(app) or "they agree" in said(app)


def test_a_shared_sign_is_no_shared_word() -> None:
    assert "share no word" in said(visit(a="river 🎣 .", b="money 🎣 ."))


@pytest.mark.check
@pytest.mark.parametrize("name", ["../../etc/passwd", "**x**", "gpt2", "", "minilm x", "x" * 3000])
def test_an_unknown_model_in_the_link(name: str) -> None:
    app = visit(m=name)
    if name:
        (warning,) = (w.value for w in app.warning)
        (instead,) = (i.value for i in app.info)
        assert "is not offered here" in warning
        assert "MiniLM" in instead
        assert "**x**" not in warning + instead
    assert app.selectbox(key="model control").value == "minilm"
    assert headline(app) == RIVER_AND_MONEY
    assert drawn(app) == {"trajectory"}
    kept = app.query_params.get("m", "")  # until a visitor chooses another; a long one is packed
    assert kept == name or (len(name) > 2_000 and "z" in app.query_params)


def test_a_model_that_does_not_load_is_told_and_the_app_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = visit(m="broken")
    assert len(app.error) == 1
    assert ["MiniLM" in info.value for info in app.info] == [True]
    assert headline(app) == RIVER_AND_MONEY


def test_wrong_settings_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_MODELS", "/no/such/folder")
    app = visit()
    assert any("POLYSEE" in error.value for error in app.error)
    assert not drawn(app)


@pytest.mark.check
@pytest.mark.parametrize("layer", ["-1", "x", "", "1.5", "1000", "²"])
def test_a_broken_layer_falls_back_to_the_first(layer: str) -> None:
    app = visit(l=layer, h=layer, s="maybe", fa="1")
    assert "Layer 1, head 1" in said(app)
    assert app.query_params == {"v": "2", "fa": "1", "fm": "1"}
    app = visit(l=layer, h=layer, s="maybe", fa="maybe")
    assert app.query_params == {}  # and nothing is chosen in the fold


def test_a_layer_of_a_deeper_model_becomes_the_last() -> None:
    app = visit(l="99", h="13")
    assert "Layer 6, head 12" in said(app)
    assert app.query_params == {"v": "2", "l": "6", "h": "12", "fa": "1", "fm": "1"}


@pytest.mark.check
@pytest.mark.parametrize("anchors", [" , ", ","])
def test_without_ends_the_path_is_by_cosine_and_two_can_be_named(
    anchors: str, minilm: core.Model
) -> None:
    app = visit(lo=anchors, **POEMS)
    assert not app.error
    assert drawn(app) == {"path"}
    assert "Name **one word for each meaning** below" in said(app)
    assert "sides with" not in said(app)
    text_box(app, "low anchors box control").set_value("money, cash")
    run(app)
    ends = known_ends("bank", tuple(POEMS.values()))
    assert ends is not None
    axis = minilm.sense_axis("bank", ("money", "cash"), ends.high)
    for shown, trace in zip(positions(app), map(minilm.trace, POEMS.values()), strict=True):
        np.testing.assert_allclose(shown, axis.coordinates(trace, trace.find("bank")), atol=1e-5)
    assert drawn(app) == {"trajectory"}


@pytest.mark.check
def test_ends_that_make_no_axis_are_told_and_the_rest_stays() -> None:
    for lo, reason in (("\u200b", "at least one word"), ("bank", "at least one word")):
        app = visit(lo=lo, fa="1")
        assert reason in app.error[0].value
        assert drawn(app) == {"path", "head-A", "head-B"}
    app = visit(lo="river", hi="river", fa="1")
    assert "cannot tell the two ends apart" in app.error[0].value
    assert drawn(app) == {"path", "head-A", "head-B"}
    app = visit(lo="🎣", fa="1")
    assert "does not know “🎣”" in app.error[0].value
    assert drawn(app) == {"path", "head-A", "head-B"}


@pytest.mark.check
def test_ends_with_an_unknown_piece_get_no_verdict() -> None:
    app = visit(lo="money 🎣", hi="river")
    assert headline(app).startswith("**No verdict:** *bank* stands at ")
    assert "does not know a piece of" in said(app)


def test_names_of_ends_are_text() -> None:
    app = visit(lo="<b>")
    assert not app.error
    assert r"**\<b\>**" in headline(app)
    assert moving(app)["ends"]["low"] == "<b>"


@pytest.mark.check
def test_a_word_that_we_do_not_know_gets_a_picture_of_proposed_ends_and_no_verdict() -> None:
    app = visit(a="She lit the lantern for dinner.", b="They sat around the lantern.", w="lantern")
    assert headline(app).startswith("**No verdict:** *lantern* stands at ")
    assert "drawn from the sentences" in said(app)
    assert "sides with" not in said(app)
    assert moving(app)["ends"] == {"low": "sat", "high": "lit"}
    assert "lo" not in app.query_params
    # One named end is not enough for a verdict, two are.
    text_box(app, "low anchors box control").set_value("furniture")
    assert headline(run(app)).startswith("**No verdict:**")
    text_box(app, "high anchors box control").set_value("data")
    assert "drawn from" not in said(run(app))
    assert moving(app)["ends"] == {"low": "furniture", "high": "data"}


def test_a_word_that_b_no_longer_has_is_dropped_with_its_ends() -> None:
    """What is left of a sentence that was there before leads nowhere else."""
    texts = {"a": "This sentence has seven words.", "b": "He got a prison sentence of ten years."}
    stale = {"w2": "book", "lo": "arrange, hold, reserve", "hi": "written, work, published"}
    app = visit(w="sentence", **texts, **stale)
    assert not {"w2", "lo", "hi"} & {*app.query_params}
    assert headline(app).startswith("**Two meanings:** *sentence*")
    assert [one.value for one in app.selectbox if one.label == "Word in B"] == ["sentence"]
    (message,) = [one.value for one in app.info]
    assert message.startswith("Sentence B has no “book”.")


def test_a_word_without_any_ends_has_a_path_by_cosine() -> None:
    app = visit(a="The lantern.", b="A lantern, the lantern.", w="lantern")
    assert "Name **one word for each meaning**" in said(app)
    assert drawn(app) == {"path"}
    header, _ = pictures(app)["path"]
    assert [line["name"] for line in header["lines"]] == ["A and alone", "B and alone", "A and B"]


@pytest.mark.check
def test_a_word_of_the_dictionary_has_its_meanings_as_chips() -> None:
    texts = {"a": "She put on her coat and went out.", "b": "The door needs another coat of paint."}
    app = visit(w="coat", **texts)
    chips = next(one for one in app.button_group if "coat" in one.label)
    assert len(chips.options) > 3
    low, high = moving(app)["ends"]["low"], moving(app)["ends"]["high"]
    # What the model guesses; a chip and the axis have room for a definition's first words.
    assert sorted(short([*(chips.value or ())])) == sorted((low, high))
    assert {low, high} <= {*chips.options}
    assert "lo" not in app.query_params
    # What a browser reports of chips that nobody has clicked chooses nothing.
    chips.set_value(list(chips.value or ())[::-1])
    run(app)
    assert "lo" not in app.query_params
    # A third replaces the one that the sentences support less; then the link names both.
    chips = next(one for one in app.button_group if "coat" in one.label)
    assert "thin layer covering …" in chips.options  # what it means, not three loose words
    chips.set_value([*(chips.value or ()), "growth of hair or wool or fur"])
    run(app)
    ends = moving(app)["ends"]
    (third,) = {*ends.values()} - {low, high}
    assert third in ends.values()
    assert {low, high} & {*ends.values()}
    assert third == "growth of hair …"
    assert "growth of hair or wool or fur" in app.query_params["lo"] + app.query_params["hi"]
    # One alone changes nothing until there is a second.
    chips = next(one for one in app.button_group if "coat" in one.label)
    chips.set_value(["growth of hair or wool or fur"])
    run(app)
    assert moving(app)["ends"] == ends


@pytest.mark.check
def test_an_unsure_guess_has_a_next_step_that_works() -> None:
    def step(app: AppTest, label: str) -> AppTest:
        (way,) = [one for one in app.button if label in one.label]
        way.click()
        run(app)
        return app

    texts = {"a": "The band played all night.", "b": "She tied her hair with a band."}
    app = visit(w="band", **texts)
    assert headline(app).startswith("**Which two meanings?**")
    assert "orchestra" not in str(moving(app)["ends"])
    assert "lo" not in app.query_params
    app = step(app, "In A: ")  # what A means, beside what B was guessed to mean
    assert headline(app).startswith("**Two meanings:**")
    assert "orchestra" in app.query_params["hi"]  # the link names both
    assert "circle" in app.query_params["lo"]
    assert not [one for one in app.button if one.label.startswith("In ")]
    # A guess that is right is confirmed; and one between which the word is not clear offers another.
    coat = {"a": "She hung her coat on the hook.", "b": "The wall needs a second coat of paint."}
    assert headline(step(visit(w="coat", **coat), "Yes, these two")).startswith("**Two meanings:**")
    ends = {"lo": "ropes, box, wrestle", "hi": "hoop, circular, metal"}
    ring = visit(w="ring", a="She wore a gold ring.", b="The boxer stepped into the ring.", **ends)
    assert headline(ring).startswith("**Not clear:**")
    assert "Is another meaning meant?" in said(ring)
    assert [one for one in ring.button if one.label.startswith("In A: ")]
    (chips,) = [one for one in ring.button_group if "ring" in one.label]
    assert any("jewelry" in one for one in chips.options)


def test_a_clear_verdict_between_known_meanings_has_no_chips() -> None:
    assert not [one for one in visit().button_group if "as in" in one.label]


def test_a_scene_of_the_route_offers_no_other_meanings() -> None:
    vague = {"a": "A man is fishing on the river bank.", "b": "A man is on the bank."}
    for place, offered in (({}, True), ({"lesson": "route.5"}, False)):
        chips = [one for one in visit(**vague, **place).button_group if "as in" in one.label]
        assert bool(chips) is offered


def test_the_cosine_path_is_the_cosine(minilm: core.Model) -> None:
    app = visit(fd="1", **POEMS)
    header, numbers = pictures(app)["cosine"]
    together = numbers.reshape(-1, 8)[[line["name"] for line in header["lines"]].index("A and B")]
    a, b = (minilm.trace(text) for text in POEMS.values())
    assert a.hidden is not None
    assert b.hidden is not None
    for layer in range(6):
        x, y = a.hidden[layer][a.find("bank")[0]], b.hidden[layer][b.find("bank")[0]]
        cosine = x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
        assert together[layer + 2] == pytest.approx(float(cosine), abs=1e-5)


def test_each_place_of_a_word_can_be_chosen(minilm: core.Model) -> None:
    typed = "The bank by the river bank"
    app = visit(a=typed, o="2", fa="1", fn="1")
    box = app.selectbox(key="word in A")
    assert box.value == "bank, occurrence 2 of 2"
    # A browser that makes the list anew reports its default, as if it had been chosen.
    assert box.options[box.proto.default] == box.value
    trace = minilm.trace(typed)
    second = trace.contextual[trace.find("bank", 1)[0]]
    assert "in A    [" + ", ".join(f"{x:.2f}" for x in second[:5]) in app.code[0].value
    header, _ = heads(app)[0]
    assert header["marked"]["rows"] == [5]
    side = moving(app)["sides"][0]
    assert side["parts"][side["chosen"]] == "bank"
    assert "".join(side["parts"][: side["chosen"]]) == "The bank by the river "
    stood = positions(app)[0]
    box.set_value("bank, occurrence 1 of 2")
    run(app)
    assert heads(app)[0][0]["marked"]["rows"] == [1]
    assert "o" not in app.query_params
    assert abs(positions(app)[0] - stood).max() > 0.05


def test_two_different_words() -> None:
    app = visit()
    app.selectbox(key="word in B").set_value("money")
    run(app)
    assert app.query_params == {"v": "2", "w2": "money"}
    assert "two different words" in said(app)
    assert "sides with" not in said(app)
    assert drawn(app) == {"path"}
    app.selectbox(key="word in B").set_value("bank")
    run(app)
    assert app.query_params == {}
    assert headline(app) == RIVER_AND_MONEY


@pytest.mark.check
def test_two_forms_of_a_word_are_one_word(minilm: core.Model) -> None:
    texts = "Ducks nest along the river banks.", "The bank lends money."
    app = visit(a=texts[0], b=texts[1])
    assert [app.selectbox(key=f"word in {name}").value for name in "AB"] == ["banks", "bank"]
    assert headline(app) == (
        "**Two meanings:** *banks* / *bank* sides with **river** in :blue[**A**] and with **money** in "
        ":orange[**B**]."
    )
    ends = known_ends("bank", texts)
    assert ends is not None
    for shown, text, word in zip(positions(app), texts, ("banks", "bank"), strict=True):
        axis, trace = minilm.sense_axis(word, ends.low, ends.high), minilm.trace(text)
        np.testing.assert_allclose(shown, axis.coordinates(trace, trace.find(word)), atol=1e-5)


def test_all_layers_and_heads_can_be_averaged(minilm: core.Model) -> None:
    app = visit(l="0", h="0", s="1")
    assert "mean over all heads of all layers" in said(app)
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
    app = visit(a="river shore", b="opened accounts", w="river", w2="accounts", fa="1")
    assert "share no token" in said(app)
    assert not app.error
    assert drawn(app) == {"path", "head-A", "head-B"}


def test_large_type_makes_pictures_larger_and_is_in_the_link() -> None:
    app = visit(fa="1", fd="1")
    before = {name: header["height"] for name, (header, _) in pictures(app).items()}
    app.toggle(key="projector control").set_value(True)
    run(app)
    assert app.query_params["j"] == "1"
    for name, (header, _) in pictures(app).items():
        # The animated picture must stay on the first screen.
        larger = 1 if name == "trajectory" else 1.35
        assert header["height"] == round(larger * before[name]), name


@pytest.mark.check
def test_reset_leads_back_to_how_the_page_opens() -> None:
    opened = said(visit())
    app = visit(a="A bat", b="The bat flew", w="bat", l="3", s="1", d="2", p="pca", j="1", lo="x, y")
    (button,) = (b for b in app.button if b.label == "Reset the page")
    button.click()
    run(app)
    assert app.query_params == {}
    assert said(app) == opened


@pytest.mark.check
def test_six_hundred_words_are_cut_and_drawn(minilm: core.Model) -> None:
    typed = "the bank " + " ".join(f"w{i % 7}" for i in range(598))
    app = visit(a=typed, b=POEMS["b"], fa="1")
    (cut,) = (info.value for info in app.info)
    assert cut.startswith("Sentence A is longer than the model accepts")
    assert "cut after “… " in cut
    np.testing.assert_allclose(positions(app), expected(minilm, typed, POEMS["b"]), atol=1e-5)
    side = moving(app)["sides"][0]
    assert side["parts"][side["chosen"]] == "bank"
    assert side["parts"][-1] == "…"
    assert len(side["parts"]) < 100
    assert weights(app)[0].shape == (510, 510)
    header, _ = heads(app)[0]
    assert [header["rows"][row] for row in header["marked"]["rows"]] == ["bank"]
    assert sum(len(json.dumps(header)) + len(sent) for header, sent in reading.drawn(app)) < 1_200_000


@pytest.mark.few(3)
@pytest.mark.check
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
def test_awkward_text(typed: str, minilm: core.Model) -> None:
    app = type_into(visit(**POEMS), "b", typed)
    np.testing.assert_allclose(positions(app), expected(minilm, POEMS["a"], typed), atol=1e-5)
    assert " *bank* " in headline(app)
    side = moving(app)["sides"][1]
    assert side["parts"][side["chosen"]] == "bank"
    shown = "".join(side["parts"])
    assert shown == typed or (side["parts"][-1] == "…" and typed.startswith(shown[:-2]))
    assert not app.error


def test_a_language_that_the_model_does_not_know_is_said_beside_the_verdict() -> None:
    app = visit(a="Wir saßen lange auf der bank im Park.", b=POEMS["b"])
    assert "English alone" in said(app)
    assert "English alone" not in said(visit())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Ich gehe zur Bank und hole Geld.", "Er sitzt auf einer Bank im Park."),
        ("Me siento en el bank.", POEMS["b"]),
        (POEMS["a"], "Je vais dans une bank avec elle."),
    ],
)
def test_a_short_text_in_another_language_gets_a_picture_and_no_verdict(a: str, b: str) -> None:
    app = visit(a=a, b=b)
    assert headline(app).startswith("**No verdict:** *bank* stands at ")
    assert drawn(app) == {"trajectory"}
    assert "not look like English" in said(app)
    assert said(app).count("English alone") == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Kot pije mleko.", "Voy al parque hoy."),  # no word in both
        ("Voy al parque hoy.", POEMS["b"]),  # the word in one
        ("Voy al bank hoy.", ""),
        ("Das Haus ist alt.", "Das Auto ist alt."),  # a word without ends
    ],
)
def test_the_language_is_said_where_there_is_nothing_to_compare(a: str, b: str) -> None:
    assert said(visit(a=a, b=b)).count("English alone") == 1


def test_one_sentence_names_a_side_only_beyond_the_bounds() -> None:
    told = said(visit(a="", b="Is it a bank?"))
    assert "**Not clear:** in B, *bank* stands at −0.05" in told
    assert "too near the middle" in told
    assert "sides with" not in told
    bare = said(visit(a="", b="bank"))
    assert "**No verdict:** in B, *bank* stands at −0.21" in bare
    assert "no other word" in bare


@pytest.mark.parametrize("name", ["A", "B"])
def test_one_sentence_alone_has_its_picture(name: str, minilm: core.Model) -> None:
    typed = {"a": "", "b": "", name.lower(): POEMS["a"]}
    app = visit(**typed)
    assert "trajectory" in drawn(app)
    shown = moving(app)
    assert [side["name"] for side in shown["sides"]] == [name]
    assert len(shown["map"]["sides"]) == 1
    assert shown["ends"] == {"low": "money", "high": "river"}
    (at,) = positions(app)
    ends = known_ends("bank", (POEMS["a"],))
    assert ends is not None
    axis, trace = minilm.sense_axis("bank", ends.low, ends.high), minilm.trace(POEMS["a"])
    np.testing.assert_allclose(at, axis.coordinates(trace, trace.find("bank")), atol=1e-5)
    assert shown["state"]["depth"] == minilm.shape.n_layers
    assert f"stands at {style.signed(at[-1])}" in said(app)
    # The word alone and the contributions of all words add up to that position.
    app.session_state["contributions wanted"] = shown["id"].split()[0]
    (side,) = moving(run(app))["sides"]
    parts = np.nansum(np.array(side["adds"]["parts"], float), axis=1)
    rest = np.array(side["adds"]["otherParts"], float)
    np.testing.assert_allclose(side["alone"] + parts + rest, at, atol=1e-4)
    type_into(app, "b" if name == "A" else "a", POEMS["a"])
    twice = moving(app)
    assert [side["name"] for side in twice["sides"]] == ["A", "B"]
    assert twice["id"] != shown["id"]


def test_the_picture_of_one_sentence_stands_where_the_link_says() -> None:
    app = visit(a="", b=POEMS["b"], d="2")
    assert (moving(app)["state"], moving(app)["autoplay"]) == (
        {"depth": moving(app)["layers"] - 2},
        False,
    )
    assert app.query_params["d"] == "2"


@pytest.mark.parametrize(
    ("a", "b", "at", "answer"),
    [
        (POEMS["a"], POEMS["a"].upper(), "0.86", "sides with **river**"),
        ("Is it a bank?", "Is it a bank?", "−0.05", "Not clear"),
        ("bank", "bank", "−0.21", "no other word"),
    ],
)
def test_the_same_sentence_twice_is_one_vector(a: str, b: str, at: str, answer: str) -> None:
    app = visit(a=a, b=b)
    told = said(app)
    assert "same sentence twice" in told
    assert "same vector" in told
    assert at in told
    assert answer in told
    assert ("sides with" in told) == ("sides with" in answer)
    assert "meaning:**" not in told
    assert drawn(app) == {"trajectory"}


def test_two_places_of_a_word_in_one_sentence_are_compared() -> None:
    typed = "The bank by the river bank"
    assert "same sentence" not in said(visit(a=typed, b=typed, o2="2"))


def test_a_word_alone_beside_a_sentence_gets_no_verdict() -> None:
    app = visit(a="The bank", b=POEMS["b"])
    assert headline(app).startswith("**No verdict:**")
    assert "A has no other word" in said(app)


NO_AXIS = {  # the ends in a link, what is said of them
    (",", "river"): "names no meaning",
    ("wild:", "river"): "names no meaning",
    ("bank", "river"): "“bank” is the word itself",
    ("banks", "bank"): "“banks” is the word itself",
    ("river", "River"): "cannot tell the two ends apart",
    ("🎣", "river"): "does not know “🎣”",
}


@pytest.mark.parametrize("ends", [*NO_AXIS])
def test_ends_that_make_no_axis_are_said_as_the_boxes_show_them(ends: tuple[str, str]) -> None:
    app = visit(lo=ends[0], hi=ends[1], **POEMS)
    boxes = [text_box(app, f"{end} anchors box control").value for end in ("low", "high")]
    assert boxes == [*ends]
    assert NO_AXIS[ends] in said(app)
    # "Name a word" is only said where there is none.
    assert ("Name **one word" in said(app)) == ("names no meaning" in NO_AXIS[ends])
    assert drawn(app) == {"path"}
    assert "sides with" not in said(app)
    for end in ("low", "high"):
        text_box(app, f"{end} anchors box control").set_value("")
    assert headline(run(app)) == RIVER_AND_MONEY


def test_an_end_that_is_a_sign_leaves_the_other_end_in_its_box() -> None:
    app = visit(lo=",", **POEMS)
    assert text_box(app, "low anchors contexts control").value == ","
    high = text_box(app, "high anchors contexts control").value
    assert high == text_box(visit(**POEMS), "high anchors contexts control").value
    assert len(str(high).splitlines()) > 3


def test_a_blank_end_is_none() -> None:
    app = visit(lo=" ", hi="\t", **POEMS)
    assert headline(app) == RIVER_AND_MONEY
    assert [text_box(app, f"{end} anchors box control").value for end in ("low", "high")] == [
        *("money", "river")
    ]
    assert permalink.ANOTHER not in said(app)


@pytest.mark.parametrize(
    ("low", "high", "named"),
    [("the", "river", "“the”"), ("!", "?", "“!” and “?”"), ("of the", "a", "“of")],
)
def test_ends_of_function_words_or_signs_get_no_verdict(low: str, high: str, named: str) -> None:
    app = visit(lo=low, hi=high, **POEMS)
    assert headline(app).startswith("**No verdict:**")
    assert named in said(app).replace("\\", "")
    assert "no meaning" in said(app)
    assert drawn(app) == {"trajectory"}


@pytest.mark.check
def test_try_this_sets_the_page() -> None:
    app = visit(l="4")
    for i in range(3):
        app.button(key=f"try {i}").click()
        run(app)
        assert drawn(app) == {"trajectory", "head-A", "head-B"}
        assert not [*app.error, *app.info, *app.warning]
        assert app.query_params["a"] == text_box(app, "a control").value
        assert app.query_params["l"] == "4"


@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("preset", some(PRESETS, 4), ids=lambda preset: preset.label)
def test_every_example_opens_with_its_verdict(preset: Preset, minilm: core.Model) -> None:
    app = visit()
    examples(app).set_value(preset.label)
    run(app)
    assert text_box(app, "a control").value == preset.text_a
    assert text_box(app, "b control").value == preset.text_b
    assert app.selectbox(key="word in A").value == preset.word
    assert not [*app.error, *app.warning, *app.info]
    told = headline(app)
    if preset.low is None or preset.high is None:
        assert told.startswith("**Which two meanings?**")  # it has one sense, and the model is unsure
        return
    assert f"Look for: {preset.look_for}" in said(app)
    found = expected(minilm, preset.text_a, preset.text_b, preset.word)
    np.testing.assert_allclose(positions(app), found, atol=1e-5)
    a, b = (preset.high.name if at > 0 else preset.low.name for at in found[:, -1])
    # A sentence that leaves its word where it stands alone takes no side.
    alone = [one["alone"][-1] for one in pictures(app)["trajectory"][0]["sides"]]
    still = [abs(at - one) < UNMOVED for at, one in zip(found[:, -1], alone, strict=True)]
    assert ("stays with" in told) is any(still)
    assert ("hardly moved" in said(app)) is any(still)
    told = told.replace("stays with it ", "").replace("stays with", "sides with")
    told = told.replace("and sides with", "and with")
    if preset.same_sense:
        assert a == b
        assert told == ONE.format(preset.word, a)
    else:
        assert a != b
        assert told == TWO.format(preset.word, a, b)


def test_three_dimensions_are_a_choice_with_their_share() -> None:
    app = visit(p="pca3", sb="2", sd="12.-34", pt="2")
    header, places = pictures(app)["space"]
    assert len(header["titles"]) == 3
    depths = len(header["steps"])
    assert np.isfinite(places).all()
    assert header["state"] == {"depth": depths - 3, "view": [12, -34], "chosen": 1}
    assert "% of their variance" in said(app)
    assert "depth, not meaning" in said(app)
    usual = visit(p="pca3", pt="99")  # there are no so many points
    header, _ = pictures(usual)["space"]
    assert header["state"] == {"depth": depths - 1, "view": None, "chosen": None}


def test_one_word_for_each_sense_is_enough(minilm: core.Model) -> None:
    app = visit(lo="money", hi="river", fs="1", **POEMS)
    assert not app.error
    axis = minilm.sense_axis("bank", ("money",), ("river",))
    for shown, trace in zip(positions(app), map(minilm.trace, POEMS.values()), strict=True):
        np.testing.assert_allclose(shown, axis.coordinates(trace, trace.find("bank")), atol=1e-5)
    assert "With one or two words at an end" in said(app)
    bounds = shipped("minilm").bounds["word"]  # type: ignore[union-attr]
    enough = abs(positions(app)[:, -1]).min() > bounds.two
    assert headline(app).startswith("**Two meanings:" if enough else "**Not clear:")


@pytest.mark.check
def test_a_sentence_may_be_added_to_an_end() -> None:
    app = visit(**POEMS)
    more = f"{text_box(app, 'low anchors contexts control').value}\nThe bank, as ever, was closed."
    text_box(app, "low anchors contexts control").set_value(more)
    run(app)
    assert app.query_params["lo"] == more
    assert text_box(app, "low anchors box control").value == "money"
    texts = [point["name"] for point in moving(app)["map"]["points"] if not point["high"]]
    assert "The bank, as ever, was closed." in texts
    assert len(texts) == 6 * 3 + 8 + 1  # each word in three frames
    assert headline(app) == RIVER_AND_MONEY


@pytest.mark.check
def test_a_sentence_may_be_added_to_an_end_that_was_named_before() -> None:
    app = visit(a="He hit the nail with a hammer.", b="She painted her nail red.", w="nail")

    def area(end: str) -> Any:
        return text_box(app, f"{end} anchors contexts control")

    for end, word in {"low": "tool", "high": "finger"}.items():
        text_box(app, f"{end} anchors box control").set_value(word)
        run(app)
    for end, word in {"low": "tool", "high": "finger"}.items():
        assert area(end).value == word
    area("low").set_value("tool\nHe drove the nail into the wall.")
    run(app)
    assert area("low").value == "tool\nHe drove the nail into the wall."
    assert area("high").value == "finger"
    assert app.query_params["lo"] == "tool\nHe drove the nail into the wall."
    texts = [point["name"] for point in moving(app)["map"]["points"] if not point["high"]]
    assert "He drove the nail into the wall." in texts
    assert len(texts) == 3 + 1
    assert text_box(app, "low anchors box control").value == "tool"
    assert "sentences alone" not in said(app)


@pytest.mark.check
@pytest.mark.parametrize(
    "url",
    [
        {"lo": "money, deposit, cash", "hi": "river, water"},
        {"lo": "money: deposit, cash", "hi": "river: water, shore"},
        {"lo": "a:\nThe bank lends.", "hi": "b:\nThe bank is green."},
    ],
    ids=str,
)
def test_links_open_with_their_ends(url: dict[str, str]) -> None:
    app = visit(**POEMS, **url)
    assert not app.error
    sentences = url["lo"].startswith("a:")
    low, high = ("a", "b") if sentences else ("money", "river")
    assert moving(app)["ends"] == {"low": low, "high": high}
    points = moving(app)["map"]["points"]
    if sentences:
        assert [p["name"] for p in points] == ["The bank lends.", "The bank is green."]
        assert headline(app).startswith("**No verdict:")  # too few of them
    else:
        assert len(points) == 3 * sum(len(end.split(",")) for end in url.values())
    assert {key: app.query_params[key] for key in url} == url
    again = visit(**app.query_params)
    assert headline(again) == headline(app)
    assert (positions(again) == positions(app)).all()


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.check
@pytest.mark.parametrize("version", ["1", "3", "", "x"])
def test_a_link_of_another_version_is_read_as_one_of_this_and_says_so(version: str) -> None:
    url = {"lo": "money, deposit, cash", "hi": "river, water"}
    app = visit(v=version, **url)
    assert app.session_state["a"] == OPENING.text_a  # what it leaves out is as the page opens
    assert said(app).count(permalink.ANOTHER) == 1
    run(app)  # nothing was chosen
    assert permalink.ANOTHER in said(app)
    assert app.query_params == {"v": "2", **url}
    assert permalink.ANOTHER not in said(visit(**app.query_params))
    text_box(app, "high anchors box control").set_value("shore")
    run(app)
    assert permalink.ANOTHER not in said(app)
    text_box(app, "high anchors box control").set_value("river")
    run(app)
    assert permalink.ANOTHER not in said(app)  # from then on, the visitor's own


@pytest.mark.parametrize("choose", [{"fold sure": True}, {"layers back": 3}, {"projector": True}])
def test_whatever_is_chosen_the_link_is_no_longer_what_is_shown(choose: dict[str, Any]) -> None:
    app = visit(v="1", **POEMS)
    assert permalink.ANOTHER in said(app)
    for key, value in choose.items():
        app.session_state[key] = value
    run(app)
    assert permalink.ANOTHER not in said(app)


@pytest.mark.parametrize("url", [{}, {"v": "1"}, POEMS, {"v": "2", **POEMS}], ids=str)
def test_nothing_is_said_of_links_of_this_version_or_without_one(url: dict[str, str]) -> None:
    assert permalink.ANOTHER not in said(visit(**url))


@pytest.mark.check
def test_ends_named_for_one_word_go_with_it() -> None:
    app = visit(a="A cool drink", b="A cool man", w="cool", lo="cold, ice", hi="stylish, nice")
    assert moving(app)["ends"] == {"low": "cold", "high": "stylish"}
    type_into(app, "a", "On the river bank")
    type_into(app, "b", "In the bank")
    assert moving(app)["ends"] == {"low": "money", "high": "river"}
    assert "is shown instead" not in said(app)
    assert not {"lo", "hi"} & {*app.query_params}


@pytest.mark.check
def test_a_hint_belongs_to_the_ends_of_its_preset() -> None:
    assert "Look for:" in said(visit())
    assert "Look for:" not in said(visit(lo="doctor, nurse"))
    assert "Look for:" not in said(visit(w2="money"))


@pytest.mark.check
def test_the_examples_box_says_what_is_on_the_page() -> None:
    label = next(p.label for p in PRESETS if p.word == "mouse")
    app = visit()
    assert examples(app).value == PRESETS[0].label
    examples(app).set_value(label)
    run(app)
    type_into(app, "a", "A mouse")
    assert examples(app).value is None
    examples(app).set_value(label)
    run(app)
    assert text_box(app, "a control").value != "A mouse"
    assert examples(visit(**app.query_params)).value == label


def test_an_example_that_a_browser_still_shows_undoes_nothing() -> None:
    """It may still send its text before it has received the page's new one."""
    app = visit()
    (shown,) = (one for one in app._tree.get_widget_states().widgets if one.id == examples(app).id)
    app.button(key="try 0").click()
    run(app)
    moored = text_box(app, "a control").value
    assert moored != OPENING.text_a
    late = app._tree.get_widget_states()
    others = [one for one in late.widgets if one.id != shown.id]
    late.ClearField("widgets")
    late.widgets.extend([*others, shown])
    app._run(late)
    assert (text_box(app, "a control").value, app.query_params["a"]) == (moored, moored)


def test_a_word_that_is_in_neither_sentence_is_told() -> None:
    app = visit(w="zebra")
    assert "Neither sentence contains “zebra”. “bank” is shown instead." in said(app)
    assert "w" not in app.query_params


def test_words_in_a_row_can_be_chosen(minilm: core.Model) -> None:
    texts = "On the river bank", "The river bank was wet"
    app = visit(a=texts[0], b=texts[1], w="river bank", lo="dry", hi="wet", fn="1")
    assert app.selectbox(key="word in A").value == "river bank"
    trace = minilm.trace(texts[0])
    mean = trace.contextual[trace.find("river bank")].mean(axis=0)
    assert "in A    [" + ", ".join(f"{x:.2f}" for x in mean[:5]) in app.code[0].value
    assert "into 2 pieces" in said(app)
    axis = minilm.sense_axis("river bank", ("dry",), ("wet",))
    np.testing.assert_allclose(
        positions(app)[0], axis.coordinates(trace, trace.find("river bank")), atol=1e-5
    )


@pytest.mark.check
def test_a_model_that_cannot_be_taken_apart_has_positions_and_says_why_no_more(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("mpnet")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    app = visit(m=folder.name, **POEMS)
    shown = moving(app)
    assert "our own transformer" in shown["whyNone"]
    assert shown["awaitsContributions"] is False
    model = core.load(str(folder))
    np.testing.assert_allclose(positions(app), expected(model, *POEMS.values()), atol=1e-4)
    assert headline(app).startswith("**No verdict:** *bank* stands at ")
    assert "Measure it under *Why*, in *How sure is this?*" in said(app)


@pytest.mark.check
def test_a_causal_model_is_measured_on_request(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("gpt2")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    monkeypatch.setattr(calibrations, "_measured", {})
    minilm = shipped("minilm")
    assert minilm is not None
    asked: list[str] = []

    def measure(trace_many: object, model: str, *, on_word: Callable[[int, int], None]) -> Calibration:
        asked.append(model)
        on_word(1, 2)
        return dataclasses.replace(minilm, model=model, frames=ANCHOR_FIRST)

    monkeypatch.setattr(calibrations, "calibrate", measure)
    app = visit(m=folder.name, fs="1", **POEMS)
    assert headline(app).startswith("**No verdict:**")
    assert "has not been measured" in said(app)
    model = core.load(str(folder))
    np.testing.assert_allclose(positions(app), expected(model, *POEMS.values()), atol=1e-4)
    (button,) = (b for b in app.button if b.label == "Measure this model")
    button.click()
    run(app)
    assert asked == [folder.name]
    assert not headline(app).startswith("**No verdict:**")
    assert "of those verdicts are right" in said(app)
    assert "Measure this model" not in [b.label for b in app.button]
    # At the word, both sentences are the same to it; whatever was measured, no verdict says otherwise.
    app = visit(m=folder.name, a="A bank of the river.", b="A bank lends money.")
    assert headline(app).startswith("**No verdict:**")
    assert "this model reads from left to right" in said(app)
    a, b = (side["position"] for side in moving(app)["sides"])
    np.testing.assert_allclose(a, b, atol=1e-4)
    app = visit(m=folder.name, a="A bank of the river.", b="The bank lends money.")
    assert "this model reads from left to right" not in said(app)


UNKNOWN = {  # the two sentences, the word: which one the page says is unknown
    ("I ❤ you", "we ❤ them", "❤"): "❤",
    ("ไปธนาคาร", "ที่ธนาคาร", "ธนาคาร"): "ธนาคาร",
    ("ไปธนาคาร", "ที่ธนาคาร", "bank"): "ไป",  # no word of these can be chosen
    ("the bank by ธนาคาร", "the bank in ธนาคาร", "ธนาคาร"): "ธนาคาร",
}


@pytest.mark.parametrize("asked", [*UNKNOWN])
def test_a_word_that_the_model_does_not_know_is_called_unknown(asked: tuple[str, str, str]) -> None:
    a, b, word = asked
    app = visit(a=a, b=b, w=word)
    assert f"does not know “{UNKNOWN[asked]}”" in said(app)
    assert "Write one word into both" not in said(app)
    assert "contains “" not in said(app)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("un café noir", "a cafe here", {"w": "cafe"}),
        ("çok İyi bir gün", "bir gün iyi", {"w": "iyi"}),
        ("قرب البَنْكِ", "قرب البنك", {"w": "البنك"}),
    ],
)
def test_what_the_model_reads_alike_is_one_word(a: str, b: str, words: dict[str, str]) -> None:
    app = visit(a=a, b=b, lo="money", hi="river", **words)
    assert "two different words" not in said(app)
    assert drawn(app) == {"trajectory"}


@pytest.mark.check
def test_a_meaning_that_no_chip_has_is_named_beside_the_chips() -> None:
    app = visit(a="He ate an apple.", b="Apple released a new phone.", w="apple")
    text_box(app, "high anchors own meaning control")  # it is there
    first = app.session_state["low anchors"], app.session_state["high anchors"]
    assert first == ("", "")  # the model's guess
    text_box(app, "high anchors own meaning control").set_value("company")
    run(app)
    ends = [app.session_state["low anchors"], app.session_state["high anchors"]]
    ends.remove("company")
    assert "fruit" in ends[0]  # what describes A stays
    assert ":blue[**A**]" in headline(app)
    assert "**company**" in headline(app)


def test_what_each_word_adds_is_computed_before_the_browser_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def note(side: Any, ends: Any) -> None:
        asked.append(side.text)

    monkeypatch.setattr(
        verdict, "Cached", lambda model: SimpleNamespace(adds=True, added=note, model=model)
    )
    a, b = Chosen("A bank.", "bank", 0), Chosen("The bank.", "bank", 0)
    verdict.ahead(Question("minilm", a, b, Ends(("x", "y"), ("x",), ("y",))))
    assert asked == ["A bank.", "The bank."]
    verdict.ahead(Question("minilm", a, b, None))
    assert len(asked) == 2
