"""The three attention blocks of an encoder–decoder: the meaning of each row, and the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from core.errors import NotSupported
from core.figures import OnPage, Picture, layer_of, step_view
from core.localization import N_, _, decimal, gettext
from core.measures import AttentionBlock, blocks, head_map
from core.records.attention import Scores
from core.records.frozen import Array
from core.tasks.training.batches import NOWHERE
from core.walkthroughs.steps.record import LOWEST, Matrix, Step
from pages.encoder_decoder import translator
from pages.encoder_decoder.state import BLOCKS
from pages.encoder_decoder.translator import TranslationQuery
from ui import tables

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence
    from core.tasks.languages.directions import Direction

_HIGH = 440  # pixels: what remains of a laptop's first screen
_ROUNDING = 1e-3  # how far weights may be from the softmax of their scores, in any precision
HERE = "▸ "  # marks the row of the current step
_WHO = {
    "encoder": N_("The words that the encoder reads attend to each other."),
    "decoder": N_("The words that the decoder writes attend to earlier ones."),
    "cross": N_("The words that the decoder writes attend to those that the encoder reads."),
}


def reads(decoding: Decoding) -> tuple[str, ...]:
    """The words that the decoder reads: the start token, and all that it has written but the last."""
    return (decoding.trace.decoder.tokens[0], *decoding.tokens[:-1])


def row_names(decoding: Decoding) -> tuple[str, ...]:
    """For each step, the word that it writes, and the word that it has just read."""
    pairs = zip(decoding.tokens, reads(decoding), strict=True)
    return tuple(_("{word} (after {read})").format(word=word, read=read) for word, read in pairs)


def block(decoding: Decoding, which: str, step: int | None = None) -> AttentionBlock:
    """One block; the rows of the decoder are named after the word that each predicts.

    Args:
        decoding: the translation.
        which: one of `BLOCKS`.
        step: the row to mark, from 0.
    """
    own = [*blocks(decoding.trace).values()][BLOCKS.index(which)]
    rows = own.attention.queries
    if which != "encoder":
        rows = row_names(decoding)
        rows = tuple(HERE + name if i == step else name for i, name in enumerate(rows))
    named = own.attention.labelled(rows, own.attention.keys)
    # The start token stays: without it, the first row would have nothing to attend to.
    return replace(own, attention=named, special=((), ()), trace=None)


def layer_picture(
    decoding: Decoding, which: str, layer: int, step: int, state: dict[str, Any]
) -> Picture:
    """One layer of a block, from lines down to one product."""
    return layer_of(
        block(decoding, which, step),
        layer,
        state=state,
        on_page=OnPage(
            height=max(_HIGH, 150 + 24 * len(decoding.tokens)),
            later=None if which == "encoder" else step + 1,
        ),
        name=f"{which}-layer-{layer + 1}",
        sentence=_("{who} Layer {layer}: from lines down to one product.").format(
            who=gettext(_WHO[which]), layer=layer + 1
        ),
    )


def scores(decoding: Decoding, which: str, layer: int, head: int) -> Scores:
    """The scores of one head before the softmax, and the hidden cells."""
    trace = decoding.trace
    if which == "cross":
        return trace.scores(layer, head)
    return (trace.encoder if which == "encoder" else trace.decoder).scores(layer, head)


def shares(values: Array, hidden: Array) -> Array:
    """The softmax of each row over the cells that are not hidden."""
    below = np.where(hidden, -np.inf, values - values.max(axis=1, keepdims=True)).astype(np.float64)
    raised = np.exp(below)
    weights: Array = raised / raised.sum(axis=1, keepdims=True)
    return weights


def softmax_step(decoding: Decoding, which: str, layer: int, head: int, *, masked: bool = True) -> Step:
    """Scores and weights side by side; without `masked`, as if the decoder had no mask."""
    own, shown = scores(decoding, which, layer, head), block(decoding, which)
    # Beside a matrix there is room for one word: the word that a step writes identifies it.
    rows = shown.attention.queries if which == "encoder" else decoding.tokens
    columns = shown.attention.keys
    hides = own.masked if masked and own.masked.any() else None
    values = own.values if hides is None else np.where(hides, LOWEST, own.values)
    hidden = np.zeros(values.shape, bool) if hides is None else hides
    before = Matrix(_("scores"), values, rows, columns, hidden=hides)
    weights = shares(own.values, hidden)
    if hides is not None or not own.masked.any():
        recorded = shown.attention.weights[layer, head]
        if float(np.abs(recorded - weights).max()) > _ROUNDING:
            raise NotSupported(
                _(
                    "In this model, the weights of a row are not the softmax of its own scores alone: "
                    "a part of each row goes elsewhere. The other view shows the weights."
                )
            )
    after = Matrix(_("weights"), weights, rows, columns, weights=True, hidden=hides)
    mask = " + M" if hides is not None else ""
    formula = rf"\mathrm{{softmax}}({_scored(decoding, which, layer)}{mask})"
    return Step("softmax", "Softmax", formula, "", (before,), after, "softmax")


def _scored(decoding: Decoding, which: str, layer: int) -> str:
    """How this model computes the scores of a layer, in LaTeX: most divide by √d, T5 adds a bias."""
    trace = decoding.trace
    of = trace if which == "cross" else trace.encoder if which == "encoder" else trace.decoder
    assert of.query is not None
    usual = of.query.shape[-1] ** -0.5
    scale = usual if of.scale is None else of.scale[layer]
    product = r"QK^\top"
    if abs(scale / usual - 1) < _ROUNDING:
        product += r" / \sqrt{d_k}"
    elif abs(scale - 1) >= _ROUNDING:
        product += rf" \cdot {_in_formula(scale, 4)}"
    if of.softcap is not None:
        cap = _in_formula(of.softcap, 6)
        product = rf"{cap}\tanh({product} / {cap})"
    return f"{product} + B" if getattr(of, "bias", None) is not None else product


def _in_formula(value: float, digits: int) -> str:
    """A number in LaTeX, where a comma alone would set a space behind itself."""
    return decimal(f"{value:.{digits}g}").replace(",", "{,}")


def biased(decoding: Decoding, which: str) -> bool:
    """Whether a learned bias for the distance of two tokens is added to the scores, as in T5."""
    trace = decoding.trace
    return which != "cross" and getattr(trace, which).bias is not None


def softmax_picture(step: Step, which: str, state: dict[str, Any]) -> Picture:
    """Both matrices of a step, with each weight written out."""
    rows, columns = step.result.values.shape
    sentence = _("{who} Scores before softmax and weights after it, {rows} by {columns}.").format(
        who=gettext(_WHO[which]), rows=rows, columns=columns
    )
    return step_view(step, sentence=sentence, name=f"{which}-softmax", state=state, height=420)


def without_mask(decoding: Decoding, layer: int, head: int, step: int) -> float:
    """The share of its weight that a decoder row would give to later words without the mask."""
    own = scores(decoding, "decoder", layer, head)
    row = shares(own.values, np.zeros_like(own.masked))[step]
    return float(row[own.masked[step]].sum())


class Aligned(NamedTuple):
    """How many words, out of how many, attend to the word that they translate, in one head, from 0."""

    layer: int
    head: int
    right: int
    words: int


def alignment(
    decoding: Decoding, known: Sequence[Sentence], direction: Direction
) -> tuple[int, ...] | None:
    """For each word of a translation, the word that it translates, or NOWHERE; None if unknown.

    Args:
        decoding: the translation.
        known: the translations of the grammar; the alignment of any other translation is unknown.
        direction: the direction of the translation.
    """
    same = (one for one in known if direction.written(one) == decoding.words)
    return next((direction.alignment(one) for one in same), None)


def aligned(decoding: Decoding, known: Sequence[Sentence], direction: Direction) -> tuple[Aligned, ...]:
    """For each cross-attention head, how many words attend most to the word that they translate.

    A word that translates none, such as "do", does not count.

    Args:
        decoding: the translation.
        known: the translations of the grammar; the alignment of any other translation is unknown.
        direction: the direction of the translation.
    """
    translated = alignment(decoding, known, direction)
    if translated is None or decoding.trace.cross is None:
        return ()
    to = np.array(translated)
    counted = to != NOWHERE
    most = decoding.trace.cross.weights.argmax(axis=-1)[:, :, : len(to)]
    right = (most == to)[..., counted].sum(axis=-1)
    return tuple(
        Aligned(layer, head, int(right[layer, head]), int(counted.sum()))
        for layer, head in np.ndindex(*right.shape)
    )


def weights_table(query: TranslationQuery, which: str, layer: int, head: int) -> pd.DataFrame:
    """The weights of a head, −1 for the mean of its layer: rows are queries, columns are keys."""
    shown = block(translator.decoding(query), which)
    return tables.head(head_map(shown, layer, None if head < 0 else head, special=True))


def softmax_table(
    query: TranslationQuery, which: str, layer: int, head: int, masked: bool
) -> pd.DataFrame:
    """Scores and weights side by side; masked scores are −inf."""
    step = softmax_step(translator.decoding(query), which, layer, head, masked=masked)
    before, after = step.operands[0], step.result
    scores = np.where(before.values == np.float32(LOWEST), -np.inf, before.values)
    names = [f"{part} {column}" for part in ("score", "weight") for column in after.columns]
    index = pd.Index(after.rows, name="row attends to column")
    return pd.DataFrame(np.hstack([scores, after.values]), index, names)
