"""The view of a text without a browser: a run from start to end, models, files, hostile texts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core import own_text
from core.errors import NotSupported, SettingError
from core.own_text import TextRecipe, TextRun
from core.own_text import recipe as recipes
from pages.training import outcome
from pages.training.own_text import python, source
from pages.training.state import TrainingState, _run
from tests import visits
from tests.pages.cells import given_by
from tests.pages.reading import drawn, on_map, text_boxes
from tests.visits import press
from ui.models import session_models

SMALL = TextRecipe(layers=1, heads=2, width=16, window=16, batch=2, steps=3)
CODE = recipes.code(SMALL)
visit = partial(visits.visit, "training", p="text")


@pytest.fixture(autouse=True)
def own_training_queue() -> Iterator[None]:
    session_models.training_queue.cache_clear()
    session_models._finished_texts.clear()
    yield
    session_models.training_queue().close()
    session_models.training_queue.cache_clear()


def files(app: AppTest) -> list[str]:
    return [header["file"].removeprefix("polysee-own-text-") for header, _ in drawn(app)]


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(str(one.value) for kind in kinds for one in kind).replace("\\", "")


def ended(app: AppTest) -> TextRun:
    run: TextRun = next(reversed(app.session_state["session models"].texts.values()))
    end = time.monotonic() + 60
    while run.active:
        assert time.monotonic() < end
        time.sleep(0.01)
    return run


@pytest.mark.check
def test_a_run_from_start_to_end_its_model_and_its_link() -> None:
    app = visit(tc=CODE)
    assert files(app) == ["writes", "curves", "attention", "vectors"]
    assert "Before the first step" in said(app)
    assert on_map(app)["stacks"] == [["decoder", 1]]
    run = ended(press(app, "train text start"))
    app = visits.run(app)
    assert run.state == "done"
    assert files(app) == ["writes", "curves", "attention", "vectors", "goes-on-a"]
    last = run.snapshots[-1]
    assert "After step 3, it strings letters together" in said(app)
    assert f"end costs the model **{last.held:.2f}" in said(app)
    assert "Try next" in said(app)
    (name,) = app.session_state["session models"].models
    assert session_models.source_of(name) == "island"
    again = visit(tc=CODE, tr=run.name)  # another session, as after a reload
    assert "After step 3" in said(again)
    assert "not here" not in said(again)


def test_a_run_that_is_gone_is_said_to_be_and_whether_its_text_went_with_it() -> None:
    name = "0123abcd-1~text~island~" + CODE
    assert "not here: it is open" in said(visit(tc=CODE, tr=name))
    app = visit(tx="own", tc=CODE, tr=f"{'0123abcd' * 4}~text~own~{CODE}")
    assert "nor is its text" in said(app)
    assert "Paste a text of at least" in said(app)
    assert "There is no text yet" not in said(app)
    # A text may be on its way with the click: without one, nothing begins, and the page says why.
    press(app, "train text start")
    assert "There is no text yet. Paste a text of at least" in said(app)
    assert not app.session_state["session models"].texts


def test_a_click_on_start_that_comes_before_its_text_begins_with_it_and_the_boxes_are_folded() -> None:
    app = visit(tx="own", tc=CODE)
    assert text_boxes(app)
    press(app, "train text start")
    (box,) = (one for one in text_boxes(app) if one.label.startswith("Your text"))
    box.set_value("The fox sat on the wall. " * 20).run()
    (run,) = app.session_state["session models"].texts.values()
    assert run.text.startswith("The fox")
    app = visits.run(app)
    assert not [one for one in text_boxes(app) if one.label.startswith("Your text")]
    ended(app)


def test_a_part_of_a_character_is_told_by_its_bytes_and_no_vowel_is_promised() -> None:
    app = with_text("🦊🌅🐝 " * 150)
    assert "is a part of a character, by its bytes" in said(app)
    assert "⟨" in said(app)
    assert "Vowels" not in said(app)
    assert "Vowels are blue" in said(visit(tc=CODE))


def test_what_no_link_can_mean_is_said() -> None:
    app = visit(tx="nothing*", tc="letters-1")
    assert "There is no text “nothing*”" in said(app)
    assert "The form shows the usual one" in said(app)


def with_text(text: str) -> AppTest:
    app = visit(tx="own", tc=CODE)
    (box,) = (one for one in text_boxes(app) if one.label.startswith("Your text"))
    return box.set_value(text).run()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("short", "The text has 5 characters"),
        ("x" * 300_001, "300,001 characters; a model learns from 400 to 300,000"),
        ("a" * 400, ""),
        ("<script>alert(1)</script> **x** “שלום” 😀 \n" * 12, ""),
    ],
    ids=["short", "long", "one letter", "signs"],
)
def test_any_text_is_learned_or_refused_in_a_sentence(text: str, why: str) -> None:
    app = with_text(text)
    assert why in said(app)
    assert app.button(key="train text start").disabled == bool(why)
    assert files(app) == ([] if why else ["writes", "curves", "attention", "vectors"])
    assert "tx=own" in "&".join(f"{k}={v}" for k, v in visits.link(app).items())
    assert not any(text[:40] in value for value in visits.link(app).values())


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.session_state", {})
    context = SimpleNamespace(session_id="a")
    monkeypatch.setattr(session_models, "get_script_run_ctx", lambda suppress_warning: context)


@pytest.mark.check
@pytest.mark.usefixtures("session")
def test_an_own_text_comes_back_by_its_own_link_alone_and_ours_by_its_recipe() -> None:
    text = own_text.ready()["garden"].text
    for kind, found in (("own", False), ("garden", True)):
        own = session_models.SessionModels()
        run = own.begin_text(text, "A title", SMALL, kind)
        while run.active:
            time.sleep(0.01)
        own.take_text(run, "One")
        own.texts.clear()
        other = session_models.SessionModels()
        name = f"{'0' * 32}~{session_models.recipe_of(run.name)}"
        again = other.restore_text(name)
        assert (again is not None) == found
        back = session_models.SessionModels().restore_text(run.name)
        assert back is not None
        assert back.snapshots == run.snapshots
        assert other.begin_text(text + "!", "B", SMALL, kind).state != "done"  # another text


@pytest.mark.usefixtures("session")
def test_no_other_name_of_a_session_leads_to_a_visitors_own_text() -> None:
    text = own_text.ready()["garden"].text
    own = session_models.SessionModels()
    runs = []
    for kind in ("own", "own", "garden"):
        runs.append(own.begin_text(text, "A title", SMALL, kind))
        while runs[-1].active:
            time.sleep(0.01)
    model = own.take_text(runs[0], "One")
    loaded = own.keep_text(own_text.learn(text, SMALL), "Two")
    names = [run.name for run in runs] + [one.removeprefix("yours-") for one in (model, loaded)]
    beginnings = [name.partition("~")[0] for name in names]
    assert [len(one) for one in beginnings[:2]] == [32, 32]
    assert len({one[:8] for one in beginnings}) == len(names)
    assert not any(one.startswith(own.token) for one in beginnings[:2])
    for name in names[:3]:
        assert _run(name) == name
    for name in (model, loaded):  # a link to a model on another page brings no text
        assert session_models.SessionModels().restore_text(name.removeprefix("yours-")) is None
        assert session_models.source_of(name) == "own"


@pytest.mark.usefixtures("session")
def test_a_model_of_a_text_is_a_decoder_of_the_session_and_no_translator() -> None:
    own = session_models.this_session()
    name = own.keep_text(own_text.learn(own_text.ready()["garden"].text, SMALL), "One")
    assert session_models.own_titles("decoder") == {name: "One"}
    assert session_models.own_titles("pair") == {}
    with pytest.raises(NotSupported, match="goes on with a text"):
        session_models.own(name)
    assert session_models.own_model(name).predicts == "next"
    with pytest.raises(SettingError, match="5 characters"):
        own.begin_text("short", "B", SMALL, "own")
    own_one = own.models[name].model
    assert isinstance(own_one, session_models.OwnText)
    data = own_text.dump(own_one.learned)
    file = SimpleNamespace(name="a.safetensors", file_id="1", getvalue=lambda: data)
    outcome._load(TrainingState(), file)  # type: ignore[arg-type]
    assert len(session_models.own_titles("decoder")) == 2
    assert "Loaded: A text from a file" in outcome._LOADED.get()[2]


def test_a_file_is_read_as_text_or_refused() -> None:
    assert source.read("a.txt", "Zeile\nnoch eine – ü\n".encode()) == "Zeile\nnoch eine – ü"
    assert "one" in source.read("a.html", b"<html><body><p>one</p><p>two</p></body></html>")
    for content in (b"", b"\x00\x01\x02\xff" * 99, b"word " * 80_000):
        with pytest.raises(SettingError):
            source.read("a.txt", content)


def test_the_corpora_are_long_enough_and_cut() -> None:
    for name in ("corpus-written", "corpus-python"):
        assert name in source.titles()
        assert 200_000 < len(source.text_of(name)) <= recipes.MOST_TEXT
    assert len(source.titles()) >= 13
    assert (
        next(iter(source.titles())) == session_models.OWN_TEXT
    )  # the first choice of a visitor with a text


@pytest.mark.check
def test_the_same_in_python_gives_the_same_numbers() -> None:
    (lines,) = python.lines(python.Code("garden", SMALL, -1)).values()
    cell = lines.replace("model = own_text.opened(learned)", "#")
    bits, held, gram, sample = given_by(cell.rpartition("\n")[0])
    run = TextRun(own_text.ready()["garden"].text, "", SMALL, "", lambda: True)
    while not run._complete:
        run._advance()
    last = run.snapshots[-1]
    assert (bits, held, gram, sample) == (last.bits, last.held, run.gram, last.sample)


def test_what_a_training_changed_is_one_click_away() -> None:
    app = visit(tc=CODE)
    ended(press(app, "train text start"))
    app = visits.run(app)
    own = app.session_state["session models"]
    (trained,) = own.models
    press(app, "train text changed")
    first, newest = own.models
    assert newest == trained
    assert own.before == {trained: first}
    assert own.models[first].model.learned.steps == 0
    assert own.before_training(trained) == first  # asked again, it is the same
