"""A training on a text in the queue of all trainings: to its end, stopped, refused, behind others."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from core import own_text
from core.errors import NotSupported, SettingError
from core.own_text import TextRecipe, TextRun
from core.own_text import recipe as recipes
from core.own_text.run import untrained
from core.tasks.training.queue import TrainingQueue

TEXT = own_text.ready()["station"].text[:900]
LONG = TextRecipe(layers=1, heads=1, width=16, window=16, batch=1, steps=5_000)


@pytest.fixture
def queue() -> Iterator[TrainingQueue]:
    made = TrainingQueue(1)
    yield made
    made.close()


def run_of(text: str = TEXT, recipe: TextRecipe = LONG) -> TextRun:
    return TextRun(text, "A title", recipe, "a name", lambda: True)


def until(run: TextRun, *states: str) -> None:
    end = time.monotonic() + 60
    while run.state not in states:
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_second_one_waits_and_a_stopped_one_keeps_its_model(queue: TrainingQueue) -> None:
    first, second = run_of(), run_of()
    queue.go(first)
    queue.go(second)
    assert queue.queue_position(second) == 1
    with pytest.raises(NotSupported, match="does not exist yet"):
        first.learned()
    while first.step < 2:
        time.sleep(0.005)
    queue.stop(first)
    until(first, "stopped")
    assert first.learned().steps == first.snapshots[-1].step >= 2
    assert first.finished is None  # it did not come to its end
    assert len(first.planes) == len(first.snapshots)
    queue.stop(second)
    until(second, "stopped")


def test_a_text_of_too_few_tokens_is_refused_in_a_sentence(queue: TrainingQueue) -> None:
    run = run_of("=" * 500, TextRecipe(kind="pairs", layers=1, heads=1, width=16))
    queue.go(run)
    until(run, "failed")
    assert "too few tokens" in run.why
    for text, why in (
        ("short", "5 characters"),
        ("x" * 300_001, "300,001"),
        ("\ud800" * 500, "halves"),
    ):
        with pytest.raises(SettingError, match=why):
            run_of(text)


def test_before_training_there_is_one_pause_and_a_5_gram() -> None:
    for text in (TEXT, "a" * 500, "😀 שלום " * 90):
        run = untrained(text, "A title", LONG)
        assert [one.step for one in run.snapshots] == [0]
        assert run.planes[0].coordinates.shape == (len(run.shown), 2)
        assert run.gram == own_text.bits_per_letter(*recipes.parted(text))


def test_a_recipe_is_one_word_and_back() -> None:
    recipe = TextRecipe(kind="pairs", rate=0.0125, seed=7)
    assert recipes.read(recipes.code(recipe)) == recipe
    assert recipes.read("letters") == TextRecipe()
    for wrong in ("", "letters-1", "words-256-2-4-96-64-16-0.004-400-0", "x" * 999):
        with pytest.raises(SettingError):
            recipes.read(wrong)
    with pytest.raises(SettingError):
        recipes.read(recipes.code(recipe).replace("-2-", "-1e9-", 1))


@pytest.mark.parametrize("rate", [1e-5, 5e-5, 1e-4, 0.05])
def test_every_learning_rate_goes_to_a_word_and_back(rate: float) -> None:
    recipe = TextRecipe(rate=rate)
    assert recipes.read(recipes.code(recipe)) == recipe


def test_the_sentence_around_a_stretch() -> None:
    text = "One. Two of them! Three\nFour"
    assert own_text.sentence_around(text, 6, 8) == "Two of them!"
    assert own_text.sentence_around(text, 6, 20) == "Two of them! Three"
    assert own_text.sentence_around(text, 25, 28) == "Four"
    assert own_text.sentence_around(text, 6, 8, most=5) == "Two…"
