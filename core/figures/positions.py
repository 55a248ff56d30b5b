"""Tables of positions as browser pictures: `matrix/places.js`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from . import style
from .matrices import signed_heatmap
from .picture import Picture

_ROW, _MOST = 24, 400  # pixels: of a row, of all rows
_AROUND, _NOTE = 110, 17
_DIGITS = 6


def positions_table(
    values: npt.ArrayLike,
    *,
    title: str,
    of: tuple[str, str],
    sentence: str,
    name: str,
    marked: tuple[int, int] | None = None,
    bound: float | None = None,
    notes: Sequence[str] = (),
) -> Picture:
    """Numbers by position, purple below 0 and green above.

    Args:
        values: (rows, columns).
        title: what the numbers are, for the colour scale.
        of: what stands before the number of a row and of a column where they are read: "position".
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        marked: a row, framed, and a column, bold, where they are there.
        bound: where the colours end, on both sides; the largest number if not said.
        notes: what else must be said on the picture.

    Raises:
        ValueError: as in `signed_heatmap`.
    """
    numbers = np.asarray(values, np.float32)
    rows, columns = ([str(i) for i in range(size)] for size in numbers.shape)
    made = signed_heatmap(
        rows, columns, numbers, title=title, sentence=sentence, name=name, bound=bound
    ).header
    lines = [f"down: {of[0]}, across: {of[1]}", *notes, *made["scale"]["notes"]]
    row, column = marked or (-1, -1)
    header = {
        **made,
        "of": of,
        "names": (*of, title),
        "waves": None,
        "marked": {
            "rows": [row] if 0 <= row < len(rows) else [],
            "columns": [column] if 0 <= column < len(columns) else [],
            "colour": style.SENTENCE_A,
        },
        "scale": {**made["scale"], "notes": lines},
        "number": {"digits": _DIGITS, "plus": False},
        "height": min(_ROW * len(rows), _MOST) + _AROUND + len(lines) * _NOTE,
    }
    return Picture("places", header, np.ascontiguousarray(numbers, "<f4").tobytes())


def waves_table(
    table: npt.ArrayLike,
    rates: npt.ArrayLike,
    base: int,
    *,
    sentence: str,
    name: str,
    marked: tuple[int, int] | None = None,
) -> Picture:
    """Sinusoidal positions; each number is read with its formula, by which the browser works it out.

    Args:
        table: (positions, dimensions), the same numbers.
        rates: (⌈dimensions / 2⌉,), the radians that each pair turns by from position to position.
        base: of the wavelengths.
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        marked: a position, framed, and a dimension, bold.

    Raises:
        ValueError: as in `signed_heatmap`; or the sizes do not fit.
    """
    of = ("position", "dimension")
    made = positions_table(
        table, title="value", of=of, sentence=sentence, name=name, marked=marked, bound=1.0
    )
    sent = np.ascontiguousarray(rates, "<f8")
    if sent.shape != ((len(made.header["columns"]) + 1) // 2,):
        raise ValueError(f"{sent.shape} rates do not fit {len(made.header['columns'])} dimensions.")
    header = {
        **made.header,
        "waves": {"base": str(base)},
        "names": ("number", "formula", "value"),
        "dtype": "float64",
    }
    return Picture("places", header, sent.tobytes())
