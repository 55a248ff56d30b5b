"""A concordance: the word in the middle, its contexts left and right: `concordance/concordance.js`.

All lines go to the browser at once, in one compact payload; it draws only those in view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .cloud import Group
from .labels import written
from .picture import Chosen, Picture

HEIGHT = 500
# As in concordance.js: the pixels of a row and of all around the list, the fewest rows with room, and
# the fewest lines of each group where all groups are shown.
_ROW, _AROUND, _LEAST, _FIRST = 26, 62, 3, 4
_DIGITS = 2


def concordance(
    texts: Sequence[str],
    sentence_of: npt.ArrayLike,
    spans: Sequence[tuple[int, int]],
    groups: Sequence[Group],
    group_of: npt.ArrayLike,
    distance: npt.ArrayLike,
    *,
    words: Sequence[Sequence[str]] = (),
    numbers: npt.ArrayLike | None = None,
    number_name: str = "",
    columns: Mapping[str, Sequence[object]] | None = None,
    similar: str | None = None,
    sentence: str,
    name: str,
    height: int | None = None,
) -> Picture:
    """Lines with the same word in the middle, in groups, to be sorted and filtered in the browser.

    Event: "state" {sort, column, group, chosen}.

    Args:
        texts: the sentences, each once.
        sentence_of: (lines,), the sentence of each line, from 0; lines in the order of the texts.
        spans: (lines,), where the word begins in its sentence, and the character after its end.
        groups: the groups, each with a colour and a mark.
        group_of: (lines,), the group of each, from 0.
        distance: (lines,), how untypical each is of its group: the smallest comes first.
        words: for each group, a few words that describe it.
        numbers: (lines,), a number at the end of each line; None for none.
        number_name: what it is.
        columns: by name, (lines,) the values of each column by which lines can be sorted.
        similar: the address at which a browser gets the cosine of all lines with a line, (lines,)
            float32, after it the number of that line is added; None if there is no server.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        height: the total height in pixels; None for `HEIGHT`, or less if there are few lines.

    Raises:
        ValueError: there are no lines, sizes do not fit, or there is no such sentence, group or place.
    """
    of, grouped = np.asarray(sentence_of, np.int64), np.asarray(group_of, np.int64)
    far = np.asarray(distance, np.float32)
    count = len(of)
    if not count or any(len(one) != count for one in (spans, grouped, far)):
        raise ValueError("A concordance needs lines, and for each its place, group and distance.")
    if not np.isfinite(far).all():
        raise ValueError("A picture can only show finite numbers.")
    if grouped.min() < 0 or grouped.max() >= len(groups) or of.min() < 0 or of.max() >= len(texts):
        raise ValueError(f"There are {len(groups)} groups and {len(texts)} sentences, counted from 0.")
    blob, places = _places(texts, of, spans)
    ranks = np.empty(count, "<u4")
    ranks[np.argsort(far, kind="stable")] = np.arange(count)
    packed = {name: _codes(values, count) for name, values in (columns or {}).items()}
    counts = np.bincount(grouped, minlength=len(groups))
    header: dict[str, Any] = {
        "lines": count,
        "groups": [group.header() for group in groups],
        "counts": counts.tolist(),
        "words": [", ".join(map(written, some)) for some in words] or [""] * len(groups),
        "columns": [{"name": written(name), "values": values} for name, (values, _) in packed.items()],
        "similar": similar,
        "numbers": None if numbers is None else written(number_name),
        "number": {"digits": _DIGITS, "plus": True},
        "state": {"sort": "meaning", "column": 0, "group": None, "chosen": None},
        "height": min(HEIGHT, _ROW * _most_rows(counts) + _AROUND) if height is None else height,
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    arrays = [places, ranks, *(codes for _, codes in packed.values())]
    if numbers is not None:
        own = np.asarray(numbers, "<f4")
        if own.shape != (count,) or not np.isfinite(own).all():
            raise ValueError(f"{own.shape} numbers do not fit {count} lines, or are not finite.")
        arrays.append(own)
    payload = b"".join(np.ascontiguousarray(one).tobytes() for one in arrays)
    return Picture("concordance", header, payload + grouped.astype("u1").tobytes() + blob, _complete)


def _most_rows(counts: npt.NDArray[np.int64]) -> int:
    """The rows of the longest list: all lines, or the first lines of all groups with their headings."""
    first = max(_FIRST, (HEIGHT - _AROUND) // _ROW // len(counts) - 2)
    grouped = np.sum((counts > 0) + np.minimum(counts, first) + (counts > first))
    return max(_LEAST, int(counts.sum()), int(grouped) if len(counts) > 1 else 0)


def order(
    state: Chosen,
    *,
    group_of: npt.NDArray[np.int64],
    distance: npt.ArrayLike,
    contexts: Sequence[tuple[str, str]],
    columns: Sequence[Sequence[object]],
    similarity: npt.ArrayLike | None,
) -> npt.NDArray[np.int64]:
    """The lines in the order in which the picture shows them, all of a group instead of its first few.

    Args:
        state: the choices in the picture.
        group_of: see `concordance`.
        distance: see `concordance`.
        contexts: (lines,), the texts on the left and on the right.
        columns: the values of each column.
        similarity: (lines,), the cosines with the chosen line, if lines are sorted by them.
    """
    count, sort = len(group_of), state["sort"]
    lines: npt.NDArray[np.int64] = np.arange(count)
    if sort == "meaning":
        lines = np.lexsort([lines, np.asarray(distance), group_of])
    elif sort in ("left", "right"):
        side = ("left", "right").index(sort)
        keys = [_context_key(parts[side], backwards=side == 0) for parts in contexts]
        lines = np.array(sorted(range(count), key=lambda i: keys[i]), np.int64)
    elif sort == "shuffled":
        lines = np.lexsort((lines, _shuffled(count)))
    elif sort == "similar" and similarity is not None:
        lines = np.lexsort([lines, -np.asarray(similarity)])
    elif sort == "column" and columns:
        _, codes = _codes(columns[state["column"]], count)
        lines = np.lexsort([lines, codes])
    if state["group"] is not None:
        lines = lines[group_of[lines] == state["group"]]
    return lines


def _shuffled(count: int) -> npt.NDArray[np.uint32]:
    """Where each line stands in an order that looks random; the same as in `concordance/lines.js`."""
    key = np.arange(1, count + 1, dtype=np.uint32) * np.uint32(0x9E3779B1)
    key = (key ^ (key >> np.uint32(15))) * np.uint32(0x85EBCA6B)
    mixed: npt.NDArray[np.uint32] = key ^ (key >> np.uint32(13))
    return mixed


def _context_key(context: str, *, backwards: bool) -> str:
    """By what a line is sorted: the words next to the word, the nearest first, in lower case."""
    words = "".join(c if c.isalnum() or c.isspace() else " " for c in context.lower()).split()
    return " ".join(words[::-1] if backwards else words)


def _places(
    texts: Sequence[str], of: npt.NDArray[np.int64], spans: Sequence[tuple[int, int]]
) -> tuple[bytes, npt.NDArray[Any]]:
    """All sentences as UTF-8; and for each line where its parts begin and end in it, (lines, 4)."""
    raw = [text.encode("utf-8", "replace") for text in texts]
    bases = np.cumsum([0, *map(len, raw)])
    if bases[-1] >= 2**32:
        raise ValueError("These sentences are too long for one picture.")
    start, end = np.array(spans, np.int64).reshape(-1, 2).T
    lengths = np.array([len(text) for text in texts], np.int64)
    length = lengths[of]
    wrong = (start < 0) | (start > end) | (end > length)
    if wrong.any():
        raise ValueError(f"Line {np.argmax(wrong)} has no place in its sentence.")
    cuts = np.stack([np.zeros_like(start), start, end, length], axis=1)
    for row in np.flatnonzero(np.diff(bases)[of] != length):  # characters of more than one byte
        text = texts[of[row]]
        cuts[row] = [len(text[:cut].encode("utf-8", "replace")) for cut in cuts[row]]
    return b"".join(raw), (bases[of][:, None] + cuts).astype("<u4")


def _codes(values: Sequence[object], count: int) -> tuple[list[str], npt.NDArray[Any]]:
    """The different values of a column in order, as texts, and the number of each line's value."""
    if len(values) != count:
        raise ValueError(f"{len(values)} values do not fit {count} lines.")
    different = sorted({*values}, key=lambda value: (value is None, *_sortable(value)))
    number = {value: i for i, value in enumerate(different)}
    codes = np.fromiter((number[value] for value in values), "<u4", count)
    return ["" if value is None else written(str(value)) for value in different], codes


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, 0.0, str(value))


def _complete(header: Mapping[str, Any], wanted: Chosen) -> Chosen:
    """A state without what this picture does not have."""
    state = {**header["state"], **wanted}
    if state["chosen"] is not None and not 0 <= state["chosen"] < header["lines"]:
        state["chosen"] = None
    if state["group"] is not None and not 0 <= state["group"] < len(header["groups"]):
        state["group"] = None
    if not 0 <= state["column"] < max(1, len(header["columns"])):
        state["column"] = 0
    if (state["sort"] == "column" and not header["columns"]) or (
        state["sort"] == "similar" and (state["chosen"] is None or header["similar"] is None)
    ):
        state["sort"] = "meaning"
    return state
