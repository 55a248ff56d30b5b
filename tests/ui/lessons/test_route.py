"""The route on its pages, without a browser: its card, its ways, its link, and what it says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from core.lessons import Lesson, keys, route
from tests import visits
from tests.pages.reading import text_box
from tests.visits import run
from ui import navigation
from ui.paper import served


@pytest.fixture(scope="module")
def ours() -> Lesson:
    found = route()
    assert found is not None
    return found


def at(lesson: Lesson, number: int, **more: str) -> AppTest:
    """A scene, opened by its link."""
    scene = lesson.steps[number - 1]
    link = {**keys.state(scene, lesson.texts), "lesson": f"route.{number}", **more}
    return visits.visit(navigation.folder(scene.page), v="2", **link)


def buttons(app: AppTest) -> dict[str, Any]:
    """The buttons of the card by what is written on them."""
    return {one.label: one for one in app.button if (one.key or "").startswith("route-")}


def starts(among: Any) -> list[Any]:
    """The buttons that begin the route."""
    return [one for one in among.button if (one.key or "").startswith(("route offer", "route beside"))]


def said(app: AppTest) -> str:
    words = "\n".join(one.value for one in (*app.markdown, *app.caption))
    return words.replace("\\", "")


def press(app: AppTest, label: str) -> AppTest:
    buttons(app)[label].click()
    return run(app)


def test_the_first_page_offers_it_below_its_headline_and_beside_the_page() -> None:
    app = visits.visit("compare")
    assert [one.key for one in starts(app)] == [
        f"route {where} route.1" for where in ("offer", "beside")
    ]
    assert len(starts(app.sidebar)) == 1
    starts(app)[0].click()
    run(app)
    assert "1 of 6" in said(app)
    assert visits.link(app)["lesson"] == "route.1"
    assert len(starts(app)) == 1  # beside the page: to begin anew


@pytest.mark.parametrize(
    ("number", "numbers"),
    [
        (1, ("384",)),
        pytest.param(2, ("11", "30,522", "2924"), marks=pytest.mark.check),
        pytest.param(3, ("0.63",), marks=pytest.mark.check),
        (
            4,
            (
                "1.14",
                "−1.14",
                "two meanings",
                "gave “fishing” the weight 0.63",
                "over all heads, *river*",
                "adds most of the other words: 0.36",
            ),
        ),
        pytest.param(5, ("−0.12", "−0.21", "1.14"), marks=pytest.mark.check),
        (6, ("noire", "noir", "100 %")),
    ],
)
def test_each_scene_opens_by_its_link_and_says_its_numbers(
    ours: Lesson, number: int, numbers: tuple[str, ...]
) -> None:
    app = at(ours, number)
    assert not [*app.error, *app.warning]
    sentence = next(
        one.value for one in app.markdown if all(n in one.value.replace("\\", "") for n in numbers)
    )
    assert sentence
    assert f"{number} of 6" in said(app)
    assert visits.link(app)["lesson"] == f"route.{number}"
    (frame,) = (one.proto.body for one in app.get("html") if "outline-offset: .15rem" in one.proto.body)
    assert all(f".st-key-{part}" in frame for part in ours.steps[number - 1].covers)
    ways = {*buttons(app)}
    assert ("← Back" in ways) is (number > 1)
    assert ("Next →" in ways) is (number < 6)
    last = {"Now your own sentence", "Replay", "Take a lesson"}
    assert (ways & last == last) is (number == 6)


@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_link_that_names_only_the_scene_opens_it_as_the_way_there_does(
    ours: Lesson, number: int
) -> None:
    page = navigation.folder(ours.steps[number - 1].page)
    app, whole = visits.visit(page, lesson=f"route.{number}"), at(ours, number)
    assert visits.link(app) == visits.link(whole)
    assert not [one for one in app.caption if "own sentence in" in one.value]


@pytest.mark.check
def test_what_a_link_says_besides_its_scene_stays(ours: Lesson) -> None:
    app = visits.visit("compare", lesson="route.4", a="The bank was muddy.", b="The bank was closed.")
    assert visits.link(app)["a"] == "The bank was muddy."


@pytest.mark.parametrize("number", [2, 6])
def test_a_scene_has_one_back_and_one_next(ours: Lesson, number: int) -> None:
    app = at(ours, number)
    labels = [one.label for one in app.button if "Back" in one.label or one.label.startswith("Next")]
    assert sorted(labels) == sorted(one for one in buttons(app) if one in ("← Back", "Next →"))
    press(app, "Leave")
    assert [one.label for one in app.button if one.label.startswith("Next")]


def test_before_any_layer_the_verdict_says_that_it_comes_later(ours: Lesson) -> None:
    assert "After layer 6, the last:" in said(at(ours, 1))
    assert "After layer 6, the last:" not in said(at(ours, 4))


@pytest.mark.check
def test_next_back_and_leaving_keep_what_is_shown(ours: Lesson) -> None:
    app = at(ours, 4)  # the scene after it is on the same page
    press(app, "Next →")
    assert "5 of 6" in said(app)
    assert app.session_state["b"] == ours.texts["c"]
    press(app, "← Back")
    assert "4 of 6" in said(app)
    press(app, "Next →")
    press(app, "Leave")
    assert "5 of 6" not in said(app)
    assert app.session_state["b"] == ours.texts["c"]
    assert "lesson" not in visits.link(app)
    assert len(starts(app)) == 2


def test_an_own_sentence_has_its_own_numbers_and_one_without_the_word_is_told(ours: Lesson) -> None:
    app = at(ours, 4)
    text_box(app, "a control").set_value("She paid the money into her bank account.")
    run(app)
    assert "ends at 1.14 in A" not in said(app)
    assert "−1.14 in B: one meaning." in said(app)
    assert "own sentence" not in said(app)
    assert "fishing" not in said(app)  # nothing is told of a word that is not there
    text_box(app, "a control").set_value("<b>Nothing</b> is here. 👋🏽")
    run(app)
    assert "ends at 1.14 in A" in said(app)
    assert "the scene’s own sentence" in said(app)
    assert buttons(app)["Next →"]


@pytest.mark.check
def test_another_model_is_named(
    ours: Lesson, make_folder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(make_folder("bert"), tmp_path / "small")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    app = at(ours, 1, m="small")
    assert "These are the numbers of small." in said(app)
    assert "384" not in said(app)
    # It has five layers: the head of the scene is not there.
    app = at(ours, 3, m="small", l="3")
    assert "These are the numbers of" in said(app)
    app = at(ours, 4, m="small")
    press(app, "Next →")
    assert "m" not in visits.link(app)  # the route has its own model


def test_on_another_page_the_card_leads_back() -> None:
    app = visits.visit("glossary", v="2", lesson="route.2")
    assert "another page" in said(app)
    assert {*buttons(app)} == {"Back to this scene", "Leave"}


@pytest.mark.parametrize("typed", ["route", "route.0", "route.7", "route.x", "route.1.third"])
def test_a_link_by_a_stranger_opens_the_page_without_it(typed: str) -> None:
    app = visits.visit("glossary", v="2", lesson=typed)
    assert not buttons(app)


def test_a_lesson_ends_it_and_it_ends_a_lesson(ours: Lesson) -> None:
    app = at(ours, 4)
    next(one for one in app.button if (one.key or "").startswith("first lesson")).click()
    run(app)
    assert visits.link(app)["lesson"] == "one-vector.1"
    assert not buttons(app)
    starts(app)[0].click()
    run(app)
    assert visits.link(app)["lesson"] == "route.1"
    assert not [one for one in app.button if (one.key or "").startswith("lesson")]


def test_it_can_be_presented(ours: Lesson) -> None:
    app = at(ours, 4, present="1")
    assert "## Layer by layer" in said(app)
    assert "ends at 1.14 in A" in said(app)
    assert not buttons(app)


def test_it_is_not_among_the_lessons_and_has_no_sheets(ours: Lesson) -> None:
    assert ours.aim not in said(visits.visit("lessons"))
    with TestClient(Starlette(routes=served.routes())) as client:
        assert client.get("/paper/one-vector/notes").status_code == 200
        assert client.get("/paper/route/notes").status_code == 404
