"""All heads of a model as small maps, painted at once: `overview.js`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.figures import style
from core.figures.web.labels import label, written
from core.figures.web.link import Link
from core.figures.web.ordering import Patterns, order
from core.figures.web.picture import Picture
from core.figures.web.pooling import Pool, levels, pooled
from core.trace import Array

MOST_CELLS = 96  # along a side of a map
MOST_BYTES = 1_150_000  # of the numbers
_CELL, _ALL, _LEAST = 70, 640, 24  # pixels: of a row of maps, of all rows, of a row at least
_AROUND, _CHOICES = 118, 40
_ABOVE = 14  # pixels of what stands above each map in order of a pattern
_BYTES = 8  # of a score, as JSON
_CLOSE = 1e-3  # above a weight of 1, by rounding


def overview(
    weights: npt.ArrayLike,
    *,
    sentence: str,
    name: str,
    tokens: Sequence[str] | None = None,
    looking: Sequence[str] | None = None,
    layers: Sequence[str] | None = None,
    notes: Sequence[Sequence[str]] | None = None,
    chosen: tuple[int, int] | None = None,
    token: int | None = None,
    way: Literal["to", "from"] = "to",
    patterns: Patterns | None = None,
    pattern: int | None = None,
    usual: bool = False,
    least: float = 0.0,
    special: bool | None = None,
    places: tuple[Sequence[int], Sequence[int]] | None = None,
    link: Link | None = None,
    pool: Pool = "max",
    root: bool | None = None,
) -> Picture:
    """Layers × heads, each a small map: rows look, columns are looked at.

    A map of more than 96 tokens (fewer in a model of very many heads) is pooled, and the picture says
    so. With `tokens`, a token can be chosen, and every head is coloured by how much it looks to it (its
    column's mean weight) or from it (its row's largest weight). With `patterns`, heads can be put in
    order of one of them, and those that hardly follow it left out.

    Events: "head" {layer, head}, and "state" {token, way, pattern, usual, least, special}, each as the
    argument of that name. What makes no sense in those is ignored, since it may come from a link.

    Args:
        weights: (layers, heads, queries, keys), 0 to 1.
        sentence: the picture in one sentence, for those who do not see it.
        name: of the saved file, after "polysee-".
        tokens: (keys,), what is looked at; None for no choice of tokens.
        looking: (queries,), what looks, where that is another text; `tokens` if not said.
        layers: their names; "Layer 1" and so on if not said.
        notes: (layers, heads), what is read with each head, such as "previous token .93"; "" for none.
        chosen: (layer, head), from 0: framed.
        token: the token that is chosen at first.
        way: whether the choice is of what heads look to, or from, at first.
        patterns: how much each head follows each pattern.
        pattern: which of them orders the heads at first; None: they stand in their places.
        usual: by the usual scores, not those of this text.
        least: heads with a lower score are left out, 0 to 1 in steps of .05.
        special: whether special tokens are among the tokens, which a visitor may ask to change; with
            False the weights have been divided by what remains. None: there is nothing to ask.
        places: the place of each query and of each key in the whole text: `token` is one of these, so
            that it means the same while some tokens are left out. Without it they are counted as they
            stand, and no token stays chosen when a visitor asks for `special` or no longer.
        link: what the picture shares with others on its page; only with `tokens`.
        pool: a dot is the strongest of its cells, which keeps single links visible, or their mean.
        root: colour by the square root of the weight; above `style.LINEAR_UP_TO` tokens if not said.

    Raises:
        ValueError: there is nothing to draw, a number is no weight, or sizes do not fit.
    """
    numbers = np.asarray(weights, np.float32)
    if numbers.ndim != 4 or not numbers.size:
        raise ValueError(f"All heads are (layers, heads, queries, keys) weights, not {numbers.shape}.")
    n_layers, n_heads, queries, keys = numbers.shape
    seen = [label(token) for token in tokens or ()]
    look = [label(token) for token in looking] if looking is not None else seen
    if seen and (len(seen), len(look)) != (keys, queries):
        raise ValueError(f"{len(look)} and {len(seen)} tokens do not fit maps of {queries}×{keys}.")
    if layers is not None and len(layers) != n_layers:
        raise ValueError(f"{len(layers)} names do not fit {n_layers} layers.")
    if notes is not None and [len(row) for row in notes] != [n_heads] * n_layers:
        raise ValueError(f"Notes must be {n_layers} rows of {n_heads}.")
    if chosen is not None and not (0 <= chosen[0] < n_layers and 0 <= chosen[1] < n_heads):
        raise ValueError(f"There is no layer {chosen[0]} with a head {chosen[1]}, counted from 0.")
    if link is not None and not seen:
        raise ValueError("A picture without tokens has none to share.")
    if places is not None and [len(some) for some in places] != [queries, keys]:
        raise ValueError(f"{[len(some) for some in places]} places do not fit {queries} × {keys}.")
    ordered = None if patterns is None else patterns.header(n_layers, n_heads)
    if root is None:
        root = max(queries, keys) > style.LINEAR_UP_TO
    small = pooled(numbers, _side(numbers.shape, bool(seen), patterns), pool)
    strongest = small.away.max(axis=2)
    if not (np.isfinite(strongest).all() and strongest.max() < 1 + _CLOSE and small.maps.min() >= 0):
        raise ValueError("Weights are numbers from 0 to 1.")
    parts = [levels(small.maps, root=root)]
    ends = {"to": _end(small.to), "from": _end(small.away)}
    if seen:
        parts += [levels(small.to, root=True, end=ends["to"])]
        parts += [levels(small.away, root=True, end=ends["from"])]
    way = "from" if way == "from" else "to"
    known = places or (range(len(look)), range(len(seen)))
    asked = set(known[0] if way == "from" else known[1]) if seen else set()
    by, by_usual, least = order(patterns, pattern, usual, least)
    header: dict[str, Any] = {
        "layers": [written(x) for x in layers or map(style.layer_name, range(n_layers))],
        "heads": n_heads,
        "maps": small.maps.shape[2:],
        "block": small.block,
        "pool": pool,
        "scale": {
            "kind": "weights",
            "root": root,
            "hue": style.WEIGHT_HUE,
            "title": "weight, square-root colours" if root else "weight",
        },
        "tokens": seen,
        "looking": None if look == seen else look,
        "ends": ends,
        "scaled": special is False,
        "places": None if places is None else [[int(i) for i in some] for some in places],
        "patterns": ordered,
        "link": None if link is None else link.header(queries, keys),
        "state": {
            "token": token if token in asked else None,
            "way": way,
            "pattern": by,
            "usual": by_usual,
            "least": least,
            "special": special,
        },
        "notes": [written(note) for row in notes or () for note in row],
        "strongest": [round(float(x), 4) for x in strongest.ravel()],
        "chosen": None if chosen is None else (int(chosen[0]), int(chosen[1])),
        "number": {"digits": 2, "plus": False, "bare": True},
        "height": _height(n_layers, bool(seen) or special is not None, patterns is not None),
        # In a narrow window heads stand in several rows, and choices too.
        "tall": _height(n_layers, bool(seen) or special is not None, patterns is not None, more=True),
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return Picture("overview", header, b"".join(part.tobytes() for part in parts))


def _side(shape: tuple[int, ...], tokens: bool, patterns: Patterns | None) -> int:
    """How many cells along a side, so that all maps keep within the bytes."""
    layers, heads, queries, keys = shape
    each = queries + keys if tokens else 0
    if patterns is not None:
        each += _BYTES * len(patterns.names) * (1 if patterns.usual is None else 2)
    maps = layers * heads
    return max(8, min(MOST_CELLS, math.isqrt(max(0, MOST_BYTES - maps * each) // maps)))


def _end(values: Array) -> float:
    return float(max(values.max(), 1e-6))


def _height(layers: int, choices: bool, patterns: bool, *, more: bool = False) -> int:
    row = max(_LEAST, min(_CELL, _ALL // layers)) + _ABOVE * (patterns and more)
    return row * layers + _AROUND + _CHOICES * (choices + patterns + (patterns and more))
