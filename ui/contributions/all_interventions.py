"""Every single change that can move a word: ablating a head, or cutting the attention to a word."""

from __future__ import annotations

import numpy as np

from core.errors import TooLarge
from core.localization import _, decimal
from core.records.interventions import Ablate
from core.records.trace import Array, frozen
from ui.contributions.computed import ContributionQuery, cached, cuts, moved, result, sums_of
from ui.models import answers, model_cache

WORK = 20_000  # tokens to run: 72 heads at 277 tokens, or 141 words


def ablated(of: ContributionQuery) -> Array:
    """(layers, heads): how far the coordinate moves when each head is ablated, one at a time.

    Those of the layers up to that of the query: no later one can move the word there.

    Raises:
        PolyseeError: see `result`; TooLarge if the text is too long to run once for each head.
    """
    if long := too_long(of):
        raise TooLarge(long)
    return _ablated(of)


def too_long(of: ContributionQuery) -> str:
    """The reason, in a sentence, why a text is too long to run once for each head; "" if it is not."""
    shape = model_cache.model(of.model).shape
    layers = shape.n_layers if of.layer is None else of.layer + 1
    most = WORK // (layers * shape.n_heads)
    count = len(answers.trace(of.model, of.side.text).tokens)
    if count <= most:
        return ""
    return _(
        "This text has {count} tokens. Above {most} tokens, one run for each head would take "
        "too long. The page therefore shows neither the map of how far the word moves "
        "without each head nor the list of all cuts."
    ).format(count=decimal(f"{count:,}"), most=decimal(f"{most:,}"))


@cached
def _ablated(of: ContributionQuery) -> Array:
    layers, heads = sums_of(of).by_head.shape[:2]
    far = moved(of, [[Ablate(layer, head)] for layer in range(layers) for head in range(heads)])
    return frozen(np.reshape(far, (layers, heads)))


def words(of: ContributionQuery) -> Array:
    """(words,), like `Why.cuts`, with as many of the words that it left out as time allows.

    NaN for the words that contribute least, if the text is too long to run once for each word.

    Raises:
        PolyseeError: see `result`.
    """
    model_cache.model(of.model)
    return _words(of)


@cached
def _words(of: ContributionQuery) -> Array:
    why, sums = result(of), sums_of(of)
    all_cuts = why.cuts.copy()
    left = np.flatnonzero(np.isnan(all_cuts))
    most = max(0, WORK // len(sums.tokens) - len(why.shown))
    uncut = left[np.argsort(-np.abs(why.contributions[left]), kind="stable")[:most]]
    all_cuts[uncut] = moved(of, [cuts(sums, why.tokens[i]) for i in uncut])
    return frozen(all_cuts)
