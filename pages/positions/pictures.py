"""The pictures of the Positions page, and their tables."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pandas as pd

from core.figures import Axis, Band, Line, Picture, Point, StepAxis, ValueAxis, lines, scatter, style
from core.figures.positions import positions_table, waves_table
from core.localization import N_, _, decimal
from core.records.trace import Array
from core.walkthroughs.positions import Angles, Moved, Turned, row_apart
from core.walkthroughs.positions import Distances as Distances
from core.walkthroughs.positions import Waves as Waves
from pages.positions import captions as say

CHOSEN, OTHER, ALL = style.SENTENCE_A, style.SENTENCE_B, style.LEARNED
MOST_MARKS = 40  # with more steps, marks would be too close together
MOST_CELLS = 512 * 512  # of a table that is sent to the browser: 1 MB
MOST_DISTANCES = 1024  # distances drawn; the file contains all
MOST_BESIDE = 200  # distances, to draw the pairs of one position in front of the mean
MOST_PAIRS = 4
MOST_PREDICTED = 32  # dimensions of a vector that are drawn
LINES = 210  # pixels, the height of a line chart
MOVES = 25  # the largest shift of query and key together
ROOM = 352  # pixels: the width of the circles, chosen so that they are round


def waves_picture(table: Waves, position: int, dimension: int) -> Picture:
    """The whole table of sinusoidal positions."""
    rows, columns = table.table.shape
    return waves_table(
        table.table,
        table.rates,
        round(table.base),
        sentence=_("Sinusoidal positions: {rows} positions down, {columns} dimensions across.").format(
            rows=rows, columns=columns
        ),
        name="sinusoidal",
        marked=(position, dimension),
    )


def learned_picture(table: Array, position: int, dimension: int) -> Picture:
    """A model's own table; for a large one, only its first rows, which the picture says."""
    rows, columns = table.shape
    shown = table[: max(1, MOST_CELLS // columns)]
    note = _("the first {shown} of {rows} positions").format(shown=len(shown), rows=rows)
    return positions_table(
        shown,
        title=N_("value"),
        of=(N_("position"), N_("dimension")),
        sentence=_("Learned positions: {rows} positions down, {columns} dimensions across.").format(
            rows=len(shown), columns=columns
        ),
        name="learned-positions",
        marked=(position, dimension),
        bound=float(f"{np.quantile(np.abs(shown), 0.99):.2g}") or None,
        notes=[note] * (len(shown) < rows),
    )


def similarity_picture(distances: Distances) -> Picture:
    """The cosine similarity of every two rows; of a long table, of its first rows.

    A row that resembles no neighbour is marked.
    """
    every = len(distances.products)
    count = min(every, math.isqrt(MOST_CELLS))
    note = _("the first {shown} of {rows} positions").format(shown=count, rows=every)
    apart = row_apart(distances.products)
    return positions_table(
        distances.products[:count, :count],
        title=N_("cosine similarity"),
        of=(N_("position"), N_("position")),
        sentence=_("The cosine similarity of every two of {count} learned positions.").format(
            count=count
        ),
        name="learned-similarity",
        marked=None if apart is None else (apart[0], -1),
        bound=1.0,
        notes=[note] * (count < every),
    )


def products_picture(turned: Turned, m: int, n: int) -> Picture:
    """The product of query and key at every two positions."""
    positions = len(turned.products)
    return positions_table(
        turned.products,
        title=N_("query · key"),
        of=(N_("query at"), N_("key at")),
        sentence=_("The product of the rotated query and key, each at {count} positions.").format(
            count=positions
        ),
        name="rotary-products",
        marked=(m, n),
    )


def dimension_picture(values: Array, position: int, dimension: int) -> Picture:
    """One dimension over the positions, with the chosen one marked."""
    here = np.full(len(values), np.nan)
    here[position] = values[position]
    return lines(
        [
            Line(_("dimension {number}").format(number=dimension), values, ALL, _mark(len(values)), ""),
            Line(_("position {number}").format(number=position), here, CHOSEN, "diamond", "p"),
        ],
        _over(len(values)),
        ValueAxis(_ends(values), digits=6),
        sentence=_("Dimension {dimension} over {count} positions.").format(
            dimension=dimension, count=len(values)
        ),
        name="wave",
        height=LINES,
    )


def distance_picture(distances: Distances, position: int, *, cosine: bool = False) -> Picture:
    """The similarity of two positions by their distance: their dot product, or its cosine."""
    count = min(len(distances.mean), MOST_DISTANCES)
    said = (
        _(
            "The cosine similarity of two positions by the distance between them: the mean over all "
            "pairs."
        )
        if not beside(distances, cosine=cosine)
        else _(
            "The cosine similarity of two positions by the distance between them: the mean over all "
            "pairs, and the pairs that start from position {position}."
        )
        if cosine
        else _(
            "The dot product of two positions by the distance between them: the mean over all pairs, "
            "and the pairs that start from position {position}."
        )
    )
    low, mean, high = (end[:count] for end in (distances.low, distances.mean, distances.high))
    same = distances.spread < 1e-3 * np.abs(distances.high).max()
    drawn = [Line(_("mean"), mean, ALL, "none", _("mean"))]
    if beside(distances, cosine=cosine):
        drawn.append(
            Line(
                _("from position {position}").format(position=position),
                distances.after(position)[:count],
                CHOSEN,
                "none",
                _("from p"),
            )
        )
    elif (named := say.lowest_and_next(distances)) is not None and max(named) < count:
        marks = np.full(count, np.nan)
        marks[[*named]] = mean[[*named]]
        drawn.append(Line(_("lowest, and highest beyond it"), marks, CHOSEN, "diamond", ""))
    return lines(
        drawn,
        _over(count, distance=True),
        # From 0, or what is half as high would seem to have gone.
        ValueAxis(_ends(np.stack([low, high, np.zeros(count)])), digits=4),
        band=None if same else Band(low, high, _("smallest to largest")),
        sentence=said.format(position=position),
        name="by-distance",
        height=LINES if beside(distances, cosine=cosine) else 340,
    )


def beside(distances: Distances, *, cosine: bool) -> bool:
    """Whether the pairs of one position are drawn too.

    Learned rows differ from pair to pair; with more distances, those of one position would hide the
    mean.
    """
    return not cosine or len(distances.mean) <= MOST_BESIDE


def bounded_picture(table: Waves) -> Picture:
    """The largest and the smallest number of each position, and where a plain count leaves the axis."""
    count = len(table.table)
    counted = np.arange(count, dtype=float)
    counted[2:] = np.nan  # 2 and more are far above
    return lines(
        [
            Line(_("counting"), counted, OTHER, "none", ""),
            Line(_("largest number"), table.table.max(axis=1), CHOSEN, "none", _("largest")),
            Line(_("smallest number"), table.table.min(axis=1), CHOSEN, "none", _("smallest")),
        ],
        _over(count),
        ValueAxis(_ends(np.array([-1, 1]))),
        sentence=_(
            "At every position, the largest and the smallest number of the waves lie within −1 and 1; "
            "plain counting leaves this axis after position 1."
        ),
        name="bounded",
        height=190,
    )


def periodic_picture(table: Waves, dimension: int) -> Picture:
    """A dimension over two wavelengths, the second in another colour."""
    long, count = table.wavelength(dimension), 41
    at = np.linspace(0, 2 * long, count)
    values, half = table.at(at, dimension), count // 2
    first, again = values.copy(), values.copy()
    first[half + 1 :], again[:half] = np.nan, np.nan
    named = {0: "0", half: say.length(long), count - 1: say.length(2 * long)}
    return lines(
        [
            Line(_("first time"), first, CHOSEN, "none", ""),
            Line(_("again"), again, OTHER, "none", _("again")),
        ],
        StepAxis(
            [_("position {number}").format(number=say.length(float(x))) for x in at],
            [named.get(i, "") for i in range(count)],
            _("position"),
        ),
        ValueAxis(_ends(values)),
        sentence=_("Dimension {dimension} over two wavelengths of {long} positions.").format(
            dimension=dimension, long=say.length(long)
        ),
        name="periodic",
        height=190,
    )


def predicted_picture(moved: Moved, position: int) -> Picture:
    """The vector of the shifted position: from the table, and by the matrix."""
    there, by_matrix = (vectors[position, :MOST_PREDICTED] for vectors in (moved.there, moved.turned))
    return lines(
        [
            Line(_("from the table"), there, ALL, "none", _("table")),
            Line(_("by the matrix"), by_matrix, CHOSEN, "circle", _("matrix")),
        ],
        _over(len(there), dimension=True),
        ValueAxis(_ends(np.array([-1, 1])), digits=6),
        sentence=_(
            "The first numbers of the vector of position {position}, taken from the table and computed "
            "by the matrix."
        ).format(position=position + moved.offset),
        name="predictable",
        height=190,
    )


def circles_picture(turned: Turned, m: int, n: int) -> Picture:
    """Pairs of the query from position m, and of the key from position n, shifted together.

    Args:
        turned: query and key at all positions up to `MOVES` after m and n.
        m: the initial position of the query.
        n: the initial position of the key.
    """
    shown = min(MOST_PAIRS, turned.queries.shape[1] // 2)
    across = 1 if shown == 1 else 2
    down = math.ceil(shown / across)
    q = turned.queries[m : m + MOVES, : 2 * shown].reshape(MOVES, shown, 2)
    k = turned.keys[n : n + MOVES, : 2 * shown].reshape(MOVES, shown, 2)
    far = float(np.hypot(*np.concatenate([q, k]).reshape(-1, 2).T).max()) or 1.0
    points: list[Point] = []
    circles: list[tuple[float, float, float]] = []  # no turn leaves them
    for i in range(shown):
        middle = 2.6 * far * np.array([i % across, -(i // across)])
        turn = decimal(f"{float(turned.rates[i]):.3g} rad")
        for rows in (q, k):
            circles.append((float(middle[0]), float(middle[1]), float(np.hypot(*rows[0, i]))))
        points.append(Point(turn, [middle] * MOVES, ALL, "ring", fixed=True))
        points.append(Point(f"q{i}", middle + q[:, i], CHOSEN, "circle", bold=True, trail=True))
        points.append(Point(f"k{i}", middle + k[:, i], OTHER, "square", bold=True, trail=True))
    right, below = ((2.6 * (count - 1) + 1.15) * far for count in (across, down))
    # pixels per unit in both directions, so that a circle is round
    unit = (ROOM - 42) / (right + 1.15 * far)
    return scatter(
        points,
        steps=[str(i) for i in range(MOVES)],
        depth=0,
        x=Axis(_("first number of a pair")),
        y=Axis(_("second number of a pair")),
        guides=[
            *(("x", at) for at in (-1.15 * far, 0.0, right - 1.15 * far, right)),
            *(("y", -at) for at in (-1.15 * far, 0.0, below - 1.15 * far, below)),
        ],
        circles=list(dict.fromkeys(circles)),
        slider=_("Moved on by"),
        moments=[_("moved on by {count}").format(count=i) for i in range(MOVES)],
        words=(_("across"), _("up")),
        sentence=_(
            "The first {count} pairs of query (q) and key (k), rotated by their positions."
        ).format(count=shown),
        name="rotary",
        height=round(unit * (below + 1.15 * far)) + 111,
    )


def angles_picture(found: Angles, window: int) -> Picture:
    """How many positions each pair needs for one turn, on a logarithmic scale, and the window."""
    count, long = len(found.rates), found.wavelengths
    before = 2 * math.pi / found.unscaled
    scaled = bool((long > 1.001 * before).any())
    drawn = [Line(_("one turn takes"), long, CHOSEN, _mark(count), "")]
    if scaled:
        drawn.insert(0, Line(_("without scaling"), before, ALL, "none", _("before")))
    guides = [(float(at), say.length(float(at))) for at in (long[0], window, long[-1])]
    return lines(
        drawn,
        StepAxis(
            [_("pair {number}").format(number=i + 1) for i in range(count)],
            [str(i + 1) for i in range(count)],
            _("pair"),
        ),
        ValueAxis(guides, log=True, unit=_("positions")),
        sentence=_(
            "The positions that each of {count} pairs needs to turn once around; a line at {window}, "
            "the longest text."
        ).format(count=count, window=decimal(f"{window:,}")),
        name="own-angles",
        height=LINES,
    )


def attended_picture(every: Array, one: Array, name: str) -> Picture:
    """Mean attention by distance: of all heads, and of one."""
    both = np.stack([every, one])
    return lines(
        [
            Line(_("all heads"), every, ALL, "none", _("all")),
            Line(name, one, CHOSEN, "none", _("this head")),
        ],
        _over(len(every), distance=True),
        ValueAxis(_ends(both[np.isfinite(both)]), digits=4),
        sentence=_("Mean attention to a token by its distance: all heads, and {name}.").format(
            name=name
        ),
        name="attention-by-distance",
        height=LINES,
    )


def distance_table(distances: Distances) -> pd.DataFrame:
    """The numbers of `distance_picture`, for the file."""
    columns = {"smallest": distances.low, "mean": distances.mean, "largest": distances.high}
    return pd.DataFrame(columns).rename_axis("distance")


def small_table(table: Array) -> pd.DataFrame:
    """Numbers with two decimals, without trailing zeros: 0, 1, 0.84."""
    written = [[say.short(float(value)) for value in row] for row in table]
    return pd.DataFrame(written, [f"p = {i}" for i in range(len(table))])


def _mark(count: int) -> Literal["circle", "none"]:
    return "circle" if count <= MOST_MARKS else "none"


def _over(count: int, *, dimension: bool = False, distance: bool = False) -> StepAxis:
    """The steps 0, 1, 2, … of a line chart: positions, or dimensions, or distances."""
    each, what = _("position {number}"), _("position")
    if dimension:
        each, what = _("dimension {number}"), _("dimension")
    if distance:
        each, what = _("distance {number}"), _("distance")
    numbers = [str(i) for i in range(count)]
    return StepAxis([each.format(number=i) for i in numbers], numbers, what)


def _ends(values: Array) -> list[tuple[float, str]]:
    """Guides at 0 and at the extreme numbers."""
    low, high = float(values.min()), float(values.max())
    at = {low: say.short(low), high: say.short(high)}
    if low < 0 < high:
        at[0.0] = "0"
    return [*at.items()]
