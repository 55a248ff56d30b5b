"""A few curves over named steps as a browser picture: `charts/lines.js`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..localization import decimal
from ..records.trace import Array
from . import style
from .labels import label, written
from .picture import Picture

_ONE_POINT = 1e-3  # curves whose starts differ by less than this start at the same point


@dataclass(frozen=True, eq=False)
class Line:
    """One curve.

    Attributes:
        name: its name in the tooltip and for screen readers.
        values: (steps,); NaN is a gap.
        colour: a CSS colour that is visible on white and on near-black.
        mark: the mark at each step; with "none", the nearest point is still named.
        label: the bold label at its right end; by default its name, "" for none.
    """

    name: str
    values: npt.ArrayLike
    colour: str
    mark: Literal["circle", "square", "diamond", "none"] = "circle"
    label: str | None = None


@dataclass(frozen=True, eq=False)
class Band:
    """A range behind the curves, drawn in grey.

    Attributes:
        low: (steps,); NaN is a gap.
        high: (steps,).
        name: its label in the picture.
    """

    low: npt.ArrayLike
    high: npt.ArrayLike
    name: str


@dataclass(frozen=True)
class StepAxis:
    """The axis from left to right: named steps.

    Attributes:
        names: the long names of the steps, for reading: "Layer 1".
        ticks: their short names below the axis: "1".
        title: the title of the axis, below the ticks.

    Raises:
        ValueError: there are not as many ticks as steps.
    """

    names: Sequence[str]
    ticks: Sequence[str]
    title: str

    def __post_init__(self) -> None:
        if len(self.ticks) != len(self.names):
            raise ValueError(f"{len(self.ticks)} ticks do not fit {len(self.names)} steps.")


@dataclass(frozen=True)
class ValueAxis:
    """The axis from bottom to top: numbers.

    Attributes:
        guides: horizontal lines, each with a label on its left.
        bounds: the smallest range, from bottom to top; everything drawn extends it.
        log: whether the scale is logarithmic: a factor of ten has the same height everywhere. Numbers,
            guides and bounds are passed untransformed, and numbers are read out with three significant
            digits.
        unit: the unit of the numbers, above the axis: "steps"; "" for none.
        digits: the decimals of a number that is read out.
        plus: whether positive numbers have a sign too.
    """

    guides: Sequence[tuple[float, str]] = ()
    bounds: tuple[float, float] | None = None
    log: bool = False
    unit: str = ""
    digits: int = 3
    plus: bool = False


PLAIN = ValueAxis()


def counted(most: int, *, but: Sequence[int] = ()) -> list[tuple[float, str]]:
    """Guides at round counts from 0 up, at most six of them: 0, 5, 10.

    Args:
        most: the largest count that is drawn.
        but: counts that have their own guides; no round count close to them gets one.
    """
    step = next(n for n in _round_steps() if most <= 5 * n)
    close = most / 12
    return [
        (float(at), decimal(f"{at:,}"))
        for at in range(0, most + 1, step)
        if all(abs(at - other) > close for other in but)
    ]


def _round_steps() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def lines(
    lines: Sequence[Line],
    x: StepAxis,
    y: ValueAxis = PLAIN,
    *,
    sentence: str,
    name: str,
    start: str | None = None,
    band: Band | None = None,
    height: int = 330,
) -> Picture:
    """Curves from left to right, with a mark at each step and a label at their ends.

    Args:
        lines: the curves, in drawing order.
        x: the steps.
        y: the scale of the numbers.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        start: the name of the common first point of all curves, which is drawn as one grey diamond.
        band: a range behind the curves.
        height: the total height in pixels.

    Raises:
        ValueError: there is no number to draw, sizes do not fit, a number is infinite, a band is upside
            down, `start` is given and the curves do not begin at one point, or a number is not above 0
            on a logarithmic scale.
    """
    guides, bounds, count = y.guides, y.bounds, len(x.names)
    if y.log:
        guides = [(float(_exponents(at)), text) for at, text in guides]
        bounds = bounds and (float(_exponents(bounds[0])), float(_exponents(bounds[1])))
        band = band and Band(_exponents(band.low), _exponents(band.high), band.name)
    values = _rows([_exponents(line.values) if y.log else line.values for line in lines], count)
    if not np.isfinite(values).any():
        raise ValueError("There is nothing to draw.")
    begin = values[:, 0][np.isfinite(values[:, 0])]
    if start is not None and not (begin.size and np.ptp(begin) <= _ONE_POINT):
        raise ValueError("The lines must start at the same point.")
    drawn = values
    if band is not None:
        drawn = np.concatenate([values, _rows([band.low, band.high], count)])
        if (drawn[-2] > drawn[-1]).any():
            raise ValueError("The low end of the band lies above its high end.")
    header = {
        "lines": [
            {
                "name": label(line.name),
                "label": written(line.name if line.label is None else line.label),
                "colour": line.colour,
                "mark": line.mark,
            }
            for line in lines
        ],
        "steps": [written(step) for step in x.names],
        "ticks": [written(tick) for tick in x.ticks],
        "axis": written(x.title),
        "guides": [(float(at), written(text)) for at, text in guides],
        "bounds": _around(drawn, bounds, [at for at, _ in guides]),
        "start": None if start is None else written(start),
        "startColour": style.LEARNED,
        "band": None if band is None else written(band.name),
        "number": {"digits": y.digits, "plus": y.plus},
        "log": y.log,
        "unit": written(y.unit),
        "height": height,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return Picture("lines", header, np.ascontiguousarray(drawn, "<f4").tobytes())


def _exponents(values: npt.ArrayLike) -> Array:
    """Logarithms to base 10, from float64: the numbers may be too small for float32."""
    numbers = np.asarray(values, np.float64)
    if (numbers <= 0).any():
        raise ValueError("A logarithmic scale needs numbers above 0, or gaps.")
    exponents: Array = np.log10(numbers)
    return exponents


def _rows(rows: Sequence[npt.ArrayLike], steps: int) -> Array:
    """(rows, steps) float32."""
    values = [np.asarray(row, np.float32) for row in rows]
    if not values or steps == 0:
        raise ValueError("There is nothing to draw.")
    if any(row.shape != (steps,) for row in values):
        raise ValueError(f"Every line needs a number for each of the {steps} steps.")
    stacked = np.stack(values)
    if np.isinf(stacked).any():
        raise ValueError("A picture can only show finite numbers, or leave a gap.")
    return stacked


def _around(
    values: Array, bounds: tuple[float, float] | None, guides: Sequence[float]
) -> tuple[float, float]:
    """The vertical range that contains the numbers, the guides and the page's bounds; never empty."""
    ends = [float(np.nanmin(values)), float(np.nanmax(values)), *map(float, guides), *(bounds or ())]
    if not np.isfinite(ends).all():
        raise ValueError("The bounds of a picture must be finite numbers.")
    low, high = min(ends), max(ends)
    room = max(0.0, 1e-6 * max(1.0, abs(low)) - (high - low))
    return low - room, high + room
