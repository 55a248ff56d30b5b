"""Horizontal bars, one number for each of a few words: `charts/bars.js`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..records.trace import Array
from . import style
from .labels import label, visible_ends, written
from .picture import Picture

# pixels per row; if there are more rows, they scroll, or move closer together
_ROW, _MOST_ROWS = 26, 20
_AROUND, _LEGEND = 70, 22
_CLOSE = 1e-4  # tolerated beyond 0 or 1, for rounding


class Groups(NamedTuple):
    """Groups of bars: each has a name and a colour; `of` is the group of each row."""

    names: Sequence[str]
    colours: Sequence[str]
    of: Sequence[int]


def bars(
    values: npt.ArrayLike,
    labels: Sequence[str],
    *,
    unit: str,
    sentence: str,
    name: str,
    kind: Literal["weights", "signed", "counts", "amounts"] = "weights",
    from_zero: bool = False,
    other: npt.ArrayLike | None = None,
    names: tuple[str, str] = ("after", "before"),
    groups: Groups | None = None,
    beside: Sequence[str] = (),
    notes: Sequence[str] | None = None,
    chosen: int | None = None,
    most: float | None = None,
    digits: int = 3,
    height: int | None = None,
) -> Picture:
    """Horizontal bars, each with its label on the left and its number at its end.

    The rows keep their order. If there are too many, the picture scrolls and says which rows it shows.
    Event: "bar" {index}.

    Args:
        values: (rows,), from 0 to 1 for "weights", of either sign for "signed", whole numbers from 0 up
            for "counts", any numbers from 0 up for "amounts".
        labels: (rows,), texts from a tokenizer; a leading or trailing space is shown as "␣".
        unit: the name of the numbers below the scale: "probability".
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        kind: "weights" start at 0 in one colour; "signed" start at 0 in the middle, negative numbers
            purple to the left, positive numbers green to the right; "counts" start at 0 in one colour
            and are written in groups of three digits; "amounts", such as bits, start at 0 in one
            colour, and have no sign.
        from_zero: signed numbers start at the left too, if none is negative.
        other: (rows,), a second number for each row, such as the one before a change; an outline.
        names: the names of the values and of the others, if there are others.
        groups: colours for the rows in place of those of the kind, and a legend of them; not together
            with others.
        beside: the labels of pictures beside this one: the same room is left for them, and so all of
            them have one scale.
        notes: (rows,), a note read with each row; "" for none.
        chosen: the row that is framed.
        most: the end of the scale, on both sides if signed; by default the largest number. A larger
            number extends the scale.
        digits: the decimals of the numbers in the picture; numbers read aloud have four significant
            digits. Counts have none.
        height: the total height in pixels; by default, as much as the rows need, up to 20 rows.

    Raises:
        ValueError: there is nothing to draw, sizes do not fit, a number is not finite, a weight is not
            from 0 to 1, an amount or a count is negative, a count is not a whole number, the chosen row
            does not exist, `most` is not above 0, or the groups do not fit the rows.
    """
    if kind not in ("weights", "signed", "counts", "amounts"):
        raise ValueError(f"Bars show weights, signed numbers, counts or amounts, not {kind!r}.")
    numbers = [_row(values, len(labels), kind)]
    if other is not None:
        numbers.append(_row(other, len(labels), kind))
    if notes is not None and len(notes) != len(labels):
        raise ValueError(f"{len(notes)} notes do not fit {len(labels)} rows.")
    if groups is not None and (
        other is not None
        or len(groups.of) != len(labels)
        or not all(0 <= one < len(groups.colours) for one in groups.of)
        or len(groups.names) != len(groups.colours)
    ):
        raise ValueError("The groups do not fit the rows.")
    if chosen is not None and not 0 <= chosen < len(labels):
        raise ValueError(f"There is no row {chosen}, counted from 0, among {len(labels)}.")
    if most is not None and not (most > 0 and math.isfinite(most)):
        raise ValueError("The scale of bars must end above 0.")
    high = (
        _ROW * min(len(labels), _MOST_ROWS)
        + _AROUND
        + (_LEGEND if other is not None or groups is not None else 0)
    )
    header: dict[str, Any] = {
        "labels": [visible_ends(label(text)) for text in labels],
        "unit": written(unit),
        "kind": kind,
        "hue": style.WEIGHT_HUE,
        "fromZero": from_zero,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "names": None if other is None else [written(text) for text in names],
        "notes": [written(note) for note in notes or ()],
        "chosen": None if chosen is None else int(chosen),
        "most": None if most is None else float(most),
        "number": {"digits": 0 if kind == "counts" else digits, "plus": kind == "signed"},
        "height": high if height is None else height,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    if groups is not None:
        header["groups"] = {
            "names": [written(name) for name in groups.names],
            "colours": [*groups.colours],
            "of": [*groups.of],
        }
    if beside:
        header["beside"] = [visible_ends(label(text)) for text in beside]
    return Picture("bars", header, np.concatenate(numbers).astype("<f4").tobytes())


def _row(values: npt.ArrayLike, rows: int, kind: str) -> Array:
    """(rows,) float32."""
    numbers = np.asarray(values, np.float32)
    if not rows or not numbers.size:
        raise ValueError("There is nothing to draw.")
    if numbers.shape != (rows,):
        raise ValueError(f"{rows} labels do not fit numbers of {numbers.shape}.")
    if not np.isfinite(numbers).all():
        raise ValueError("A picture can only show finite numbers.")
    if kind == "weights":
        if numbers.min() < -_CLOSE or numbers.max() > 1 + _CLOSE:
            raise ValueError("Weights must be numbers from 0 to 1.")
        numbers = numbers.clip(0, 1)
    if kind == "counts" and (numbers.min() < 0 or (numbers % 1).any()):
        raise ValueError("Counts must be whole numbers of at least 0.")
    if kind == "amounts" and numbers.min() < 0:
        raise ValueError("Amounts must be numbers of at least 0.")
    return numbers
