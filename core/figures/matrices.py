"""Matrices and vectors as browser pictures: `matrix/heatmap.js` and `matrix/strips.js`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..localization import N_, _, gettext
from ..measures import HeadMap
from ..records.trace import SINK, Array
from . import style
from .attention.masks import mask_header
from .labels import label
from .picture import Picture
from .scales import distance_scale, signed_scale, weight_scale

# pixels: of a row, of all rows; a cell is therefore never much smaller than one pixel
_ROW, _MOST = 24, 512
_LEGEND, _NOTE = 68, 17
_LONG = 60  # letters of a note, above which it may need two lines
_STRIP = 38
_DIGITS = 4


def heatmap(
    head: HeadMap,
    *,
    sentence: str,
    name: str,
    marked: Sequence[int] = (),
    against: Sequence[int] | None = None,
    colour: str = style.LEARNED,
    root: bool | None = None,
    of: tuple[str, str, str] = (N_("token"), N_("attends to"), N_("weight")),
    hidden: str = "",
) -> Picture:
    """The weights of one head on one colour scale from 0 to 1: a row is a query, a column a key.

    Args:
        head: the weights, (queries, keys); a missing row is hatched.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        marked: the rows of the word that the page is about: bold in `colour`, and framed. If rows and
            columns are the same tokens, its columns are bold too.
        against: the columns to mark and frame instead of those.
        colour: the colour of the sentence.
        root: whether to colour by the square root of the weight (the numbers remain the weights); by
            default, above `scales.LINEAR_UP_TO` rows or columns.
        of: the names of rows, columns and numbers, for the header of the table of numbers.
        hidden: why cells are masked; by default, what their pattern says, which a part of a map lacks.

    Raises:
        ValueError: if there is nothing to draw, a number is not finite, or there is no such row to
            mark.
    """
    scale = weight_scale(*head.weights.shape, root=root) | {"notes": [*_scaled(head), *_missing(head)]}
    masked = mask_header(head.masked)
    if masked["causal"] or masked["mask"]:
        causal = _("later tokens are not visible")
        what = hidden or (causal if masked["causal"] else masked["maskDescription"])
        scale["notes"] = [_("hatched: masked, {what}").format(what=what), *scale["notes"]]
        scale["masked"] = {name: masked[name] for name in ("causal", "mask")}
    return _matrix(
        head.queries,
        head.keys,
        head.weights,
        scale,
        of,
        sentence,
        name,
        marked,
        colour,
        against,
        rows_missing=True,
    )


def signed_heatmap(
    rows: Sequence[str],
    columns: Sequence[str],
    values: npt.ArrayLike,
    *,
    title: str,
    sentence: str,
    name: str,
    bound: float | None = None,
    marked: Sequence[int] = (),
    against: Sequence[int] | None = None,
    colour: str = style.LEARNED,
    of: tuple[str, str] = (N_("token"), N_("attends to")),
    between: str = " → ",
    missing: str = N_("rows that are missing in one of the two"),
    digits: int = _DIGITS,
    least: float | None = None,
) -> Picture:
    """Signed numbers between two lists of tokens, purple below 0 and green above.

    Args:
        rows: the tokens that attend.
        columns: the tokens that are attended to.
        values: (rows, columns); a missing row is NaN, and hatched.
        title: the name of the numbers, for the colour scale.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        bound: the end of the colour scale on both sides; by default, the largest number.
        marked: the rows (and columns) of the word that the page is about, see `heatmap`.
        against: the columns to mark and frame instead of those.
        colour: the colour of marked rows and columns.
        of: the names of rows and columns, for the header of the table of numbers.
        between: the words between the two when a number is read out.
        missing: what a hatched row is.
        digits: the decimals of a number.
        least: from this number on, of either sign, a cell has its number if there is room, without
            decimals; by default, the cells of a small matrix have theirs, and those of marked rows.

    Raises:
        ValueError: see `heatmap`; or `bound` is not above 0.
    """
    numbers = np.asarray(values, np.float32)
    scale = signed_scale(numbers, bound, title, share=1.0) | {"between": between}
    if np.isnan(numbers).any():
        scale["notes"] = [*scale["notes"], _("hatched: {missing}").format(missing=gettext(missing))]
    names = (*of, title)
    return _matrix(
        rows,
        columns,
        numbers,
        scale,
        names,
        sentence,
        name,
        marked,
        colour,
        against,
        rows_missing=True,
        digits=digits,
        least=least,
    )


def heads_heatmap(
    values: npt.ArrayLike,
    *,
    title: str,
    sentence: str,
    name: str,
    chosen: tuple[int, int] | None = None,
) -> Picture:
    """One number from 0 to 1 for each head, on one scale: layers downwards, heads to the right.

    Args:
        values: (layers, heads); NaN for a head that is missing, which is hatched.
        title: the name of the numbers, for the colour scale.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        chosen: (layer, head), from 0, of a framed head.

    Raises:
        ValueError: see `heatmap`; or a number is not from 0 to 1.
    """
    numbers = np.asarray(values, np.float32)
    gone = np.isnan(numbers)
    there = numbers[~gone]
    if there.size and not (there.min() >= 0 and there.max() <= 1 + 1e-4):
        raise ValueError("Scores of heads must be numbers from 0 to 1.")
    notes = [_("hatched: no attention there")] if gone.any() else []
    scale = weight_scale(*numbers.shape, root=False)
    scale |= {"title": title, "between": _(", head "), "notes": notes}
    some = gone & ~gone.all(axis=1, keepdims=True)  # single heads of a layer, not all of them
    if some.any():
        mask = mask_header(some)
        scale["masked"] = {what: mask[what] for what in ("causal", "mask")}
    return _matrix(
        [style.layer_name(layer) for layer in range(numbers.shape[0])],
        [str(head + 1) for head in range(numbers.shape[1])],
        np.where(some, 0, numbers),
        scale,
        (N_("layer"), N_("head"), title),
        sentence,
        name,
        () if chosen is None else (chosen[0],),
        style.LEARNED,
        None if chosen is None else (chosen[1],),
        rows_missing=True,
    )


def distance_heatmap(
    names: Sequence[str],
    values: npt.ArrayLike,
    *,
    sentence: str,
    name: str,
    marked: Sequence[int] = (),
    against: Sequence[int] | None = None,
    colour: str = style.LEARNED,
    of: tuple[str, str],
) -> Picture:
    """Pairwise distances; the nearer two items are, the more their cell fades into the page.

    Args:
        names: (items,), the names of the items.
        values: (items, items), 0 or more.
        sentence: see `signed_heatmap`, also for the arguments below.
        name: the name of the saved file, after "polysee-".
        marked: the rows to mark.
        against: the columns to mark.
        colour: the colour of marked rows and columns.
        of: the names of rows and columns.

    Raises:
        ValueError: see `heatmap`; or a distance is below 0.
    """
    numbers = np.asarray(values, np.float32)
    scale = distance_scale(numbers) | {"between": _(" and ")}
    titles = (*of, N_("distance"))
    return _matrix(names, names, numbers, scale, titles, sentence, name, marked, colour, against)


def strips(
    vectors: Mapping[str, npt.ArrayLike],
    *,
    sentence: str,
    name: str,
    colours: Mapping[str, str] | None = None,
) -> Picture:
    """Whole vectors as strips of colour, one above the other, on one signed colour scale.

    The scale contains 99 of 100 numbers (a few dimensions of BERT's vectors are ten times larger than
    the rest). The picture says so.

    Args:
        vectors: name -> (d_model,), all of the same size.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        colours: name -> the colour of the name.

    Raises:
        ValueError: if there is nothing to draw, the sizes differ, or a number is not finite.
    """
    if len({np.shape(vector) for vector in vectors.values()}) != 1:
        raise ValueError("Strips need at least one vector, and all vectors must have one size.")
    numbers = np.stack([np.asarray(vector, np.float32) for vector in vectors.values()])
    if numbers.ndim != 2:
        raise ValueError("A strip must be a vector, with a single dimension.")
    scale = signed_scale(numbers, None, _("value"), share=0.99)
    lines = len(scale["notes"])
    header = {
        "rows": [label(vector) for vector in vectors],
        "colours": [(colours or {}).get(vector) for vector in vectors],
        "scale": scale,
        "number": {"digits": _DIGITS, "plus": False},
        "names": (_("vector"), _("dimension"), _("value")),
        "height": len(vectors) * _STRIP + _LEGEND + 20 + lines * _NOTE,
    }
    return _picture("strips", header, numbers, sentence, name)


def _scaled(head: HeadMap) -> list[str]:
    """How the weights were rescaled without special tokens, and what share of them goes to no token."""
    if not head.renormalised:
        if head.sink is None or head.missing.all():
            return []
        sunk = style.signed(float(np.nanmean(head.sink)))
        return [
            _("on average, {share} of a row goes to {where}").format(
                share=sunk, where=gettext(style.OUTSIDE[head.outside])
            )
        ]
    what = gettext(SINK) if head.first_is_sink else _("special tokens")
    if head.sink is not None:
        what = _("{what} and {where}").format(what=what, where=gettext(style.OUTSIDE[head.outside]))
    how = _("each head’s rows") if head.averaged else _("each row")
    then = _(", then averaged") if head.averaged else ""
    return [
        _("{what} left out, {how} rescaled to 1 over the tokens shown{then}").format(
            what=what, how=how, then=then
        )
    ]


def _missing(head: HeadMap) -> list[str]:
    """Why rows are missing."""
    if not head.missing.any():
        return []
    bare = head.missing & (np.isnan(head.dropped) if head.renormalised else True)
    reasons = [_("hatched: no attention there")] if bare.any() else []
    if (head.missing & ~bare).any():
        what = _("the first token (sink)") if head.first_is_sink else _("special tokens")
        reasons.append(_("hatched: without {what}, nothing is left of the row").format(what=what))
    return reasons


def _matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Array,
    scale: dict[str, Any],
    names: tuple[str, str, str],
    sentence: str,
    name: str,
    marked: Sequence[int],
    colour: str,
    against: Sequence[int] | None = None,
    *,
    rows_missing: bool = False,
    digits: int = _DIGITS,
    least: float | None = None,
) -> Picture:
    if values.shape != (len(rows), len(columns)):
        raise ValueError(f"{len(rows)}×{len(columns)} labels do not fit numbers of {values.shape}.")
    if not all(0 <= row < len(rows) for row in marked):
        raise ValueError(f"Rows {tuple(marked)} cannot be marked: there are {len(rows)}.")
    if not all(0 <= column < len(columns) for column in against or ()):
        raise ValueError(f"There are {len(columns)} columns: {tuple(against or ())} cannot be marked.")
    labels = [label(token) for token in columns]
    at = sorted({int(row) for row in marked})
    across = at if tuple(rows) == tuple(columns) else []
    slanted = min(104, 7.5 * max(map(len, labels), default=0)) * math.sin(math.radians(60)) + 14
    header = {
        "rows": [label(token) for token in rows],
        "columns": labels,
        "scale": scale,
        "marked": {
            "rows": at,
            "columns": across if against is None else sorted({int(i) for i in against}),
            "colour": colour,
        }
        | ({} if against is None else {"framed": True}),
        "number": {"digits": digits, "plus": scale["kind"] == "signed"}
        | ({} if least is None else {"least": least}),
        "names": tuple(map(gettext, names)),
        "height": math.ceil(slanted)
        + min(_ROW * len(rows), _MOST)
        + _LEGEND
        + sum(1 + len(note) // _LONG for note in scale["notes"]) * _NOTE,
    }
    return _picture("heatmap", header, values, sentence, name, rows_missing=rows_missing)


def _picture(
    module: str,
    header: dict[str, Any],
    values: Array,
    sentence: str,
    name: str,
    *,
    rows_missing: bool = False,
) -> Picture:
    if not values.size:
        raise ValueError("There is nothing to draw.")
    shown = values[~np.isnan(values).all(axis=1)] if rows_missing else values
    if not np.isfinite(shown).all():
        raise ValueError("A picture can only show finite numbers.")
    header |= {"dtype": "float32", "sentence": sentence, "file": f"polysee-{name}"}
    return Picture(module, header, np.ascontiguousarray(values, "<f4").tobytes())
