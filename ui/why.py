"""Why a word stands where it does, asked of the model and kept: pushes, cuts, silenced heads."""

from __future__ import annotations

from threading import Condition
from typing import NamedTuple

import cachetools
import numpy as np

from core.causes import Change, Cut, Replace, Silence
from core.errors import PolyseeError, TooLarge
from core.measures import Why, word_path
from core.measures.why import asked, measure, place_of, why
from core.settings import AnchorGroup
from core.trace import Array, frozen
from ui import answers, shelf, workshop
from ui.comparison import Chosen

MOST_WORDS = 20  # rows of a picture, each of which runs the model once
WORK = 1200  # tokens to be run for one sentence's cuts: of a long text, fewer words are cut
LEAST_WORDS = 6
WORK_OF_HEADS = 20_000  # tokens to be run for all heads: 72 of them at 277 tokens


class Asked(NamedTuple):
    """The word of one sentence, and the two senses that it is measured between."""

    model: str
    side: Chosen
    low: AnchorGroup
    high: AnchorGroup


def none(model: str) -> str:
    """Why this model cannot be asked, in a sentence; "" where it can."""
    if workshop.is_own(model):
        return (
            "A model that was trained here is not taken apart by word: no two senses are known of it."
        )
    if shelf.model(model).engine != "scratch":
        return "This model runs in Hugging Face’s program, which cannot be followed back or cut here."
    return ""


def measurable(model: str, low: AnchorGroup, high: AnchorGroup) -> bool:
    """Whether there is an axis between these two; where there is none, the page has said why."""
    try:
        answers.axis(model, low.words, high.words)
    except PolyseeError:
        return False
    return True


def found(of: Asked) -> Why:
    """Everything about one sentence, by word.

    Raises:
        PolyseeError: as `answers.axis` and `answers.path`; NotSupported: as `Model.contributions`.
    """
    shelf.model(of.model)
    return _found(of)


@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def _found(of: Asked) -> Why:
    model, side = shelf.model(of.model), of.side
    axis = answers.axis(of.model, of.low.words, of.high.words)
    direction, _ = measure(axis)
    sums = model.contributions(side.text, side.word, direction, occurrence=side.number)
    trace = answers.trace(of.model, side.text)
    most = min(MOST_WORDS, max(LEAST_WORDS, WORK // len(trace.tokens)))
    words = asked(sums, trace, most)
    changes = [[Cut(q, k) for q in sums.word for k in group] for group in words]
    runs = model.interventions(side.text, changes, keep="hidden")
    places = [place_of(run.after, sums.word, axis) for run in runs]
    return why(sums, trace, axis, dict(zip(words, places, strict=True)))


class Changed(NamedTuple):
    """Where the word stands at every depth, (depths,), as it is and with a change."""

    before: Array
    after: Array


def changed(of: Asked, changes: tuple[Change, ...]) -> Changed:
    """What becomes of the word's path.

    Raises:
        PolyseeError: as `found` and `Model.intervene`; WordNotFound: the word itself was replaced.
    """
    shelf.model(of.model)
    return _changed(of, changes)


@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def _changed(of: Asked, changes: tuple[Change, ...]) -> Changed:
    side = of.side
    axis = answers.axis(of.model, of.low.words, of.high.words)
    ran = shelf.model(of.model).intervene(side.text, *changes)
    tokens = ran.before.find(side.word, side.number)
    # Only another word moves the tokens; a mask stands where its word stood.
    new = any(isinstance(change, Replace) for change in changes)
    after = ran.after.find(side.word, side.number) if new else tokens
    paths = word_path(ran.before, tokens), word_path(ran.after, after)
    return Changed(*(axis.place(path) for path in paths))


def silenced(of: Asked) -> Array:
    """(layers, heads): how far the place moves when one head alone adds nothing, one after the other.

    Raises:
        PolyseeError: as `found`; TooLarge: the text is too long to be run once for each head.
    """
    shape = shelf.model(of.model).shape
    most = WORK_OF_HEADS // (shape.n_layers * shape.n_heads)
    if len(answers.trace(of.model, of.side.text).tokens) > most:
        raise TooLarge(f"To run this text once for each head takes too long above {most} tokens.")
    return _silenced(of)


@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def _silenced(of: Asked) -> Array:
    model, side = shelf.model(of.model), of.side
    axis = answers.axis(of.model, of.low.words, of.high.words)
    trace = answers.trace(of.model, side.text)
    tokens = trace.find(side.word, side.number).tolist()
    layers, heads = trace.grid
    changes = [[Silence(layer, head)] for layer in range(layers) for head in range(heads)]
    runs = model.interventions(side.text, changes, keep="hidden")
    places = np.array([place_of(run.after, tokens, axis) for run in runs])
    return frozen(places.reshape(layers, heads) - place_of(trace, tokens, axis))
