"""The 5 × 3 word vectors that a text adds to its positions, and the effect of padding on them.

“LLMs from Scratch”, part 3, section 2.4, prints five random rows, their sinusoidal positions, and the
sums. The effect of padding is computed for the same rows with attention without weights (section 3.3
there): Vaswani et al. (2017), equation 1, with Q = K = V = X. No torch here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..localization import N_, _, gettext
from ..records.frozen import Array, frozen
from . import in_numpy
from .editable import Tables
from .steps.record import LOWEST, Kind, Matrix, Step

N_WORDS, D_MODEL, LONGEST = 5, 3, 8
DIGITS = 2  # to which the text rounds
PAD = "[PAD]"
WORDS = tuple(f"word {i + 1}" for i in range(N_WORDS))

TABLES = Tables(
    {
        "E": frozen(
            [
                [0.12, 0.94, 0.9],
                [0.14, 0.65, 0.22],
                [0.29, 0.58, 0.31],
                [0.69, 0.37, 0.62],
                [0.25, 0.61, 0.65],
            ]
        ),
        "P": frozen(in_numpy.sinusoidal(LONGEST, D_MODEL)),
        "PAD": frozen(np.zeros((1, D_MODEL))),
    }
)
# The sums E + P as the text prints them.
PRINTED = frozen(
    [
        [0.12, 1.94, 0.9],
        [0.98, 1.19, 0.22],
        [1.2, 0.16, 0.31],
        [0.83, -0.62, 0.63],
        [-0.51, -0.04, 0.66],
    ]
)
Numbers = Mapping[str, Array]


class Words(NamedTuple):
    """The title, the formula and the purpose of a step."""

    title: str
    formula: str
    why: str


STEPS: Mapping[str, Words] = {
    "padded": Words(
        N_("Word + position"),
        "X = E + P",
        N_(
            "Each word’s row plus the row of its position. Every text of a batch must have the same "
            "length: a shorter one is filled up with the token [PAD], which has a row like any word."
        ),
    ),
    "scores": Words(
        N_("Scores"), r"S = X\,X^\top", N_("Every row meets every row, those of [PAD] too.")
    ),
    "scale": Words("÷ √d", r"S / \sqrt{d_\mathrm{model}}", N_("The scores are divided by √3.")),
    "mask": Words(
        N_("Padding mask"),
        r"S_{ij} = -\infty\ \text{ where } j \text{ is padding}",
        N_("No token may attend to padding: those columns become −∞, in every row."),
    ),
    "weights": Words(
        "Softmax",
        r"A_{ij} = \frac{e^{S_{ij}}}{\sum_m e^{S_{im}}}",
        N_("Each row becomes weights that add up to 1. Where a column is −∞, the weight is exactly 0."),
    ),
    "mix": Words(
        N_("Weighted sum"),
        r"Y = A\,X",
        N_("Each token gets a new row. The new rows of [PAD] are discarded."),
    ),
}


_IN_FORMULAS = (N_(" where "), N_(" is padding"))


def word_names() -> tuple[str, ...]:
    """The names of the five words in the language of this context."""
    return tuple(_("word {number}").format(number=i + 1) for i in range(N_WORDS))


def rounded(values: Array) -> Array:
    """Rounded to the decimals that the text prints."""
    near: Array = np.round(np.asarray(values, float), DIGITS)
    return near + 0.0  # avoids −0


def shares(numbers: Numbers, *, round_first: bool = False) -> tuple[Array, Array]:
    """Words and positions of the text's own table, (5, 3) float64 each.

    Args:
        numbers: the tables from `TABLES.changed`.
        round_first: whether to round the positions before adding them, as the text's code does.
    """
    words, positions = (_wide(numbers[name])[:N_WORDS] for name in ("E", "P"))
    return words, rounded(positions) if round_first else positions


def sum_step(numbers: Numbers, *, round_first: bool = False) -> Step:
    """The text's table: words + positions = the input of attention, 5 × 3 each."""
    words, positions = shares(numbers, round_first=round_first)
    rows = word_names()
    operands = [_matrix(name, of, rows) for name, of in (("E", words), ("P", positions))]
    why = _("Each number of E is added to the number in the same cell of P.")
    result = _matrix("X", words + positions, rows)
    return Step("sum", _("Word + position"), "X = E + P", why, tuple(operands), result, "sum")


class Padded(NamedTuple):
    """The text's five words, padded, through attention without weights.

    Attributes:
        steps: see `STEPS`; includes the mask only if there is one.
        apart: the largest difference of the five words' new rows from those without any padding.
        on_padding: (5,), the share of each word's row of weights that goes to padding.
    """

    steps: tuple[Step, ...]
    apart: float
    on_padding: Array


def padded(numbers: Numbers, length: int, *, masked: bool) -> Padded:
    """Pad the five words to a length, and let every token attend.

    Args:
        numbers: the tables from `TABLES.changed`.
        length: the length, from 6 to `LONGEST`.
        masked: whether the padding is hidden.
    """
    count = length - N_WORDS
    tokens = (*word_names(), *[PAD] * count)
    words = np.concatenate([_wide(numbers["E"]), np.repeat(_wide(numbers["PAD"]), count, axis=0)])
    positions = _wide(numbers["P"])[:length]
    x_LD = words + positions
    hidden = np.zeros((length, length), bool)
    hidden[:, N_WORDS:] = masked
    scores = x_LD @ x_LD.T
    mixed, weights = _attended(x_LD, hidden)
    alone, _ = _attended(x_LD[:N_WORDS], np.zeros((N_WORDS, N_WORDS), bool))
    x, s = _matrix("X", x_LD, tokens), _matrix("S", scores, tokens, tokens)
    scaled = _matrix("S/√d", scores * D_MODEL**-0.5, tokens, tokens)
    seen = hidden if masked else None
    a = _matrix("A", weights, tokens, tokens, weights=True, hidden=seen)
    steps = [
        _step("padded", "sum", [_matrix("E", words, tokens), _matrix("P", positions, tokens)], x),
        _step("scores", "product", [x, _matrix("Xᵀ", x_LD.T, None, tokens)], s),
        _step("scale", "scale", [s], scaled, number=D_MODEL**-0.5, detail=str(D_MODEL)),
    ]
    given = scaled
    if masked:
        low = np.where(hidden, LOWEST, scores * D_MODEL**-0.5)
        given = replace(
            _matrix(gettext(N_("masked")), low, tokens, tokens, hidden=hidden), unmasked=scaled.values
        )
        steps.append(_step("mask", "mask", [scaled], given, detail="padding"))
    steps.append(_step("weights", "softmax", [given], a))
    steps.append(_step("mix", "product", [a, x], _matrix("Y", mixed, tokens)))
    apart = float(np.abs(mixed[:N_WORDS] - alone).max())
    return Padded(tuple(steps), apart, frozen(weights[:N_WORDS, N_WORDS:].sum(axis=1)))


def _attended(x_LD: Array, hidden: Array) -> tuple[Array, Array]:
    """Attention without weights: the new rows, and the weights, (L, L)."""
    return in_numpy.scaled_dot_product_attention(x_LD, x_LD, x_LD, ~hidden)


def _wide(values: Array) -> Array:
    """As typed: 0.12, not the nearest float32, 0.119999997."""
    return np.array([[float(f"{x:.7g}") for x in row] for row in values])


def _matrix(
    name: str,
    values: Array,
    rows: Sequence[str] | None,
    columns: Sequence[str] | None = None,
    *,
    weights: bool = False,
    hidden: Array | None = None,
) -> Matrix:
    numbered = [[str(i) for i in range(count)] for count in values.shape]  # numbered as in the formula
    own_rows, own_columns = tuple(rows or numbered[0]), tuple(columns or numbered[1])
    return Matrix(name, values, own_rows, own_columns, weights=weights, hidden=hidden)


def _step(
    name: str,
    kind: Kind,
    operands: Sequence[Matrix],
    result: Matrix,
    *,
    number: float = 0.0,
    detail: str = "",
) -> Step:
    title, formula, why = STEPS[name]
    title, why = gettext(title), gettext(why)
    for words in _IN_FORMULAS:  # a message with the braces of a formula would seem to have places
        formula = formula.replace(words, gettext(words))
    return Step(name, title, formula, why, tuple(operands), result, kind, number=number, detail=detail)
