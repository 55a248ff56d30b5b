"""What each layer would say, a word in each cell: `matrix/lens.js`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..localization import N_, _, decimal, gettext
from ..records.lens import LensGrid
from ..sentences import sentence
from .labels import label, spelled, written
from .picture import Picture
from .scales import weight_scale

_ROW, _AROUND, _MOST_ROWS = 17, 96, 33  # pixels; if there are more rows, they scroll
_BOLD = N_("bold: what the model says there in the end")
INPUT = N_("input")


def lens_grid(
    grid: LensGrid,
    *,
    sentence: str,
    name: str,
    chosen: tuple[int, int] | None = None,
) -> Picture:
    """The grid tokens × layers, the last layer above: each cell has its likeliest token.

    The colour is its probability, on one scale from 0 to 1. A grid with more than there is room for
    scrolls, and keeps the names of its rows and columns.
    Event: "bar" {index}, see `cell_of`.

    Args:
        grid: what the states read as, at least one token of each.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        chosen: (depth, column) of the framed cell, as in the arrays of the grid; None for none.

    Raises:
        ValueError: there is nothing to draw, or no such cell.
    """
    depths, columns = grid.likeliest.shape[:2]
    if not columns:
        raise ValueError("There is nothing to draw.")
    if chosen is not None and not (0 <= chosen[0] < depths and 0 <= chosen[1] < columns):
        raise ValueError(f"There is no cell {chosen}, counted from 0, among {depths} × {columns}.")
    ids = grid.likeliest[::-1, :, 0]
    firm = ids == ids[:1]
    last = depths - 1
    header: dict[str, Any] = {
        "rows": [str(depth) if depth else gettext(INPUT) for depth in range(last, -1, -1)],
        "rowNames": [depth_name(depth) for depth in range(last, -1, -1)],
        "columns": [_token(grid, column) for column in range(columns)],
        "labels": [spelled(grid.names[int(one)]) for one in ids.ravel()],
        "firm": "".join("01"[bool(one)] for one in firm.ravel()),
        "notes": [
            note(grid, depth, column) for depth in range(last, -1, -1) for column in range(columns)
        ],
        "scale": weight_scale(1, 1, root=False)
        | {"title": _("probability; {bold}").format(bold=gettext(_BOLD)), "notes": []},
        "number": {"digits": 4, "plus": False},
        "chosen": None if chosen is None else (last - chosen[0]) * columns + chosen[1],
        "height": _ROW * min(depths, _MOST_ROWS) + _AROUND,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    numbers = np.ascontiguousarray(grid.probabilities[::-1, :, 0], "<f4")
    return Picture("lens", header, numbers.tobytes())


def cell_of(grid: LensGrid, index: int) -> tuple[int, int]:
    """(depth, column) of a cell by the index that the event "bar" carries."""
    depths, columns = grid.likeliest.shape[:2]
    return depths - 1 - index // columns, index % columns


def depth_name(depth: int) -> str:
    """The name of a state: the input, or after which layer."""
    return sentence("lens.depth", layer=str(depth)) if depth else sentence("lens.input")


def note(grid: LensGrid, depth: int, column: int, named: int | None = None) -> str:
    """What follows the likeliest token of a cell, and where the word is that was asked for."""
    some = list(zip(grid.likeliest[depth, column], grid.probabilities[depth, column], strict=True))[
        1:named
    ]
    said = ", ".join(f"{spelled(grid.names[int(one)])} {_share(float(p))}" for one, p in some)
    then = sentence("lens.then", words=said) if said else ""
    if grid.word is None or grid.word_ranks is None or grid.word_probabilities is None:
        return then
    place, p = int(grid.word_ranks[depth, column]) + 1, float(grid.word_probabilities[depth, column])
    word = spelled(grid.names[grid.word])
    own = sentence("lens.place", word=word, place=decimal(f"{place:,}"), share=_share(p))
    return f"{then}; {own}" if then else own


def _share(p: float) -> str:
    """A probability with four digits; one that would read as zero is said to be smaller."""
    return decimal("< 0.0001") if 0 < p < 0.00005 else decimal(f"{p:.4f}")


def token_names(grid: LensGrid) -> Sequence[str]:
    """The tokens that were read, as they stand in the text."""
    return [_token(grid, column) for column in range(len(grid.positions))]


def _token(grid: LensGrid, column: int) -> str:
    at = grid.positions[column]
    (start, end), before = grid.offsets[at], grid.offsets[at - 1][1] if at else 0
    if end <= start:  # a special token, or a part of a sign
        return label(written(grid.tokens[at])) if start == end == 0 else grid.tokens[at]
    return spelled(grid.text[min(before, start) : end])
