"""A running text, each piece on a background shaded by its number: `writing/shaded.js`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..localization import decimal, ngettext
from ..records.frozen import Array
from . import style
from .labels import lines_of, named_edges, runs_left, spelled, written
from .picture import Picture
from .scales import rounded_up, signed_scale

# The height before the text is laid out in the browser, which alone knows where lines end.
_LINE, _AROUND, _MOST_LINES, _SIGNS = 23, 80, 12, 110


def shaded_text(
    pieces: Sequence[str],
    values: npt.ArrayLike,
    *,
    unit: str,
    sentence: str,
    name: str,
    kind: Literal["weights", "signed"] = "weights",
    most: float | None = None,
    title: str | None = None,
    notes: Sequence[str] | None = None,
    first_written: int | None = None,
    chosen: int | None = None,
) -> Picture:
    """A text in lines as wide as the picture, each piece on a background shaded by its number.

    A line break is shown as "↵" and ends the line. A text of more than twelve lines scrolls.
    Event: "bar" {index}.

    Args:
        pieces: the tokens, spelled as in the text: those that begin a word with the space before it.
        values: (pieces,), at least 0 for "weights", of either sign for "signed"; NaN for a piece that
            has no number, such as the first one of a text.
        unit: what a number counts, written after it: "bits".
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        kind: "weights" are shaded in one colour from 0 on; "signed" purple below 0 and green above.
        most: the end of the shades, on both sides if signed; by default, the largest number. Numbers
            beyond it have the strongest shade, and the legend says how many there are.
        title: the title of the legend; None for the unit.
        notes: (pieces,), what is read after each number, such as what a model expected there.
        first_written: the piece from which on the model has written the text; it is underlined.
        chosen: the piece that is framed.

    Raises:
        ValueError: there is nothing to draw, sizes do not fit, a number is infinite, a weight is below
            0, `most` is not above 0, or there is no such piece.
    """
    if kind not in ("weights", "signed"):
        raise ValueError(f"A text is shaded by weights or signed numbers, not {kind!r}.")
    numbers = _numbers(values, len(pieces), kind)
    if notes is not None and len(notes) != len(pieces):
        raise ValueError(f"{len(notes)} notes do not fit {len(pieces)} pieces.")
    if chosen is not None and not 0 <= chosen < len(pieces):
        raise ValueError(f"There is no piece {chosen}, counted from 0, among {len(pieces)}.")
    if first_written is not None and not 0 <= first_written <= len(pieces):
        raise ValueError(
            f"The model cannot have written from piece {first_written} of {len(pieces)} on."
        )
    if most is not None and not (most > 0 and math.isfinite(most)):
        raise ValueError("The shades must end above 0.")
    scale = _scale(numbers, kind, most, written(unit if title is None else title))
    header = _header(pieces, unit, scale, notes, first_written, sentence, name)
    header["number"]["plus"] = kind == "signed"
    header["chosen"] = None if chosen is None else int(chosen)
    return Picture("shaded", header, numbers.astype("<f4").tobytes())


def labelled_text(
    pieces: Sequence[str],
    kinds: Sequence[int],
    names: Sequence[str],
    *,
    unit: str,
    sentence: str,
    name: str,
    framed: Sequence[int] = (),
    frame: str = "",
    notes: Sequence[str] | None = None,
    first_written: int | None = None,
    chosen: int | None = None,
) -> Picture:
    """A text like `shaded_text`, each piece on the colour of its kind: who wrote it, for example.

    A legend names the kinds, and every piece's tooltip its own, so that no colour stands alone.

    Args:
        pieces: as for `shaded_text`.
        kinds: (pieces,), the place of each piece's kind in `names`.
        names: the kinds, up to five; only those that occur are in the legend.
        unit: the question that a kind answers, above its column in the table: "written by".
        sentence: as for `shaded_text`.
        name: as for `shaded_text`.
        framed: the pieces with a frame, such as special tokens.
        frame: what a frame means.
        notes: as for `shaded_text`.
        first_written: as for `shaded_text`.
        chosen: as for `shaded_text`.

    Raises:
        ValueError: there is nothing to draw, sizes do not fit, or there is no such kind or piece.
    """
    if not pieces:
        raise ValueError("There is nothing to draw.")
    if not 1 <= len(names) <= len(style.KINDS_ON_LIGHT):
        raise ValueError(f"There are colours for {len(style.KINDS_ON_LIGHT)} kinds, not {len(names)}.")
    if len(kinds) != len(pieces) or not all(0 <= kind < len(names) for kind in kinds):
        raise ValueError("There must be one kind for each piece.")
    if notes is not None and len(notes) != len(pieces):
        raise ValueError(f"{len(notes)} notes do not fit {len(pieces)} pieces.")
    if not all(0 <= i < len(pieces) for i in framed):
        raise ValueError("There is no such piece to frame.")
    if chosen is not None and not 0 <= chosen < len(pieces):
        raise ValueError(f"There is no piece {chosen}, counted from 0, among {len(pieces)}.")
    there = sorted(set(kinds))
    scale = {
        "kind": "kinds",
        "names": [written(names[kind]) for kind in there],
        "light": [style.KINDS_ON_LIGHT[kind] for kind in there],
        "dark": [style.KINDS_ON_DARK[kind] for kind in there],
        "framed": [int(i) for i in framed],
        "frame": written(frame),
        "title": "",
        "notes": [],
    }
    header = _header(pieces, unit, scale, notes, first_written, sentence, name)
    header["chosen"] = None if chosen is None else int(chosen)
    places = np.array([there.index(kind) for kind in kinds], "<f4")
    return Picture("shaded", header, places.tobytes())


def _header(
    pieces: Sequence[str],
    unit: str,
    scale: dict[str, Any],
    notes: Sequence[str] | None,
    first_written: int | None,
    sentence: str,
    name: str,
) -> dict[str, Any]:
    shown = [_shown(piece) for piece in pieces]
    return {
        "pieces": shown,
        "labels": [spelled(piece) for piece in pieces],
        "sides": "".join(map(_side, shown)),
        "left": runs_left(shown),
        "unit": written(unit),
        "scale": scale,
        "number": {"digits": 2, "plus": False},
        "notes": [written(note) for note in notes or ()],
        "firstWritten": None if first_written in (None, len(pieces)) else int(first_written or 0),
        "chosen": None,
        "height": _LINE * _lines(shown) + _AROUND,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }


def _numbers(values: npt.ArrayLike, count: int, kind: str) -> Array:
    """(pieces,) float32."""
    numbers = np.asarray(values, np.float32)
    if not count:
        raise ValueError("There is nothing to draw.")
    if numbers.shape != (count,):
        raise ValueError(f"{count} pieces do not fit numbers of {numbers.shape}.")
    if np.isinf(numbers).any():
        raise ValueError("A picture can only show finite numbers.")
    if kind == "weights" and (numbers < 0).any():
        raise ValueError("Weights are never below 0.")
    return numbers


def _scale(numbers: Array, kind: str, most: float | None, title: str) -> dict[str, Any]:
    if kind == "signed":
        return signed_scale(numbers, most, title, share=1)
    there = numbers[~np.isnan(numbers)]
    end = rounded_up(float(there.max(initial=0))) if most is None else float(most)
    beyond = int((there > end * (1 + 1e-6)).sum())
    note = ngettext(
        "{count} number beyond {end} drawn in the strongest colour",
        "{count} numbers beyond {end} drawn in the strongest colour",
        beyond,
    ).format(count=decimal(f"{beyond:,}"), end=decimal(f"{end:g}"))
    return {
        "kind": "weights",
        "root": False,
        "hue": style.WEIGHT_HUE,
        "most": end,
        "title": title,
        "notes": [note] if beyond else [],
    }


def _shown(piece: str) -> str:
    """A piece as it is drawn: spaces and line breaks stay, what cannot be seen is made visible."""
    return "\n".join(named_edges(written(line)) for line in lines_of(piece)) or spelled(piece)


def _side(shown: str) -> str:
    """Where a piece runs, one letter.

    Returns:
        "r" from right to left, "l" from left to right; without a letter, "d" for a number, or "n".
    """
    if runs_left((shown,)):
        return "r"
    if any(sign.isalpha() for sign in shown):
        return "l"
    return "d" if any(sign.isdigit() for sign in shown) else "n"


def _lines(shown: Sequence[str]) -> int:
    """About how many lines are in view."""
    lines = "".join(shown).split("\n")
    return min(_MOST_LINES, sum(1 + len(line) // _SIGNS for line in lines))
