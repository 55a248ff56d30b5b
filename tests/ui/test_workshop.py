"""A visitor's desk: its runs and its models, which nobody else can have."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from core.errors import ModelNotFound, NotSupported
from core.tasks import TASKS, Trained, short, train
from core.tasks.run import Run
from core.tasks.workshop import Workshop
from ui import answers, calibrations, sense_ends, shelf, translator, workshop
from ui.asked import Asked

RECIPE = dataclasses.replace(
    TASKS["bank"].recipe, steps=3, batch=2, warm_up=0, d_model=8, d_ff=0, n_heads=2, seed=5
)
LONG = dataclasses.replace(RECIPE, steps=10_000)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session of its own; another visitor's is another."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    context = SimpleNamespace(session_id="a")
    monkeypatch.setattr(workshop, "get_script_run_ctx", lambda suppress_warning: context)
    return kept


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    made = Workshop(2)
    monkeypatch.setattr(workshop, "workshop", lambda: made)
    yield made
    made.close()


def trained(recipe: Any = RECIPE) -> Trained:
    training = train(recipe)
    training.learn(1)
    return training.trained()


def test_a_name_carries_its_recipe_and_is_given_once(session: dict[str, Any], shop: Workshop) -> None:
    desk = workshop.desk()
    assert workshop.desk() is desk
    names = {desk.name(RECIPE) for _ in range(9)}
    assert len(names) == 9
    assert {workshop.recipe_of(name) for name in names} == {short.write(RECIPE)}
    assert {workshop.recipe_of(workshop.OWN + name) for name in names} == {short.write(RECIPE)}
    assert workshop.Desk().token != desk.token


def test_a_visitor_trains_one_at_a_time(session: dict[str, Any], shop: Workshop) -> None:
    desk = workshop.desk()
    first, second = desk.begin(LONG), desk.begin(LONG)
    assert second.active
    assert first._wanted == "paused"
    desk.go(first.name)
    assert first.active
    assert second._wanted == "paused"
    for _ in range(workshop.MOST_RUNS):
        last = desk.begin(LONG)
    assert len(desk.runs) == workshop.MOST_RUNS
    assert first.name not in desk.runs
    # A run keeps its number when older ones go.
    assert [*desk.numbers.items()] == [(name, i) for i, name in enumerate(desk.runs, 3)]
    assert next(reversed(desk.runs)) == last.name


def test_runs_and_models_go_with_the_desk(session: dict[str, Any], shop: Workshop) -> None:
    desk = workshop.desk()
    run: Run | None = desk.begin(LONG)
    assert run is not None
    name, model = desk.keep(trained(), "One"), weakref.ref(run)
    assert workshop.find(run.name) is run
    assert workshop.find_model(name) is not None
    shop.close()
    run_name, run = run.name, None
    session.clear()
    del desk
    gc.collect()
    assert model() is None
    assert workshop.find(run_name) is None
    assert workshop.find_model(name) is None


def test_a_model_is_kept_once_and_can_be_dropped(session: dict[str, Any], shop: Workshop) -> None:
    desk, model = workshop.desk(), trained()
    name = desk.keep(model, "One")
    assert desk.keep(model, "One") == name
    assert workshop.own_titles() == {name: "One"}
    assert workshop.own_titles("pair") == {}
    for _ in range(workshop.MOST_MODELS):
        desk.keep(trained(), "More")
    assert name not in desk.models
    titles = [kept.title for kept in desk.models.values()]
    assert titles == ["More", *(f"More ({i})" for i in range(2, workshop.MOST_MODELS + 1))]
    last = next(reversed(desk.models))
    desk.drop(last)
    assert last not in desk.models


def test_nobody_else_has_a_model_even_when_its_answers_are_kept(
    session: dict[str, Any], shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = workshop.desk().keep(trained(), "One")
    assert workshop.is_own(name)
    asked = Asked(name, "the bank [MASK] near the river .")
    found = answers.answer(asked)
    assert answers.answer(asked) is found
    with pytest.raises(NotSupported, match="no other program"):
        shelf.model(name, "huggingface")
    with pytest.raises(NotSupported, match="no translator"):
        translator.model(name)
    # Of its word it knows the sentences of its own language, and none of ours.
    ends = sense_ends.found_for(name, "bank", ())
    assert ends is not None
    assert ends.names == ("wild", "office")
    assert sense_ends.found_for(name, "river", ()) is None
    assert not calibrations.can_measure(name)
    axis = answers.axis(name, "bank", ends.low, ends.high)
    assert answers.axis(name, "bank", ends.low, ends.high) is axis
    monkeypatch.setattr(st, "session_state", {})
    for ask in (answers.answer, answers.expects):
        with pytest.raises(ModelNotFound, match="another visit"):
            ask(asked)
    with pytest.raises(ModelNotFound, match="another visit"):
        answers.axis(name, "bank", ends.low, ends.high)
    with pytest.raises(ModelNotFound, match="another visit"):
        translator.model(name)


def test_a_translator_of_ones_own(session: dict[str, Any], shop: Workshop) -> None:
    recipe = dataclasses.replace(TASKS["reverse"].recipe, steps=1, batch=2, d_model=8, d_ff=0)
    model = trained(recipe)
    name = workshop.desk().keep(model, "Mine")
    assert translator.model(name) is model
    assert translator.names()[name] == "Mine"


def test_a_file_is_made_of_a_model_outside_of_any_visit(
    session: dict[str, Any], shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained()
    name = workshop.desk().keep(model, "Mine")
    monkeypatch.setattr(workshop, "get_script_run_ctx", lambda suppress_warning: None)
    assert workshop.own(name) is model
    with pytest.raises(ModelNotFound, match="another visit"):
        workshop.own(name + "x")
