"""The page of lessons, and the card above the pages, without a browser."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons import Choice, Lesson, Number, Step, lessons
from core.lessons.keys import state
from tests import visits
from tests.pages.reading import text_box
from tests.ui.state.states import STATES
from tests.visits import run
from ui import navigation, permalink
from ui.paper import links
from ui.state import MODEL, Place
from ui.state.controls import numbers

OURS = lessons()
FIRST = OURS[0]
LEARNS_SECONDS = 200  # that a training may take on a busy machine


visit = partial(visits.visit, v="2")


def at(lesson: Lesson, number: int, *, second: bool = False, **more: str) -> AppTest:
    """A step of a lesson, opened by its link."""
    step, place = lesson.steps[number - 1], Place(lesson.name, number, second)
    texts = lesson.with_second() if second else lesson.texts
    folder = navigation.folder(step.page)
    model = {MODEL.url: step.model} if step.model == "smollm2" else {}  # as `step_links.query`
    return visit(folder, **{**model, **state(step, texts), "lesson": str(place), **more})


NUMBERS = (*numbers._TYPES.values(), numbers._POSITIVE)  # what the box for a number proposes
OWN = {
    "one-vector": "The bank has an old vault.",
    "position": "7",
    "translation": "the white dog sleeps",
    "training": "cash",
}


def type_own(app: AppTest, lesson: Lesson, typed: str, number: int = 0) -> None:
    """Type a text of one's own into the card of a step, by default the last."""
    place = Place(lesson.name, number or len(lesson.steps))
    text_box(app, f"lesson own {place} control").set_value(typed)
    run(app)


def number_box(app: AppTest) -> Any:
    """The box for a predicted number."""
    return next(one for one in app.text_input if one.placeholder in NUMBERS)


def button(app: AppTest, key: str) -> Any:
    return next(one for one in app.button if (one.key or "").startswith(key))


def said(app: AppTest) -> str:
    """The words of the card, and those around it."""
    return "\n".join(one.value for one in (*app.markdown, *app.caption))


def test_the_lessons_stand_in_their_order() -> None:
    app = visit("lessons")
    aims = [one.aim for one in OURS]
    assert [one.value for one in app.markdown if one.value in aims] == aims
    for one in OURS:
        assert f"{one.minutes} minutes" in said(app)


@pytest.mark.check
def test_a_lesson_goes_with_the_page_and_says_where_one_is() -> None:
    app = at(FIRST, 2)
    assert FIRST.steps[1].title in said(app)
    assert f"step 2 of {len(FIRST.steps)}" in said(app)
    assert (
        app.query_params["lesson"] == ["one-vector.2"] or app.query_params["lesson"] == "one-vector.2"
    )
    button(app, "lesson reveal").click()
    run(app)
    assert "Make a prediction first." in said(app)  # for a choice as for a number
    assert covered(app)
    assert not [one for one in app.button if one.key == "lesson again"]


@pytest.mark.parametrize(("choice", "holds"), [(0, True), (1, False)])
def test_a_prediction_is_revealed(choice: int, holds: bool) -> None:
    app = at(FIRST, 2)
    app.radio[0].set_value(choice)
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert ("and that is " in said(app)) is holds
    assert "−0\\.21" in said(app)  # where the word alone ends up, as on the picture
    button(app, "lesson again").click()
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "−0\\.21" in said(app)  # what was predicted stays


def covered(app: AppTest) -> bool:
    return any("visibility: hidden" in one.proto.body for one in app.get("html"))


def test_what_would_say_the_answer_is_covered_until_it_is_revealed() -> None:
    assert FIRST.steps[1].covers == ("verdict*", "trajectory")
    app = at(FIRST, 2)
    assert covered(app)
    styles = [one.proto.body for one in app.get("html")]
    assert any("st-key-verdict" in one and ".st-key-trajectory" in one for one in styles)
    app.radio[0].set_value(1)
    run(app)
    assert covered(app)  # a prediction alone uncovers nothing
    button(app, "lesson reveal").click()
    run(app)
    assert not covered(app)
    button(app, "lesson leave").click()
    run(app)
    assert not covered(app)


@pytest.mark.check
def test_no_list_says_how_many_tokens_there_are_before_they_are_revealed() -> None:
    tokens = next(one for one in OURS if one.name == "tokens")
    app = at(tokens, 1)
    assert not [one for one in app.selectbox if "[SEP] (9)" in one.options]
    number_box(app).set_value("9")
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "and that is right" in said(app)
    (there,) = [one for one in app.selectbox if "[SEP] (9)" in one.options]
    assert there.options.index("·board (3)") == there.value  # as the step opens
    assert "equal" not in said(app)  # the check of the last step would come too early
    button(app, "lesson leave").click()
    run(app)
    assert "exactly equal" in said(app)


@pytest.mark.check
def test_another_sentence_of_the_visitor_is_computed_anew() -> None:
    app = at(FIRST, 3)
    app.radio[0].set_value(1)
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "You predicted **boat**, and that is right." in said(app)
    assert "*boat* moves it farthest" in said(app)  # the answer, once
    text_box(app, "a control").set_value("She paid the bank.")
    run(app)
    assert "None of the answers offered is right here. The answer is **paid**." in said(app)


def test_a_sentence_without_the_word_is_told() -> None:
    app = at(FIRST, 2, a="There is nothing here.")
    app.radio[0].set_value(1)
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert any("bank" in one.value for one in app.error)
    assert "The lesson is about MiniLM" in said(app)


def test_a_number_is_predicted() -> None:
    app = at(FIRST, 5)
    button(app, "lesson reveal").click()
    run(app)
    assert "Make a prediction first." in said(app)
    assert "You predicted" not in said(app)
    number_box(app).set_value("-0,15")
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "You predicted **−0\\.15**" in said(app)
    assert "and that is " in said(app)  # 0.02 ± 0.2
    (on_the_answer,) = (
        json.loads(one.proto.json)
        for one in app.get("bidi_component")
        if one.proto.component_name == "polysee_drawn"
    )
    assert on_the_answer["predicted"] == pytest.approx(-0.15)


@pytest.mark.check
def test_next_previous_the_second_sentence_and_leaving() -> None:
    app = at(FIRST, 2)
    button(app, "lesson next").click()
    run(app)
    assert FIRST.steps[2].title in said(app)
    button(app, "lesson previous").click()
    run(app)
    assert FIRST.steps[1].title in said(app)
    button(app, "lesson other").click()
    run(app)
    assert app.session_state["a"] == FIRST.second["a"]
    assert FIRST.second["low"] in [*app.radio[0].options]
    button(app, "lesson leave").click()
    run(app)
    assert "lesson" not in app.query_params
    assert FIRST.steps[1].title not in said(app)


def test_on_another_page_the_card_leads_back() -> None:
    app = visit("glossary", lesson="one-vector.2")
    assert "another page" in said(app)
    assert button(app, "lesson back").label
    assert not [one for one in app.button if one.key == "lesson reveal"]


@pytest.mark.parametrize(
    "typed",
    ["", "nobody.1", "one-vector", "one-vector.0", "one-vector.99", "one-vector.1.third", "x" * 999],
)
def test_a_link_by_a_stranger_opens_the_page_without_a_lesson(typed: str) -> None:
    app = visit("glossary", lesson=typed)
    assert not [one for one in app.button if (one.key or "").startswith("lesson")]


STEPS = [
    pytest.param(
        one,
        i,
        second,
        id=f"{one.name}-{i}{'-second' * second}",
        # The first of It copies runs an induction lab: fifteen seconds.
        marks=[pytest.mark.check] * (second or i > 1 or one.name == "it-copies"),
    )
    for one in OURS
    for i in range(1, len(one.steps) + 1)
    for second in (False, True)
]


def fields_of(step: Step) -> permalink.Fields:
    """The fields of the page of a step."""
    return STATES[navigation.folder(step.page)].link()


def _no_trouble(app: AppTest, step: Step) -> None:
    assert not app.exception, app.exception
    assert not [*app.error, *app.warning], step.title


@pytest.mark.check
@pytest.mark.few(8)
@pytest.mark.parametrize(("lesson", "number", "second"), STEPS)
def test_every_link_opens_its_step(lesson: Lesson, number: int, second: bool) -> None:
    app, step = at(lesson, number, second=second), lesson.steps[number - 1]
    _no_trouble(app, step)
    assert step.title in said(app)
    # The page has the state of the link: nothing was refused.
    texts = lesson.with_second() if second else lesson.texts
    kept = {key: one[0] if isinstance(one, list) else one for key, one in app.query_params.items()}
    fields = {one.url: one for one in fields_of(step)}
    for key, value in state(step, texts).items():
        field = fields[key]
        assert field.write(field.parse(value)) == value, key
        if key in kept:
            assert kept[key] == value, key
        elif field.default is not None:  # None: as the picture has it by itself
            left_out = field.default if field.default_in_link is None else field.default_in_link
            assert field.write(left_out) == value, key
    if isinstance(step.prediction, Choice):
        assert len(app.radio[0].options) == len(step.prediction.options)


def test_what_is_typed_narrows_the_list() -> None:
    app = visit("lessons")
    heads = [one.value for one in app.markdown if one.value.startswith("#### ")]
    assert heads[0] == "#### A word gets its meaning"
    assert heads[-1] == "#### For teachers"
    assert len(heads) == 5
    assert sum(links.address(one.name, "pack") in said(app) for one in OURS) == len(OURS)
    app = visit("lessons", f="Vector for")
    assert FIRST.aim in said(app)
    assert heads[0] not in said(app)
    app = visit("lessons", f="<b>no such")
    assert FIRST.aim not in said(app)
    assert "no such" in app.info[0].value


def test_a_click_is_what_the_picture_shows_when_it_is_revealed() -> None:
    heads = next(one for one in OURS if one.name == "heads")
    app = at(heads, 1)
    button(app, "lesson reveal").click()
    run(app)
    assert "Nothing is chosen" in said(app)
    app.session_state["heads layer"] = "1"
    head = next(one for one in fields_of(heads.steps[0]) if one.url == "h")
    app.session_state[head.key] = 2  # from 0: the third
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "and that is " in said(app)
    assert "layer 1, head 3" in said(app).replace("\\", "")


def test_next_goes_one_step_where_the_step_behind_it_is_on_another_page() -> None:
    app = at(FIRST, 2)
    assert FIRST.steps[2].page != FIRST.steps[3].page
    button(app, "lesson next").click()
    run(app)
    assert FIRST.steps[2].title in said(app)
    assert not [one for one in app.button if one.value]  # none of the buttons counts as pressed


@pytest.mark.check
def test_another_model_is_asked_and_named(
    make_folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(make_folder("bert"), tmp_path / "small")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = at(FIRST, 5, m="small")
    number_box(app).set_value("50")
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    words = said(app).replace("\\", "")
    assert "The lesson is about MiniLM. What follows is computed on small." in words
    assert "You predicted **50**, and the model answers otherwise." in words
    assert "0.02" not in words  # which is MiniLM's
    # A model with five layers has no sixth one: the card states the reason and the lesson's model.
    softmax = next(one for one in OURS if one.name == "softmax")
    app = at(softmax, 1, m="small")
    number_box(app).set_value("50 %")
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    assert any("layer 6" in one.value for one in app.error)
    assert "The lesson is about MiniLM, and about its own sentences." in said(app)


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("lesson", OURS, ids=lambda lesson: lesson.name)
def test_every_step_is_revealed_by_the_live_model(lesson: Lesson) -> None:
    for i, step in enumerate(lesson.steps, 1):
        app = at(lesson, i)
        if step.own:
            type_own(app, lesson, OWN.get(lesson.name, "An ambitious lynx."))
        if isinstance(step.prediction, Choice):
            app.radio[0].set_value(0)
        elif isinstance(step.prediction, Number):
            number_box(app).set_value("0")
        else:
            head = next(one for one in fields_of(step) if one.url == "h")
            app.session_state[head.key] = 4
        run(app)
        button(app, "lesson reveal").click()
        _learned(run(app))
        _no_trouble(app, step)
        assert "You predicted" in said(app), step.title


def _learned(app: AppTest) -> None:
    """Wait for the training that an answer waits for, if it does."""
    end = time.monotonic() + LEARNS_SECONDS
    while any("The answer comes by itself." in one.value for one in app.caption):
        assert time.monotonic() < end
        time.sleep(0.5)
        run(app)


def own_revealed(typed: str, lesson: Lesson = FIRST) -> AppTest:
    """The last step of a lesson after a text was typed, predicted and revealed."""
    app = at(lesson, len(lesson.steps))
    button(app, "lesson reveal").click()
    run(app)
    assert "Type a text of your own" in said(app)
    assert "You predicted" not in said(app)
    type_own(app, lesson, typed)
    if app.radio:
        app.radio[0].set_value(0)
    else:
        number_box(app).set_value("1")
    run(app)
    button(app, "lesson reveal").click()
    run(app)
    return app


@pytest.mark.check
def test_a_text_of_ones_own_is_answered() -> None:
    app = own_revealed("My bank sent me a letter about my grandmother’s loan.")
    assert "You predicted **money**, and that is right" in said(app)
    assert app.session_state["a"] == "My bank sent me a letter about my grandmother’s loan."
    type_own(app, FIRST, "Ducks slept on the bank.")  # another text wants another prediction
    assert "You predicted" not in said(app)
    button(app, "lesson reveal").click()
    run(app)
    assert "You predicted **money**" in said(app)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "typed",
    [
        "bank",
        "🙂",
        "<script>alert(1)</script> bank",
        "هذا البنك bank",
        "no such word",
        "bank " * 80,
        "BANK? **bank** {bank}",
    ],
)
def test_whatever_is_typed_gets_a_sentence(typed: str) -> None:
    app = own_revealed(typed)
    assert not app.exception
    told = "You predicted" in said(app)
    assert told == ("bank" in typed.casefold())
    if not told:
        assert any("no answer for this text" in one.value for one in app.info)


@pytest.mark.check
def test_a_number_of_ones_own_that_is_none_gets_a_sentence() -> None:
    position = next(one for one in OURS if one.name == "position")
    app = own_revealed("far away", position)
    assert not app.exception
    assert any("“far away” is not a number" in one.value.replace("\\", "") for one in app.info)
    app = own_revealed("7", position)
    assert "You predicted" in said(app)
    assert app.session_state["positions place"] == 7


def test_a_screen_reader_hears_the_question_filled_in() -> None:
    app = at(FIRST, 3)
    assert app.radio[0].label == "Which of these words moves bank farthest in sentence A?"
    assert "{" not in number_box(at(FIRST, 5)).label


@pytest.mark.check
def test_all_but_the_picture_is_folded_in_a_lesson() -> None:
    app = at(FIRST, 2)
    folds = {one.label: one.proto.expanded for one in app.expander}
    assert {"Word, ends and examples", "Try this", "More questions", "About this page"} <= set(folds)
    assert not any(folds[label] for label in folds)
    app = at(FIRST, 5)  # the step is about one of them
    assert {one.label for one in app.expander if one.proto.expanded} == {"What if …?"}
    assert "About this page" not in {one.label for one in visit("compare").expander}


def test_training_gives_no_hint_while_a_step_waits_for_its_prediction() -> None:
    (copies,) = (one for one in OURS if one.name == "it-copies")
    assert "Look for:" not in said(at(copies, 4))
    assert "Look for:" in said(visit("training", rc="induction~n300"))
