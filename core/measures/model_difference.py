"""What a training changed: two models of one architecture, an adapter and its base, on one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotSupported
from ..localization import _
from ..records.frozen import Array
from ..records.logit_parts import LogitParts
from ..records.model_difference import ModelDifference
from ..records.prediction import Expectation, probabilities
from ..records.trace import Trace

if TYPE_CHECKING:
    from ..pretrained import TextModel

_TINY = 1e-30  # in place of a length of 0


def model_difference(
    after: TextModel,
    before: TextModel,
    text: str,
    token: int | str | None = None,
    other: int | str | None = None,
) -> ModelDifference:
    """Run two models on one text, and subtract what corresponds: heads, vectors, logits, contributions.

    Args:
        after: the trained model, such as an adapter with its base.
        before: the model that it was trained from: the base, or an earlier checkpoint.
        text: the text; of a model that fills in masks, one with a mask shows what both expect there.
        token: the next token to explain, as in `Model.why`; None for the one whose probability grew
            most.
        other: the one whose logit is subtracted; None for the one whose probability fell most, if
            `token` is not given either, and for none otherwise.

    Raises:
        NotSupported: the two have other numbers of layers or heads, or read other tokens, so that
            nothing corresponds; or the text has no token.
        SettingError: see `Model.why`.
    """
    refuse_other_shapes(after, before)
    traces = after.trace(text), before.trace(text)
    if traces[0].tokens != traces[1].tokens:
        raise NotSupported(
            _(
                "“{one}” and “{other}” read other tokens in this text, and no vector of one "
                "corresponds to a vector of the other."
            ).format(one=after.name, other=before.name)
        )
    expected = _expected(after, before, text)
    return ModelDifference(
        (after.name, before.name),
        traces[0].tokens,
        moved_attention(*traces),
        moved_vectors(*traces),
        expected,
        None if expected is None else _parts(after, before, text, expected, (token, other)),
    )


def refuse_other_shapes(after: TextModel, before: TextModel) -> None:
    """Raise NotSupported unless the heads of two models can correspond to each other."""
    shapes = after.shape, before.shape
    if after.kind != before.kind or after.kind == "encoder-decoder" or shapes[0] != shapes[1]:
        raise NotSupported(
            _(
                "“{one}” and “{other}” are not of one architecture: no head of one corresponds to a "
                "head of the other."
            ).format(one=after.name, other=before.name)
        )


def _expected(after: TextModel, before: TextModel, text: str) -> tuple[Expectation, Expectation] | None:
    """What both expect next, or behind the first mask; None where they predict nothing there."""
    if after.predicts is None or after.predicts != before.predicts:
        return None
    try:
        a, b = after.expects(text)[0], before.expects(text)[0]
    except NotSupported:  # a text without a mask
        return None
    return (a, b) if a.logits.shape == b.logits.shape else None


def _parts(
    after: TextModel,
    before: TextModel,
    text: str,
    expected: tuple[Expectation, Expectation],
    named: tuple[int | str | None, int | str | None],
) -> tuple[LogitParts, LogitParts] | None:
    """Why one next token rather than another, in both; None where one of them cannot say."""
    if after.predicts != "next" or not after.scratch_decoder or not before.scratch_decoder:
        return None
    token, other = gained_and_lost(*expected) if named[0] is None else named
    assert token is not None
    return after.why(text, token, other), before.why(text, token, other)


def moved_attention(after: Trace, before: Trace) -> Array:
    """(layers, heads): the share of its attention that each head moved; see `ModelDifference.heads`.

    Raises:
        ValueError: a trace holds no attention.
    """
    if after.attention is None or before.attention is None:
        raise ValueError("Both traces must hold attention.")
    apart = np.abs(after.attention.weights.astype(np.float64) - before.attention.weights)
    moved: Array = (0.5 * apart.sum(-1).mean(-1)).astype(np.float32)
    return np.minimum(moved, np.float32(1))


def moved_vectors(after: Trace, before: Trace) -> Array:
    """(layers + 1, tokens): how far each vector moved; see `ModelDifference.vectors`.

    Raises:
        ValueError: a trace holds no vectors.
    """
    if after.hidden is None or before.hidden is None:
        raise ValueError("Both traces must hold the vectors of all layers.")
    a, b = (np.concatenate([one.embedded[None], one.hidden]) for one in (after, before))
    lengths = np.linalg.norm(b.astype(np.float64), axis=-1)
    apart = np.linalg.norm(a.astype(np.float64) - b, axis=-1)
    moved: Array = (apart / np.maximum(lengths, _TINY)).astype(np.float32)
    return moved


def gained_and_lost(after: Expectation, before: Expectation) -> tuple[int, int]:
    """The token whose probability grew most, and the one whose probability fell most.

    Where nothing changed, the likeliest two.
    """
    change = probabilities(after.logits, 1.0) - probabilities(before.logits, 1.0)
    gained, lost = int(change.argmax()), int(change.argmin())
    if gained != lost:
        return gained, lost
    order = np.argsort(-after.logits, kind="stable")
    return int(order[0]), int(order[1])
