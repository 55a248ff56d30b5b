"""A visitor's session: its runs and models, which no other visitor can access."""

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
from core.tasks import TASKS, Trained, train
from core.tasks.training import recipe_code
from core.tasks.training.queue import TrainingQueue
from core.tasks.training.run import Run
from pages.encoder_decoder import translator
from ui import sense_ends
from ui.models import answers, calibrations, model_cache, session_models
from ui.query import TextQuery

RECIPE = dataclasses.replace(
    TASKS["bank"].recipe, steps=3, batch=2, warm_up=0, d_model=8, d_ff=0, n_heads=2, seed=5
)
LONG = dataclasses.replace(RECIPE, steps=10_000)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A new session; another visitor has another one."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    context = SimpleNamespace(session_id="a")
    monkeypatch.setattr(session_models, "get_script_run_ctx", lambda suppress_warning: context)
    return kept


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> Iterator[TrainingQueue]:
    made = TrainingQueue(2)
    monkeypatch.setattr(session_models, "training_queue", lambda: made)
    yield made
    made.close()


def trained(recipe: Any = RECIPE) -> Trained:
    training = train(recipe)
    training.learn(1)
    return training.trained()


def test_a_name_carries_its_recipe_and_is_given_once(
    session: dict[str, Any], trainings: TrainingQueue
) -> None:
    own = session_models.this_session()
    assert session_models.this_session() is own
    names = {own.name(RECIPE) for _ in range(9)}
    assert len(names) == 9
    assert {session_models.recipe_of(name) for name in names} == {recipe_code.write(RECIPE)}
    assert {session_models.recipe_of(session_models.OWN + name) for name in names} == {
        recipe_code.write(RECIPE)
    }
    assert session_models.SessionModels().token != own.token


def test_a_visitor_trains_one_at_a_time(session: dict[str, Any], trainings: TrainingQueue) -> None:
    own = session_models.this_session()
    first, second = own.begin(LONG), own.begin(LONG)
    assert second.active
    assert first._wanted == "paused"
    own.go(first.name)
    assert first.active
    assert second._wanted == "paused"
    for _ in range(session_models.MOST_RUNS):
        last = own.begin(LONG)
    assert len(own.runs) == session_models.MOST_RUNS
    assert first.name not in own.runs
    # A run keeps its number when older runs are removed.
    assert [*own.numbers.items()] == [(name, i) for i, name in enumerate(own.runs, 3)]
    assert next(reversed(own.runs)) == last.name


def test_runs_and_models_go_with_the_session(session: dict[str, Any], trainings: TrainingQueue) -> None:
    own = session_models.this_session()
    run: Run | None = own.begin(LONG)
    assert run is not None
    name, model = own.keep(trained(), "One"), weakref.ref(run)
    assert session_models.find(run.name) is run
    assert session_models.find_model(name) is not None
    trainings.close()
    run_name, run = run.name, None
    session.clear()
    del own
    gc.collect()
    assert model() is None
    assert session_models.find(run_name) is None
    assert session_models.find_model(name) is None


def test_a_model_is_kept_once_and_can_be_dropped(
    session: dict[str, Any], trainings: TrainingQueue
) -> None:
    own, model = session_models.this_session(), trained()
    name = own.keep(model, "One")
    assert own.keep(model, "One") == name
    assert session_models.own_titles() == {name: "One"}
    assert session_models.own_titles("pair") == {}
    for _ in range(session_models.MOST_MODELS):
        own.keep(trained(), "More")
    assert name not in own.models
    titles = [kept.title for kept in own.models.values()]
    assert titles == ["More", *(f"More ({i})" for i in range(2, session_models.MOST_MODELS + 1))]
    last = next(reversed(own.models))
    own.drop(last)
    assert last not in own.models


def test_nobody_else_has_a_model_even_when_its_answers_are_kept(
    session: dict[str, Any], trainings: TrainingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = session_models.this_session().keep(trained(), "One")
    assert session_models.is_own(name)
    asked = TextQuery(name, "the bank [MASK] near the river .")
    found = answers.answer(asked)
    assert answers.answer(asked) is found
    with pytest.raises(NotSupported, match="other implementation"):
        model_cache.model(name, "huggingface")
    with pytest.raises(NotSupported, match="no translator"):
        translator.model(name)
    # For its word, it has sentences of its own language, and none of ours.
    ends = sense_ends.ends_for(name, "bank", ())
    assert ends is not None
    assert ends.names == ("wild", "office")
    assert sense_ends.ends_for(name, "river", ()) is None
    assert not calibrations.can_measure(name)
    axis = answers.axis(name, "bank", ends.low, ends.high)
    assert answers.axis(name, "bank", ends.low, ends.high) is axis
    monkeypatch.setattr(st, "session_state", {})
    for ask in (answers.answer, answers.expects):
        with pytest.raises(ModelNotFound, match="another session"):
            ask(asked)
    with pytest.raises(ModelNotFound, match="another session"):
        answers.axis(name, "bank", ends.low, ends.high)
    with pytest.raises(ModelNotFound, match="another session"):
        translator.model(name)


def test_a_translator_of_ones_own(session: dict[str, Any], trainings: TrainingQueue) -> None:
    recipe = dataclasses.replace(TASKS["reverse"].recipe, steps=1, batch=2, d_model=8, d_ff=0)
    model = trained(recipe)
    name = session_models.this_session().keep(model, "Mine")
    assert translator.model(name) is model
    assert translator.names()[name] == "Mine"


def test_a_file_is_made_of_a_model_outside_of_any_visit(
    session: dict[str, Any], trainings: TrainingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained()
    name = session_models.this_session().keep(model, "Mine")
    monkeypatch.setattr(session_models, "get_script_run_ctx", lambda suppress_warning: None)
    assert session_models.own(name) is model
    with pytest.raises(ModelNotFound, match="another session"):
        session_models.own(name + "x")
