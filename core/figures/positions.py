"""Position tables as browser pictures: `matrix/places.js`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..localization import N_, _, gettext
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
        title: the name of the numbers, for the colour scale.
        of: the words before the number of a row and of a column when they are read out: "position".
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        marked: a row to frame, and a column in bold, if they exist.
        bound: the end of the colour scale on both sides; by default, the largest number.
        notes: further remarks on the picture.

    Raises:
        ValueError: see `signed_heatmap`.
    """
    numbers = np.asarray(values, np.float32)
    rows, columns = ([str(i) for i in range(size)] for size in numbers.shape)
    of = (gettext(of[0]), gettext(of[1]))
    title = gettext(title)
    made = signed_heatmap(
        rows, columns, numbers, title=title, sentence=sentence, name=name, bound=bound
    ).header
    read = _("down: {down}, across: {across}").format(down=of[0], across=of[1])
    lines = [read, *notes, *made["scale"]["notes"]]
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
    """Sinusoidal positions; the browser computes the formula of each number and reads it out.

    Args:
        table: (positions, dimensions), the values of these formulas.
        rates: (⌈dimensions / 2⌉,), the radians by which each pair turns from one position to the next.
        base: the base of the wavelengths.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        marked: a position to frame, and a dimension in bold.

    Raises:
        ValueError: see `signed_heatmap`; or if the sizes do not fit.
    """
    of = (N_("position"), N_("dimension"))
    made = positions_table(
        table, title=N_("value"), of=of, sentence=sentence, name=name, marked=marked, bound=1.0
    )
    sent = np.ascontiguousarray(rates, "<f8")
    if sent.shape != ((len(made.header["columns"]) + 1) // 2,):
        raise ValueError(f"{sent.shape} rates do not fit {len(made.header['columns'])} dimensions.")
    header = {
        **made.header,
        "waves": {"base": str(base)},
        "names": (_("number"), _("formula"), _("value")),
        "dtype": "float64",
    }
    return Picture("places", header, sent.tobytes())
