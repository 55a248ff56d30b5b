"""The captions of the Positions page (Markdown)."""

from __future__ import annotations

import math

import numpy as np

from core.figures import style
from core.localization import N_, _, decimal, ngettext
from core.records.trace import Array
from core.walkthroughs import positions
from core.walkthroughs.positions import Angles, Distances, Moved, Turned, Waves, strongest_wave
from ui.models import model_cache

NEIGHBOURS = N_("1 means the same direction, 0 a right angle.")
_STILL = 0.1  # a sine below it has hardly a colour, and no sign in its cell
_ALIKE = 0.2  # by which numbers below each other correlate more than those beside each other
STRIPES = N_(
    "Each point compares two rows, green where they point the same way, purple where they point "
    "opposite ways. Pairs at one distance lie on one line beside the diagonal: a stripe is a distance "
    "at which rows are alike. No formula put it there."
)
CIRCLES = N_(
    "Each circle belongs to one pair of numbers; its centre names the pair’s turn from one position to "
    "the next. Move the slider: q and k stay on their circles, and the angle between "
    "them stays the same."
)
# The point of each view, in words that need no picture.
POINTS = {
    "sinusoidal": N_(
        "Each row is added to the vector of a word. Each pair of columns, 0 and 1, 2 and 3 and so on, "
        "is a sine and a cosine of one speed: the farther right, the slower."
    ),
    "learned": N_(
        "The rows of this table were learned in training, as the vectors of the words were. A text "
        "cannot go on beyond its last row."
    ),
    "rotary": N_(
        "Nothing is added here. The query and the key are turned, by an angle that grows with their "
        "positions. Their product then depends only on the distance between them."
    ),
    "sum": N_(
        "The first layer reads a sum: the vector of the word plus the vector of its position, number "
        "by number."
    ),
    "padding": N_(
        "Short texts are filled up to the length of their batch. If no mask hides the filling, it "
        "takes part in attention."
    ),
    "reach": N_(
        "Attention reads any word in one step, and its cost grows with the square of the text’s "
        "length. A recurrent network passes each word on to the next."
    ),
}
_RISES = 0.1  # of a mean cosine similarity, to be worth a sentence
FURTHER = 5  # positions by which query and key are shifted together


def why(differ: float, without: float) -> str:
    """Why a word needs a position, by two sentences of the same words."""
    said = _(
        "**Why?** Without positions, each word’s vector in MiniLM is the same in both (to {without}); "
        "with them, up to **{differ}** apart."
    )
    return said.format(without=style.scientific(without, 0), differ=decimal(f"{differ:.2f}"))


def length(value: float) -> str:
    """A wavelength as in a sentence: 6.28, 62.8, 62,832."""
    return decimal(f"{value:.3g}" if value < 100 else f"{value:,.0f}")


def short(value: float) -> str:
    """A number with two decimals, without trailing zeros: 0, 1, −0.42, 64."""
    near = round(value, 2 if abs(value) < 10 else 0)
    return f"{near + 0:.0f}".replace("-", "−") if near.is_integer() else style.signed(value)


def tiny(value: float) -> str:
    """How large a difference is: 0, 3·10⁻⁷."""
    return style.scientific(value, 0)


def wave(table: Waves, dimension: int) -> str:
    """The wavelength of a dimension."""
    said = (
        _("**Dimension {dimension}**, a cosine: repeats after **{long}** positions")
        if dimension % 2
        else _("**Dimension {dimension}**, a sine: repeats after **{long}** positions")
    )
    return said.format(dimension=dimension, long=length(table.wavelength(dimension)))


def products(table: Waves, distances: Distances) -> str:
    """That the product depends only on the distance, as measured."""
    spread = distances.spread
    if len(table.table) == 1:
        return _("A single position has only its product with itself: there is nothing to compare.")
    said = (
        _(
            "Pairs at the same distance have the same product, up to rounding: the product depends "
            "only on the distance."
        )
        if table.table.shape[1] % 2 == 0
        else _(
            "Pairs at the same distance differ by at most **{spread}**: the width is odd, and the last "
            "sine has no cosine as a partner. Its product still depends on the position. An even width "
            "leaves no such remainder."
        )
    )
    return said.format(spread=tiny(spread))


def bounded(table: Waves) -> str:
    """That all numbers are within −1 … 1, as measured."""
    numbers, most = table.table, len(table.table) - 1
    low, high = (style.signed(float(end), 3) for end in (numbers.min(), numbers.max()))
    count = decimal(f"{numbers.size:,}")
    here = _("All {count} numbers lie from **{low}** to **{high}**").format(
        count=count, low=low, high=high
    )
    if numbers.size == 1:
        here = _("The only number is **{low}**").format(low=low)
    return _(
        "**Bounded.** {here}. For a text of any length, they stay between −1 and 1. Plain counting "
        "(orange) leaves this axis at once, and reaches **{most}** at the last position."
    ).format(here=here, most=most)


def slow(table: Waves) -> str:
    """From which dimension on the waves hardly turn within the table; "" if all of them do."""
    count = len(table.table)
    sines = np.abs(table.table[:, ::2]).max(axis=0)
    still = np.flatnonzero(sines < _STILL)
    # The waves slow down from left to right; with a base below 1 they do not.
    if count < 2 or len(still) < 2 or len(still) != len(sines) - still[0]:
        return ""
    first = 2 * int(still[0])
    return _(
        "From dimension {dimension} on, the columns are waves too, but so slow that within {count} "
        "positions their sines (even columns) stay below **{sine}**, almost uncoloured, and their "
        "cosines (odd) above **{cosine}**, green."
    ).format(
        dimension=first,
        count=count,
        sine=decimal(_up(float(sines[still[0] :].max()))),
        cosine=decimal(_down(float(table.table[:, first + 1 :: 2].min()))),
    )


def _up(value: float) -> str:
    """A number that the value stays below, with as few decimals as still say it: 0.07."""
    return f"{(math.floor(100 * value) + 1) / 100:.2f}"


def _down(value: float) -> str:
    """A number that the value stays above: 0.99."""
    return f"{(math.ceil(1000 * value) - 1) / 1000:.3f}".rstrip("0")


def periodic(table: Waves, dimension: int) -> str:
    """That a dimension repeats, as measured."""
    width = table.table.shape[1]
    power = f"{table.base:.0f}^{{{dimension - dimension % 2}/{width}}}"
    return _(
        "**Periodic.** Dimension {dimension} repeats after {formula} = **{long}** positions: one "
        "wavelength later, it has the same numbers again."
    ).format(
        dimension=dimension,
        formula=f"$2\\pi\\cdot {power}$",
        long=length(table.wavelength(dimension)),
    )


def rounding(table: Waves, dimension: int, distances: Distances, moved: Moved) -> str:
    """How nearly the claims hold: the largest difference that is left in all of them, in one number.

    With an odd width, the products of a distance differ by more, which `products` says; they are left
    out here.
    """
    apart = [table.misses(dimension), moved.residual]
    if table.table.shape[1] % 2 == 0:
        apart.append(distances.spread)
    return _(
        "Equal means equal up to rounding: the largest difference in all that this page measures on "
        "this table is {largest}. A model stores such numbers with about seven digits."
    ).format(largest=tiny(max(apart)))


def predictable(moved: Moved, width: int) -> str:
    """That a single matrix shifts all positions, as measured."""
    if width == 1:
        return _("**Predictable.** A single dimension has no partner to rotate with: use two or more.")
    rest = _("; the last dimension, which has no partner, is left out") if width % 2 else ""
    return _(
        "**Predictable.** A single matrix moves *every* position on by {offset}, and gives every "
        "number that the table has there{rest}."
    ).format(offset=moved.offset, rest=rest)


def matrix(table: Waves, dimension: int, offset: int) -> str:
    """What the matrix does to the pair of the chosen dimension (Markdown)."""
    width = table.table.shape[1]
    pair = min(dimension // 2, width // 2 - 1)
    angle = offset * float(table.rates[pair])
    cos, sin, other = (_in_formula(float(x)) for x in (np.cos(angle), np.sin(angle), -np.sin(angle)))
    block = rf"\begin{{pmatrix}}{cos}&{sin}\\{other}&{cos}\end{{pmatrix}}"
    return _("In dimensions {first} and {second}, it is the rotation {matrix}.").format(
        first=2 * pair, second=2 * pair + 1, matrix=f"${block}$"
    )


def _in_formula(value: float) -> str:
    """A number in LaTeX, where a comma alone would set a space behind itself."""
    return decimal(f"{value:.3f}").replace(",", "{,}")


def drawn(count: int, most: int) -> str:
    """How many distances a picture leaves out; "" if it shows all."""
    return (
        _(
            "The picture shows the first {most} of {count} distances; the CSV file has all of them."
        ).format(most=most, count=count)
        if count > most
        else ""
    )


def learned(model: str, table: Array, distances: Distances) -> str:
    """What a model's own table contains, with its numbers."""
    rows, columns = table.shape
    name = model_cache.markdown_title(model)
    said = (
        _(
            "**{name}** learned **{rows} × {columns}** numbers: one row for each position, and none "
            "for position {rows}."
        )
        if rows > 1
        else _("**{name}** learned **{rows} × {columns}** numbers: one row for each position.")
    ).format(name=name, rows=rows, columns=columns)
    at = [(d, float(distances.mean[d])) for d in (1, 10, 100) if d < rows]
    means = ", ".join(
        _("**{mean}** at distance {distance}").format(mean=style.signed(mean), distance=d)
        for d, mean in at
    )
    if not at:
        return said
    similar = _("Mean cosine similarity of two rows: {means}.").format(means=means)
    return f"{said} {similar}{_lowest(distances)}"


def lowest_and_next(distances: Distances) -> tuple[int, int] | None:
    """The distance of the lowest mean, and of the highest beyond it; None if it falls to the end."""
    mean = distances.mean
    at = 1 + int(np.argmin(mean[1:]))
    top = at + int(np.argmax(mean[at:]))
    return None if mean[top] - mean[at] < _RISES else (at, top)


def _lowest(distances: Distances) -> str:
    """Where the mean is lowest, if it rises again beyond; "" if it falls to the end."""
    found = lowest_and_next(distances)
    if found is None:
        return ""
    at, top = found
    mean = distances.mean
    return _(
        " The mean is lowest at distance {lowest}, **{low}**, and rises again to **{high}** at "
        "distance {top}."
    ).format(
        lowest=at,
        low=style.signed(float(mean[at])),
        high=style.signed(float(mean[top])),
        top=top,
    )


def row_apart(similarities: Array) -> str:
    """The row that resembles its neighbours least, a line in the picture; "" if there is none."""
    found = positions.row_apart(similarities)
    if found is None:
        return ""
    row, similar, usual = found
    said = _(
        "Position **{row}**, marked in blue at both edges, is a thin pale line, down as across, and no "
        "flaw of the drawing: this row resembles its two neighbours at **{similar}**, where "
        "**{usual}** is usual."
    ).format(row=row, similar=style.signed(similar), usual=style.signed(usual))
    if (row + 1) & row:  # texts are cut at a power of two
        return said
    why = _(
        "A guess why: if most texts in training were cut after {count} tokens, the sign at their end "
        "stood here more often than any word."
    ).format(count=row + 1)
    return f"{said} {why}"


def learned_wave(table: Array, dimension: int) -> str:
    """How much of a wave a learned dimension contains."""
    strongest = strongest_wave(table[:, dimension])
    if strongest is None:
        return _("**Dimension {dimension}** over the positions").format(dimension=dimension)
    long, share = strongest
    return _(
        "**Dimension {dimension}**: a wave of **{long}** positions holds **{share} %** of its variance"
    ).format(dimension=dimension, long=length(long), share=f"{100 * share:.0f}")


def clearest(dimension: int, clearest: tuple[int, float, float] | None) -> str:
    """Which dimension is most of a wave, where another one is shown; "" if it is this one, or none is.

    Args:
        dimension: the one that is shown.
        clearest: the other one, its wavelength and the share of the wave, as in `clearest_wave`.
    """
    if clearest is None or clearest[0] == dimension:
        return ""
    other, long, share = clearest
    return _(
        "The clearest wave is in dimension **{dimension}**: **{share} %**, of {long} positions."
    ).format(dimension=other, long=length(long), share=f"{100 * share:.0f}")


def none_learned(model: str, *, rotates: bool = False) -> str:
    """The message for a model without such a table."""
    name = model_cache.markdown_title(model)
    if rotates:
        return _(
            "{name} has no table of learned positions: it rotates queries and keys. Its angles are "
            "under *Rotary*."
        ).format(name=name)
    return _(
        "{name} has no table of learned positions: it encodes the order by fixed waves, by rotations "
        "or by distances. Choose another model in the sidebar."
    ).format(name=name)


def angles(model: str, found: Angles, window: int) -> str:
    """How a model turns its queries and keys, with its numbers."""
    long, count = found.wavelengths, len(found.rates)
    text = _(
        "**{name}** keeps no vector for a position. It turns the **{pairs}** pairs of a head’s "
        "{numbers} numbers, with the base θ = **{base}**: the first pair by {first} radians per "
        "position, the last by {last}. Once around takes **{short}** positions for the first and "
        "**{long}** for the last."
    ).format(
        name=model_cache.markdown_title(model),
        pairs=count,
        numbers=2 * count,
        base=decimal(f"{found.base:,.0f}"),
        first=style.signed(float(found.rates[0])),
        last=style.scientific(float(found.rates[-1]), 2),
        short=length(float(long[0])),
        long=length(float(long[-1])),
    )
    text += _within(found, window)
    slowed = int((found.rates < 0.999 * found.unscaled).sum())
    if slowed:
        text += _(
            " For longer texts than those of its first training, **{slowed}** of them are slowed down, "
            "by a factor of up to **{factor}**."
        ).format(slowed=slowed, factor=decimal(f"{found.factor:g}"))
    return text


def _within(found: Angles, window: int) -> str:
    """How many pairs come around in the longest text, and what the others are good for."""
    count, around = len(found.rates), int((found.wavelengths <= window).sum())
    longest = decimal(f"{window:,}")
    if around == count:
        return _(
            " In a text of {window} tokens, the longest that it reads, every pair comes around."
        ).format(window=longest)
    return ngettext(
        " In a text of {window} tokens, the longest that it reads, the **{around}** fastest come "
        "around, and the same angle stands for several distances; the other **{slow}** does not, and "
        "tell near from far.",
        " In a text of {window} tokens, the longest that it reads, the **{around}** fastest come "
        "around, and the same angle stands for several distances; the other **{slow}** do not, and "
        "tell near from far.",
        count - around,
    ).format(window=longest, around=around, slow=count - around)


def first_row(table: Array) -> str:
    """The lengths of the rows: the first differs from the others."""
    lengths = np.linalg.norm(table, axis=1)
    if len(lengths) < 3:
        return ""
    low, high = (style.signed(float(end)) for end in (lengths[1:].min(), lengths[1:].max()))
    return _(
        "Row 0 has length {first}; the other rows have lengths from {low} to {high}. Row 0 belongs to "
        "the first token of every text."
    ).format(first=style.signed(float(lengths[0])), low=low, high=high)


def columns_are_curves(table: Array) -> str:
    """What to see in a learned table: numbers below each other are alike, those beside are not."""
    rest = np.asarray(table, float)[1:]  # the first row resembles no other
    if min(rest.shape) < 3:
        return ""
    down, across = (
        _correlation(*both) for both in ((rest[:-1], rest[1:]), (rest[:, :-1], rest[:, 1:]))
    )
    if not down > across + _ALIKE:
        return ""
    return _(
        "Read it downwards: a number resembles the one below it (correlation **{down}**), but not the "
        "one beside it (**{across}**). Each column is a slow, jagged curve of its own, as the one "
        "drawn as a line; side by side, such columns look like noise."
    ).format(down=style.signed(down), across=style.signed(across))


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def pair(turned: Turned, m: int, n: int) -> str:
    """That a query and a key shifted together keep their product; `turned` has enough positions."""
    p, q = m + FURTHER, n + FURTHER
    one, other = float(turned.products[m, n]), float(turned.products[p, q])
    return _(
        "Query at {m}, key at {n}: **{one}**. Query at {p}, key at {q}: **{other}**. They differ by "
        "**{difference}**: only the distance between them counts."
    ).format(
        m=m,
        n=n,
        p=p,
        q=q,
        one=style.signed(one, 4),
        other=style.signed(other, 4),
        difference=tiny(abs(one - other)),
    )


def diagonals(turned: Turned) -> str:
    """How constant the diagonals are, as measured."""
    most = float(np.abs(turned.products).max())
    return _(
        "Each diagonal holds the pairs at one distance. Along any diagonal, the products differ by at "
        "most **{spread}**; the largest product is {most}."
    ).format(spread=tiny(turned.spread), most=style.signed(most))
