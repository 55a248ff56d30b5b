""" "What put the word there?" for a model trained here, which knows only the senses of “bank”."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from core.tasks import TASKS, TaskName, train
from core.tasks.languages.senses import labelled
from tests import visits
from tests.pages.compare.test_page import headline, moving, pictures, positions
from tests.pages.heads.test_importance import moved, why
from tests.pages.reading import text_box, text_boxes
from tests.visits import run, said
from ui import sense_ends
from ui.models import trained_links
from ui.models.session_models import SessionModel, SessionModels
from ui.models.trained_model import TrainedModel

TEXT = "near the river the old bank flooded ."
OFFICE = "near the money the old bank flooded ."


@pytest.fixture(scope="module", params=[False, True], ids=["post-LN", "pre-LN"])
def model(request: pytest.FixtureRequest) -> TrainedModel:
    """Two layers of two heads, hardly trained: sums still add up."""
    recipe = dataclasses.replace(
        TASKS["bank"].recipe,
        steps=3,
        batch=4,
        d_model=12,
        n_heads=2,
        n_encoder_layers=2,
        norm_first=request.param,
    )
    training = train(recipe)
    training.learn(3)
    return TrainedModel(training.trained())


def visit(page: str, own: TrainedModel, **url: str) -> AppTest:
    # Results are cached by name.
    name = f"yours-{own.name}-{own._trained.recipe.norm_first}"
    session = SessionModels(models={name: SessionModel(own._trained, "A model of mine")})
    return visits.visit(page, {"session models": session}, **({"m": name} | url))


def test_sums_are_complete(model: TrainedModel) -> None:
    direction = np.random.default_rng(3).normal(size=12)
    trace = model.trace(TEXT)
    assert isinstance(trace, core.Trace)
    assert trace.hidden is not None
    for layer in (0, 1):
        found = model.contributions(TEXT, "bank", direction, layer=layer)
        (at,) = trace.find("bank")
        assert found.whole == pytest.approx(float(trace.hidden[layer, at] @ direction), abs=1e-4)
        assert found.error < 1e-4
    with pytest.raises(core.SettingError, match="no layer 2"):
        model.contributions(TEXT, "bank", direction, layer=2)
    with pytest.raises(core.WordNotFound, match="river"):
        model.contributions(TEXT, "lake", direction)


def test_changes_are_what_they_say(model: TrainedModel) -> None:
    trace = model.trace(TEXT)
    assert isinstance(trace, core.Trace)
    (none, cut, ablated, other, hidden) = model.changed(
        TEXT,
        [
            [],
            [core.Cut("bank", "river", 1, 0)],
            [core.Ablate(0, 1)],
            [core.Replace("river", "money")],
            [core.Mask("river")],
        ],
    )
    assert np.array_equal(none.hidden, trace.hidden)  # type: ignore[arg-type]
    (bank,), (river,) = trace.find("bank"), trace.find("river")
    assert cut.attention is not None
    assert cut.attention.weights[1, 0, bank, river] == 0
    assert (cut.attention.weights[0, :, bank, river] > 0).all()
    np.testing.assert_allclose(cut.attention.weights.sum(-1), 1, atol=1e-5)
    assert not np.array_equal(ablated.hidden[0], trace.hidden[0])  # type: ignore[index]
    typed, masked = model.trace(OFFICE), model.trace(TEXT, masked=[int(river)])
    assert isinstance(typed, core.Trace)
    assert isinstance(masked, core.Trace)
    assert np.array_equal(other.hidden, typed.hidden)  # type: ignore[arg-type]
    assert np.array_equal(hidden.hidden, masked.hidden)  # type: ignore[arg-type]
    (ran,) = model.interventions(TEXT, [[core.Replace("river", "money")]], masked=[7])
    (one,) = ran.expected or ()
    (before,), (after,) = model.expects(TEXT, masked=[7]), model.expects(OFFICE, masked=[7])
    np.testing.assert_allclose(one.before.logits, before.logits, atol=1e-5)
    np.testing.assert_allclose(one.after.logits, after.logits, atol=1e-5)
    with pytest.raises(core.NotSupported, match="not know"):
        next(model.changed(TEXT, [[core.Replace("river", "helicopter")]]))


def test_the_labelled_sentences_are_the_grammar_s() -> None:
    found = labelled("bank", 8)
    assert [one.topic for one in found] == ["wild"] * 8 + ["office"] * 8
    assert all(one.words[one.at] == "bank" for one in found)
    assert found == labelled("bank", 8)
    assert labelled("river", 8) == ()


@pytest.mark.check
def test_the_heads_page_asks_it(model: TrainedModel) -> None:
    app = visit(
        "heads", model, t=TEXT, yo="1", yk="replace", yw="3", yr="money", l="1", h="2", r="head"
    )
    told = said(app)
    assert [box.value for box in text_boxes(app) if str(box.key).endswith("anchors box control")] == [
        *("office", "wild")
    ]
    assert "Here, **bank** stands at" in told
    assert "**Layer 1, head 2**" in told
    assert {"why-path-here", "why-ablated-here", "why-cuts-head", "why-expected-1"} <= {*why(app)}
    typed = visit("heads", model, t=OFFICE, yo="1", yk="mask", yw="3")
    assert moved(app)[1] == moved(typed)[0]


def test_the_compare_page_asks_it(model: TrainedModel) -> None:
    app = visit("compare", model, a=TEXT, b=OFFICE, w="bank", fw="1", fs="1")
    assert "In A, **bank** stands at" in said(app)
    assert not app.error
    shown = moving(app)
    assert shown["ends"] == {"low": "wild", "high": "office"}
    assert len(shown["map"]["points"]) == 16
    ends = of_the_grammar(TEXT, OFFICE)
    axis = model.sense_axis("bank", *ends)
    for at, text in zip(positions(app), (TEXT, OFFICE), strict=True):
        trace = model.trace(text)
        assert isinstance(trace, core.Trace)
        np.testing.assert_allclose(at, axis.coordinates(trace, trace.find("bank")), atol=1e-5)
    # Its reliability is unknown, and cannot be measured, since it lacks our words.
    assert headline(app).startswith("**No verdict:**")
    assert "Measure it" not in said(app)
    assert not [b for b in app.button if b.label == "Measure this model"]
    assert "−1: 8 sentences; +1: 8 sentences." in said(app)
    # The contributions of all words add up to its position here, too.
    app.session_state["contributions wanted"] = shown["id"]
    for side in moving(run(app))["sides"]:
        parts = np.nansum(np.array(side["adds"]["parts"], float), axis=1)
        rest = np.array(side["adds"]["otherParts"], float)
        np.testing.assert_allclose(side["alone"] + parts + rest, side["position"], atol=1e-4)


def of_the_grammar(*texts: str) -> tuple[list[str], list[str]]:
    """The sentences of the two senses, without those on the page."""
    groups: dict[str, list[str]] = {}
    for one in labelled("bank", 8):
        text = " ".join(one.words)
        groups.setdefault(one.topic, []).extend([text] * (text not in texts))
    low, high = groups.values()
    return low, high


def test_training_leads_to_its_picture_on_compare(model: TrainedModel) -> None:
    (url,) = (state for page, _, state in trained_links.links("", model._trained) if "compare" in page)
    app = visit("compare", model, **{key: value for key, value in url.items() if key != "m"})
    assert not [*app.error, *app.warning]
    assert moving(app)["ends"] == {"low": "wild", "high": "office"}
    axis = model.sense_axis("bank", *of_the_grammar(url["a"], url["b"]))
    for at, text in zip(positions(app), (url["a"], url["b"]), strict=True):
        trace = model.trace(text)
        assert isinstance(trace, core.Trace)
        np.testing.assert_allclose(at, axis.coordinates(trace, trace.find("bank")), atol=1e-5)


OWN = "the old bank lent again ."


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("low", "high", "ends", "points", "told"),
    [
        (
            "money, cash",
            "river, lake",
            ("wild", "office"),
            (8, 8),
            "*money*, *cash*, *river* and 1 more",
        ),
        ("loan", "", ("wild", "office"), (8, 8), "*loan*"),
        ("", f"river\n{OWN}", ("wild", "river"), (8, 1), "*river*"),  # the sentence stays, and the name
        (f"lent:\n{OWN}", "river", ("lent", "office"), (1, 8), "*river*"),
    ],
)
def test_words_in_a_link_give_way_to_its_labelled_sentences(
    model: TrainedModel,
    low: str,
    high: str,
    ends: tuple[str, str],
    points: tuple[int, int],
    told: str,
) -> None:
    app = visit("compare", model, a=TEXT, b=OFFICE, w="bank", lo=low, hi=high)
    assert not app.error
    shown = moving(app)
    assert shown["ends"] == dict(zip(("low", "high"), ends, strict=True))
    at_high = sum(point["high"] for point in shown["map"]["points"])
    assert (len(shown["map"]["points"]) - at_high, at_high) == points
    boxes = [box.value for box in text_boxes(app) if str(box.key).endswith("anchors box control")]
    assert boxes == [*reversed(ends)]  # the upper end first, as in the picture
    for end, typed in {"lo": low, "hi": high}.items():
        assert (end in app.query_params) == (OWN in typed)
    assert said(app).count(sense_ends.SENTENCES_ALONE.format(words=told)) == 1
    text_box(app, "low anchors box control").set_value("desk")  # and what a visitor names there now
    run(app)
    assert not app.error
    assert said(app).count(sense_ends.SENTENCES_ALONE.format(words="*desk*")) == 1
    text_box(app, "low anchors contexts control").set_value(OWN)
    assert "*desk*" not in said(run(app))


def test_words_that_it_never_learned_make_no_axis(model: TrainedModel) -> None:
    # This word has no labelled sentences, and the frames contain words that the model lacks.
    app = visit("compare", model, a=TEXT, b=OFFICE, w="old", lo="loan", hi="river")
    assert len(app.error) == 1
    assert "wild" not in said(app)
    assert {*pictures(app)} == {"path"}


@pytest.mark.parametrize("name", ["induction"])
def test_the_others_say_why_not(name: TaskName) -> None:
    recipe = dataclasses.replace(TASKS[name].recipe, steps=2, batch=2, d_model=12)
    training = train(recipe)
    training.learn(2)
    own = TrainedModel(training.trained())
    text = " ".join(own._trained.words[5:9])
    app = visit("heads", own, t=text, yo="1")
    assert "for the others, Polysee knows no two senses" in said(app)
    with pytest.raises(core.NotSupported, match="Contributions"):
        own.contributions(text, text.split()[0], np.ones(12))
