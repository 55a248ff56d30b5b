"""Why a word stands where it does, asked of the model and kept: contributions, cuts, ablated heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition
from typing import NamedTuple, ParamSpec, TypeVar

import cachetools

from core.errors import PolyseeError
from core.measures import Why
from core.measures.contributions.by_head import HeadWhy, head_why, words_to_cut_for_head
from core.measures.contributions.by_word import coordinate_of, why, words_to_cut
from core.measures.contributions.expectation_shifts import Shift, shift
from core.records.contributions import Contributions
from core.records.interventions import Change, Cut, Replace
from core.records.sense_axis import SenseAxis
from core.records.trace import Array, Trace
from ui.models import answers, model_cache, session_models
from ui.selection import Chosen, Ends

MOST_WORDS = 20  # rows of a picture, each of which runs the model once
WORK = 1200  # tokens to be run for one sentence's cuts: of a long text, fewer words are cut
LEAST_WORDS = 6
MOST_EXPECTED = 8  # words at a mask, in each of two runs

P = ParamSpec("P")
T = TypeVar("T")


def cached(ask: Callable[P, T]) -> Callable[P, T]:
    """Asked once for all who ask it, and kept."""
    computed_once: Callable[P, T]
    computed_once = cachetools.cached(cachetools.LRUCache(answers.MOST_CACHED), condition=Condition())(
        ask
    )
    return computed_once


class ContributionQuery(NamedTuple):
    """The word of one sentence, and the two ends that it is measured between."""

    model: str
    side: Chosen
    ends: Ends

    @property
    def axis(self) -> SenseAxis:
        """Between these ends. Raises as `answers.axis`."""
        return answers.axis(self.model, self.side.word, self.ends.low, self.ends.high)


def called(side: Chosen) -> str:
    """The word, with its number from its second occurrence on."""
    return side.word if not side.number else f"{side.word} ({side.number + 1})"


def none(model: str) -> str:
    """Why this model cannot be asked, in a sentence; "" where it can."""
    if session_models.is_own(model) and model_cache.model(model).predicts != "masked":
        return (
            "Among the models trained here, contributions can be computed only for the one "
            "that learns the senses of “bank”: for the others, Polysee knows no two senses."
        )
    if model_cache.model(model).engine != "scratch":
        return (
            "This model runs in Hugging Face’s code. Contributions and cuts need our own transformer."
        )
    return ""


def measurable(model: str, word: str, ends: Ends) -> bool:
    """Whether there is an axis between these two; where there is none, the page has said why."""
    try:
        answers.axis(model, word, ends.low, ends.high)
    except PolyseeError:
        return False
    return True


def path(of: ContributionQuery) -> Array:
    """Where the word stands on the axis of each layer, (layers,). Raises as `result`."""
    return answers.coordinates(of.model, *of.side, of.axis)


def result(of: ContributionQuery) -> Why:
    """Everything about one sentence, by word.

    Raises:
        PolyseeError: as `answers.axis` and `answers.path`; NotSupported: as `Model.contributions`.
    """
    model_cache.model(of.model)
    return _result(of)


@cached
def sums_of(of: ContributionQuery) -> Contributions:
    """What the word's coordinate is the sum of."""
    axis = of.axis
    return sums_at(of.model, of.side, axis, axis.n_layers - 1)


def sums_at(model: str, side: Chosen, axis: SenseAxis, layer: int) -> Contributions:
    """What a word's position behind a layer, from 0, is the sum of.

    Raises:
        NotSupported: the model does not run on our own transformer.
    """
    return model_cache.model(model).contributions(
        side.text, side.word, axis.direction(layer), occurrence=side.number, layer=layer
    )


@cached
def _result(of: ContributionQuery) -> Why:
    axis, sums = of.axis, sums_of(of)
    trace = answers.trace(of.model, of.side.text)
    words = words_to_cut(sums, trace, _most(trace))
    far = moved(of, [cuts(sums, group) for group in words])
    return why(sums, trace, axis, dict(zip(words, far, strict=True)))


def _most(trace: Trace) -> int:
    return min(MOST_WORDS, max(LEAST_WORDS, WORK // len(trace.tokens)))


def cuts(
    sums: Contributions, group: Sequence[int], layer: int | None = None, head: int | None = None
) -> list[Cut]:
    """The word no longer attends to some tokens; at first in all layers and heads."""
    return [Cut(q, k, layer, head) for q in sums.word for k in group]


def moved(of: ContributionQuery, changes: Sequence[Sequence[Change]]) -> list[float]:
    """How far the coordinate moves by each of some changes, none of which moves the tokens."""
    axis, sums = of.axis, sums_of(of)
    before = coordinate_of(answers.trace(of.model, of.side.text), sums.word, axis)
    runs = model_cache.model(of.model).changed(of.side.text, changes, keep="hidden")
    return [coordinate_of(after, sums.word, axis) - before for after in runs]


def head(of: ContributionQuery, layer: int, head: int) -> HeadWhy:
    """The word's row in one head, both from 0. Raises as `result`."""
    model_cache.model(of.model)
    return _head(of, layer, head)


@cached
def _head(of: ContributionQuery, layer: int, head: int) -> HeadWhy:
    sums, trace = sums_of(of), answers.trace(of.model, of.side.text)
    words = words_to_cut_for_head(sums, trace, layer, head, _most(trace))
    far = moved(of, [cuts(sums, group, layer, head) for group in words])
    return head_why(sums, trace, layer, head, dict(zip(words, far, strict=True)))


class Changed(NamedTuple):
    """Where the word stands, (layers,), as it is and with a change."""

    before: Array
    after: Array


def changed(of: ContributionQuery, changes: tuple[Change, ...]) -> Changed:
    """What becomes of the word's path.

    Raises:
        PolyseeError: as `result` and `Model.intervene`; WordNotFound: the word itself was replaced.
    """
    model_cache.model(of.model)
    return _changed(of, changes)


@cached
def _changed(of: ContributionQuery, changes: tuple[Change, ...]) -> Changed:
    side, axis = of.side, of.axis
    before = answers.trace(of.model, side.text)
    (after,) = model_cache.model(of.model).changed(side.text, [changes], keep="hidden")
    tokens = before.find(side.word, side.number)
    there = tokens
    # Only another word moves the tokens; a mask stands where its word stood.
    if any(isinstance(change, Replace) for change in changes):
        there = after.find(side.word, side.number + _more_before(before, after, side, changes))
    return Changed(axis.coordinates(before, tokens), axis.coordinates(after, there))


def _more_before(before: Trace, after: Trace, side: Chosen, changes: Sequence[Change]) -> int:
    """How many more of the word stand before it, where it was put in the place of another."""
    at = before.find(side.word, side.number)[0]
    earlier = [
        change
        for change in changes
        if isinstance(change, Replace) and before.find(change.word, change.occurrence)[0] < at
    ]
    if not earlier:
        return 0
    return len(after.find_all(side.word)) - len(before.find_all(side.word))


def expected(
    of: ContributionQuery, changes: tuple[Change, ...], masked: tuple[int, ...]
) -> tuple[Shift, ...] | None:
    """What becomes of the likeliest words at each mask; None where the model predicts none there.

    Args:
        of: the text; its word need not be hidden.
        changes: as in `changed`.
        masked: the tokens that are hidden in both runs, beside the masks in the text.

    Raises:
        PolyseeError: as `Model.intervene`.
    """
    model_cache.model(of.model)
    return _expected(of.model, of.side.text, changes, masked)


@cached
def _expected(
    model: str, text: str, changes: tuple[Change, ...], masked: tuple[int, ...]
) -> tuple[Shift, ...] | None:
    runs = model_cache.model(model).interventions(text, [changes], keep="hidden", masked=masked)
    expectations = next(runs).expected
    return None if expectations is None else tuple(shift(one, MOST_EXPECTED) for one in expectations)
