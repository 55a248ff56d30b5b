"""Fixtures for tests of trained models: small models, trained once for a few steps."""

from __future__ import annotations

import dataclasses

import pytest

from core.tasks import TASKS, Recipe, TaskName, Trained, train


def brief(name: TaskName, steps: int = 6) -> Recipe:
    """The default recipe, stopped after a few steps."""
    return dataclasses.replace(TASKS[name].recipe, steps=steps, warm_up=2, batch=8)


def trained(recipe: Recipe) -> Trained:
    training = train(recipe)
    training.advance(recipe.steps)
    return training.trained()


@pytest.fixture(scope="session")
def reverse(one_thread: None) -> Trained:
    """Hardly trained: an encoder–decoder with one vocabulary, pre-LN."""
    return trained(brief("reverse"))


@pytest.fixture(scope="session")
def translation(one_thread: None) -> Trained:
    """Hardly trained: an encoder–decoder with two vocabularies, post-LN."""
    return trained(brief("translation"))


@pytest.fixture(scope="session")
def induction(one_thread: None) -> Trained:
    """Hardly trained: a decoder alone."""
    return trained(brief("induction"))


@pytest.fixture(scope="session")
def bank(one_thread: None) -> Trained:
    """Hardly trained: an encoder alone."""
    return trained(brief("bank"))
