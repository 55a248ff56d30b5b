"""The captions of the Positions page (Markdown)."""

from __future__ import annotations

import numpy as np

from core.figures import style
from core.records.trace import Array
from core.walkthroughs.positions import Angles, Distances, Moved, Turned, Waves, strongest_wave
from ui.models import model_cache

NEIGHBOURS = (
    "1 means the same direction, 0 a right angle. Where the grey line falls, rows are less similar the "
    "farther apart their positions are: training found this, not a formula."
)
CIRCLES = (
    "Each circle belongs to one pair of numbers; its centre names the pair’s turn from one position to "
    "the next. Move the slider: q and k stay on their circles, and the angle between "
    "them stays the same."
)
# The point of each view, in words that need no picture.
POINTS = {
    "sinusoidal": "Each row is added to the vector of a word. Each column is a wave, the slower the "
    "farther right.",
    "learned": "The rows of this table were learned in training, as the vectors of the words were. A "
    "text cannot go on beyond its last row.",
    "rotary": "Nothing is added here. The query and the key are turned, by an angle that grows with "
    "their positions. Their product then depends only on the distance between them.",
    "sum": "The first layer reads a sum: the vector of the word plus the vector of its position, "
    "number by number.",
    "padding": "Short texts are filled up to the length of their batch. If no mask hides the filling, "
    "it takes part in attention.",
    "reach": "Attention reads any word in one step, and its cost grows with the square of the text’s "
    "length. A recurrent network passes each word on to the next.",
}
_RISES = 0.1  # of a mean cosine similarity, to be worth a sentence
FURTHER = 5  # positions by which query and key are shifted together


def length(value: float) -> str:
    """A wavelength as in a sentence: 6.28, 62.8, 62,832."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def short(value: float) -> str:
    """A number with two decimals, without trailing zeros: 0, 1, −0.42, 64."""
    near = round(value, 2 if abs(value) < 10 else 0)
    return f"{near + 0:.0f}".replace("-", "−") if near.is_integer() else style.signed(value)


def tiny(value: float) -> str:
    """How large a difference is: 0, 3·10⁻⁷."""
    return style.scientific(value, 0)


def wave(table: Waves, dimension: int) -> str:
    """The wavelength of a dimension."""
    kind = "cosine" if dimension % 2 else "sine"
    long = length(table.wavelength(dimension))
    return f"**Dimension {dimension}**, a {kind}: repeats after **{long}** positions"


def products(table: Waves, distances: Distances) -> str:
    """That the product depends only on the distance, as measured."""
    spread = distances.spread
    if len(table.table) == 1:
        return "A single position has only its product with itself: there is nothing to compare."
    sentence = f"Pairs at the same distance differ by at most **{tiny(spread)}**"
    if table.table.shape[1] % 2 == 0:
        return f"{sentence}, which is rounding: the product depends only on the distance."
    return (
        f"{sentence}: the width is odd, and the last sine has no cosine as a partner. Its "
        "product still depends on the position. An even width leaves no such remainder."
    )


def bounded(table: Waves) -> str:
    """That all numbers are within −1 … 1, as measured."""
    numbers, most = table.table, len(table.table) - 1
    low, high = (style.signed(float(end), 3) for end in (numbers.min(), numbers.max()))
    here = f"All {numbers.size:,} numbers lie from **{low}** to **{high}**"
    if numbers.size == 1:
        here = f"The only number is **{low}**"
    return (
        f"**Bounded.** {here}. For a text of any length, they stay between −1 and 1. Plain "
        f"counting reaches **{most}** at the last position."
    )


def periodic(table: Waves, dimension: int) -> str:
    """That a dimension repeats, as measured."""
    width = table.table.shape[1]
    power = f"{table.base:.0f}^{{{dimension - dimension % 2}/{width}}}"
    return (
        f"**Periodic.** Dimension {dimension} repeats after $2\\pi\\cdot {power}$ "
        f"= **{length(table.wavelength(dimension))}** positions. One wavelength later, it "
        f"is off by at most **{tiny(table.misses(dimension))}** (rounding)."
    )


def predictable(moved: Moved, width: int) -> str:
    """That a single matrix shifts all positions, as measured."""
    if width == 1:
        return "**Predictable.** A single dimension has no partner to rotate with: use two or more."
    rest = "; the last dimension, which has no partner, is left out" * (width % 2)
    return (
        f"**Predictable.** A single matrix moves *every* position on by {moved.offset}. "
        "Over all positions, it misses the table by at most "
        f"**{tiny(moved.residual)}**{rest}."
    )


def matrix(table: Waves, dimension: int, offset: int) -> str:
    """What the matrix does to the pair of the chosen dimension (Markdown)."""
    width = table.table.shape[1]
    pair = min(dimension // 2, width // 2 - 1)
    angle = offset * float(table.rates[pair])
    cos, sin = (f"{f(angle):.3f}" for f in (np.cos, np.sin))
    other = f"{-np.sin(angle):.3f}"
    block = rf"\begin{{pmatrix}}{cos}&{sin}\\{other}&{cos}\end{{pmatrix}}"
    return f"In dimensions {2 * pair} and {2 * pair + 1}, it is the rotation ${block}$."


def drawn(count: int, most: int) -> str:
    """How many distances a picture leaves out; "" if it shows all."""
    return (
        f"The picture shows the first {most} of {count} distances; the CSV file has all of them."
        if count > most
        else ""
    )


def learned(model: str, table: Array, distances: Distances) -> str:
    """What a model's own table contains, with its numbers."""
    rows, columns = table.shape
    name = model_cache.markdown_title(model)
    sentence = f"**{name}** learned **{rows} × {columns}** numbers: one row for each position"
    if rows > 1:
        sentence += f", and none for position {rows}"
    at = [(d, float(distances.mean[d])) for d in (1, 10, 100) if d < rows]
    means = ", ".join(f"**{style.signed(mean)}** at distance {d}" for d, mean in at)
    if not at:
        return f"{sentence}."
    return f"{sentence}. Mean cosine similarity of two rows: {means}.{_lowest(distances)}"


def _lowest(distances: Distances) -> str:
    """Where the mean is lowest, if it rises again beyond; "" if it falls to the end."""
    mean = distances.mean
    at = 1 + int(np.argmin(mean[1:]))
    top = at + int(np.argmax(mean[at:]))
    if mean[top] - mean[at] < _RISES:
        return ""
    return (
        f" The mean is lowest at distance {at}, **{style.signed(float(mean[at]))}**, and rises again "
        f"to **{style.signed(float(mean[top]))}** at distance {top}."
    )


def learned_wave(table: Array, dimension: int) -> str:
    """How much of a wave a learned dimension contains."""
    strongest = strongest_wave(table[:, dimension])
    if strongest is None:
        return f"**Dimension {dimension}** over the positions"
    long, share = strongest
    return (
        f"**Dimension {dimension}**: a wave of **{length(long)}** positions holds "
        f"**{100 * share:.0f} %** of its variance"
    )


def none_learned(model: str, *, rotates: bool = False) -> str:
    """The message for a model without such a table."""
    name = model_cache.markdown_title(model)
    if rotates:
        return (
            f"{name} has no table of learned positions: it rotates queries and keys. Its "
            "angles are under "
            "*Rotary*."
        )
    return (
        f"{name} has no table of learned positions: it encodes the order by fixed waves, by "
        "rotations or by distances. Choose another model in the sidebar."
    )


def angles(model: str, found: Angles, window: int) -> str:
    """How a model turns its queries and keys, with its numbers."""
    long, count = found.wavelengths, len(found.rates)
    text = (
        f"**{model_cache.markdown_title(model)}** keeps no vector for a position. It turns the "
        f"**{count}** pairs of a head’s {2 * count} numbers, with the base θ = "
        f"**{found.base:,.0f}**: the "
        f"first pair by {style.signed(float(found.rates[0]))} radians per position, the last by "
        f"{style.scientific(float(found.rates[-1]), 2)}. Once around takes "
        f"**{length(float(long[0]))}** positions for the first and **{length(float(long[-1]))}** for "
        f"the last.{_within(found, window)}"
    )
    slowed = int((found.rates < 0.999 * found.unscaled).sum())
    if slowed:
        text += (
            f" For longer texts than those of its first training, **{slowed}** of them are "
            "slowed down, "
            f"by a factor of up to **{found.factor:g}**."
        )
    return text


def _within(found: Angles, window: int) -> str:
    """How many pairs come around in the longest text, and what the others are good for."""
    count, around = len(found.rates), int((found.wavelengths <= window).sum())
    longest = f" In a text of {window:,} tokens, the longest that it reads,"
    if around == count:
        return f"{longest} every pair comes around."
    slow = "does not" if count - around == 1 else "do not"
    return (
        f"{longest} the **{around}** fastest come around, and the same angle stands for several "
        f"distances; the other **{count - around}** {slow}, and tell near from far."
    )


def first_row(table: Array) -> str:
    """The lengths of the rows: the first differs from the others."""
    lengths = np.linalg.norm(table, axis=1)
    if len(lengths) < 3:
        return ""
    low, high = (style.signed(float(end)) for end in (lengths[1:].min(), lengths[1:].max()))
    return (
        f"Row 0 has length {style.signed(float(lengths[0]))}; the other rows have lengths "
        f"from {low} to {high}. Row 0 belongs to the first token of every text."
    )


def pair(turned: Turned, m: int, n: int) -> str:
    """That a query and a key shifted together keep their product; `turned` has enough positions."""
    p, q = m + FURTHER, n + FURTHER
    one, other = float(turned.products[m, n]), float(turned.products[p, q])
    return (
        f"Query at {m}, key at {n}: **{style.signed(one, 4)}**. Query at {p}, key at {q}: "
        f"**{style.signed(other, 4)}**. They differ by **{tiny(abs(one - other))}**: only "
        "the distance between them counts."
    )


def diagonals(turned: Turned) -> str:
    """How constant the diagonals are, as measured."""
    most = float(np.abs(turned.products).max())
    return (
        "Each diagonal holds the pairs at one distance. Along any diagonal, the products "
        f"differ by at most **{tiny(turned.spread)}**; the largest product is "
        f"{style.signed(most)}."
    )
