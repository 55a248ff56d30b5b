"""Cached results that explain why a word stands where it does: contributions, cuts, ablated heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, ParamSpec, TypeVar

from core import memory
from core.comparison import Chosen, Ends, alone, source
from core.errors import PolyseeError
from core.localization import _
from core.measures import Why
from core.measures.contributions.by_head import HeadWhy, head_why, words_to_cut_for_head
from core.measures.contributions.by_word import coordinate_of, why, words_to_cut
from core.measures.contributions.expectation_shifts import Shift, shift
from core.records.contributions import Contributions
from core.records.interventions import Change, Cut, Replace
from core.records.sense_axis import SenseAxis
from core.records.trace import Array, Trace
from ui.models import answers, model_cache, session_models

MOST_WORDS = 20  # rows of a picture; each needs one run of the model
WORK = 1200  # tokens to run for the cuts of one sentence: the longer the text, the fewer words are cut
LEAST_WORDS = 6
MOST_EXPECTED = 8  # likely words at a mask, in each of two runs

P = ParamSpec("P")
T = TypeVar("T")


def cached(ask: Callable[P, T]) -> memory.Cached[P, T]:
    """The result of `ask`, computed once for everyone who requests it, and cached."""
    return memory.cached()(ask)


class ContributionQuery(NamedTuple):
    """A word of one sentence, and the two ends of the axis that it is measured on.

    Attributes:
        model: its name.
        side: the sentence and its word.
        ends: the two ends.
        layer: after which layer, from 0, the word is measured; None for the last.
    """

    model: str
    side: Chosen
    ends: Ends
    layer: int | None = None

    @property
    def axis(self) -> SenseAxis:
        """The axis between these ends. Raises the errors of `answers.axis`."""
        return answers.axis(self.model, self.side.word, self.ends.low, self.ends.high)

    @property
    def at(self) -> int:
        """The index of that layer: −1 for the last."""
        return -1 if self.layer is None else self.layer


def called(side: Chosen) -> str:
    """The word; from its second occurrence on, with its number."""
    return side.word if not side.number else f"{side.word} ({side.number + 1})"


def none(model: str) -> str:
    """Why this model has no contributions, in a sentence; "" if it has."""
    if session_models.is_own(model) and model_cache.model(model).predicts != "masked":
        return _(
            "Among the models trained here, contributions can be computed only for the one that "
            "learns the senses of “bank”: for the others, Polysee knows no two senses."
        )
    if model_cache.model(model).engine != "scratch":
        return _(
            "This model runs in Hugging Face’s code. Contributions and cuts need our own transformer."
        )
    return ""


def measurable(model: str, word: str, ends: Ends) -> bool:
    """Whether an axis exists between these two ends; if not, the page has said why."""
    try:
        answers.axis(model, word, ends.low, ends.high)
    except PolyseeError:
        return False
    return True


def path(of: ContributionQuery) -> Array:
    """(layers,), the position of the word on the axis of each layer. Raises the errors of `result`."""
    return answers.coordinates(of.model, *of.side, of.axis)


def result(of: ContributionQuery) -> Why:
    """All contributions of one sentence, by word.

    Raises:
        PolyseeError: see `answers.axis` and `answers.path`; NotSupported: see `Model.contributions`.
    """
    model_cache.model(of.model)
    return _result(of)


def by_itself(model: str, side: Chosen) -> Chosen:
    """The word of a sentence alone, from where its sentence moves it."""
    return alone.by_itself(answers.trace(model, side.text), side)


@cached
def layers_of(model: str, side: Chosen, word: str, ends: Ends) -> tuple[Contributions, ...]:
    """The terms that sum to the position of a word after each layer.

    Args:
        model: its name.
        side: the text and its word.
        word: the word of the axis, which may be spelled otherwise in the text.
        ends: the two ends of the axis.

    Raises:
        PolyseeError: see `answers.axis`; NotSupported if the model does not run on our own transformer.
    """
    axis = answers.axis(model, word, ends.low, ends.high)
    return source.contributions(model_cache.model(model), side, axis)


def ahead(model: str, sides: Sequence[Chosen], ends: Ends) -> None:
    """Compute `layers_of` for the word in its sentences and alone, in one pass where they are short.

    Args:
        model: its name.
        sides: the word in each sentence; each is measured between the ends by its own spelling there.
        ends: the two ends.

    Raises:
        PolyseeError: see `layers_of`.
    """
    of, cache = model_cache.model(model), layers_of.cache
    together = getattr(of, "contributions_of_each", None)
    pairs = [(one, side.word) for side in sides for one in (side, by_itself(model, side))]
    asked = [
        pair for pair in dict.fromkeys(pairs) if layers_of.cache_key(model, *pair, ends) not in cache
    ]
    if together is None or len(asked) < 2:
        return
    axes = [answers.axis(model, word, ends.low, ends.high) for _, word in asked]
    found = together(
        [(side.text, side.word, side.number) for side, _ in asked],
        [[axis.direction(layer) for layer in range(axis.n_layers)] for axis in axes],
    )
    for pair, sums in zip(asked, found, strict=True):
        with suppress(ValueError):  # larger than the whole budget: it is computed when it is asked for
            cache[layers_of.cache_key(model, *pair, ends)] = sums


@cached
def sums_of(of: ContributionQuery) -> Contributions:
    """The terms that move the word from where it stands alone, after the layer of the query."""
    here, there = (
        layers_of(of.model, side, of.side.word, of.ends)[of.at]
        for side in (of.side, by_itself(of.model, of.side))
    )
    return here.from_alone(there, causal=answers.trace(of.model, of.side.text).causal)


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
    """The effect of hiding some tokens from the word, by default in all layers and heads."""
    return [Cut(q, k, layer, head) for q in sums.word for k in group]


def moved(of: ContributionQuery, changes: Sequence[Sequence[Change]]) -> list[float]:
    """How far each change moves the coordinate; none of the changes may shift the tokens."""
    axis, sums = of.axis, sums_of(of)
    before = coordinate_of(answers.trace(of.model, of.side.text), sums.word, axis, of.at)
    runs = model_cache.model(of.model).changed(of.side.text, changes, keep="hidden")
    return [coordinate_of(after, sums.word, axis, of.at) - before for after in runs]


def head(of: ContributionQuery, layer: int, head: int) -> HeadWhy:
    """The word's row in one head; layer and head count from 0. Raises the errors of `result`."""
    model_cache.model(of.model)
    return _head(of, layer, head)


@cached
def _head(of: ContributionQuery, layer: int, head: int) -> HeadWhy:
    sums, trace = sums_of(of), answers.trace(of.model, of.side.text)
    words = words_to_cut_for_head(sums, trace, layer, head, _most(trace))
    far = moved(of, [cuts(sums, group, layer, head) for group in words])
    return head_why(sums, trace, layer, head, dict(zip(words, far, strict=True)))


class Changed(NamedTuple):
    """(layers,), the position of the word, unchanged and changed."""

    before: Array
    after: Array


def changed(of: ContributionQuery, changes: tuple[Change, ...]) -> Changed:
    """The path of the word, unchanged and changed.

    Raises:
        PolyseeError: see `result` and `Model.intervene`; WordNotFound if the word itself was replaced.
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
    # Only a replacement word shifts the tokens; a mask takes the position of its word.
    if any(isinstance(change, Replace) for change in changes):
        there = after.find(side.word, side.number + _more_before(before, after, side, changes))
    return Changed(axis.coordinates(before, tokens), axis.coordinates(after, there))


def _more_before(before: Trace, after: Trace, side: Chosen, changes: Sequence[Change]) -> int:
    """How many more occurrences of the word precede it once it has replaced another word."""
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
    """How the likeliest words at each mask change; None if the model makes no predictions there.

    Args:
        of: the text and its word, which need not be masked.
        changes: see `changed`.
        masked: the tokens that are masked in both runs, besides the masks in the text.

    Raises:
        PolyseeError: see `Model.intervene`.
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
