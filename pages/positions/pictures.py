"""The pictures of the Positions page, and their tables."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pandas as pd

from core.figures import Axis, Band, Line, Picture, Point, StepAxis, ValueAxis, lines, scatter, style
from core.figures.positions import positions_table, waves_table
from core.records.trace import Array
from core.walkthroughs.positions import Angles, Moved, Turned
from core.walkthroughs.positions import Distances as Distances
from core.walkthroughs.positions import Waves as Waves
from pages.positions import captions as say

CHOSEN, OTHER, ALL = style.SENTENCE_A, style.SENTENCE_B, style.LEARNED
MOST_MARKS = 40  # with more steps, marks would be too close together
MOST_CELLS = 260_000  # cells of a table that is sent to the browser: 1 MB
MOST_DISTANCES = 200  # distances drawn; the file contains all
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
        sentence=f"Sinusoidal positions: {rows} positions down, {columns} dimensions across.",
        name="sinusoidal",
        marked=(position, dimension),
    )


def learned_picture(table: Array, position: int, dimension: int) -> Picture:
    """A model's own table; for a large one, only its first rows, which the picture says."""
    rows, columns = table.shape
    shown = table[: max(1, MOST_CELLS // columns)]
    note = [f"the first {len(shown)} of {rows} positions"] * (len(shown) < rows)
    return positions_table(
        shown,
        title="value",
        of=("position", "dimension"),
        sentence=f"Learned positions: {len(shown)} positions down, {columns} dimensions across.",
        name="learned-positions",
        marked=(position, dimension),
        bound=float(f"{np.quantile(np.abs(shown), 0.99):.2g}") or None,
        notes=note,
    )


def products_picture(turned: Turned, m: int, n: int) -> Picture:
    """The product of query and key at every two positions."""
    positions = len(turned.products)
    return positions_table(
        turned.products,
        title="query · key",
        of=("query at", "key at"),
        sentence=f"The product of the rotated query and key, each at {positions} positions.",
        name="rotary-products",
        marked=(m, n),
    )


def dimension_picture(values: Array, position: int, dimension: int) -> Picture:
    """One dimension over the positions, with the chosen one marked."""
    here = np.full(len(values), np.nan)
    here[position] = values[position]
    return lines(
        [
            Line(f"dimension {dimension}", values, ALL, _mark(len(values)), ""),
            Line(f"position {position}", here, CHOSEN, "diamond", "p"),
        ],
        _over(len(values), "position"),
        ValueAxis(_ends(values), digits=6),
        sentence=f"Dimension {dimension} over {len(values)} positions.",
        name="wave",
        height=LINES,
    )


def distance_picture(distances: Distances, position: int, what: str) -> Picture:
    """The similarity of two positions by their distance."""
    count = min(len(distances.mean), MOST_DISTANCES)
    low, mean, high = (end[:count] for end in (distances.low, distances.mean, distances.high))
    same = distances.spread < 1e-3 * np.abs(distances.high).max()
    return lines(
        [
            Line("mean", mean, ALL, "none", "mean"),
            Line(
                f"from position {position}", distances.after(position)[:count], CHOSEN, "none", "from p"
            ),
        ],
        _over(count, "distance"),
        ValueAxis(_ends(np.stack([low, high])), digits=4),
        band=None if same else Band(low, high, "smallest to largest"),
        sentence=f"The {what} of two positions by the distance between them: the mean over all "
        f"pairs, and the pairs that start from position {position}.",
        name="by-distance",
        height=LINES,
    )


def bounded_picture(table: Waves) -> Picture:
    """The largest number of each position beside its plain count."""
    count = len(table.table)
    return lines(
        [
            Line("counting", np.arange(count), OTHER, "none", "counting"),
            Line("largest number", np.abs(table.table).max(axis=1), CHOSEN, "none", "waves"),
        ],
        _over(count, "position"),
        ValueAxis(_ends(np.array([0, max(1, count - 1)]))),
        sentence="Counting grows with the position; the numbers of the waves do not.",
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
        [Line("first time", first, CHOSEN, "none", ""), Line("again", again, OTHER, "none", "again")],
        StepAxis(
            [f"position {say.length(float(x))}" for x in at],
            [named.get(i, "") for i in range(count)],
            "position",
        ),
        ValueAxis(_ends(values)),
        sentence=f"Dimension {dimension} over two wavelengths of {say.length(long)} positions.",
        name="periodic",
        height=190,
    )


def predicted_picture(moved: Moved, position: int) -> Picture:
    """The vector of the shifted position: from the table, and by the matrix."""
    there, by_matrix = (vectors[position, :MOST_PREDICTED] for vectors in (moved.there, moved.turned))
    return lines(
        [
            Line("from the table", there, ALL, "none", "table"),
            Line("by the matrix", by_matrix, CHOSEN, "circle", "matrix"),
        ],
        _over(len(there), "dimension"),
        ValueAxis(_ends(np.array([-1, 1])), digits=6),
        sentence=f"The first numbers of the vector of position {position + moved.offset}, taken from "
        "the table and computed by the matrix.",
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
        turn = f"{float(turned.rates[i]):.3g} rad"
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
        x=Axis("first number of a pair"),
        y=Axis("second number of a pair"),
        guides=[
            *(("x", at) for at in (-1.15 * far, 0.0, right - 1.15 * far, right)),
            *(("y", -at) for at in (-1.15 * far, 0.0, below - 1.15 * far, below)),
        ],
        circles=list(dict.fromkeys(circles)),
        slider="Moved on by",
        moments=[f"moved on by {i}" for i in range(MOVES)],
        words=("across", "up"),
        sentence=f"The first {shown} pairs of query (q) and key (k), rotated by their positions.",
        name="rotary",
        height=round(unit * (below + 1.15 * far)) + 111,
    )


def angles_picture(found: Angles, window: int) -> Picture:
    """How many positions each pair needs for one turn, on a logarithmic scale, and the window."""
    count, long = len(found.rates), found.wavelengths
    before = 2 * math.pi / found.unscaled
    scaled = bool((long > 1.001 * before).any())
    drawn = [Line("one turn takes", long, CHOSEN, _mark(count), "")]
    if scaled:
        drawn.insert(0, Line("without scaling", before, ALL, "none", "before"))
    guides = [(float(at), say.length(float(at))) for at in (long[0], window, long[-1])]
    return lines(
        drawn,
        StepAxis([f"pair {i + 1}" for i in range(count)], [str(i + 1) for i in range(count)], "pair"),
        ValueAxis(guides, log=True, unit="positions"),
        sentence=f"The positions that each of {count} pairs needs to turn once around; a line at "
        f"{window:,}, the longest text.",
        name="own-angles",
        height=LINES,
    )


def attended_picture(every: Array, one: Array, name: str) -> Picture:
    """Mean attention by distance: of all heads, and of one."""
    both = np.stack([every, one])
    return lines(
        [Line("all heads", every, ALL, "none", "all"), Line(name, one, CHOSEN, "none", "this head")],
        _over(len(every), "distance"),
        ValueAxis(_ends(both[np.isfinite(both)]), digits=4),
        sentence=f"Mean attention to a token by its distance: all heads, and {name}.",
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


def _over(count: int, what: str) -> StepAxis:
    """The steps 0, 1, 2, … of a line chart."""
    numbers = [str(i) for i in range(count)]
    return StepAxis([f"{what} {i}" for i in numbers], numbers, what)


def _ends(values: Array) -> list[tuple[float, str]]:
    """Guides at 0 and at the extreme numbers."""
    low, high = float(values.min()), float(values.max())
    at = {low: say.short(low), high: say.short(high)}
    if low < 0 < high:
        at[0.0] = "0"
    return [*at.items()]
